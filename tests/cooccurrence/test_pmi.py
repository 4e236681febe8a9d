"""PMI and its error terms against formulas written out."""

import numpy as np
import pytest
from errors import raises
from factorisations import planted
from texts import corpus_of, random_lines

from andornot import AndornotError, Provenance, Space, Vocabulary
from andornot.base.errors import MissingContextError, UsageError
from andornot.cooccurrence import count
from andornot.cooccurrence.pmi import (
    error_terms_of_counts,
    error_terms_of_space,
    largest_pmi,
    model_pmi,
    pmi_blocks,
)
from andornot.words.counts import Counts, CountsOrigin


@pytest.fixture
def counts(tmp_path):
    return count(corpus_of(tmp_path, random_lines(6, lines=80, types=30)), min_count=1)


def test_pmi_is_its_definition(counts):
    joint = counts.matrix().toarray().astype(np.float64)
    p = joint.sum(axis=1) / joint.sum()
    seen = 0
    for block in pmi_blocks(counts, pairs=50):
        expected = np.log(
            joint[block.rows, block.columns] / joint.sum() / p[block.rows] / p[block.columns]
        )
        assert np.allclose(block.pmi, expected, atol=1e-6)
        seen += len(block.pmi)
    assert seen == counts.pairs == np.count_nonzero(joint)
    with np.errstate(divide="ignore"):
        table = np.log(joint / joint.sum() / np.outer(p, p))
    assert largest_pmi(counts) == pytest.approx(np.abs(table[joint > 0]).max(), abs=1e-6)


@pytest.mark.parametrize("alpha", [0.01, 1.0, 30.0])
def test_error_terms_of_counts_are_kl_divergences(counts, alpha):
    joint = counts.matrix().toarray().astype(np.float64) + alpha
    joint /= joint.sum()
    p = joint.sum(axis=1)
    given_word = joint / p[:, None]
    expected = (p * np.log(p / given_word)).sum(axis=1)  # KL(p || p(.|w))
    terms = error_terms_of_counts(counts, alpha)
    assert np.allclose(terms.of_words, expected, rtol=1e-6)
    assert np.allclose(terms.of_contexts, expected, rtol=1e-6)
    assert terms.mean == pytest.approx(p @ expected, rel=1e-6)
    assert (terms.of_words > 0).all()


def test_error_terms_need_an_added_count(counts):
    with raises(UsageError, "alpha", 0):
        error_terms_of_counts(counts, 0)


@pytest.mark.parametrize("model", ["sgns", "glove"])
def test_theorem_1_on_a_planted_factorisation(model):
    space, pmi = planted(model)
    p = space.probability
    rest = model_pmi(space)
    own = space.target @ space.context.T + rest.of_words[:, None] + rest.of_contexts + rest.constant
    assert np.allclose(own, pmi, atol=1e-4)  # float32
    terms = error_terms_of_space(space)
    joint = np.outer(p, p) * np.exp(pmi)
    assert np.allclose(
        terms.of_words, (p * np.log(p / (joint / p[:, None]))).sum(axis=1), atol=1e-4
    )
    v, u = space.target - p @ space.target, space.context - p @ space.context
    identity = v @ u.T + terms.mean - terms.of_words[:, None] - terms.of_contexts
    assert np.allclose(identity, pmi, atol=1e-4)
    if model == "glove":
        assert model_pmi(space, np.log(1e9)).constant == pytest.approx(-np.log(1e9))
        assert rest.constant == pytest.approx(-np.log(1e9), abs=1e-3)


def test_spaces_whose_pmi_cannot_be_known(full_space):
    bare = Space(full_space.vocabulary, full_space.target)
    with raises(MissingContextError, "PMI"):
        model_pmi(bare)
    unknown = Space(full_space.vocabulary, full_space.target, context=full_space.context)
    with raises(AndornotError, "biases", "negatives"):
        model_pmi(unknown)
    zero = full_space.with_counts({"the": 1})
    with raises(AndornotError, "count 0", "drop"):
        model_pmi(zero)


@pytest.mark.parametrize("model", ["sgns", "glove"])
def test_words_that_were_never_seen_have_no_pmi(model):
    """The others keep theirs: p and q are over the words that were seen."""
    space, _ = planted(model)
    counts = dict(zip(space.words, space.counts, strict=True))
    cut = space.take(np.arange(1, 30), "kept 29 words")
    zero = cut.with_counts({**counts, "w1": 0})
    seen = np.arange(1, 29)
    expected = model_pmi(cut.take(seen, "seen").with_counts(counts), 5.0)
    found = model_pmi(zero, 5.0, unseen=True)
    total = found.of_words + found.of_contexts
    assert np.isnan(total[0])
    np.testing.assert_allclose(total[seen], expected.of_words + expected.of_contexts)


def test_the_negatives_of_a_cut_space_are_those_of_its_training():
    """q stays normalised over the words that were trained, however many are kept."""
    rng = np.random.default_rng(2)
    words = Vocabulary([f"w{i}" for i in range(40)])
    words = words.with_counts(Counts(1000.0 / np.arange(1, 41), CountsOrigin.TRAINING, "a test"))
    record = Provenance("a test", model="sgns", negatives=5, negative_exponent=0.75)
    v, u = rng.normal(size=(2, 40, 3))
    space = Space(words, v, u, provenance=record)
    q = space.counts**0.75 / (space.counts**0.75).sum()
    for cut in (space.top(25), space.top(30).top(25)):
        expected = np.log(q[:25] / cut.probability)
        np.testing.assert_allclose(model_pmi(cut).of_contexts, expected)
    assert space.top(25).with_counts("rank").provenance.noise_total is None
