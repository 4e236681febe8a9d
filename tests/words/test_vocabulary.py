import numpy as np
import pytest
from errors import raises
from hypothesis import given
from hypothesis import strategies as st

from andornot import AndornotError, Vocabulary
from andornot.base.errors import UnknownWordError
from andornot.words.counts import Counts, CountsOrigin

words_strategy = st.lists(st.text(st.characters(exclude_categories=["Cs"])), unique=True)


@given(words_strategy)
def test_words_and_numbers_both_ways(words):
    vocabulary = Vocabulary(words)
    assert vocabulary.words == tuple(words)
    assert len(vocabulary) == len(words)
    assert list(vocabulary) == words
    for i, word in enumerate(words):
        assert vocabulary.index(word) == i
        assert vocabulary.word(i) == word
        assert word in vocabulary


@given(words_strategy.filter(bool), st.data())
def test_take_agrees_with_a_list(words, data):
    ids = data.draw(st.lists(st.integers(0, len(words) - 1), unique=True))
    counts = Counts(np.arange(1.0, len(words) + 1), CountsOrigin.GIVEN)
    part = Vocabulary(words, counts).take(np.array(ids, dtype=np.int64))
    assert part.words == tuple(words[i] for i in ids)
    assert part.counts.values.tolist() == [i + 1 for i in ids]
    assert part.counts.origin == CountsOrigin.GIVEN


def test_words_that_all_count_0_have_no_counts():
    vocabulary = Vocabulary(["a", "b", "c"], Counts(np.array([0.0, 0, 4]), CountsOrigin.GIVEN))
    assert vocabulary.take(np.array([1, 0])).counts is None
    assert vocabulary.take(np.array([2, 0])).counts.values.tolist() == [4, 0]


def test_unknown_word_names_the_closest_spellings():
    vocabulary = Vocabulary(["the", "king", "queen", "kings"])
    with raises(UnknownWordError, "'kinng'", "'king'", "'kings'") as caught:
        vocabulary.index("kinng")
    assert caught.value.word == "kinng"
    assert caught.value.suggestions == ("king", "kings")
    assert isinstance(caught.value, KeyError)
    with raises(UnknownWordError, "'zzzzzzzzzz'") as caught:
        vocabulary.index("zzzzzzzzzz")
    assert caught.value.suggestions == ()


def test_a_word_that_stands_twice_is_refused():
    with raises(AndornotError, "'a'", "twice"):
        Vocabulary(["a", "b", "a"])


def test_counts_must_be_one_for_each_word():
    with raises(AndornotError, "1 counts", "2 words"):
        Vocabulary(["a", "b"], Counts(np.ones(1), CountsOrigin.GIVEN))


def test_text_that_is_not_unicode_is_refused():
    with raises(AndornotError, r"'\ud800'", "Unicode"):
        Vocabulary(["\ud800"])


def test_numbers_that_no_word_has():
    vocabulary = Vocabulary(["a"])
    for number in (-1, 1):
        with raises(IndexError, number):
            vocabulary.word(number)
    with raises(TypeError, 3):
        vocabulary.index(3)


def test_suggestions_are_looked_for_only_when_wanted():
    vocabulary = Vocabulary([f"w{i}" for i in range(100_000)])
    with pytest.raises(UnknownWordError) as caught:
        vocabulary.index("x1")
    assert "suggestions" not in vars(caught.value)
    assert caught.value.suggestions == ("w1",)


def test_nothing_can_be_changed():
    vocabulary = Vocabulary(["a"], Counts(np.ones(1), CountsOrigin.GIVEN))
    with pytest.raises(AttributeError):
        vocabulary.counts = None
    for array in (vocabulary.utf8, vocabulary.offsets, vocabulary.counts.values):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
