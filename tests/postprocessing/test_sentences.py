"""Vectors of sentences: sums over their words."""

from dataclasses import replace

import numpy as np
import pytest
from errors import raises

from andornot import Space, Vocabulary
from andornot.base.choices import SentenceWeights, Tokenizer
from andornot.base.errors import MissingCountsError, UsageError
from andornot.postprocessing.sentences import encode


@pytest.fixture
def space():
    words = [f"w{i}" for i in range(60)]
    counts = {word: 1000 // (i + 1) for i, word in enumerate(words)}
    rows = np.random.default_rng(8).normal(size=(60, 20)) * 3
    return Space(Vocabulary(words).with_counts(counts), rows)


def test_sentences_are_sums_of_their_words(space):
    found = encode(space, ["w1 w2, W2 -- unknown", ["w3"], "nothing here", ""])
    v = space.target
    np.testing.assert_allclose(found, [v[1] + 2 * v[2], v[3], 0 * v[0], 0 * v[0]], atol=1e-5)
    np.testing.assert_allclose(encode(space, ["w1 W2"], tokenizer="whitespace")[0], v[1], atol=1e-6)


def test_tokens_with_other_white_space_are_found_as_in_the_corpus():
    space = Space(Vocabulary(["a\u00a0b", "c"]), np.eye(2))
    found = encode(space, ["a\u00a0b c", " c\t\r\nc"], tokenizer="whitespace")
    assert found.tolist() == [[1, 1], [0, 2]]
    assert encode(space, ["a\u00a0b c", "c\u0085C"]).tolist() == [[0, 1], [0, 2]]


def test_sif_takes_the_counts_and_not_the_marginal_of_a_subsampled_training(space):
    flat = replace(space, marginal=np.ones(len(space)))
    for weights in ("sif", "sum"):
        ours, theirs = (encode(each, ["w1 w9"], weights=weights) for each in (flat, space))
        np.testing.assert_array_equal(ours, theirs)


def test_sif_weighs_by_frequency(space):
    found = encode(space, ["w1 w9"], weights="sif")[0]
    a, p = 1e-3, space.probability
    expected = (a / (a + p[1]) * space.target[1] + a / (a + p[9]) * space.target[9]) / 2
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_many_sentences_are_as_one_by_one(space):
    sentences = [f"w{i} w{i + 1}\nw{i + 2}" for i in range(50)]
    together = encode(space, sentences)
    for sentence, vector in zip(sentences, together, strict=True):
        np.testing.assert_allclose(encode(space, [sentence])[0], vector, atol=1e-6)


def test_no_sentences_have_no_vectors(space):
    assert encode(space, []).shape == (0, 20)


def test_what_is_no_list_of_sentences_and_unknown_ways(space):
    with raises(UsageError, "list", "got the text 'w1 w2'", "[text]"):
        encode(space, "w1 w2")
    with raises(UsageError, "got 'tfidf'", *SentenceWeights):
        encode(space, ["w1"], weights="tfidf")
    with raises(UsageError, "'bpe'", *Tokenizer):
        encode(space, ["w1"], tokenizer="bpe")
    bare = Space(Vocabulary(space.words), space.target)
    with raises(MissingCountsError, "with_counts"):
        encode(bare, ["w1"], weights="sif")
