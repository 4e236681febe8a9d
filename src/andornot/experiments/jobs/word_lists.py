"""Job 2: grow a word list from three of its words.

The members of the categories of Banks and Connell that are one known word each are to be found
from the three that most people name. First all words are ranked. Then a list grows in three rounds
of 20 words, of which the members are accepted and the others rejected.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.algebra import Logic
from andornot.base.errors import AndornotError
from andornot.base.moments import unit_rows
from andornot.base.progress import track
from andornot.datasets.category_norms import Member, read_category_norms
from andornot.datasets.locating import locate
from andornot.experiments.intervals import Interval
from andornot.experiments.jobs.first_words import FIRST, Ids, vocabularies
from andornot.experiments.jobs.frames import Rows, frame
from andornot.experiments.jobs.halves import Choice, choose
from andornot.experiments.jobs.job import JobResult, above, at_least, mean_of
from andornot.experiments.jobs.measures import average_precision
from andornot.experiments.lab import Lab
from andornot.experiments.report import Cell, Table
from andornot.growing import Grower
from andornot.growing.grower import PRIOR, WORDNET_WEIGHT, C
from andornot.space import Space

LEAST, SEEDS = 8, 3  # members of a category, and seeds of them
ROUNDS, SHOWN, FIRST_WORDS = 3, 20, 50
FRAMES = ("raw", "freq", "white", "[v;u] freq", "[v;u] part.5", "[v;u] white")
FEEDBACK_FRAMES = ("raw", "[v;u] white")
SHARES = (0.0, 0.25, 0.5)  # of the mean of the rejected words that is subtracted
NAIVE = "mean of unit vectors, raw (gensim)"
PAPER, UNIFORM = "OR by frequency, the paper's", "OR, uniform"
MEANS = "mean of unit vectors, the best frame"
OURS, VECTORS = "ours", "ours without WordNet"
CHOSEN = ", settings chosen"
NO_FEEDBACK, FEEDBACK = "raw, without feedback (gensim)", "mean of accepted - share of rejected"
Scores = npt.NDArray[Any]
Scorer = Callable[[list[int], list[int]], Scores]


class ListToGrow(NamedTuple):
    """A category: its name, three members to start with, and those to be found."""

    name: str
    seeds: tuple[int, ...]
    members: Ids


class ListSetting(NamedTuple):
    """The settings of the regression: see `Grower`. A weight of 0 leaves WordNet out."""

    weight: float = WORDNET_WEIGHT
    c: float = C
    prior: float = PRIOR

    def __str__(self) -> str:
        wordnet = f"WordNet {self.weight:g}" if self.weight else "no WordNet"
        return f"{wordnet}, C {self.c:g}, prior {self.prior:g}"


SETTINGS = (
    *(
        ListSetting(weight, c, prior)
        for weight in (0.0, WORDNET_WEIGHT)
        for c, prior in ((1.0, PRIOR), (C, PRIOR), (10.0, PRIOR), (C, 0.0))
    ),
    *(ListSetting(weight) for weight in (0.2, 0.8)),
)


class ListFigures(NamedTuple):
    """Figures of every category, in order, by method."""

    precision: dict[str, list[float]]  # average precision among all candidates
    recall: dict[str, list[float]]  # share of the members among the first 50
    pool: dict[str, list[float]]  # average precision among the members of any category
    found: dict[str, list[float]]  # share of the members found in three rounds

    @classmethod
    def empty(cls) -> ListFigures:
        """Return no figures yet."""
        return cls(*(defaultdict[str, list[float]](list) for _ in range(4)))


def datasets() -> list[str]:
    """The norms, and WordNet."""
    return ["category-norms", "wordnet-3.0"]


def categories(
    norms: list[Member], space: Space, known: Ids, *, drawn: bool = False
) -> list[ListToGrow]:
    """Return the categories with at least eight members that are one known word each.

    Args:
        norms: The norms.
        space: Where the words are from.
        known: The ids of the words that are known.
        drawn: Draw the seeds by the category's name; default: those that most people named, of
            equal ones those that were named earlier, then by spelling.
    """
    ids = {space.vocabulary.word(int(i)): int(i) for i in known}
    every: dict[str, dict[str, Member]] = defaultdict(dict)
    for each in norms:
        if each.member in ids:
            every[each.category].setdefault(each.member, each)
    found = []
    for name, members in every.items():
        if len(members) < LEAST:
            continue
        order = sorted(members.values(), key=lambda m: (-m.named_by, m.mean_rank, m.member))
        words = [each.member for each in order]
        if drawn:
            seed = int.from_bytes(hashlib.sha256(name.encode()).digest(), "big")
            words = list(np.random.default_rng(seed).permutation(sorted(words)))
        numbers = [ids[str(word)] for word in words]
        found.append(ListToGrow(name, tuple(numbers[:SEEDS]), np.array(sorted(numbers[SEEDS:]))))
    if not found:
        raise AndornotError(f"no category has {LEAST} known members; use a space with more words")
    return found


def add_first(
    figures: ListFigures, method: str, scores: Scores, known: Ids, each: ListToGrow, pool: Ids
) -> None:
    """Add the figures of a ranking of all candidates but the seeds."""
    candidates = known[~np.isin(known, each.seeds)]
    members = np.isin(candidates, each.members)
    ranked = scores[candidates]
    figures.precision[method].append(average_precision(ranked, members))
    best = np.argsort(-ranked, kind="stable")[:FIRST_WORDS]
    figures.recall[method].append(float(members[best].sum() / len(each.members)))
    inside = np.isin(candidates, pool)
    figures.pool[method].append(average_precision(ranked[inside], members[inside]))


def add_rounds(
    figures: ListFigures,
    method: str,
    score: Scorer,
    known: Ids,
    each: ListToGrow,
    first: Scores | None = None,
) -> None:
    """Add the share of the members that three rounds find.

    Args:
        figures: Where it is added.
        method: The name of the method.
        score: Return the score of every word, given the ids of accepted and rejected words.
        known: The candidates.
        each: The category.
        first: The scores of the first round, if they are known.
    """
    yes, no = list(each.seeds), list[int]()
    members = set(each.members.tolist())
    for _ in range(ROUNDS):
        scores = score(yes, no) if first is None else first
        first = None
        left = known[~np.isin(known, [*yes, *no])]
        for word in left[np.argsort(-scores[left], kind="stable")[:SHOWN]].tolist():
            (yes if word in members else no).append(word)
    figures.found[method].append((len(yes) - SEEDS) / len(members))


def add_ours(
    figures: ListFigures,
    space: Space,
    lists: list[ListToGrow],
    known: Ids,
    pool: Ids,
    settings: tuple[ListSetting, ...],
    *,
    rounds: bool = True,
) -> None:
    """Add the figures of the shipped method, with each of the settings."""
    growers: dict[float, Grower] = {}
    for setting in settings:
        weight = setting.weight
        if weight not in growers:
            growers[weight] = Grower(space, wordnet=weight > 0, weight=weight)

        def score(yes: list[int], no: list[int], how: ListSetting = setting) -> Scores:
            return growers[how.weight].scores(yes, no, c=how.c, prior=how.prior)

        for each in track(lists, f"word lists, {setting}"):
            first = score(list(each.seeds), [])
            add_first(figures, str(setting), first, known, each, pool)
            if rounds:
                add_rounds(figures, str(setting), score, known, each, first)


def add_others(
    figures: ListFigures,
    space: Space,
    lists: list[ListToGrow],
    known: Ids,
    pool: Ids,
    *,
    rounds: bool = True,
) -> None:
    """Add the figures of the other methods."""
    logics = {
        name: Logic(space, postprocess="frequency", weights=weights)
        for name, weights in ((PAPER, "frequency"), (UNIFORM, "uniform"))
    }
    for name in track(FRAMES, "word lists, other methods"):
        rows: Rows = unit_rows(frame(space, name))
        for each in lists:
            scores = rows @ rows[list(each.seeds)].mean(axis=0)
            add_first(figures, name, scores, known, each, pool)
            if name == "freq":
                for method, logic in logics.items():
                    words = [space.vocabulary.word(i) for i in each.seeds]
                    union = logic[words[0]] | logic[words[1]] | logic[words[2]]
                    add_first(figures, method, rows @ union.vector, known, each, pool)
            if not rounds:
                continue
            if name == "raw":
                add_rounds(figures, NO_FEEDBACK, _always(scores), known, each)
            if name in FEEDBACK_FRAMES:
                for share in SHARES:
                    score = _rocchio(rows, share)
                    add_rounds(figures, f"{name}, {share:g}", score, known, each, scores)


def _always(scores: Scores) -> Scorer:
    """Return the same scores in every round."""
    return lambda yes, no: scores


def _rocchio(rows: Rows, share: float) -> Scorer:
    """Return scores by the mean of the accepted words less a share of that of the rejected."""

    def score(yes: list[int], no: list[int]) -> Scores:
        query = rows[yes].mean(axis=0)
        return np.asarray(rows @ (query - share * rows[no].mean(axis=0) if no else query))

    return score


def run(space: Space, lab: Lab) -> JobResult:
    """Compare the rankings and the rounds; settings are chosen on one half at a time."""
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

    The shipped settings are shown as they are too; on a vocabulary where only these were tried,
    there is nothing to choose.
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
    """Return what was chosen for each row that has settings."""
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
    """The first ranking, from the three seeds only."""
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
    """Return another figure with what was chosen for a row by its average precision."""
    if row in choices:
        return choices[row].of(figures)
    settings = {NAIVE: "raw", VECTORS: str(ListSetting(0.0)), OURS: str(ListSetting())}
    return np.asarray(figures[settings.get(row, row)])


def _table_of_rounds(found: dict[str, tuple[list[ListToGrow], ListFigures]]) -> Table:
    """Three rounds with feedback."""
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
    """The first ranking from three words that are drawn."""
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
