"""Scores of sentence similarity by year, and their change by centring."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from andornot.datasets.sentence_pairs import SentencePair
from andornot.evaluation import correlate, ratings_of
from andornot.experiments.correlations import Rows, correlations_of, difference
from andornot.experiments.differences import joined
from andornot.experiments.intervals import Interval
from andornot.experiments.report import Cell, Table

Cosines = dict[str, list[Rows]]
"""The cosines of the pairs of each dataset of a year, by method."""


class YearScores(NamedTuple):
    """Pearson's correlations of a year by method.

    Attributes:
        score: Mean over the datasets of the year, and correlation over all pairs.
        leads: freq minus each other method, of the means over the datasets.
        pooled_leads: The same for the correlations over all pairs.
        datasets: Freq - orig for each dataset.
    """

    score: dict[str, tuple[float, float]]
    leads: dict[str, Interval]
    pooled_leads: dict[str, Interval]
    datasets: dict[str, Interval]

    @property
    def change(self) -> Interval:
        """Freq - orig."""
        return self.leads["orig"]


Years = dict[str, YearScores]


def score_year(cosines: Cosines, sets: Mapping[str, Sequence[SentencePair]]) -> YearScores:
    """Correlate the cosines of a year with its ratings."""
    ratings = ratings_of(sets)
    found = {name: correlate(each, ratings) for name, each in cosines.items()}
    drawn = correlations_of(cosines, ratings)
    mean, pooled = (
        {name: difference(each, "freq", name) for name in cosines if name != "freq"}
        for each in drawn
    )
    scores = {name: (each.mean, each.pooled) for name, each in found.items()}
    datasets = {
        name: difference(
            correlations_of(
                {method: [cosines[method][number]] for method in ("orig", "freq")},
                [ratings[number]],
            ).mean,
            "freq",
            "orig",
        )
        for number, name in enumerate(sets)
    }
    return YearScores(scores, mean, pooled, datasets)


def is_best(row: YearScores, methods: Collection[str]) -> bool:
    """Return True if the intervals of freq minus each other method are all above 0.

    >>> leads = {"orig": Interval(0.03, 0.02, 0.04), "unif": Interval(0.01, -0.01, 0.03)}
    >>> row = YearScores({}, leads, leads, {})
    >>> is_best(row, ["freq", "orig"]), is_best(row, ["freq", "orig", "unif"])
    (True, False)
    """
    return all(row.leads[name].sign > 0 for name in methods if name != "freq")


def count_changes(changes: Iterable[Interval]) -> str:
    """Say in how many years the interval of a change is above 0, includes 0 or is below 0.

    >>> count_changes([Interval(0.03, 0.02, 0.04), Interval(0.0, -0.1, 0.1)])
    'it rises in 1 of 2 years, falls in 0, and no change is shown in 1'
    """
    signs = [change.sign for change in changes]
    return (
        f"it rises in {signs.count(1)} of {len(signs)} years, falls in {signs.count(-1)}, and no "
        f"change is shown in {signs.count(0)}"
    )


def count_signs(changes: Mapping[str, Interval]) -> str:
    """Say how many datasets rise or fall by their intervals, and name those that fall.

    >>> count_signs({"a": Interval(0.03, 0.02, 0.04), "b": Interval(-0.2, -0.3, -0.1)})
    'rises in 1 of 2 datasets and falls in 1 (b)'
    """
    above = sum(change.sign > 0 for change in changes.values())
    below = [name for name, change in changes.items() if change.sign < 0]
    named = f" ({joined(below)})" if below else ""
    return f"rises in {above} of {len(changes)} datasets and falls in {len(below)}{named}"


def changes(found: Years) -> list[Interval]:
    """Return freq - orig of each year."""
    return [row.change for row in found.values()]


def leads_table(found: Mapping[str, Years]) -> Table:
    """Return a table of freq minus each other method with its interval, by model and year."""
    years = list(dict.fromkeys(year for each in found.values() for year in each))
    rows: list[tuple[Cell, ...]] = []
    for model, each in found.items():
        first = next(iter(each.values()))
        for name in first.leads:
            cells = (str(each[year].leads[name]) for year in years)
            rows.append((f"{model}, freq - {name}", *cells))
            if name == "orig":
                pooled = (str(each[year].pooled_leads[name]) for year in years)
                rows.append((f"{model}, freq - {name}, pooled", *pooled))
    return Table("Differences of Pearson's correlation, 95 %", ("", *years), tuple(rows))


def datasets_table(found: Mapping[str, Years]) -> Table:
    """Return a table of freq - orig with its interval, by dataset and model."""
    years = next(iter(found.values()))
    rows = tuple(
        (f"{year}, {name}", *(str(each[year].datasets[name]) for each in found.values()))
        for year, row in years.items()
        for name in row.datasets
    )
    return Table("freq - orig by dataset, 95 %", ("", *found), rows)


def numbers_of(found: Mapping[str, Years]) -> dict[str, Any]:
    """Return the scores and the differences, for JSON."""
    return {
        "pearson": {
            model: {year: row.score for year, row in each.items()} for model, each in found.items()
        },
        "freq - others": {
            model: {year: row.leads for year, row in each.items()} for model, each in found.items()
        },
        "freq - orig by dataset": {
            model: {year: row.datasets for year, row in each.items()}
            for model, each in found.items()
        },
        "freq - others, pooled": {
            model: {year: row.pooled_leads for year, row in each.items()}
            for model, each in found.items()
        },
    }
