"""BM25 by its formula, and vectors of texts beside the sentence encoder."""

import math

import numpy as np
import pytest
from random_spaces import made_space

from andornot.base.moments import unit_rows
from andornot.experiments.jobs.text_scores import bm25, counted, text_vectors
from andornot.postprocessing.sentence_encoder import SentenceEncoder
from andornot.postprocessing.sentences import sif_weights

TEXTS = ["Oil prices rose; oil!", "the price of wheat", "Wheat, corn and 3 oils", "", "oil"]


def slow_bm25(words, text):
    cut = ["".join(c if c.isalpha() else " " for c in t.lower()).split() for t in TEXTS]
    average = sum(map(len, cut)) / len(cut)
    score = 0.0
    for word in words:
        having = sum(word in each for each in cut)
        idf = math.log(1 + (len(cut) - having + 0.5) / (having + 0.5))
        tf = cut[text].count(word)
        score += idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * len(cut[text]) / average))
    return score


def test_bm25_is_its_formula():
    words, counts = counted(TEXTS)
    queries = [["oil"], ["wheat", "price"], ["corn", "oil", "oil"]]
    found = bm25(counts, [[words.index(word) for word in query] for query in queries])
    assert found.shape == (5, 3)
    for text in range(len(TEXTS)):
        for query, each in enumerate(queries):
            assert found[text, query] == pytest.approx(slow_bm25(each, text))


@pytest.mark.parametrize("weights", ["sum", "sif"])
def test_vectors_of_texts_are_those_of_the_sentence_encoder(weights):
    known = ["oil", "prices", "rose", "wheat", "corn", "the"]
    space = made_space(known, np.random.default_rng(2))
    words, counts = counted(TEXTS)
    columns = [words.index(word) for word in known]
    values = np.ones(len(known)) if weights == "sum" else sif_weights(space.probability)
    found = text_vectors(counts[:, columns], space.target, values)
    expected = SentenceEncoder(space, weights).encode(TEXTS)
    np.testing.assert_allclose(found, unit_rows(expected), atol=1e-6)
