"""Actual OR words by rank, beyond the paper: the rank of w for the OR of its kinds.

A cosine doesn't show whether w would be found; the rank does. Vectors are frequency-centred, the
default of the algebra. To first order, OR weights its operands by p (the paper's formula), by p^.5
or uniformly. In the exact mode, OR weights by p and doesn't assume |PMI| << 1. The kinds are left
out of the ranking.
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
from andornot.experiments.differences import by_sign
from andornot.experiments.intervals import Interval, mean_interval
from andornot.experiments.or_tuples import OrWord, unions
from andornot.experiments.ranks import ranks
from andornot.experiments.report import Cell, Table
from andornot.space import Space

MOST = {Scale.QUICK: 300, Scale.HERE: 1000, Scale.PAPER: 1000}
"""Largest number of tuples of each dataset, because the exact mode reads all contexts for each."""

BY_P = "weights p"
POWERS = {BY_P: 1.0, "weights p^.5": 0.5, "uniform weights": 0.0}
EXACT = "exact, weights p"
Floats = npt.NDArray[np.float64]


class Reciprocals(NamedTuple):
    """The reciprocal rank of w for each tuple, by method."""

    ways: dict[str, Floats]

    @property
    def tuples(self) -> int:
        """The number of tuples."""
        return len(self.ways[BY_P])

    def interval(self, way: str) -> Interval:
        """Return the mean reciprocal rank of a method."""
        return mean_interval(self.ways[way])

    def lead(self, way: str) -> Interval:
        """Return the mean of a method minus that of weights p, tuple by tuple."""
        return mean_interval(self.ways[way] - self.ways[BY_P])


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
    queries = {way: unions(rows, space.probability, asked, each) for way, each in POWERS.items()}
    queries[EXACT] = np.array(
        [
            exact.concept(Or(tuple(Term(word(kind)) for kind in kinds))).vector
            for _, kinds in track(asked, f"exact OR, {name}")
        ]
    )
    words = unit_rows(rows)
    goals, left_out = [whole for whole, _ in asked], [kinds for _, kinds in asked]
    return Reciprocals(
        {way: 1 / ranks(words, query, goals, left_out) for way, query in queries.items()}
    )


def table_of(model: str, found: dict[str, Reciprocals]) -> Table:
    """Return a table of the MRR of each method and dataset, and its difference to weights p."""
    rows: list[tuple[Cell, ...]] = []
    for way in (*POWERS, EXACT):
        cells: list[Cell] = [way]
        for each in found.values():
            cells += [str(each.interval(way)), "" if way == BY_P else str(each.lead(way))]
        rows.append(tuple(cells))
    sizes: list[Cell] = [cell for each in found.values() for cell in (each.tuples, "")]
    header = [cell for name in found for cell in (name, f"{name}, minus {BY_P}")]
    return Table(
        f"{model}, by rank (beyond the paper): MRR of w among all words except its kinds, "
        "frequency-centred",
        ("", *header),
        (*rows, ("tuples", *sizes)),
    )


def said_of(found: dict[str, dict[str, Reciprocals]]) -> list[str]:
    """Compare each method with weights p, for each model and dataset."""
    told = []
    for way in (*POWERS, EXACT):
        if way != BY_P:
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
