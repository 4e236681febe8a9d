"""News: which questions are asked, and planted topics that words or vectors find."""

import os
from itertools import combinations

import numpy as np
import pytest
from downloads import tarred

from andornot import Space, Vocabulary, default
from andornot.datasets import locate
from andornot.datasets.news import NewsText, read_reuters
from andornot.experiments import Lab
from andornot.experiments.jobs import topics
from andornot.experiments.jobs.exclusions import OURS
from andornot.experiments.jobs.first_words import first_ids
from andornot.experiments.jobs.topic_questions import (
    BOTH,
    EITHER,
    ONE,
    WITHOUT,
    collect,
    content,
    known_topics,
    questions,
)

TOPICS = ["gold", "wheat", "silver", "copper", "coffee"]
RELATED = {"gold": "mine", "wheat": "farm", "silver": "coin", "copper": "wire", "coffee": "cup"}
FILLERS = ["report", "market", "week", "price", "company", "said"]


def planted_texts():
    """Twelve texts on each topic and each pair of topics, and some on none."""
    rng = np.random.default_rng(6)
    found = []
    for chosen in [*([t] for t in TOPICS), *combinations(TOPICS, 2)]:
        for number in range(12):
            named = chosen if number % 2 else []  # every other text has related words only
            words = [*named, *(RELATED[topic] for topic in chosen), *rng.choice(FILLERS, 8)]
            found.append(NewsText(tuple(chosen), words[0].upper(), " ".join(words[1:])))
    return [*found, *[NewsText((), "Other", "report market gold")] * 5]


def planted_space():
    rng = np.random.default_rng(8)
    rows = {topic: np.eye(8)[i] for i, topic in enumerate(TOPICS)}
    rows |= {RELATED[topic]: rows[topic] + 0.2 * rng.normal(size=8) for topic in TOPICS}
    rows |= {word: 0.1 * rng.normal(size=8) for word in FILLERS}
    counts = {word: 5000 if word in FILLERS else 100 for word in rows}
    vectors = np.array(list(rows.values()))
    return Space(Vocabulary(list(rows)).with_counts(counts), vectors, vectors)


def test_questions_need_enough_texts():
    about = collect(planted_texts()).about
    assert list(about) == TOPICS
    asked = questions(about)
    kinds = {kind: [each for each in asked if each.kind == kind] for kind in topics.KINDS}
    sizes = {kind: len(every) for kind, every in kinds.items()}
    assert sizes == {ONE: 5, BOTH: 10, EITHER: 10, WITHOUT: 20}
    assert {each.relevant.sum() for each in kinds[BOTH]} == {12}
    assert {each.relevant.sum() for each in kinds[EITHER]} == {60 + 60 - 12}
    assert {each.relevant.sum() for each in kinds[WITHOUT]} == {60 - 12}
    assert kinds[BOTH][0].key == "gold wheat"
    few = {topic: mask.copy() for topic, mask in about.items()}
    few["gold"] &= few["wheat"]  # no text on gold only
    kinds = [each.kind for each in questions(few) if set(each.topics) == {"gold", "wheat"}]
    assert kinds == [WITHOUT]


def test_names_are_written_out():
    assert content("crude") == ["crude", "oil"]
    assert content("money-supply") == ["money", "supply"]


@pytest.fixture
def planted_archive(tmp_path, monkeypatch):
    texts = [
        f"<REUTERS><TOPICS>{''.join(f'<D>{t}</D>' for t in each.topics)}</TOPICS><TEXT>"
        f"<TITLE>{each.title}</TITLE><BODY>{each.body}</BODY></TEXT></REUTERS>"
        for each in planted_texts()
    ]
    path = tmp_path / "reuters-21578" / "reuters21578.tar.gz"
    path.parent.mkdir()
    path.write_bytes(tarred({"reut2-000.sgm": "\n".join(texts).encode()}))
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path))


@pytest.mark.usefixtures("planted_archive")
def test_vectors_find_what_words_miss():
    found = topics.run(planted_space(), Lab())
    figures = found.numbers["16 words"]
    one = figures[ONE]
    assert one["vectors: freq, SIF: ignoring B"] > 0.99
    assert one["BM25: words: ignoring B"] < 0.9  # half of the texts don't name their topic
    assert one["hybrid: freq, SIF: ignoring B"] > one["BM25: words: ignoring B"]
    without = figures[WITHOUT]
    assert without["vectors: freq, SIF: A - B"] > without["vectors: freq, SIF: ignoring B"]
    assert without["vectors: freq, SIF: z(A) - z(B), 0.5"] > 0.99
    both = figures[BOTH]
    assert both["vectors: freq, SIF: min of z"] > 0.99
    assert both["vectors: freq, SIF: ignoring B"] < 0.5
    either = figures[EITHER]
    assert either["vectors: freq, SIF: max"] > either["vectors: freq, SIF: ignoring B"]
    assert [table.title for table in found.tables] == [f"News: {kind}" for kind in topics.KINDS]
    assert len(found.bars) == 5 + 2 * len(OURS)
    assert found.items.startswith("180 texts")


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
def test_the_questions_of_the_protocol():
    news = collect(read_reuters(locate("reuters-21578")))
    known = known_topics(default(), first_ids(default()), news)
    asked = questions({topic: news.about[topic] for topic in known.topics})
    sizes = [sum(each.kind == kind for each in asked) for kind in topics.KINDS]
    assert news.counts.shape[0] == 11_367
    assert sizes == [54, 66, 66, 144]
