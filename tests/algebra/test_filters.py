"""Filters on the words that are ranked: pattern, length and frequency."""

import time

import numpy as np
import pytest
from errors import raises
from hypothesis import given
from hypothesis import strategies as st
from planted import LOGICS, SPACE, WORDS

from andornot import Space, Vocabulary
from andornot.algebra import AskOptions, Logic
from andornot.algebra.filters import COMMON, LONGEST_PATTERN, RARE, WordFilter, most_frequent
from andornot.base.errors import AndornotError, MissingCountsError, UsageError


def space_of(words, counts=None):
    vocabulary = Vocabulary(words)
    if counts is not None:
        vocabulary = vocabulary.with_counts(dict(zip(words, counts, strict=True)))
    return Space(vocabulary, np.random.default_rng(1).normal(size=(len(words), 4)))


def slow_match(pattern, word):
    """Whether a pattern matches a word, straight from the definition."""
    if not pattern:
        return not word
    if pattern[0] == "*":
        return any(slow_match(pattern[1:], word[i:]) for i in range(len(word) + 1))
    return bool(word) and pattern[0] in ("?", word[0]) and slow_match(pattern[1:], word[1:])


@given(
    st.text("aB*?[].é", min_size=1, max_size=6),
    st.lists(st.text("abB[].é\n", min_size=1, max_size=6), min_size=1, max_size=20, unique=True),
)
def test_a_pattern_matches_whole_words_and_ignores_case(pattern, words):
    found = WordFilter(pattern=pattern).passed(space_of(words))
    expected = [i for i, w in enumerate(words) if slow_match(pattern.lower(), w.lower())]
    assert found.tolist() == expected


@given(
    st.lists(st.text("ab東", min_size=1, max_size=6), min_size=1, max_size=20, unique=True),
    st.integers(1, 6),
    st.integers(0, 3),
)
def test_lengths_are_in_characters(words, least, more):
    for length, most in ((f"{least}-{least + more}", least + more), (str(least), least)):
        found = WordFilter(length=length).passed(space_of(words))
        assert found.tolist() == [i for i, w in enumerate(words) if least <= len(w) <= most]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30), st.integers(1, 35))
def test_the_most_frequent_words(counts, count):
    order = sorted(range(len(counts)), key=lambda i: (-counts[i], i))[:count]
    found = most_frequent(np.array(counts, dtype=float), count)
    assert np.flatnonzero(found).tolist() == sorted(order)


def test_common_and_rare_words():
    size = RARE + 50
    counts = np.random.default_rng(0).permutation(size) + 1.0
    space = space_of([f"w{i}" for i in range(size)], counts)
    by_count = np.argsort(-counts)
    common = WordFilter(frequency="common").passed(space)
    rare = WordFilter(frequency="rare").passed(space)
    assert common.tolist() == sorted(by_count[:COMMON].tolist())
    assert rare.tolist() == sorted(by_count[RARE:].tolist())
    assert WordFilter(frequency="any").is_open
    both = WordFilter(pattern="w*7", length="3-4", frequency="common").passed(space)
    words = [(i, f"w{i}") for i in common.tolist()]
    assert both.tolist() == [i for i, w in words if w.endswith("7") and len(w) in (3, 4)]


@pytest.mark.parametrize("query", ["w1 & w2", "w3 - w1 + w2", "!w1 @ {w1, w2, w10, w13, w4}"])
@pytest.mark.parametrize("among", [None, ["w11", "w2", "w12", "w13"]])
def test_an_answer_ranks_what_passes(query, among):
    logic = LOGICS["first-order"]
    everything = logic.ask(query, k=100, among=among)
    for options, passes in (
        ({"pattern": "W1?"}, lambda word: len(word) == 3 and word[1] == "1"),
        ({"length": 3}, lambda word: len(word) == 3),
        ({"length": "2-2", "pattern": "*"}, lambda word: len(word) == 2),
    ):
        expected = [hit for hit in everything.hits if passes(hit.word)]
        answer = logic.ask(query, k=100, among=among, **options)
        assert answer.words == tuple(hit.word for hit in expected)
        scores = [hit.score for hit in expected]
        assert [hit.score for hit in answer.hits] == pytest.approx(scores, abs=1e-5)
        assert answer.filter == AskOptions(**options).filter
        assert (answer.among is None) == (everything.among is None)
        if answer.among is not None:
            assert set(answer.among.words) == set(filter(passes, everything.among.words))
            assert [WORDS[i] for i in answer.among.ids] == list(answer.among.words)


def test_in_a_large_vocabulary_rows_are_not_copied(monkeypatch):
    logic = LOGICS["first-order"]
    expected = logic.ask("w1 & w2", pattern="w1*")
    monkeypatch.setattr("andornot.search.nearest._COPIED", 0)
    answer = logic.ask("w1 & w2", pattern="w1*")
    assert answer.words == expected.words
    assert set(answer.words) == {word for word in WORDS if word.startswith("w1")} - {"w1"}


def test_nothing_passes():
    logic = LOGICS["first-order"]
    with raises(AndornotError, "vocabulary", "'x*'", "length 2", "leave it off"):
        logic.ask("w1", pattern="x*", length=2)
    with raises(AndornotError, "the words that were asked for", "'x*'"):
        logic.ask("w1", among=["w2", "w3"], pattern="x*")
    with raises(AndornotError, "rare", "30,000"):
        logic.ask("w1", frequency="rare")
    queries = ["!w1 @ {w1, w2}", "w1"]
    first, second = logic.answer_all(queries, pattern="w3")
    assert str(first).startswith("no word of {w1, w2} matches")
    assert second.words == ("w3",)


def test_frequencies_are_needed():
    bare = Logic(Space(Vocabulary(WORDS), SPACE.target))
    with raises(MissingCountsError, "frequency common", "with_counts"):
        bare.ask("w1", frequency="common")
    assert bare.ask("w1", frequency="any", length=2).words


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"pattern": ""}, ["pattern", "1 to 100"]),
        ({"pattern": "a" * (LONGEST_PATTERN + 1)}, ["pattern", "1 to 100"]),
        ({"pattern": 5}, ["pattern", "text"]),
        ({"length": 0}, ["length", "'0'"]),
        ({"length": "5-3"}, ["length", "N-M", "'5-3'"]),
        ({"length": "3-"}, ["length", "N-M", "'3-'"]),
        ({"length": "9" * 5000}, ["length"]),
        ({"frequency": "often"}, ["'often'", "common, any, rare"]),
    ],
)
def test_values_that_a_filter_may_not_have(options, named):
    with raises(UsageError, *named):
        LOGICS["first-order"].ask("w1", **options)


def test_a_pattern_of_many_stars_takes_no_longer_than_the_word():
    space = space_of(["a" * 20_000, "b"])
    began = time.perf_counter()
    assert len(WordFilter(pattern="*a" * 49 + "*b").passed(space)) == 0
    assert time.perf_counter() - began < 5  # backtracking would take longer than the universe
