"""Scores of sentence similarity by year, and their change by centring."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from andornot.datasets.sentence_pairs import SentencePair
from andornot.evaluation import correlate, ratings_of
from andornot.experiments.correlations import Rows, difference, mean_correlations
from andornot.experiments.intervals import Interval
from andornot.experiments.report import Table

Cosines = dict[str, list[Rows]]
"""The cosines of the pairs of each dataset of a year, by method."""


class YearScores(NamedTuple):
    """Pearson's correlations of a year by method.

    Attributes:
        score: Mean over the datasets of the year, and correlation over all pairs.
        leads: freq minus each other method, of the means over the datasets.
    """

    score: dict[str, tuple[float, float]]
    leads: dict[str, Interval]

    @property
    def change(self) -> Interval:
        """Freq - orig."""
        return self.leads["orig"]


Years = dict[str, YearScores]


def score_year(cosines: Cosines, sets: Mapping[str, Sequence[SentencePair]]) -> YearScores:
    """Correlate the cosines of a year with its ratings."""
    ratings = ratings_of(sets)
    found = {name: correlate(each, ratings) for name, each in cosines.items()}
    drawn = mean_correlations(cosines, ratings)
    return YearScores(
        {name: (each.mean, each.pooled) for name, each in found.items()},
        {name: difference(drawn, "freq", name) for name in cosines if name != "freq"},
    )


def is_best(row: YearScores, methods: Collection[str]) -> bool:
    """Return True if the intervals of freq minus each other method are all above 0.

    >>> leads = {"orig": Interval(0.03, 0.02, 0.04), "unif": Interval(0.01, -0.01, 0.03)}
    >>> [is_best(YearScores({}, leads), ["freq", *others]) for others in (["orig"], leads)]
    [True, False]
    """
    return all(row.leads[name].sign > 0 for name in methods if name != "freq")


def count_changes(found: Years) -> str:
    """Say in how many years the interval of freq - orig is above 0, includes 0 or is below 0.

    >>> rise, nothing = Interval(0.03, 0.02, 0.04), Interval(0.0, -0.1, 0.1)
    >>> row = YearScores({}, {"orig": rise})
    >>> count_changes({"STS12": row, "STS13": YearScores({}, {"orig": nothing})})
    'it rises in 1 of 2 years, shows no change in 1 and falls in 0'
    """
    signs = [row.change.sign for row in found.values()]
    return (
        f"it rises in {signs.count(1)} of {len(signs)} years, shows no change in "
        f"{signs.count(0)} and falls in {signs.count(-1)}"
    )


def change_table(title: str, found: Mapping[str, Years]) -> Table:
    """Return a table of freq - orig with its interval, by model and year."""
    years = list(dict.fromkeys(year for each in found.values() for year in each))
    rows = tuple(
        (model, *(str(each[year].change) for year in years)) for model, each in found.items()
    )
    return Table(title, ("", *years), rows)
