"""Actual OR words by rank, beyond the paper: the rank of w for the OR of its kinds.

A cosine doesn't show whether w would be found; the rank does. To first order, OR weights its
operands by p (the paper's formula), by p^.5 or uniformly, with vectors that are frequency-centred,
the default of the algebra, and as trained. In the exact mode, OR weights by p and doesn't assume
|PMI| << 1. The kinds are left out of the ranking.

p counts every sense of a spelling. If that makes weights p worse than uniform ones, the difference
should vanish where the heaviest kind has one sense only, so it is shown by the number of senses.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.algebra import Logic
from andornot.algebra.expression import Or, Term
from andornot.base.choices import Scale
from andornot.base.moments import unit_rows
from andornot.base.progress import track
from andornot.datasets.wordnet import wordnet
from andornot.experiments.differences import by_sign
from andornot.experiments.intervals import Interval, mean_interval
from andornot.experiments.or_tuples import OrWord, unions
from andornot.experiments.ranks import ranks
from andornot.experiments.report import Cell, Table
from andornot.space import Space

MOST = {Scale.QUICK: 300, Scale.HERE: 1000, Scale.PAPER: 1000}
"""Largest number of tuples of each dataset, because the exact mode reads all contexts for each."""

BY_P = "weights p"
UNIFORM = "uniform weights"
POWERS = {BY_P: 1.0, "weights p^.5": 0.5, UNIFORM: 0.0}
EXACT = "exact, weights p"
AS_TRAINED = ", as trained"
WAYS = (*POWERS, EXACT, *(f"{way}{AS_TRAINED}" for way in POWERS))
SENSES = {"1 sense": (1, 1), "2 to 4 senses": (2, 4), "5 senses or more": (5, 10**9)}
"""The number of senses of the kind with the largest p."""

Floats = npt.NDArray[np.float64]
Ids = npt.NDArray[np.int64]


class Reciprocals(NamedTuple):
    """The reciprocal rank of w for each tuple, by method, and the senses of its heaviest kind."""

    ways: dict[str, Floats]
    senses: Ids | None = None

    @property
    def tuples(self) -> int:
        """The number of tuples."""
        return len(self.ways[BY_P])

    def interval(self, way: str) -> Interval:
        """Return the mean reciprocal rank of a method."""
        return mean_interval(self.ways[way])

    def lead(self, way: str) -> Interval:
        """Return the mean of a method minus that of weights p in the same frame, by tuple."""
        base = f"{BY_P}{AS_TRAINED}" if way.endswith(AS_TRAINED) else BY_P
        return mean_interval(self.ways[way] - self.ways[base])

    def lead_by_senses(self, way: str, least: int, most: int) -> Interval | None:
        """Return the lead for tuples whose heaviest kind has so many senses, if there are any."""
        if self.senses is None:
            return None
        some = (self.senses >= least) & (self.senses <= most)
        gaps = (self.ways[way] - self.ways[BY_P])[some]
        return mean_interval(gaps) if len(gaps) else None


def draw_tuples(asked: list[OrWord], most: int, seed: int) -> list[OrWord]:
    """Return a random sample of the tuples, in their order.

    >>> len(draw_tuples([OrWord(0, (1, 2))] * 5, 3, seed=1))
    3
    """
    order = np.random.default_rng(seed).permutation(len(asked))[:most]
    return [asked[number] for number in sorted(order)]


def reciprocal_ranks(space: Space, asked: list[OrWord], name: str = "") -> Reciprocals:
    """Rank w for the OR of its kinds, among all words except the kinds.

    Args:
        space: The vectors as trained, with context vectors.
        asked: The tuples.
        name: Label of the progress bar.
    """
    exact = Logic(space, postprocess="frequency", weights="frequency", exact=True)
    word = space.vocabulary.word
    rows = exact.target(space.target)
    by_exact = np.array(
        [
            exact.concept(Or(tuple(Term(word(kind)) for kind in kinds))).vector
            for _, kinds in track(asked, f"exact OR, {name}")
        ]
    )
    goals, left_out = [whole for whole, _ in asked], [kinds for _, kinds in asked]
    found = {EXACT: 1 / ranks(unit_rows(rows), by_exact, goals, left_out)}
    for frame, vectors in (("", rows), (AS_TRAINED, np.asarray(space.target))):
        words = unit_rows(vectors)
        for way, power in POWERS.items():
            query = unions(vectors, space.probability, asked, power)
            found[f"{way}{frame}"] = 1 / ranks(words, query, goals, left_out)
    return Reciprocals({way: found[way] for way in WAYS})


def senses_of(space: Space, asked: list[OrWord], part: str) -> Ids:
    """Return the number of synsets of the kind with the largest p of each tuple.

    Args:
        space: The words and their p.
        asked: The tuples.
        part: "n" for nouns, "v" for verbs.
    """
    p, meanings = space.probability, wordnet(part).meanings
    heaviest = [space.vocabulary.word(max(kinds, key=lambda i: p[i])) for _, kinds in asked]
    return np.array([len(meanings.get(word, ())) for word in heaviest], dtype=np.int64)


def table_of(model: str, found: dict[str, Reciprocals]) -> Table:
    """Return a table of the MRR of each method and dataset, and its difference to weights p."""
    rows: list[tuple[Cell, ...]] = []
    for way in WAYS:
        cells: list[Cell] = [way]
        for each in found.values():
            lead = "" if way.removesuffix(AS_TRAINED) == BY_P else str(each.lead(way))
            cells += [str(each.interval(way)), lead]
        rows.append(tuple(cells))
    sizes: list[Cell] = [cell for each in found.values() for cell in (each.tuples, "")]
    header = [cell for name in found for cell in (name, f"{name}, minus {BY_P}")]
    return Table(
        f"{model}, by rank (beyond the paper): MRR of w among all words except its kinds",
        ("", *header),
        (*rows, ("tuples", *sizes)),
    )


def senses_table(found: dict[str, dict[str, Reciprocals]]) -> Table:
    """Return a table of uniform weights minus weights p by the senses of the heaviest kind."""
    rows = tuple(
        (
            f"{model}, {name}",
            *(str(each.lead_by_senses(UNIFORM, *ends) or "") for ends in SENSES.values()),
        )
        for model, sets in found.items()
        for name, each in sets.items()
        if each.senses is not None
    )
    title = "MRR with uniform weights minus that with weights p, by senses of the heaviest kind"
    return Table(title, ("", *SENSES), rows)


def said_of(found: dict[str, dict[str, Reciprocals]]) -> list[str]:
    """Compare each method with weights p, for each model and dataset."""
    told = []
    for way in WAYS:
        if way.removesuffix(AS_TRAINED) != BY_P:
            leads = {
                f"{model} on {name}": each.lead(way).sign
                for model, sets in found.items()
                for name, each in sets.items()
            }
            words = {1: "higher for {}", -1: "lower for {}", 0: "no difference shown for {}"}
            told.append(f"{way.capitalize()}: {'; '.join(by_sign(leads, words))}.")
    return [
        f"Beyond the paper, other weights are compared with the paper's {BY_P} by the mean "
        "reciprocal rank (MRR) of w among all words (95 % intervals are in the tables).",
        *told,
    ]
