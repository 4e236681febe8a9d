"""The words of the first default model: the list, and its ids in a space."""

import numpy as np

from andornot import Space, Vocabulary, default
from andornot.experiments.jobs.first_words import FIRST, first_ids, first_words, vocabularies


def test_the_list_has_every_word_once():
    words = first_words()
    assert len(words) == len(set(words)) == 38_000
    assert words == sorted(words)
    assert {"the", "violin", "telescope"} <= set(words)


def test_ids_are_those_of_the_words_in_the_order_of_the_space():
    space = Space(Vocabulary(["zzzz", "violin", "the", "qqqq", "cello"]), np.eye(5))
    assert first_ids(space).tolist() == [1, 2, 4]
    assert {name: ids.tolist() for name, ids in vocabularies(space).items()} == {
        FIRST: [1, 2, 4],
        "5 words": [0, 1, 2, 3, 4],
    }


def test_the_default_model_has_nearly_all_of_them():
    ids = first_ids(default())
    assert len(ids) == 38_000 - 36
    assert set(np.array(default().words)[ids]) <= set(first_words())
