"""Words are chosen by their counts, or fixed by a vocabulary or by counts, never both."""

import numpy as np
import pytest
from errors import raises

from andornot import Vocabulary
from andornot.base.errors import UsageError
from andornot.cooccurrence import count
from andornot.training import Settings, train

BASKETS = [["a", "b", "c"], ["a", "b"], ["a", "c"]] * 3
CHOICES = [{"min_count": 2}, {"max_size": 2}]


@pytest.mark.parametrize("choice", CHOICES)
def test_a_vocabulary_and_a_choice_by_counts_exclude_each_other(choice):
    words = Vocabulary(["a", "b"])
    for work in (count, lambda *given, **more: train(*given, Settings(dim=2), **more)):
        with raises(UsageError, "vocabulary", "leave out", "min_count", "max_size"):
            work(BASKETS, vocabulary=words, **choice)


@pytest.mark.parametrize("choice", [*CHOICES, {"vocabulary": Vocabulary(["a", "b"])}])
def test_counts_fix_the_words(choice):
    counts = count(BASKETS, min_count=1, window="line")
    with raises(UsageError, "counts fix", "leave out", next(iter(choice))):
        train(counts, Settings(dim=2), **choice)


def test_words_occur_5_times_by_default():
    lists = [["five", "four"]] * 4 + [["five", "six", "six"]] + [["six"]] * 4
    assert count(lists).vocabulary.words == ("six", "five")
    assert np.array_equal(count(lists, min_count=4).vocabulary.counts.values, [6, 5, 4])
