"""Job 6: news about a topic, about two, about either, and about one but not the other.

The texts of Reuters-21578 are ranked by the name of a topic: by word vectors, by the words
themselves (BM25), and by both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.moments import unit_rows
from andornot.base.progress import stage, track
from andornot.datasets.locating import locate
from andornot.datasets.news import NewsText, read_reuters
from andornot.experiments.intervals import Interval
from andornot.experiments.jobs.exclusions import (
    IGNORING,
    OURS,
    Neighbourhood,
    by_scores,
    by_vectors,
    way_of,
)
from andornot.experiments.jobs.first_words import FIRST, Ids, vocabularies
from andornot.experiments.jobs.frames import frame
from andornot.experiments.jobs.halves import Choice, choose
from andornot.experiments.jobs.job import JobResult, above, at_least, mean_of
from andornot.experiments.jobs.measures import average_precision, percentiles, standardised
from andornot.experiments.jobs.text_scores import bm25, counted, text_vectors
from andornot.experiments.lab import Lab
from andornot.experiments.report import Cell, Table
from andornot.postprocessing.sentences import sif_weights
from andornot.space import Space
from andornot.words.stop_words import STOP_WORDS
from andornot.words.vocabulary import Vocabulary

NAMES = {
    "acq": "mergers acquisitions",
    "alum": "aluminium",
    "bop": "balance of payments",
    "cpi": "consumer price index",
    "crude": "crude oil",
    "dlr": "dollar",
    "earn": "earnings",
    "fuel": "fuel oil",
    "gas": "gasoline",
    "gnp": "gross national product",
    "heat": "heating oil",
    "housing": "housing starts",
    "interest": "interest rates",
    "ipi": "industrial production index",
    "jobs": "unemployment",
    "money-fx": "foreign exchange",
    "nat-gas": "natural gas",
    "pet-chem": "petrochemicals",
    "retail": "retail sales",
    "ship": "shipping",
    "stg": "sterling",
    "veg-oil": "vegetable oil",
    "wpi": "wholesale price index",
}
"""Topics whose code is not their name, as the collection's description of its codes has them."""

FEWEST, FEWEST_OF_PAIR = 20, 10  # texts with a topic; with both of a pair, and with either only
NEAREST = 100  # words of a neighbourhood
SIZES = (100, 300)  # texts that are re-ranked
TEXTS = {
    "raw, all words": ("raw", "all words"),
    "raw, no stop words": ("raw", "no stop words"),
    "freq, all words": ("freq", "all words"),
    "freq, SIF": ("freq", "SIF"),
    "white, all words": ("white", "all words"),
    "white, SIF": ("white", "SIF"),
    "white, SIF 1e-4": ("white", "SIF 1e-4"),
    "[v;u] white, SIF 1e-4": ("[v;u] white", "SIF 1e-4"),
}
"""Vectors of texts: the frame of the words, and what each counts in the sum."""

PAIRED = ("raw, no stop words", "freq, SIF", "white, SIF 1e-4")
"""Those that questions on two topics are asked with."""

KINDS = ONE, BOTH, EITHER, WITHOUT = "A", "A & B", "A | B", "A & !B"
VECTORS, WORDS, HYBRID, WITH_WORDS = "vectors", "BM25", "hybrid", "BM25 or hybrid"
ONLY_A, ANY = "A only", "any of these"
Rows = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Scores = npt.NDArray[Any]


class Collection(NamedTuple):
    """The texts that have a topic: their words, how often each has each, and who is about what."""

    words: Vocabulary
    counts: Any  # a sparse matrix, text by word
    about: dict[str, Mask]  # for each topic of enough texts


def datasets() -> list[str]:
    """The news."""
    return ["reuters-21578"]


def collect(texts: Iterable[NewsText]) -> Collection:
    """Count the words of the texts that have a topic, titles included."""
    kept = [each for each in texts if each.topics]
    sizes = Counter(topic for each in kept for topic in set(each.topics))
    about = {
        topic: np.array([topic in each.topics for each in kept])
        for topic, size in sizes.items()
        if size >= FEWEST
    }
    return Collection(*counted(f"{each.title} {each.body}" for each in kept), about)


def content(topic: str) -> list[str]:
    """Return the content words of the name of a topic.

    >>> content("bop"), content("palm-oil")
    (['balance', 'payments'], ['palm', 'oil'])
    """
    words = re.findall("[a-z]+", NAMES.get(topic, topic))
    return [word for word in words if word not in STOP_WORDS]


class Asked(NamedTuple):
    """A question of a kind on one or two topics, and which texts answer it."""

    kind: str
    topics: tuple[str, ...]
    relevant: Mask

    @property
    def key(self) -> str:
        """What tells its half: the sorted names."""
        return " ".join(sorted(self.topics))


def questions(about: dict[str, Mask]) -> list[Asked]:
    """Return every question: one topic, or two that share ten texts and have ten each without."""
    asked = [Asked(ONE, (topic,), mask) for topic, mask in about.items()]
    for a, b in combinations(about, 2):
        shared, only = about[a] & about[b], (about[a] ^ about[b])
        if min(shared.sum(), (only & about[a]).sum(), (only & about[b]).sum()) >= FEWEST_OF_PAIR:
            asked += [Asked(BOTH, (a, b), shared), Asked(EITHER, (a, b), shared | only)]
    for a, b in permutations(about, 2):
        rest = about[a] & ~about[b]
        if min((about[a] & about[b]).sum(), rest.sum()) >= FEWEST_OF_PAIR:
            asked.append(Asked(WITHOUT, (a, b), rest))
    return asked


class Found(NamedTuple):
    """The average precision of every question of a kind, by setting.

    A setting is the source of the scores, the vectors of the texts and a way, joined by colons.
    """

    keys: list[str]
    clusters: list[str]  # the first topic
    precisions: dict[str, list[float]]


class Known(NamedTuple):
    """The words of a space that are known, and the topics whose names they make up."""

    space: Space
    ids: dict[str, int]
    topics: dict[str, list[int]]  # the ids of the words of each name


def known_topics(space: Space, known: Ids, news: Collection) -> Known:
    """Return the topics of which every content word is known."""
    ids = {space.vocabulary.word(int(i)): int(i) for i in known}
    names = {topic: content(topic) for topic in news.about}
    topics = {t: [ids[w] for w in words] for t, words in names.items() if set(words) <= ids.keys()}
    return Known(space, ids, topics)


class TextVectors:
    """The vectors of all texts, and of the topics, in one of the ways of `TEXTS`."""

    def __init__(self, known: Known, news: Collection, rows: Rows, weighing: str) -> None:
        words = [word for word in news.words.words if word in known.ids]
        ids = np.array([known.ids[word] for word in words])
        columns = [news.words.index(word) for word in words]
        weights = _weights(weighing, words, known.space.probability[ids])
        self.texts = text_vectors(news.counts[:, columns], rows[ids], weights)
        self.topics = {
            topic: unit_rows(unit_rows(rows[each]).sum(axis=0, keepdims=True))[0]
            for topic, each in known.topics.items()
        }
        self.scores: dict[str, Scores] = {t: self.texts @ a for t, a in self.topics.items()}
        self._known, self._rows = known, rows
        self._nearest: dict[str, list[int]] = {}

    def neighbourhood(self, a: str, b: str) -> Neighbourhood:
        """Return the known words that are nearest to a topic, without those of another."""
        if a not in self._nearest:
            ids = np.array(list(self._known.ids.values()))
            cosines = unit_rows(self._rows[ids]) @ self.topics[a]
            self._nearest[a] = ids[np.argsort(-cosines, kind="stable")[:NEAREST]].tolist()
        near = [i for i in self._nearest[a] if i not in self._known.topics[b]]
        return Neighbourhood(self._rows[near], self._known.space.probability[near])


def _weights(weighing: str, words: list[str], p: npt.NDArray[np.float64]) -> Scores:
    """Return what each word counts in the vector of a text."""
    if weighing == "no stop words":
        return np.array([word not in STOP_WORDS for word in words], dtype=np.float64)
    if weighing == "all words":
        return np.ones(len(words))
    return sif_weights(p, 1e-4) if weighing == "SIF 1e-4" else sif_weights(p)


def ask(
    space: Space, known_ids: Ids, news: Collection, frames: dict[str, Rows]
) -> dict[str, Found]:
    """Ask every question whose words are known, in every way; return what is found by kind.

    Args:
        space: Where the vectors are from.
        known_ids: The ids of the words that are known.
        news: The texts.
        frames: The rows of all words of the space by name.
    """
    known = known_topics(space, known_ids, news)
    columns = [[news.words.index(w) for w in content(t) if w in news.words] for t in known.topics]
    words = dict(zip(known.topics, bm25(news.counts, columns).T, strict=True))
    asked = questions({topic: news.about[topic] for topic in known.topics})
    found = {
        kind: Found([each.key for each in every], [each.topics[0] for each in every], {})
        for kind in KINDS
        if (every := [each for each in asked if each.kind == kind])
    }

    def note(question: Asked, source: str, text: str, ways: dict[str, Scores]) -> None:
        precisions = found[question.kind].precisions
        for way, scores in ways.items():
            each = precisions.setdefault(f"{source}: {text}: {way}", [])
            each.append(average_precision(scores, question.relevant))

    for each in track(asked, "news by their words"):
        note(each, WORDS, "words", ways_of(each, words))
    for text, (name, weighing) in track(TEXTS.items(), "news by vectors"):
        vectors = TextVectors(known, news, frames[name], weighing)
        half = {topic: standardised(each) / 2 for topic, each in words.items()}
        hybrid = {topic: standardised(vectors.scores[topic]) + half[topic] for topic in words}
        for each in asked:
            if each.kind != ONE and text not in PAIRED:
                continue
            ways, hybrid_ways = ways_of(each, vectors.scores), ways_of(each, hybrid)
            if each.kind == WITHOUT:
                a, b = (vectors.topics[topic] for topic in each.topics)
                turned = by_vectors(vectors.texts, a, b, vectors.neighbourhood(*each.topics))
                ways |= turned
                first = half[each.topics[0]]
                hybrid_ways |= {way: standardised(s) + first for way, s in turned.items()}
            note(each, VECTORS, text, ways)
            note(each, HYBRID, text, hybrid_ways)
    return found


def ways_of(question: Asked, scores: dict[str, Scores]) -> dict[str, Scores]:
    """Return the scores for a question from those for each topic, by every way."""
    if question.kind == ONE:
        return {ONLY_A: scores[question.topics[0]]}
    a, b = (scores[topic] for topic in question.topics)
    if question.kind == WITHOUT:
        return {IGNORING: a} | by_scores(a, b, SIZES)
    z = standardised(a), standardised(b)
    found = {ONLY_A: a, "A + B": a + b, "sum of z": z[0] + z[1]}
    if question.kind == EITHER:
        return found | {"max": np.maximum(a, b), "max of z": np.maximum(*z)}
    return found | {
        "min of z": np.minimum(*z),
        "min of percentiles": np.minimum(percentiles(a), percentiles(b)),
        "product of 1 + score": np.maximum(1 + a, 0) * np.maximum(1 + b, 0),
    }


def run(space: Space, lab: Lab) -> JobResult:
    """Ask by vectors, by words and by both; every choice is made on the other half."""
    with stage("reading the news"):
        news = collect(read_reuters(locate("reuters-21578")))
    frames = {
        name: frame(space, name) for name in dict.fromkeys(name for name, _ in TEXTS.values())
    }
    found = {name: ask(space, ids, news, frames) for name, ids in vocabularies(space).items()}
    first = found[FIRST]
    one, words = (_chosen(first[ONE], source, ANY) for source in (HYBRID, WORDS))
    return JobResult(
        name="topics",
        title="News about a topic, two, either, or one but not the other",
        items=f"{news.counts.shape[0]:,} texts; "
        + "; ".join(
            f"in {name} {', '.join(f'{len(each.keys)} of {kind}' for kind, each in kinds.items())}"
            for name, kinds in found.items()
        )
        + " (Reuters-21578)",
        tables=tuple(
            _table(kind, {name: each[kind] for name, each in found.items()}) for kind in KINDS
        ),
        bars=(
            at_least("one topic, hybrid", 0.66, _mean(first[ONE], one)),
            above("one topic, hybrid - BM25", _gain(first[ONE], one, words)),
            at_least(
                "one topic, vectors", 0.47, _mean(first[ONE], _chosen(first[ONE], VECTORS, ANY))
            ),
            *(
                above(
                    f"{WITHOUT}, {source}, {OURS} - {IGNORING}",
                    _gain_over_a(first[WITHOUT], _chosen(first[WITHOUT], source, OURS)),
                    0.025,
                )
                for source in (VECTORS, HYBRID)
            ),
            at_least(
                f"{EITHER}, hybrid", 0.72, _mean(first[EITHER], _chosen(first[EITHER], HYBRID, ANY))
            ),
            at_least(
                f"{BOTH}, any that uses the words",
                0.42,
                _mean(first[BOTH], _chosen(first[BOTH], WITH_WORDS, ANY)),
            ),
        ),
        numbers={
            name: {
                kind: {
                    setting: float(np.mean(values)) for setting, values in each.precisions.items()
                }
                for kind, each in kinds.items()
            }
            for name, kinds in found.items()
        },
    )


def _chosen(found: Found, source: str, way: str) -> Choice:
    """Choose the vectors of the texts and the numbers of a way, or of any way."""
    sources = (WORDS, HYBRID) if source == WITH_WORDS else (source,)
    settings = {}
    for setting, values in found.precisions.items():
        its_source, _, its_way = setting.split(": ")
        if its_source in sources and way in (ANY, way_of(its_way)):
            settings[setting] = values
    return choose(settings, found.keys)


def _mean(found: Found, choice: Choice) -> Interval:
    return mean_of(choice.of(found.precisions), found.clusters)


def _gain(found: Found, choice: Choice, before: Choice) -> Interval:
    values = choice.of(found.precisions) - before.of(found.precisions)
    return mean_of(values, found.clusters)


def _gain_over_a(found: Found, choice: Choice) -> Interval:
    """What the chosen setting adds to asking for A only, with the same vectors of texts."""
    only = {}
    for setting in found.precisions:
        source, text, _ = setting.split(": ")
        plain = next(
            way for way in (ONLY_A, IGNORING) if f"{source}: {text}: {way}" in found.precisions
        )
        only[setting] = found.precisions[f"{source}: {text}: {plain}"]
    return mean_of(choice.of(found.precisions) - choice.of(only), found.clusters)


def _table(kind: str, found: dict[str, Found]) -> Table:
    """Every source and way with what is the best on the other half."""
    rows: list[tuple[Cell, ...]] = []
    settings = [setting.split(": ") for setting in found[FIRST].precisions]
    for source in (VECTORS, WORDS, HYBRID):
        ways = dict.fromkeys(way_of(way) for its_source, _, way in settings if its_source == source)
        for way in (*ways, ANY) if len(ways) > 1 else ways:
            row: list[Cell] = [source, way]
            for each in found.values():
                choice = _chosen(each, source, way)
                gain = (
                    str(_gain_over_a(each, choice))
                    if kind != ONE
                    else str(_gain(each, choice, _chosen(each, WORDS, ANY)))
                )
                row += [str(_mean(each, choice)), gain]
            rows.append((*row, str(_chosen(found[FIRST], source, way))))
    less = "- BM25" if kind == ONE else "- A only"
    columns = [column for name in found for column in (f"{name}, MAP", less)]
    return Table(f"News: {kind}", ("by", "way", *columns, "chosen"), tuple(rows))
