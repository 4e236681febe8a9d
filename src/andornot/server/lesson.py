"""The lesson of the page: answers and the error of PMI while the origin of the vectors moves.

The origin goes from 0 (as trained) to the plain mean of all vectors, and on to their mean by
frequency. A query is computed at every origin as it is at any other: its nodes don't depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.algebra import Logic
from andornot.algebra.compute import compute
from andornot.algebra.concept import Concept
from andornot.algebra.first_order import FirstOrder
from andornot.algebra.ranking import operand_ids
from andornot.base.errors import AndornotError
from andornot.base.moments import Vector, parts, weighted_mean
from andornot.postprocessing.affine import Affine
from andornot.search import largest
from andornot.server.deadline import check_deadline
from andornot.space import Space

STOPS = ("as trained", "plain mean", "mean by frequency")
QUERIES = ("royal & woman", "ice & sport", "apple & !fruit", "violin | piano")
_BETWEEN = 10  # steps from one stop to the next
_SHOWN = 5  # first words of each stop that are followed
_CONTEXTS = 256  # drawn by frequency


@dataclass(frozen=True)
class Track:
    """A query, words that are among its first at a stop, and the rank of each at every step."""

    query: str
    words: tuple[str, ...]
    ranks: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Lesson:
    """Answers and errors along the way of the origin.

    Attributes:
        stops: The names of the origins between which it moves.
        between: The number of steps from one stop to the next.
        tracks: The ranks of words for each query.
        errors: For each stop, the error of PMI in every context that was drawn; None without
            context vectors or frequencies. Between two stops it changes linearly.
        rms: The root mean square of these errors, for each stop; None as above.
        contexts: The number of contexts that were drawn.
    """

    stops: tuple[str, ...]
    between: int
    tracks: tuple[Track, ...]
    errors: tuple[tuple[float, ...], ...] | None
    rms: tuple[float, ...] | None
    contexts: int

    def to_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return asdict(self)


def lesson_of(logic: Logic, queries: Sequence[str]) -> Lesson:
    """Compute the lesson of a space.

    Args:
        logic: A logic over the vectors as they were trained; its own origin does not matter.
        queries: Queries that it answers over the whole vocabulary.

    Raises:
        AndornotError: If the vectors were post-processed already, or there are no queries.
    """
    space = logic.space
    if space.provenance.postprocess:
        raise AndornotError(
            f"these vectors had {space.provenance.postprocess} already: the lesson needs them as "
            "they were trained"
        )
    if not queries:
        raise AndornotError(
            "the lesson needs a query that the space can answer, and found none: the space has "
            "neither the words of the example queries nor similar words to make some of; choose "
            "another space"
        )
    stops = stop_origins(space)
    concepts = [logic.concept(query).in_global_frame for query in queries]
    tracks = _tracks(space, concepts, list(stops.values()))
    errors = None
    if space.context is not None and space.has_frequencies:
        errors = pmi_errors(space, list(stops.values()))
    return Lesson(
        stops=tuple(stops),
        between=_BETWEEN,
        tracks=tracks,
        errors=None if errors is None else tuple(tuple(row) for row in errors.tolist()),
        rms=None if errors is None else tuple(np.sqrt((errors**2).mean(axis=1)).tolist()),
        contexts=0 if errors is None else errors.shape[1],
    )


def stop_origins(space: Space) -> dict[str, Vector]:
    """Return the origins between which the lesson moves, by name.

    >>> import andornot
    >>> list(stop_origins(andornot.load("examples/royal.vec")))  # it has no frequencies
    ['as trained', 'plain mean']
    """
    rows = space.target
    found = {STOPS[0]: np.zeros(space.dim), STOPS[1]: weighted_mean(rows, np.ones(len(rows)))}
    if space.has_frequencies:
        found[STOPS[2]] = weighted_mean(rows, space.probability)
    return found


def pmi_errors(space: Space, origins: Sequence[Vector]) -> npt.NDArray[np.float64]:
    """Return log sum_w p(w) exp((v_w - o).u_c) for each origin o and each context c that is drawn.

    If (v - o).u were the PMI, the sum would be 1 in every context, and its logarithm 0.
    """
    assert space.context is not None
    p = space.probability
    drawn = np.random.default_rng(0).choice(len(p), _CONTEXTS, p=p)
    contexts = space.context[drawn]
    total = np.full(len(drawn), -np.inf)
    seen = np.flatnonzero(p)  # the others add nothing to the sum
    logarithms = np.log(p[seen]).astype(np.float32)
    for part in parts(seen):
        check_deadline()
        scores = space.target[seen[part]] @ contexts.T + logarithms[part, None]
        highest = scores.max(axis=0)
        sums = np.log(np.exp(scores - highest).sum(axis=0, dtype=np.float64)) + highest
        np.logaddexp(total, sums, out=total)
    return np.stack([total - contexts.astype(np.float64) @ origin for origin in origins])


def _tracks(
    space: Space, concepts: Sequence[Concept], stops: Sequence[Vector]
) -> tuple[Track, ...]:
    """Return the ranks of words for each query at every step."""
    origins = [
        start + step / _BETWEEN * (end - start)
        for start, end in pairwise(stops)
        for step in range(_BETWEEN)
    ] + [stops[-1]]
    squares = np.einsum("ij,ij->i", space.target, space.target, dtype=np.float64)
    scores = [scores_at(space, concepts, origin, squares) for origin in origins]
    tracks = []
    for number, concept in enumerate(concepts):
        firsts = [largest(scores[stop * _BETWEEN][:, number], _SHOWN) for stop in range(len(stops))]
        followed = list(dict.fromkeys(np.concatenate(firsts).tolist()))
        ranks = tuple(
            tuple(1 + int((step[:, number] > step[i, number]).sum()) for step in scores)
            for i in followed
        )
        words = tuple(space.vocabulary.word(i) for i in followed)
        tracks.append(Track(str(concept.formula), words, ranks))
    return tuple(tracks)


def scores_at(
    space: Space, concepts: Sequence[Concept], origin: Vector, squares: Vector
) -> npt.NDArray[np.float64]:
    """Return the score of every word for each query, seen from an origin.

    Args:
        space: The vectors as they were trained.
        concepts: The queries; their own words score below all others.
        origin: The vector that is subtracted from all vectors.
        squares: The squared length of every vector.
    """
    check_deadline()
    arithmetic = FirstOrder(space, Affine(origin))
    vectors = np.stack([compute(each.node, arithmetic).vector for each in concepts], axis=1)
    turned = space.target @ np.column_stack([vectors, origin]).astype(np.float32)
    lengths = np.sqrt(np.maximum(squares - 2 * turned[:, -1] + origin @ origin, 1e-12))
    scores = (turned[:, :-1] - origin @ vectors) / lengths[:, None]
    for number, concept in enumerate(concepts):
        scores[operand_ids(concept), number] = -np.inf
    return np.asfortranarray(scores)
