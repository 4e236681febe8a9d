"""The exact solvers with a prior: the minimum of the penalised loss, by its definition."""

import math

import numpy as np
import pytest
from errors import raises
from random_counts import K, counts_from, glove_by_hand, random_counts, sgns_by_hand

from andornot.base.errors import UsageError
from andornot.training import Settings, glove_loss, sgns_loss, train
from andornot.training.sgns_exact import ExactSGNS

DIM = 4
PRIORS = {"sgns": [0.0, 1.0, 10.0], "glove": [0.01, 0.05, 0.5]}


def trained(counts, **settings):
    settings = {"solver": "exact", "dim": DIM, "epochs": 800, "tolerance": 0.0, **settings}
    return train(counts, Settings(**settings), threads=1)


@pytest.mark.parametrize("prior", [3.0, 8.0])
def test_sgns_is_stationary_under_its_prior(prior):
    counts = random_counts()
    settings = Settings(solver="exact", dim=DIM, negative=K, prior=prior, epochs=400)
    trainer = ExactSGNS(counts, settings.resolved(), 1)
    for _ in range(settings.epochs):
        trainer.step()
    space = trainer.space()
    v, u = space.target, space.context
    loss, by_v, by_u = sgns_by_hand(counts, v, u)
    for gradient, rows in ((by_v, v), (by_u, u)):
        np.testing.assert_allclose(counts.total * gradient + prior * rows, 0, atol=1e-2)
    record = space.provenance.settings
    penalty = prior / 2 * (np.square(v).sum() + np.square(u).sum()) / counts.total
    assert record["loss"] == pytest.approx(loss, rel=1e-4)
    assert record["penalised_loss"] == pytest.approx(loss + penalty, rel=1e-4)


@pytest.mark.parametrize("prior", [0.3, 3.0])
def test_glove_is_stationary_under_its_prior(prior):
    counts = random_counts()
    space = trained(counts, model="glove", prior=prior, x_max=20.0)
    factors = (space.target, space.context, space.target_bias, space.context_bias)
    loss, by_v, by_u, by_a, by_b = glove_by_hand(counts, *factors, 20.0)
    np.testing.assert_allclose(by_v + prior * space.target, 0, atol=0.02)
    np.testing.assert_allclose(by_u + prior * space.context, 0, atol=0.02)
    np.testing.assert_allclose(by_a, 0, atol=0.02)  # biases are free
    np.testing.assert_allclose(by_b, 0, atol=0.02)
    assert space.provenance.settings["loss"] == pytest.approx(loss / counts.pairs, rel=1e-3)


@pytest.mark.parametrize("model", ["sgns", "glove"])
def test_a_stronger_prior_gives_shorter_vectors_and_a_higher_loss(model):
    counts = random_counts()
    spaces = [trained(counts, model=model, prior=prior, epochs=100) for prior in PRIORS[model]]
    lengths = [np.linalg.norm(space.target) for space in spaces]
    losses = [(sgns_loss if model == "sgns" else glove_loss)(space, counts) for space in spaces]
    assert lengths == sorted(lengths, reverse=True)
    assert losses == sorted(losses)


@pytest.mark.parametrize("model", ["sgns", "glove"])
def test_the_two_sides_are_equal_in_size(model):
    space = trained(random_counts(), model=model, prior=PRIORS[model][1], epochs=200)
    left, right = (side.T @ side for side in (space.target, space.context))
    np.testing.assert_allclose(left, right, atol=0.02 * np.trace(left))


def test_both_biases_of_glove_come_back():
    """log x = v.u + c_w + c_c, symmetric, with biases that grow with the count of a word."""
    rng = np.random.default_rng(8)
    size = 60
    factor = rng.normal(size=(size, DIM)) * 0.3
    bias = np.linspace(4.0, 0.5, size)
    dense = np.exp(factor @ factor.T + bias[:, None] + bias)
    counts = counts_from(dense)
    space = trained(counts, model="glove", prior=0.01, x_max=10.0, epochs=60)
    for found in (space.target_bias, space.context_bias):
        slope = np.polyfit(bias, found, 1)[0]
        assert slope == pytest.approx(1.0, abs=0.1)
    fitted = space.target @ space.context.T + space.target_bias[:, None] + space.context_bias
    np.testing.assert_allclose(fitted, np.log(dense), atol=0.05)


def test_no_product_exceeds_log_n():
    """Two words that meet each other alone: without a prior they would go to infinity."""
    dense = np.zeros((8, 8))
    dense[:6, :6] = 50
    dense[6, 7] = dense[7, 6] = 3
    counts = counts_from(dense)
    for model in ("sgns", "glove"):
        space = trained(counts, model=model, prior=0.0, epochs=200)
        assert (space.target @ space.context.T).max() <= math.log(counts.total) * (1 + 1e-5)


def test_what_a_prior_may_be():
    for wrong in (-1.0, math.nan, math.inf):
        with raises(UsageError, "prior", wrong):
            Settings(prior=wrong)
    with raises(UsageError, "5.0", "leave out prior", "solver='exact'"):
        Settings(solver="sampled", prior=5.0)
    assert Settings(solver="sampled").resolved().prior == 0
    assert Settings(solver="exact", prior=0.0).resolved().prior == 0
    assert Settings(solver="exact").resolved().prior > 0
