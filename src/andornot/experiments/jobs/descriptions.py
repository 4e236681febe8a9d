"""Job 1: a reverse dictionary: find the word for a description or a dictionary definition.

The settings of `andornot describe` are chosen on one half of the descriptions and reported on the
other. The dictionary's definitions test that choice on other data. A word counts as missed if it is
not a candidate or occurs in its own description. The scores are those of the command.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product, starmap
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.algebra import Logic
from andornot.algebra.describing import weighed_words
from andornot.algebra.expression import Term
from andornot.algebra.ranking import operand_ids
from andornot.base.errors import UnknownWordError
from andornot.base.moments import unit_rows
from andornot.base.progress import track
from andornot.datasets.definitions import Definition, read_definitions
from andornot.datasets.locating import locate
from andornot.experiments.jobs.first_words import FIRST, Ids, vocabularies
from andornot.experiments.jobs.frames import Rows, frame
from andornot.experiments.jobs.halves import Choice, choose, is_reported
from andornot.experiments.jobs.job import Bar, JobResult, above, at_least, at_most, mean_of
from andornot.experiments.lab import Lab
from andornot.experiments.report import Cell, Table
from andornot.postprocessing.sentences import sif_weights, unigram_shares
from andornot.search.description_scores import Adjustments
from andornot.space import Space
from andornot.words.stop_words import STOP_WORDS

DESCRIPTIONS, SEEN, UNSEEN = "descriptions", "definitions-seen", "definitions-unseen"
NAMES = (DESCRIPTIONS, SEEN, UNSEEN)
NAIVE, PAPER = "gensim: mean of unit vectors, no stop words", "centred sum (the paper)"
OTHERS, OURS = "best of the others, chosen", "ours, chosen"
WITHOUT, MORE = "ours, chosen, without rarity", "ours, rarity 0.006"
DEPTHS, DEPTH = (1, 10, 100), 10
MEASURES = (*(f"first {depth}" for depth in DEPTHS), "median", "mrr")


def _name(how: Adjustments) -> str:
    return f"forms {how.forms:g}, inflected {how.inflected:g}, rarity {how.rarity:g}"


SETTINGS = {
    _name(how): how
    for how in starmap(Adjustments, product((0.0, 0.25, 0.5), (0.0, 0.1), (0.0, 0.002)))
}
STRONGER = replace(Adjustments(), rarity=0.006)  # not offered: worse on definitions
THEIRS = {  # trained on dictionaries: accuracy at 1, 10 and 100, and median rank
    "bag of words (theirs)": (0.07, 0.28, 0.56, 50),
    "OneLook (theirs)": (0.33, 0.54, 0.76, 5.5),
    "multi-channel (theirs)": (0.32, 0.64, 0.88, 2),
}
_WORD = re.compile("[a-z]+")
_AT_A_TIME = 64  # queries in memory
_LEAST_P = 1e-9  # least p(w), for words with p(w) = 0
Ranks = npt.NDArray[np.float64]


class Asked(NamedTuple):
    """A word with its description, as all methods except ours read it.

    Attributes:
        word: The described word.
        target: Its id, or -1 if the space doesn't have it.
        text: The description.
        words: The ids of the distinct known words of the description.
        is_stop: True for each stop word among them.
    """

    word: str
    target: int
    text: str
    words: Ids
    is_stop: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, item: Definition, space: Space) -> Asked:
        """Read an item; its words are runs of the letters a to z in lower case."""
        index = space.vocabulary.index
        words = [word for word in dict.fromkeys(_WORD.findall(item.text.lower())) if word in space]
        return cls(
            item.word,
            index(item.word) if item.word in space else -1,
            item.text,
            np.array([index(word) for word in words], dtype=np.int64),
            np.array([word in STOP_WORDS for word in words], dtype=bool),
        )

    def counted(self, *, stop_words: bool) -> Ids:
        """Return the words to use; stop words are used if there are no others."""
        return self.words if stop_words or self.is_stop.all() else self.words[~self.is_stop]

    def is_findable(self, candidates: Ids) -> bool:
        """Return True if the word is a candidate and not in its own description."""
        place = np.searchsorted(candidates, self.target)
        is_candidate = place < len(candidates) and candidates[place] == self.target
        return bool(is_candidate) and self.target not in self.words


class DatasetRanks(NamedTuple):
    """The ranks of a dataset by each shown method, and the words that can be found."""

    ranks: dict[str, Ranks]
    findable: npt.NDArray[np.bool_]


def datasets() -> list[str]:
    """Return the descriptions and both datasets of definitions."""
    return list(NAMES)


def run(space: Space, lab: Lab) -> JobResult:
    """Rank the words of both vocabularies for every description by every method."""
    asked = {
        name: [Asked.of(item, space) for item in read_definitions(locate(name))] for name in NAMES
    }
    candidates = vocabularies(space)
    ranks = {
        name: other_ranks(space, each, candidates) | our_ranks(space, each, candidates)
        for name, each in asked.items()
    }
    tables: list[Table] = []
    numbers: dict[str, Any] = {}
    results: dict[str, dict[str, DatasetRanks]] = {}
    for vocabulary, ids in candidates.items():
        by_method = {
            name: {method: each[vocabulary] for method, each in ranks[name].items()}
            for name in NAMES
        }
        ours, other = _choices(asked[DESCRIPTIONS], by_method[DESCRIPTIONS])
        numbers[vocabulary] = {"chosen": str(ours), "chosen of the others": str(other)}
        results[vocabulary] = {}
        for name in NAMES:
            shown = _shown(asked[name], by_method[name], ours, other)
            found = DatasetRanks(shown, findable(asked[name], ids))
            results[vocabulary][name] = found
            tables.append(_table(f"{name}, {vocabulary}", found, with_theirs=name == DESCRIPTIONS))
            gain = (shown[OURS] <= DEPTH).astype(float) - (shown[OTHERS] <= DEPTH)
            numbers[vocabulary][name] = {
                "findable": int(found.findable.sum()),
                f"first {DEPTH}, {OURS} - {OTHERS}": str(mean_of(gain)),
            } | {
                method: dict(zip(MEASURES, measures(each), strict=True))
                for method, each in (by_method[name] | shown).items()
            }
    return JobResult(
        name="descriptions",
        title="A word by its description",
        items=f"{len(asked[DESCRIPTIONS])} descriptions by people, {len(asked[SEEN])} and "
        f"{len(asked[UNSEEN])} dictionary definitions (MultiRD)",
        tables=tuple(tables),
        bars=_bars(results[FIRST]),
        numbers=numbers,
    )


# --- ranks -------------------------------------------------------------------------------------


def other_ranks(
    space: Space, asked: Sequence[Asked], candidates: Mapping[str, Ids]
) -> dict[str, dict[str, Ranks]]:
    """Return the ranks of the described words for sums of vectors, by method and vocabulary."""
    sif, alike = sif_weights(unigram_shares(space)), np.ones(len(space))
    log_p = np.log(np.maximum(space.probability, _LEAST_P)).astype(np.float32)

    def by_sum(
        rows: Rows, weights: npt.NDArray[np.float64], *, stop_words: bool, prior: float = 0.0
    ) -> dict[str, Ranks]:
        counted = [each.counted(stop_words=stop_words) for each in asked]
        queries = unit_rows(np.array([weights[ids] @ rows[ids] for ids in counted], np.float32))
        units = unit_rows(rows)
        found = {name: np.empty(len(asked)) for name in candidates}
        for start in range(0, len(asked), _AT_A_TIME):
            scores = queries[start : start + _AT_A_TIME] @ units.T + np.float32(prior) * log_p
            for number, row in enumerate(scores, start):
                one = asked[number]
                for name, rank in ranks_of(one, row, one.words, candidates).items():
                    found[name][number] = rank
        return found

    units, centred, white = (
        unit_rows(frame(space, "raw")),
        frame(space, "freq"),
        frame(space, "white"),
    )
    found = {
        "gensim: mean of unit vectors, all words": by_sum(units, alike, stop_words=True),
        NAIVE: by_sum(units, alike, stop_words=False),
        PAPER: by_sum(centred, alike, stop_words=True),
        "centred sum, SIF, no stop words": by_sum(centred, sif, stop_words=False),
        "whitened sum, SIF, no stop words": by_sum(white, sif, stop_words=False),
    }
    del units, centred, white
    both = unit_rows(frame(space, "[v;u] white"))
    name = "[v;u] whitened units, SIF, no stop words"
    found[name] = by_sum(both, sif, stop_words=False)
    found[f"{name}, + .01 log p"] = by_sum(both, sif, stop_words=False, prior=0.01)
    found[f"{name}, + .03 log p"] = by_sum(both, sif, stop_words=False, prior=0.03)
    return found


def our_ranks(
    space: Space, asked: Sequence[Asked], candidates: Mapping[str, Ids]
) -> dict[str, dict[str, Ranks]]:
    """Return the ranks by the settings of `andornot describe`, with the command's scores."""
    logic = Logic(space)
    settings = SETTINGS | {_name(STRONGER): STRONGER}
    found = {
        setting: {name: np.full(len(asked), np.inf) for name in candidates} for setting in settings
    }
    for number, each in enumerate(track(asked, "descriptions")):
        try:
            concept = logic.concept(Term(each.text))
            ids, weights = weighed_words(concept)
        except UnknownWordError:
            continue
        cosines = logic.descriptions.cosines(ids, weights)
        left_out = np.array(operand_ids(concept), dtype=np.int64)
        for setting, how in settings.items():
            scores = logic.descriptions.adjusted(cosines, ids, how)
            for name, rank in ranks_of(each, scores, left_out, candidates).items():
                found[setting][name][number] = rank
    return found


def ranks_of(
    one: Asked, scores: npt.NDArray[np.float32], left_out: Ids, candidates: Mapping[str, Ids]
) -> dict[str, float]:
    """Return the rank of the described word among the candidates, infinite if it is missed.

    Args:
        one: The description.
        scores: The scores of all words; those of `left_out` are set to -inf.
        left_out: The words of the description.
        candidates: The sorted ids of the ranked words, by vocabulary.
    """
    scores[left_out] = -np.inf
    own = scores[one.target]
    return {
        name: 1.0 + int(np.count_nonzero(scores[ids] > own))
        if one.is_findable(ids) and own > -np.inf
        else np.inf
        for name, ids in candidates.items()
    }


def findable(asked: Sequence[Asked], candidates: Ids) -> npt.NDArray[np.bool_]:
    """Return True for each described word that is a candidate and not in its own description."""
    return np.array([each.is_findable(candidates) for each in asked], dtype=bool)


# --- choices and tables ------------------------------------------------------------------------


def _choices(asked: Sequence[Asked], by_method: Mapping[str, Ranks]) -> tuple[Choice, Choice]:
    """Choose our setting, and the best of the others, by the accuracy at 10."""
    keys = [each.word for each in asked]
    within = {method: ranks <= DEPTH for method, ranks in by_method.items()}
    ours = (*SETTINGS, _name(STRONGER))
    others = [name for name in within if name not in (*ours, NAIVE, PAPER)]
    return (
        choose({name: within[name] for name in SETTINGS}, keys),
        choose({name: within[name] for name in others}, keys),
    )


def _shown(
    asked: Sequence[Asked], by_method: Mapping[str, Ranks], ours: Choice, other: Choice
) -> dict[str, Ranks]:
    """Return the ranks of the methods in the tables, in order."""
    reported = np.array([is_reported(each.word) for each in asked], dtype=bool)
    ours, other = (replace(each, reported=reported) for each in (ours, other))
    without = replace(
        ours,
        for_reported=without_rarity(ours.for_reported),
        for_tuning=without_rarity(ours.for_tuning),
    )
    return {
        NAIVE: by_method[NAIVE],
        PAPER: by_method[PAPER],
        OTHERS: other.of(by_method),
        OURS: ours.of(by_method),
        WITHOUT: without.of(by_method),
        MORE: by_method[_name(STRONGER)],
    }


def without_rarity(setting: str) -> str:
    """Return the name of a setting without the penalty for rare words.

    >>> without_rarity("forms 0.25, inflected 0.1, rarity 0.002")
    'forms 0.25, inflected 0.1, rarity 0'
    """
    return _name(replace(SETTINGS[setting], rarity=0.0))


def measures(ranks: Ranks) -> list[float]:
    """Return the accuracy at 1, 10 and 100, the median rank and the mean reciprocal rank."""
    within = [float((ranks <= depth).mean()) for depth in DEPTHS]
    return [*within, float(np.median(ranks)), float((1 / ranks).mean())]


def _table(title: str, found: DatasetRanks, *, with_theirs: bool) -> Table:
    """Return the table of a dataset; the last columns are for the words that can be found."""
    rows: list[tuple[Cell, ...]] = []
    before = found.ranks[NAIVE]
    for method, ranks in found.ranks.items():
        gain = mean_of((ranks <= DEPTH).astype(float) - (before <= DEPTH))
        median = float(np.median(ranks))
        rows.append(
            (
                method,
                *(str(mean_of(ranks <= depth)) for depth in DEPTHS),
                f"{median:g}" if median < np.inf else "missed",
                str(mean_of(1 / ranks)),
                "" if method == NAIVE else str(gain),
                *(float((ranks[found.findable] <= depth).mean()) for depth in DEPTHS[1:]),
            )
        )
    if with_theirs:
        rows += [
            (name, *(f"{share:.2f}" for share in shares), f"{median:g}", "", "", None, None)
            for name, (*shares, median) in THEIRS.items()
        ]
    header = ("", *(f"first {depth}" for depth in DEPTHS), "median rank", "MRR")
    known = [f"findable, first {depth}" for depth in DEPTHS[1:]]
    return Table(title, (*header, f"first {DEPTH}, - {NAIVE}", *known), tuple(rows))


def _bars(results: Mapping[str, DatasetRanks]) -> tuple[Bar, ...]:
    """Return the bars of the job, among 38,000 words."""
    ours, naive = (results[DESCRIPTIONS].ranks[name] for name in (OURS, NAIVE))
    change: list[float] = []
    for name in (SEEN, UNSEEN):
        found = results[name]
        with_prior, without = (found.ranks[each][found.findable] for each in (OURS, WITHOUT))
        change += ((with_prior <= 100).astype(float) - (without <= 100)).tolist()
    return (
        at_least("descriptions in the first 10", 0.36, mean_of(ours <= 10)),
        at_least("descriptions in the first 100", 0.70, mean_of(ours <= 100)),
        at_most("descriptions, median rank", 25, float(np.median(ours))),
        above(f"in the first 10, - {NAIVE}", mean_of((ours <= 10).astype(float) - (naive <= 10))),
        at_least("findable definitions in the first 100, - without rarity", 0, mean_of(change)),
    )
