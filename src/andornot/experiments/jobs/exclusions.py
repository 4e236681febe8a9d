"""Methods for "A and not B": common practice, the paper's method, and ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.algebra.turning import MOST, turn_away
from andornot.experiments.jobs.measures import standardised

Row = npt.NDArray[np.float32]
Scores = npt.NDArray[Any]
IGNORING, PAPER, RERANKING = "ignoring B", "the paper's A & v(N\\B)", "re-ranking"
TURNED = "turned away"
OURS = (TURNED, RERANKING)
ANGLES = (0.2, 0.25, MOST, 0.35, 0.4)
_PAPERS_WORDS = 20
_WEIGHTS = (0.2, 0.5, 1.0)


class Neighbourhood(NamedTuple):
    """The words nearest to A, without those of B, nearest first: unit rows, and p(w)."""

    rows: npt.NDArray[np.float32]
    probabilities: npt.NDArray[np.float64]


def orthogonal(a: Row, b: Row) -> Row:
    """Return the component of `a` orthogonal to `b`.

    >>> orthogonal(np.array([1.0, 1.0]), np.array([0.0, 2.0])).tolist()
    [1.0, 0.0]
    """
    return np.asarray(a - (a @ b) / (b @ b) * b, dtype=a.dtype)


def _with_rest(a: Row, near: Neighbourhood) -> Row:
    """Add the OR by frequency of the 20 words nearest to A, without those of B."""
    rows, p = near.rows[:_PAPERS_WORDS], near.probabilities[:_PAPERS_WORDS]
    return np.asarray(a + p @ rows / p.sum(), dtype=a.dtype)


def _turned(most: float, a: Row, b: Row, near: Neighbourhood) -> Row:
    """Turn A away from B as `a & !b` does, by at most another angle."""
    turn = turn_away(a.astype(np.float64), b[None].astype(np.float64), most)
    return np.asarray(turn.factors @ np.stack([a, b]), dtype=a.dtype)


VECTORS: dict[str, Callable[[Row, Row, Neighbourhood], Row]] = {
    IGNORING: lambda a, b, near: a,
    "A - B": lambda a, b, near: a - b,
    "2A - B": lambda a, b, near: 2 * a - b,
    "orthogonal": lambda a, b, near: orthogonal(a, b),
    PAPER: lambda a, b, near: _with_rest(a, near),
    "A - (B - v(N))/5": lambda a, b, near: a - (b - near.rows.mean(axis=0)) / 5,
    **{f"{TURNED}, {most:g}": partial(_turned, most) for most in ANGLES},
}
"""Query vectors from the unit vectors of A and B and the neighbourhood of A."""


def by_vectors(
    items: npt.NDArray[np.float32], a: Row, b: Row, near: Neighbourhood
) -> dict[str, Scores]:
    """Return the scores of the items (unit rows) by every query vector.

    For example `by_vectors(rows, a, b, near)["A - B"]`.
    """
    vectors = np.stack([vector(a, b, near) for vector in VECTORS.values()])
    return dict(zip(VECTORS, vectors @ items.T, strict=True))


def by_scores(of_a: Scores, of_b: Scores, sizes: Sequence[int]) -> dict[str, Scores]:
    """Return scores that combine the similarities of the items to A and to B, by every method.

    Args:
        of_a: The similarity of each item to A.
        of_b: The similarity of each item to B.
        sizes: Numbers of the best items for A that are re-ranked.

    For example `by_scores(items @ a, items @ b, [30])["re-ranking, 30, 0.5"]`.
    """
    a, b = standardised(of_a), standardised(of_b)
    order = np.argsort(-of_a, kind="stable")
    beyond = standardised(b - (a @ b) / len(a) * a)  # the part of B that A doesn't predict
    return {
        **{
            f"{RERANKING}, {size}, {weight:g}": rerank(of_a, of_b, order[:size], weight)
            for size in sizes
            for weight in _WEIGHTS
        },
        **{f"z(A) - z(B), {weight:g}": a - weight * b for weight in _WEIGHTS},
        **{f"z(A) - z(B beyond A), {weight:g}": a - weight * beyond for weight in _WEIGHTS},
    }


def rerank(of_a: Scores, of_b: Scores, best: npt.NDArray[np.int64], weight: float) -> Scores:
    """Re-rank the best items for A by z(A) - weight z(B), with z-scores among these items.

    Args:
        of_a: The similarity of each item to A.
        of_b: The similarity of each item to B.
        best: The indices of the items to re-rank; the others stay below them, in their order.
        weight: Weight of z(B).

    >>> scores = rerank(np.array([0.9, 0.8, 0.1]), np.array([0.9, 0.0, 0.0]), np.array([0, 1]), 2.0)
    >>> scores.argsort().tolist()
    [2, 0, 1]
    """
    again = standardised(of_a[best]) - weight * standardised(of_b[best])
    scores = np.asarray(of_a - of_a.max(), dtype=np.float64)  # at most 0
    scores[best] = 1 + again - again.min()
    return scores


def way_of(name: str) -> str:
    """Return the method of a setting, without its numbers.

    >>> way_of("re-ranking, 30, 0.5")
    're-ranking'
    """
    return name.partition(", ")[0]
