"""Errors of PMI against brute force, and on planted factorisations."""

from dataclasses import replace

import numpy as np
import pytest
from random_spaces import made_space

from andornot import Provenance, Space
from andornot.cooccurrence import count
from andornot.experiments.pmi_errors import (
    BANDS,
    KNOWN,
    METHODS,
    ORIGIN,
    WEIGHTINGS,
    error_blocks,
    measure,
)

ONCE, BY_COUNT = WEIGHTINGS


@pytest.fixture
def counted(corpus):
    flat, counts = (count(corpus, min_count=5, weights=w) for w in ("flat", "linear"))
    np.testing.assert_array_equal(flat.columns, counts.columns)
    return flat, counts


def random_model(counts):
    space = made_space(list(counts.vocabulary), np.random.default_rng(3))
    record = Provenance("a test", model="sgns", negatives=5, negative_exponent=0.75)
    return replace(space, vocabulary=counts.vocabulary, provenance=record)


def by_hand(space, flat, counts):
    """The pairs that were seen more than once, and their errors, one after the other."""
    dense, often = counts.matrix().toarray().astype(float), flat.matrix().toarray()
    p = dense.sum(0) / dense.sum()
    own = space.probability
    q = space.counts**0.75 / (space.counts**0.75).sum()
    v, u = space.target.astype(float), space.context.astype(float)
    means = {"orig": (0, 0), "unif": (v.mean(0), u.mean(0)), "freq": (own @ v, own @ u)}
    # the normal equations of v0; SGNS has no terms of words, so u0 is 0
    scores = -np.log(q / own) - np.log(5)
    means[ORIGIN] = (np.linalg.solve(u.T @ (own[:, None] * u), u.T @ (own * scores)), 0)
    pairs = np.argwhere(often > 1)
    errors = {method: [] for method in METHODS}
    for a, b in pairs:
        value = np.log(dense[a, b] / dense.sum() / p[a] / p[b])
        errors["PMI"].append(value)
        for name, (left, right) in means.items():
            errors[name].append(value - (v[a] - left) @ (u[b] - right))
        errors[KNOWN].append(value - (v[a] @ u[b] + np.log(q[b] / own[b]) + np.log(5)))
    each = tuple(pairs.T)
    return pairs, often[each], dense[each], {k: np.array(e) for k, e in errors.items()}


def test_errors_and_their_means_against_brute_force(counted):
    flat, counts = counted
    space = random_model(counts)
    _, often, dense, expected = by_hand(space, flat, counts)
    blocks = list(error_blocks(space, counts, flat.values))
    for method, errors in expected.items():
        found = np.concatenate([block.errors[method] for block in blocks])
        np.testing.assert_allclose(found, errors, atol=1e-3)
    measured = measure(space, counts, flat.values)
    for method, errors in expected.items():
        assert measured.mean(method, ONCE) == pytest.approx(errors.mean(), abs=1e-3)
        assert measured.rms(method, ONCE) == pytest.approx(np.sqrt((errors**2).mean()), rel=1e-3)
        mean, square = (np.average(e, weights=dense) for e in (errors, errors**2))
        assert measured.mean(method, BY_COUNT) == pytest.approx(mean, abs=1e-3)
        assert measured.rms(method, BY_COUNT) == pytest.approx(np.sqrt(square), rel=1e-3)
        inside = np.abs(errors) <= 8
        assert measured.histograms[method, ONCE].sum() == pytest.approx(inside.sum(), abs=2)
        found = measured.histograms[method, BY_COUNT].sum()
        assert found == pytest.approx(dense[inside].sum(), rel=1e-3)
    for band, (least, most) in BANDS.items():
        inside = (often >= least) & (often <= most)
        found = measured.by_band[band]
        assert found["part of the pairs"] == pytest.approx(inside.mean())
        assert found["part of the counts"] == pytest.approx(dense[inside].sum() / dense.sum())
        assert found["mean error"] == pytest.approx(expected[KNOWN][inside].mean(), abs=1e-3)
    assert not np.isclose(measured.rms("orig", ONCE), measured.rms("orig", BY_COUNT), rtol=1e-2)


def test_the_interval_draws_words(counted):
    flat, counts = counted
    space = random_model(counts)
    pairs, _, dense, errors = by_hand(space, flat, counts)
    measured = measure(space, counts, flat.values)
    rng = np.random.default_rng(9)
    drawn = []
    for _ in range(400):  # the pairs of the words that were drawn, written out
        words = rng.integers(len(counts.vocabulary), size=len(counts.vocabulary))
        times = np.bincount(words, minlength=len(counts.vocabulary))[pairs[:, 0]] * dense
        first, second = (
            np.sqrt(np.average(errors[method] ** 2, weights=times)) for method in ("freq", "orig")
        )
        drawn.append(first - second)
    found = measured.difference("freq", "orig", BY_COUNT)
    assert found.value == pytest.approx(
        measured.rms("freq", BY_COUNT) - measured.rms("orig", BY_COUNT)
    )
    low, high = np.quantile(drawn, (0.025, 0.975))
    assert found.low == pytest.approx(low, abs=0.2 * (high - low))
    assert found.high == pytest.approx(high, abs=0.2 * (high - low))
    same = measured.difference("freq", "freq", ONCE)
    assert (same.value, same.low, same.high) == (0, 0, 0)


@pytest.mark.parametrize("model", ["sgns", "glove"])
def test_the_known_shift_of_a_planted_factorisation_leaves_nothing(counted, model):
    """v.u is what eq. 5 or 6 has for the counts, so that PMI less the known shift is 0."""
    flat, counts = counted
    dense = counts.matrix().toarray().astype(float)
    assert (dense > 0).mean() > 0.9  # nearly all pairs; others are not looked at
    logs = np.log(np.where(dense > 0, dense, 1))
    p, words = counts.probability, counts.vocabulary
    rng = np.random.default_rng(2)
    if model == "sgns":
        q = words.counts.values**0.75 / (words.counts.values**0.75).sum()
        scores = logs - np.log(counts.total) - np.log(np.outer(p, 7 * q))
        biases = (None, None)
        record = Provenance("planted", model="sgns", negatives=7, negative_exponent=0.75)
    else:
        biases = tuple(rng.normal(size=(2, len(words))))
        scores = logs - biases[0][:, None] - biases[1]
        record = Provenance("planted", model="glove")
    left, sizes, right = np.linalg.svd(scores)
    v, u = left * np.sqrt(sizes), right.T * np.sqrt(sizes)
    space = Space(words, v, u, *biases, marginal=counts.marginal, provenance=record)
    measured = measure(space, counts, flat.values)
    for weighting in WEIGHTINGS:
        assert measured.rms(KNOWN, weighting) < 1e-4  # float32
        assert measured.rms("orig", weighting) > 0.5
        assert measured.difference("freq", KNOWN, weighting).sign == 1
        # as many dimensions as words: an origin has every score of contexts and words
        assert measured.rms(ORIGIN, weighting) < 1e-3
