"""Job 6: news about one topic, both of two, either of two, or one but not the other.

The texts of Reuters-21578 are ranked by the name of a topic: by word vectors, by the words
themselves (BM25), and by both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.moments import unit_rows
from andornot.base.progress import stage, track
from andornot.datasets.locating import locate
from andornot.datasets.news import read_reuters
from andornot.experiments.jobs.comparison import Comparison
from andornot.experiments.jobs.exclusions import (
    IGNORING,
    OURS,
    Neighbourhood,
    by_scores,
    by_vectors,
    way_of,
)
from andornot.experiments.jobs.first_words import FIRST, Ids, vocabularies
from andornot.experiments.jobs.frames import Rows, frame
from andornot.experiments.jobs.job import ANY, NAIVE, Bar, JobResult, above, at_least
from andornot.experiments.jobs.measures import average_precision, percentiles, standardised
from andornot.experiments.jobs.text_scores import bm25, text_vectors
from andornot.experiments.jobs.topic_questions import (
    BOTH,
    EITHER,
    KINDS,
    ONE,
    WITHOUT,
    Collection,
    KnownTopics,
    TopicQuestion,
    collect,
    content,
    known_topics,
    questions,
)
from andornot.experiments.lab import Lab
from andornot.experiments.report import Cell, Table
from andornot.postprocessing.sentences import sif_weights
from andornot.space import Space
from andornot.words.stop_words import STOP_WORDS

NEAREST = 100  # words of a neighbourhood
SIZES = (100, 300, 1000)  # numbers of texts that are re-ranked
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
"""Text vectors: the frame of the words, and their weights in the sum."""

PAIRED = ("raw, no stop words", "freq, SIF", "white, SIF 1e-4")
"""The text vectors for questions on two topics."""

VECTORS, WORDS, HYBRID = "vectors", "BM25", "hybrid"
SUM, PRODUCT = "A + B", "product of 1 + score"
Scores = npt.NDArray[Any]


def datasets() -> list[str]:
    """Return the news."""
    return ["reuters-21578"]


class TextVectors:
    """The vectors of all texts and topics, of one of the kinds in `TEXTS`."""

    def __init__(self, known: KnownTopics, news: Collection, rows: Rows, weighing: str) -> None:
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
        """Return the known words nearest to a topic, without the words of another topic."""
        if a not in self._nearest:
            ids = np.array(list(self._known.ids.values()))
            cosines = unit_rows(self._rows[ids]) @ self.topics[a]
            self._nearest[a] = ids[np.argsort(-cosines, kind="stable")[:NEAREST]].tolist()
        near = [i for i in self._nearest[a] if i not in self._known.topics[b]]
        return Neighbourhood(unit_rows(self._rows[near]), self._known.space.probability[near])


def _weights(weighing: str, words: list[str], p: npt.NDArray[np.float64]) -> Scores:
    """Return the weight of each word in the vector of a text."""
    if weighing == "no stop words":
        return np.array([word not in STOP_WORDS for word in words], dtype=np.float64)
    if weighing == "all words":
        return np.ones(len(words))
    return sif_weights(p, 1e-4) if weighing == "SIF 1e-4" else sif_weights(p)


def ask(
    space: Space, known_ids: Ids, news: Collection, frames: dict[str, Rows]
) -> dict[str, Comparison]:
    """Ask every question with known words by every method, and return the figures by kind.

    The name of a setting is "source of the scores: text vectors: method".

    Args:
        space: The vectors and their vocabulary.
        known_ids: The ids of the known words.
        news: The texts.
        frames: The rows of all words of the space, by the name of the frame.
    """
    known = known_topics(space, known_ids, news)
    asked = questions({topic: news.about[topic] for topic in known.topics})
    precisions: dict[str, dict[str, list[float]]] = {kind: {} for kind in KINDS}

    def note(question: TopicQuestion, source: str, text: str, ways: dict[str, Scores]) -> None:
        for way, scores in ways.items():
            every = precisions[question.kind].setdefault(f"{source}: {text}: {way}", [])
            every.append(average_precision(scores, question.relevant))

    columns = [[news.words.index(w) for w in content(t) if w in news.words] for t in known.topics]
    words = dict(zip(known.topics, bm25(news.counts, columns).T, strict=True))
    half = {topic: standardised(each) / 2 for topic, each in words.items()}
    for each in asked:
        note(each, WORDS, "words", ways_of(each, words))
    for text, (name, weighing) in track(TEXTS.items(), f"news, {len(known.ids):,} words"):
        vectors = TextVectors(known, news, frames[name], weighing)
        hybrid = {topic: standardised(vectors.scores[topic]) + half[topic] for topic in words}
        for each in asked:
            if each.kind == ONE or text in PAIRED:
                by_vector, by_both = ways_of(each, vectors.scores), ways_of(each, hybrid)
                if each.kind == WITHOUT:
                    a, b = (vectors.topics[topic] for topic in each.topics)
                    turned = by_vectors(vectors.texts, a, b, vectors.neighbourhood(*each.topics))
                    first = half[each.topics[0]]
                    by_vector |= turned
                    by_both |= {way: standardised(s) + first for way, s in turned.items()}
                if each.kind == BOTH:
                    by_both |= both_of_words(each, words, vectors.scores)
                note(each, VECTORS, text, by_vector)
                note(each, HYBRID, text, by_both)
    return {
        kind: Comparison(
            [each.key for each in asked if each.kind == kind],
            settings,
            [each.topics[0] for each in asked if each.kind == kind],
        )
        for kind, settings in precisions.items()
    }


def ways_of(question: TopicQuestion, scores: dict[str, Scores]) -> dict[str, Scores]:
    """Return the scores for a question from those for each topic, by method."""
    if question.kind == ONE:
        return {IGNORING: scores[question.topics[0]]}
    a, b = (scores[topic] for topic in question.topics)
    if question.kind == WITHOUT:
        return {IGNORING: a} | by_scores(a, b, SIZES)
    z = standardised(a), standardised(b)
    found = {IGNORING: a, SUM: a + b, "sum of z": z[0] + z[1]}
    if question.kind == EITHER:
        return found | {"max": np.maximum(a, b), "max of z": np.maximum(*z)}
    return found | {
        "min of z": np.minimum(*z),
        "min of percentiles": np.minimum(percentiles(a), percentiles(b)),
        PRODUCT: np.maximum(1 + a, 0) * np.maximum(1 + b, 0),
    }


def both_of_words(
    question: TopicQuestion, words: dict[str, Scores], vectors: dict[str, Scores]
) -> dict[str, Scores]:
    """Return scores for "A and B": the product of BM25 plus the smaller of the cosines."""
    a, b = question.topics
    product = standardised(np.log1p(words[a]) + np.log1p(words[b]))
    least = standardised(np.minimum(standardised(vectors[a]), standardised(vectors[b])))
    return {
        f"product of the words + min of the vectors, {weight:g}": product + weight * least
        for weight in (0.2, 0.5, 1.0)
    }


def run(space: Space, lab: Lab) -> JobResult:
    """Search by vectors, by words and by both."""
    with stage("reading the news"):
        news = collect(read_reuters(locate("reuters-21578")))
    frames = {name: frame(space, name) for name in dict(TEXTS.values())}
    found = {name: ask(space, ids, news, frames) for name, ids in vocabularies(space).items()}
    first = found[FIRST]
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
        bars=_bars(first),
        shown_as="News: MAP",
        shown={
            f"{kind}, {source}": each.mean(each.choose(_of(source)))
            for kind, each in first.items()
            for source in (VECTORS, WORDS, HYBRID)
        },
        numbers={
            name: {kind: each.means for kind, each in kinds.items()}
            for name, kinds in found.items()
        },
    )


def _bars(found: dict[str, Comparison]) -> tuple[Bar, ...]:
    one, both, either, without = (found[kind] for kind in KINDS)
    hybrid, product = one.choose(_of(HYBRID)), both.choose(_of(WORDS, PRODUCT))
    return (
        at_least(f"{ONE}, {HYBRID}", 0.66, one.mean(hybrid)),
        above(f"{ONE}, {HYBRID} - {WORDS}", one.gain(hybrid, one.choose(_of(WORDS)))),
        at_least(f"{ONE}, {VECTORS}", 0.47, one.mean(one.choose(_of(VECTORS)))),
        *(
            above(
                f"{WITHOUT}, {source}, {way} - {IGNORING}",
                without.gain(without.choose(_of(source, way)), _plain),
                0.025,
            )
            for way in OURS
            for source in (VECTORS, HYBRID)
        ),
        at_least(f"{EITHER}, {HYBRID}", 0.72, either.mean(either.choose(_of(HYBRID)))),
        at_least(
            f"{BOTH}, {HYBRID} - {WORDS}'s product",
            0,
            both.gain(both.choose(_of(HYBRID)), product),
        ),
    )


def _of(source: str, way: str = ANY, text: str = ANY) -> Callable[[str], bool]:
    """Return a filter of the settings with this source, method and text vectors."""

    def wanted(setting: str) -> bool:
        its_source, its_text, its_way = setting.split(": ")
        return its_source == source and way in (ANY, way_of(its_way)) and text in (ANY, its_text)

    return wanted


def _plain(setting: str) -> str:
    """Return the setting that asks for A only, with the same text vectors."""
    source, text, _ = setting.split(": ")
    return f"{source}: {text}: {IGNORING}"


def _without_source(setting: str) -> str:
    """Return the name of a setting without its source.

    >>> _without_source("hybrid: white, SIF: re-ranking, 300, 0.5")
    'white, SIF: re-ranking, 300, 0.5'
    """
    return setting.partition(": ")[2]


def _rows_of(kind: str, found: Comparison) -> dict[tuple[str, str], Callable[[str], bool]]:
    """Return the rows of a table: the source, a name, and a filter of its settings."""
    settings = [setting.split(": ") for setting in found.figures]
    naive = "A - B" if kind == WITHOUT else SUM
    rows: dict[tuple[str, str], Callable[[str], bool]] = {}
    if kind != ONE:
        rows[VECTORS, f"{naive}, raw{NAIVE}"] = _of(VECTORS, naive, PAIRED[0])
    for source in (VECTORS, WORDS, HYBRID):
        for its_source, text, way in settings:
            if its_source == source and kind == ONE:
                rows[source, text] = _of(source, text=text)
            elif its_source == source:
                rows[source, way_of(way)] = _of(source, way_of(way))
        rows[source, ANY] = _of(source)
    return rows


def _table(kind: str, found: dict[str, Comparison]) -> Table:
    """Return the table of a kind: one topic by text vectors, two topics by method."""
    rows: list[tuple[Cell, ...]] = []
    for (source, name), wanted in _rows_of(kind, found[FIRST]).items():
        cells: list[Cell] = []
        for each in found.values():
            choice = each.choose(wanted)
            before = each.choose(_of(WORDS)) if kind == ONE else _plain
            cells += [str(each.mean(choice)), str(each.gain(choice, before))]
        chosen = found[FIRST].choose(wanted).named(_without_source)
        rows.append((source, name, *cells, chosen))
    less = f"- {WORDS}" if kind == ONE else "- A only"
    columns = [column for name in found for column in (f"MAP, {name}", less)]
    return Table(f"News: {kind}", ("by", "", *columns, "chosen"), tuple(rows))
