"""Scores of sentence similarity by year, and what centring changes in them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from andornot.datasets.sentence_pairs import SentencePair
from andornot.evaluation import correlate, ratings_of
from andornot.experiments.correlations import Rows, difference, mean_correlations
from andornot.experiments.intervals import Interval
from andornot.experiments.report import Table

Cosines = dict[str, list[Rows]]
"""By method, the cosines of the pairs of each set of a year."""


class YearScores(NamedTuple):
    """Pearson's correlations of a year by method, the mean over its sets and pooled; freq - orig.

    `change` is the difference of the means over the sets.
    """

    score: dict[str, tuple[float, float]]
    change: Interval


Years = dict[str, YearScores]


def score_year(cosines: Cosines, sets: Mapping[str, Sequence[SentencePair]]) -> YearScores:
    """Correlate the cosines of a year with its ratings."""
    ratings = ratings_of(sets)
    found = {name: correlate(each, ratings) for name, each in cosines.items()}
    drawn = mean_correlations({name: cosines[name] for name in ("orig", "freq")}, ratings)
    return YearScores(
        {name: (each.mean, each.pooled) for name, each in found.items()},
        difference(drawn, "freq", "orig"),
    )


def is_first(row: YearScores, rivals: Collection[str]) -> bool:
    """Whether freq is first or tied among these methods, to two digits.

    >>> change = Interval(0.004, -0.01, 0.02)
    >>> is_first(YearScores({"orig": (0.552, 0.5), "freq": (0.548, 0.5)}, change), ["orig", "freq"])
    True
    """
    best = max(round(row.score[name][0], 2) for name in rivals)
    return round(row.score["freq"][0], 2) == best


def count_changes(found: Years) -> str:
    """In how many years freq is above orig, and below it, by the interval of the difference.

    >>> row = YearScores({}, Interval(0.03, 0.02, 0.04))
    >>> count_changes({"STS12": row, "STS13": row._replace(change=Interval(0.0, -0.1, 0.1))})
    'it rises in 1 of 2 years, stays within the interval in 1 and falls in 0'
    """
    signs = [row.change.sign for row in found.values()]
    return (
        f"it rises in {signs.count(1)} of {len(signs)} years, stays within the interval in "
        f"{signs.count(0)} and falls in {signs.count(-1)}"
    )


def change_table(title: str, found: Mapping[str, Years]) -> Table:
    """Show freq - orig with its interval, by model and year."""
    years = list(dict.fromkeys(year for each in found.values() for year in each))
    rows = tuple(
        (model, *(str(each[year].change) for year in years)) for model, each in found.items()
    )
    return Table(title, ("", *years), rows)
