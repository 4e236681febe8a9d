"""NOT on real categories: it should rank the rest of a category above the negated words.

A category is a noun synset of WordNet with children. Its members are the known single words below
it, grouped by direct child; words below two children are left out. One child is negated: B is half
of its words, and A is half of all members, including B. The other halves are held out and ranked:
members of the other children should rank above those of the negated child. The score is the area
under the ROC curve (AUC), the share of such pairs in the right order; chance is 0.5.

NOT is -pi/(1-pi) (v_B - v_A), where pi is the share of B in A. It ranks a word w by the cosine
between NOT and v_w - v_A. The direction of NOT is v_A - v_B. Neither v_A - v_B nor v_w - v_A
depends on the origin of the space. The scores of the other methods do, so all methods are shown
with frequency-centred vectors and with vectors as trained.

Intervals are over synsets. Synsets share words with those above and below them, so the questions
are less independent than the intervals assume.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from andornot.base.moments import unit_rows
from andornot.base.progress import track
from andornot.datasets.wordnet import WordNet, wordnet
from andornot.experiments.differences import by_sign
from andornot.experiments.intervals import Interval, mean_interval
from andornot.experiments.lab import Asks, asks_all
from andornot.experiments.report import Cell, Finding, Table
from andornot.postprocessing import postprocess
from andornot.space import Space
from andornot.training.threads import blas_threads

Rows = npt.NDArray[np.float64]
Ids = npt.NDArray[np.int64]
LEAST = 4  # known words of the negated child, and of the other children together
FRAMES = {"frequency-centred": "frequency", "as trained": "none"}
NOT = "NOT with uniform weights"


class SplitCategory(NamedTuple):
    """A category with one child to negate: the ids of the seen and the held-out words."""

    synset: int
    negated: Ids
    others: Ids
    held_out_negated: Ids
    held_out_others: Ids


def questions(space: Space, seed: int, asks: Asks = asks_all) -> list[SplitCategory]:
    """Return a question for each synset and child of it with enough known words on both sides.

    Args:
        space: The space whose words are known.
        seed: The seed for drawing the halves.
        asks: Filter of the words.
    """
    net, rng = wordnet("n"), np.random.default_rng(seed)
    found = []
    for number, synset in enumerate(track(list(net), "reading categories")):
        if len(synset.below) < 2:
            continue
        children = _children(net, synset.below, space, asks)
        for index, child in enumerate(children):
            others = [word for each in (*children[:index], *children[index + 1 :]) for word in each]
            if min(len(child), len(others)) >= LEAST:
                negated, held_out_negated = _halves(child, rng)
                seen, held_out = _halves(others, rng)
                found.append(SplitCategory(number, negated, seen, held_out_negated, held_out))
    return found


def _children(net: WordNet, offsets: tuple[int, ...], space: Space, asks: Asks) -> list[list[int]]:
    """Return the ids of the known words below each child, without those below two of them."""
    words = space.vocabulary
    groups = []
    for offset in offsets:
        child = net.synset(offset)
        lemmas = {lemma for each in (child, *net.all_below(child)) for lemma in each.lemmas}
        known = {word for word in lemmas if "_" not in word and word in words and asks(word)}
        groups.append(sorted(map(words.index, known)))
    times = Counter(word for group in groups for word in group)
    return [[word for word in group if times[word] == 1] for group in groups]


def _halves(ids: list[int], rng: np.random.Generator) -> tuple[Ids, Ids]:
    drawn = rng.permutation(np.array(ids, dtype=np.int64))
    return drawn[: len(drawn) // 2], drawn[len(drawn) // 2 :]


def scores(rows: Rows, p: Rows, question: SplitCategory) -> dict[str, Rows]:
    """Return the scores of the held-out words by method, those of the other children first.

    Args:
        rows: The vectors of all words.
        p: The frequency of all words.
        question: The category and its negated child.
    """
    seen = np.concatenate([question.others, question.negated])
    words = rows[np.concatenate([question.held_out_others, question.held_out_negated])]
    negated, others = rows[question.negated].mean(0), rows[question.others].mean(0)
    category = rows[seen].mean(0)
    by_frequency = [p[ids] @ rows[ids] / p[ids].sum() for ids in (question.negated, seen)]
    directions = unit_rows(words)
    unit_others, unit_negated = unit_rows(np.stack([others, negated]))
    orthogonal = category - (category @ negated) / (negated @ negated) * negated
    # the factor pi/(1-pi) of NOT is positive and doesn't change the ranks
    return {
        NOT: unit_rows(words - category) @ (category - negated),
        "NOT with weights p": unit_rows(words - by_frequency[1])
        @ (by_frequency[1] - by_frequency[0]),
        "v_A - v_B from the origin of the space": directions @ (category - negated),
        "nearest centroid": directions @ (unit_others - unit_negated),
        "orthogonal negation": directions @ orthogonal,
        "away from v_B without a category": directions @ -negated,
    }


def area_under_curve(scores: npt.NDArray[Any], positives: int) -> float:
    """Return the share of pairs in the right order, where the first scores should be higher.

    Equal scores count half.

    >>> area_under_curve(np.array([3.0, 1.0, 2.0, 0.0]), 2)
    0.75
    """
    above = rankdata(scores)[:positives].sum() - positives * (positives + 1) / 2
    return float(above / (positives * (len(scores) - positives)))


class Negations(NamedTuple):
    """The AUC of each question by frame and method.

    Attributes:
        synsets: The synset of each question.
        sizes: The number of words of each question.
        largest_share: Mean share of the heaviest word in the weight of the negated words: with
            weights p, and with uniform weights.
        areas: AUC by frame and method.
    """

    synsets: list[int]
    sizes: list[int]
    largest_share: tuple[float, float]
    areas: dict[str, dict[str, Rows]]

    def interval(self, frame: str, method: str) -> Interval:
        """Return the mean AUC of a method."""
        return mean_interval(self.areas[frame][method], clusters=self.synsets)

    def lead(self, frame: str, method: str) -> Interval:
        """Return the mean of NOT with uniform weights minus a method, question by question."""
        areas = self.areas[frame]
        return mean_interval(areas[NOT] - areas[method], clusters=self.synsets)


def negate_categories(space: Space, seed: int, asks: Asks = asks_all) -> Negations | None:
    """Measure all methods on the categories of WordNet, or return None without enough words.

    Raises:
        MissingSetError: If WordNet is not installed.
    """
    asked = questions(space, seed, asks)
    if not asked:
        return None
    p = space.probability
    areas: dict[str, dict[str, Rows]] = {}
    for frame, method in FRAMES.items():
        rows = postprocess(space, method).target.astype(np.float64)
        found: dict[str, list[float]] = {}
        with blas_threads(1):  # more threads would only wait on such small matrices
            for question in track(asked, f"negating, {frame}"):
                for name, each in scores(rows, p, question).items():
                    area = area_under_curve(each, len(question.held_out_others))
                    found.setdefault(name, []).append(area)
        areas[frame] = {name: np.array(each) for name, each in found.items()}
    return Negations(
        synsets=[each.synset for each in asked],
        sizes=[sum(map(len, each[1:])) for each in asked],
        largest_share=(
            float(np.mean([p[each.negated].max() / p[each.negated].sum() for each in asked])),
            float(np.mean([1 / len(each.negated) for each in asked])),
        ),
        areas=areas,
    )


def table_of(found: Negations) -> Table:
    """Return a table of the AUC of each method, and NOT minus it, in both frames."""
    rows: list[tuple[Cell, ...]] = []
    for method in found.areas[next(iter(FRAMES))]:
        cells: list[Cell] = [method]
        for frame in FRAMES:
            cells.append(str(found.interval(frame, method)))
            cells.append("" if method == NOT else str(found.lead(frame, method)))
        rows.append(tuple(cells))
    header = [f"{what}, {frame}" for frame in FRAMES for what in ("AUC", "NOT minus it")]
    return Table(
        "NOT on the categories of WordNet (beyond the paper): AUC of held-out other members "
        "against held-out negated words",
        ("", *header),
        tuple(rows),
    )


def said_of(found: Negations) -> list[str]:
    """Compare NOT with each other method, in the better frame of that method."""
    frame = next(iter(FRAMES))
    leads = {}
    for method in found.areas[frame]:
        means = {name: round(float(found.areas[name][method].mean()), 3) for name in FRAMES}
        best = max(means, key=lambda name: means[name])
        remark = f" ({best})" if len(set(means.values())) > 1 else ""
        if method != NOT:
            leads[f"{method}{remark}"] = found.lead(best, method).sign
    by_frequency, uniform = found.largest_share
    return [
        f"NOT on real categories, beyond the paper: in {len(set(found.synsets)):,} noun synsets of "
        f"WordNet, each child with at least {LEAST} known words is negated in turn "
        f"({len(found.synsets):,} questions, {int(np.median(found.sizes))} words in the median "
        "category). A is the seen half of the category, and B is the seen half of the negated "
        "child. Held-out words of the other children should rank above held-out words of the "
        "negated child; the AUC is the share of such pairs in the right order, and chance is 0.5.",
        f"The AUC of {NOT} is {found.interval(frame, NOT)}.",
        *by_sign(
            leads,
            {
                1: "NOT is above these methods, each in its better frame: {}.",
                -1: "NOT is below these: {}.",
                0: "NOT is not distinguishable from these: {}.",
            },
        ),
        f"The heaviest negated word has {by_frequency:.0%} of the weight with weights p and "
        f"{uniform:.0%} with uniform weights, on average.",
    ]


def findings_of(found: Negations) -> list[Finding]:
    """Return the AUC of each method in each frame."""
    return [
        Finding(f"categories: AUC of {method}, {frame}", float(areas.mean()))
        for frame, methods in found.areas.items()
        for method, areas in methods.items()
    ]


def numbers_of(found: Negations) -> dict[str, Any]:
    """Return all intervals, for JSON."""
    return {
        "questions": len(found.synsets),
        "synsets": len(set(found.synsets)),
        "least words": LEAST,
        "AUC": {
            frame: {
                method: {
                    "AUC": found.interval(frame, method),
                    "NOT minus it": found.lead(frame, method),
                }
                for method in areas
            }
            for frame, areas in found.areas.items()
        },
    }
