"""The PMI of a model on planted factorisations, and Theorem 1's error terms from it."""

from dataclasses import replace

import numpy as np
import pytest
from errors import raises
from factorisations import planted

from andornot import Provenance, Space, Vocabulary
from andornot import model_pmi as module
from andornot.base.errors import MissingContextError
from andornot.model_pmi import (
    UnknownPmiError,
    error_terms_of_space,
    log_normaliser,
    log_total_of,
    model_pmi,
)
from andornot.words.counts import Counts, CountsOrigin


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
    with raises(UnknownPmiError, "biases", "negatives"):
        model_pmi(unknown)


@pytest.mark.parametrize("model", ["sgns", "glove"])
def test_a_word_that_never_co_occurred_weighs_nothing(model):
    """A word of p = 0 beside the others changes nothing in their PMI, nor in the error terms."""
    space, _ = planted(model)
    p = space.probability
    alone = model_pmi(space, 1.0)
    words = [*space.vocabulary.words, "never"]
    counts = Counts(np.append(p, 0.0), CountsOrigin.TRAINING, "a test")
    again = Space(
        Vocabulary(words, counts),
        np.vstack([space.target, space.target[:1]]),
        np.vstack([space.context, space.context[:1]]),
        marginal=np.append(p, 0.0),
        provenance=space.provenance,
        **{
            name: np.append(values, 3.0)
            for name in ("target_bias", "context_bias")
            if (values := getattr(space, name)) is not None
        },
    )
    with_it = model_pmi(again, 1.0)
    np.testing.assert_allclose(with_it.of_contexts[:-1], alone.of_contexts, atol=1e-6)
    terms, fewer = error_terms_of_space(again, 1.0), error_terms_of_space(space, 1.0)
    np.testing.assert_allclose(terms.of_words[:-1], fewer.of_words, atol=1e-5)
    assert np.isfinite(terms.mean)


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


@pytest.mark.parametrize("model", ["sgns", "glove"])
def test_the_pmi_of_two_words_does_not_depend_on_the_others(model):
    space, _ = planted(model)
    space = replace(space, marginal=1e9 * space.probability)

    def pmi(space, size):
        terms = model_pmi(space)
        scores = space.target[:size].astype(float) @ space.context[:size].T
        return scores + terms.of_words[:size, None] + terms.of_contexts[:size] + terms.constant

    order = np.argsort(-space.probability, kind="stable")
    space = space.take(order, "sorted")
    whole = pmi(space, 5)
    for cut in (space.take(np.arange(5), "5 kept"), space.top(9).take(np.arange(5), "5 kept")):
        assert cut.provenance.kept_share == pytest.approx(space.probability[:5].sum())
        np.testing.assert_allclose(pmi(cut, 5), whole, atol=1e-5)
    assert space.top(5).with_counts("rank").provenance.kept_share is None


def test_log_z_of_many_words_is_estimated_from_some(monkeypatch):
    space, _ = planted("glove")
    exact = log_normaliser(space)
    assert exact == pytest.approx(np.log(1e9), abs=1e-3)
    assert log_normaliser(space, 30) == pytest.approx(exact, abs=1e-6)  # a sample of all words
    assert log_normaliser(space, 24) == pytest.approx(exact, abs=0.05)
    assert log_total_of(space) == exact
    monkeypatch.setattr(module, "_ALL_PAIRS", 10)
    monkeypatch.setattr(module, "_SAMPLED_WORDS", 24)
    assert log_total_of(space) == log_normaliser(space, 24)
    mass = Space(
        space.vocabulary,
        space.target,
        space.context,
        space.target_bias,
        space.context_bias,
        marginal=7 * space.probability,
    )
    assert log_total_of(mass) == pytest.approx(np.log(7))
