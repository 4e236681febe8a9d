"""Job 2: grow a word list from three of its words.

The categories are those of Banks and Connell, with members that are one known word each. The seeds
are the three members that most people name; the others should be found. `list_growing` has the
methods. This module chooses their settings and compares them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from andornot.datasets.category_norms import Member, read_category_norms
from andornot.datasets.locating import locate
from andornot.experiments.intervals import Interval
from andornot.experiments.jobs.first_words import FIRST, vocabularies
from andornot.experiments.jobs.halves import Choice, choose
from andornot.experiments.jobs.job import JobResult, above, at_least, mean_of
from andornot.experiments.jobs.list_growing import (
    FEEDBACK_FRAMES,
    FIRST_WORDS,
    FRAMES,
    NO_FEEDBACK,
    PAPER,
    ROUNDS,
    SETTINGS,
    SHARES,
    SHOWN,
    UNIFORM,
    ListFigures,
    ListSetting,
    ListToGrow,
    Scores,
    add_others,
    add_ours,
    categories,
)
from andornot.experiments.lab import Lab
from andornot.experiments.report import Cell, Table
from andornot.growing.grower import WORDNET_WEIGHT
from andornot.space import Space

NAIVE = "mean of unit vectors, raw (gensim)"
MEANS = "mean of unit vectors, the best frame"
OURS, VECTORS = "ours", "ours without WordNet"
CHOSEN = ", settings chosen"
FEEDBACK = "mean of accepted - share of rejected"


def datasets() -> list[str]:
    """Return the norms, and WordNet."""
    return ["category-norms", "wordnet-3.0"]


def run(space: Space, lab: Lab) -> JobResult:
    """Compare the rankings and the rounds, with settings chosen on the other half of the items."""
    norms = read_category_norms(locate("category-norms"))
    found: dict[str, tuple[list[ListToGrow], ListFigures]] = {}
    for name, known in vocabularies(space).items():
        lists = categories(norms, space, known)
        pool = np.unique(np.concatenate([[*each.seeds, *each.members] for each in lists]))
        figures = ListFigures.empty()
        add_others(figures, space, lists, known, pool)
        few = (ListSetting(0.0), ListSetting())
        add_ours(figures, space, lists, known, pool, SETTINGS if name == FIRST else few)
        found[name] = lists, figures
    lists, first = found[FIRST]
    keys = [each.name for each in lists]
    precision = _chosen_rows(first.precision, keys)
    rounds = _chosen_rows(first.found, keys)
    return JobResult(
        name="word-lists",
        title="Grow a word list from three of its words",
        items=", ".join(f"{len(each)} categories in {name}" for name, (each, _) in found.items())
        + " (Banks and Connell 2022)",
        tables=(_table_of_rankings(found), _table_of_rounds(found), _drawn_table(norms, space)),
        bars=(
            above(f"MAP, {OURS}{CHOSEN} - {NAIVE}", _gain(precision, OURS + CHOSEN, NAIVE), 0.02),
            at_least(
                f"share found in three rounds, {OURS}{CHOSEN}",
                0.64,
                mean_of(rounds[OURS + CHOSEN]),
            ),
            above(
                f"share found, {OURS}{CHOSEN} - {NO_FEEDBACK}",
                _gain(rounds, OURS + CHOSEN, NO_FEEDBACK),
            ),
        ),
        shown_as="Growing a list: share found in three rounds",
        shown={method: mean_of(values) for method, values in rounds.items()},
        numbers={
            name: {
                "categories": len(each),
                **{
                    figure: {method: float(np.mean(values)) for method, values in every.items()}
                    for figure, every in figures._asdict().items()
                },
            }
            for name, (each, figures) in found.items()
        },
    )


def _chosen_rows(figures: Mapping[str, list[float]], keys: list[str]) -> dict[str, Scores]:
    """Return the rows of a table: a figure for each category, with settings chosen by halves.

    The default settings have rows of their own. Rows with chosen settings are left out if only the
    default settings were tried.
    """
    values = {name: np.asarray(each) for name, each in figures.items()}
    rows: dict[str, Scores] = {}
    for name, method in ((NAIVE, "raw"), (PAPER, PAPER), (UNIFORM, UNIFORM)):
        if method in values:
            rows[name] = values[method]
    if NO_FEEDBACK in values:
        rows[NO_FEEDBACK] = values[NO_FEEDBACK]
    for name, choice in _choices(figures, keys).items():
        rows[name] = choice.of(values)
    rows[VECTORS], rows[OURS] = (values[str(ListSetting(w))] for w in (0.0, WORDNET_WEIGHT))
    return rows


def _choices(figures: Mapping[str, list[float]], keys: list[str]) -> dict[str, Choice]:
    """Return the choice of settings for each row that has several."""
    groups = {
        MEANS: [name for name in FRAMES if name in figures],
        FEEDBACK: [
            name for f in FEEDBACK_FRAMES for s in SHARES if (name := f"{f}, {s:g}") in figures
        ],
        VECTORS + CHOSEN: [str(s) for s in SETTINGS if not s.weight and str(s) in figures],
        OURS + CHOSEN: [str(s) for s in SETTINGS if s.weight and str(s) in figures],
    }
    return {
        name: choose({each: figures[each] for each in group}, keys)
        for name, group in groups.items()
        if len(group) > 1
    }


def _gain(rows: dict[str, Scores], method: str, before: str) -> Interval:
    return mean_of(rows[method] - rows[before])


def _table_of_rankings(found: dict[str, tuple[list[ListToGrow], ListFigures]]) -> Table:
    """Return the table of the first ranking, from the three seeds only."""
    table: dict[str, list[Cell]] = {}
    columns: list[str] = []
    for vocabulary, (lists, figures) in found.items():
        keys = [each.name for each in lists]
        rows = _chosen_rows(figures.precision, keys)
        choices = _choices(figures.precision, keys)
        columns += [f"{vocabulary}: MAP", "- gensim", f"recall at {FIRST_WORDS}", "MAP, pool"]
        for method, values in rows.items():
            cells: list[Cell] = [str(mean_of(values)), str(mean_of(values - rows[NAIVE]))]
            for other in (figures.recall, figures.pool):
                cells.append(float(_same(other, method, choices).mean()))
            table.setdefault(method, []).extend(cells)
        if vocabulary == FIRST:
            columns.append("chosen")
            for method in rows:
                table[method].append(str(choices[method]) if method in choices else "")
    return _filled("The first ranking, from three words", columns, table)


def _same(figures: Mapping[str, list[float]], row: str, choices: dict[str, Choice]) -> Scores:
    """Return another figure of a row, with the settings chosen by average precision."""
    if row in choices:
        return choices[row].of(figures)
    settings = {NAIVE: "raw", VECTORS: str(ListSetting(0.0)), OURS: str(ListSetting())}
    return np.asarray(figures[settings.get(row, row)])


def _table_of_rounds(found: dict[str, tuple[list[ListToGrow], ListFigures]]) -> Table:
    """Return the table of three rounds with feedback."""
    table: dict[str, list[Cell]] = {}
    columns: list[str] = []
    for vocabulary, (lists, figures) in found.items():
        keys = [each.name for each in lists]
        rows = _chosen_rows(figures.found, keys)
        choices = _choices(figures.found, keys)
        columns += [f"{vocabulary}: found", "- gensim without feedback"]
        for method, values in rows.items():
            gain = mean_of(values - rows[NO_FEEDBACK])
            table.setdefault(method, []).extend([str(mean_of(values)), str(gain)])
        if vocabulary == FIRST:
            columns.append("chosen")
            for method in rows:
                table[method].append(str(choices[method]) if method in choices else "")
    return _filled(
        f"Share of the members found in {ROUNDS} rounds of {SHOWN} words", columns, table
    )


def _drawn_table(norms: list[Member], space: Space) -> Table:
    """Return the table of the first ranking from three random members."""
    known = vocabularies(space)[FIRST]
    lists = categories(norms, space, known, drawn=True)
    pool = np.unique(np.concatenate([[*each.seeds, *each.members] for each in lists]))
    figures = ListFigures.empty()
    add_others(figures, space, lists, known, pool, rounds=False)
    few = (ListSetting(0.0), ListSetting())
    add_ours(figures, space, lists, known, pool, few, rounds=False)
    keys = [each.name for each in lists]
    rows = _chosen_rows(figures.precision, keys)
    table: dict[str, list[Cell]] = {
        method: [str(mean_of(values)), str(mean_of(values - rows[NAIVE]))]
        for method, values in rows.items()
    }
    return _filled(
        "The first ranking, from three words that are drawn", [f"{FIRST}: MAP", "- gensim"], table
    )


def _filled(title: str, columns: list[str], table: dict[str, list[Cell]]) -> Table:
    rows = (
        (method, *cells, *[None] * (len(columns) - len(cells))) for method, cells in table.items()
    )
    return Table(title, ("", *columns), tuple(rows))
