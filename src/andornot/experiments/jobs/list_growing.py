"""Lists of words that grow from three seeds: the categories, the methods and their figures.

First all words are ranked from the seeds. Then a list grows in three rounds of 20 words: members of
the category are accepted, and other words are rejected.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.algebra import Logic
from andornot.base.errors import AndornotError
from andornot.base.moments import unit_rows
from andornot.base.progress import track
from andornot.datasets.category_norms import Member
from andornot.experiments.jobs.first_words import Ids
from andornot.experiments.jobs.frames import Rows, frame
from andornot.experiments.jobs.measures import average_precision
from andornot.growing import Grower
from andornot.growing.grower import PRIOR, WORDNET_WEIGHT, C
from andornot.space import Space

LEAST, SEEDS = 8, 3  # members of a category, and seeds among them
ROUNDS, SHOWN, FIRST_WORDS = 3, 20, 50
FRAMES = ("raw", "freq", "white", "[v;u] freq", "[v;u] part.5", "[v;u] white")
FEEDBACK_FRAMES = ("raw", "[v;u] white")
SHARES = (0.0, 0.25, 0.5)  # weights of the mean of the rejected words, which is subtracted
PAPER, UNIFORM = "OR by frequency, the paper's", "OR, uniform"
NO_FEEDBACK = "raw, without feedback (gensim)"
Scores = npt.NDArray[Any]
Scorer = Callable[[list[int], list[int]], Scores]


class ListToGrow(NamedTuple):
    """A category: its name, three seeds, and the other members, which should be found."""

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
    """The figures of all categories, in order, by method."""

    precision: dict[str, list[float]]  # average precision among all candidates
    recall: dict[str, list[float]]  # share of the members among the first 50
    pool: dict[str, list[float]]  # average precision among the members of any category
    found: dict[str, list[float]]  # share of the members found in three rounds

    @classmethod
    def empty(cls) -> ListFigures:
        """Return a record without figures."""
        return cls(*(defaultdict[str, list[float]](list) for _ in range(4)))


def categories(
    norms: list[Member], space: Space, known: Ids, *, drawn: bool = False
) -> list[ListToGrow]:
    """Return the categories with at least eight members that are one known word each.

    Args:
        norms: The norms.
        space: The vectors and their vocabulary.
        known: The ids of the known words.
        drawn: Draw the seeds at random, seeded by the category's name. Default: the members that
            most people named; ties are broken by mean rank, then by spelling.
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
    """Add the figures of a ranking of all candidates except the seeds.

    Args:
        figures: The record to add to.
        method: The name of the method.
        scores: The scores of all words.
        known: The ids of the candidates.
        each: The category.
        pool: The ids of the members of all categories.
    """
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
        figures: The record to add to.
        method: The name of the method.
        score: Returns the scores of all words from the ids of accepted and rejected words.
        known: The ids of the candidates.
        each: The category.
        first: The scores of the first round, if already computed.
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
    """Add the figures of our method, with each of the settings.

    Args:
        figures: The record to add to.
        space: The vectors.
        lists: The categories.
        known: The ids of the candidates.
        pool: The ids of the members of all categories.
        settings: The settings of the method.
        rounds: Grow the lists in rounds as well.
    """
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
    """Add the figures of the other methods.

    Args:
        figures: The record to add to.
        space: The vectors.
        lists: The categories.
        known: The ids of the candidates.
        pool: The ids of the members of all categories.
        rounds: Grow the lists in rounds as well.
    """
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
    """Return a scorer with the same scores in every round."""
    return lambda yes, no: scores


def _rocchio(rows: Rows, share: float) -> Scorer:
    """Return a scorer by the mean of the accepted words minus a share of the rejected mean."""

    def score(yes: list[int], no: list[int]) -> Scores:
        query = rows[yes].mean(axis=0)
        return np.asarray(rows @ (query - share * rows[no].mean(axis=0) if no else query))

    return score
