"""A list with its decisions and the next words."""

import numpy as np
import pytest
from errors import raises
from planted_groups import planted

from andornot import WordList
from andornot.base.errors import AndornotError, UnknownWordError, UsageError
from andornot.growing import Grower


@pytest.fixture(scope="module")
def grower():
    return Grower(planted(), wordnet=False)


def proposed(words, k=20, **filters):
    return [each.word for each in words.propose(k, **filters)]


def test_proposals_are_the_best_scores_with_their_facts(grower):
    words = WordList(grower, ["w5", "w12"])
    space = grower.space
    scores = grower.scores([5, 12])
    scores[[5, 12]] = -np.inf
    order = np.argsort(-scores, kind="stable")[:20]
    found = words.propose()
    assert [each.word for each in found] == [space.words[i] for i in order]
    for each, i in zip(found, order, strict=True):
        assert each.score == pytest.approx(float(scores[i]))
        assert each.frequency == pytest.approx(1e6 * space.counts[i] / space.counts.sum())
        assert each.nearest in ("w5", "w12")


def test_what_was_decided_about_is_not_proposed_again(grower):
    words = WordList(grower, ["w5"])
    first = proposed(words, 3)
    words.accept(first[0])
    words.reject(first[1])
    words.skip(first[2])
    assert not set(first) & set(proposed(words, 600))
    assert words.words == ("w5", first[0])
    assert (words.rejected, words.skipped) == ((first[1],), (first[2],))
    words.undo(first[2])
    assert first[2] in proposed(words, 600)
    with raises(AndornotError, first[2]):
        words.undo(first[2])
    with raises(AndornotError, "w5"):
        words.undo("w5")


def test_a_skipped_word_teaches_nothing(grower):
    words = WordList(grower, ["w5"])
    before = words.scores()
    words.skip(proposed(words, 1)[0])
    np.testing.assert_array_equal(words.scores(), before)


def test_the_order_of_decisions_does_not_matter(grower):
    one, other = WordList(grower, ["w5", "w12"]), WordList(grower, ["w12", "w5"])
    for word in ("w19", "w26"):
        one.accept(word)
    one.reject("w7")
    other.reject("w7")
    for word in ("w26", "w19"):
        other.accept(word)
    assert proposed(one) == proposed(other)


def test_decisions_given_at_once_are_those_made_one_by_one(grower):
    words = WordList(grower, ["w5"])
    words.accept("w12")
    words.reject("w7")
    assert proposed(words) == proposed(WordList(grower, ["w5"], accepted=["w12"], rejected=["w7"]))


def test_filters(grower):
    words = WordList(grower, ["w5"])
    assert all(len(word) == 3 for word in proposed(words, length=3))
    assert all(word.startswith("w1") for word in proposed(words, 200, pattern="w1*"))
    assert proposed(words, pattern="zzz*") == []
    assert len(proposed(words, 10_000)) == len(grower.space) - 1
    with raises(UsageError, "common, any, rare", "x"):
        words.propose(frequency="x")
    with raises(UsageError, "at least 1", 0):
        words.propose(0)


def test_words_are_read_in_lower_case_with_a_note(grower):
    words = WordList(grower, ["W5"])
    assert words.seeds == ("w5",)
    assert words.notes == ("W5 was read as w5",)


def test_notes_say_what_a_space_lacks():
    words = WordList(planted(context=False, counts=False), ["w5"], wordnet=False)
    assert len(words.notes) == 2
    assert all(each.frequency is None for each in words.propose(3))


def test_wrong_lists_are_refused(grower):
    with raises(UnknownWordError, "did you mean", "w5"):
        WordList(grower, ["wv5"])
    with raises(UsageError, "at least one word"):
        WordList(grower, [])
    for given in ({"seeds": "w5"}, {"accepted": "w5"}, {"rejected": "w5"}):
        (name,) = given
        with raises(UsageError, f"{name} must be a list of words", "'w5'", "split it"):
            WordList(grower, **{"seeds": ["w7"], **given})
    with raises(UsageError, "'w7' is an accepted word and a rejected word", "decide on one"):
        WordList(grower, ["w5"], accepted=["w7"], rejected=["w7"])
    with raises(UsageError, "maybe", "seed, yes, no, skip"):
        WordList(grower, ["w5"]).decide("w7", "maybe")
    with raises(UsageError, "'w5' is an example and a rejected word", "remove it from one"):
        WordList(grower, ["w5"], rejected=["w5"])
