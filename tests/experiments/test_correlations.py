"""Intervals of correlations against brute force."""

import time

import numpy as np
import pytest

from andornot.experiments.correlations import correlations_of, difference


def sets_of(rng, sizes, noise):
    """Ratings, and cosines that follow them with more and less noise."""
    ratings = [rng.uniform(0, 5, size) for size in sizes]
    cosines = {
        name: [each + level * rng.normal(size=len(each)) for each in ratings]
        for name, level in noise.items()
    }
    return cosines, ratings


def test_the_first_is_the_statistic_over_all_pairs():
    cosines, ratings = sets_of(np.random.default_rng(1), (30, 50), {"a": 1.0, "b": 3.0})
    found = correlations_of(cosines, ratings, draws=5)
    for name in "ab":
        each = [np.corrcoef(x, y)[0, 1] for x, y in zip(cosines[name], ratings, strict=True)]
        assert found.mean[name][0] == pytest.approx(np.mean(each))
        every = np.corrcoef(np.concatenate(cosines[name]), np.concatenate(ratings))[0, 1]
        assert found.pooled[name][0] == pytest.approx(every)


def test_intervals_against_draws_one_by_one():
    rng = np.random.default_rng(2)
    cosines, ratings = sets_of(rng, (40, 200), {"orig": 2.0, "freq": 1.5})
    ratings[1] += 3  # the pooled correlation is another one
    slow = []
    for _ in range(2000):
        ids = [rng.integers(len(each), size=len(each)) for each in ratings]  # sets keep their sizes
        rated = [each[some] for each, some in zip(ratings, ids, strict=True)]
        means, pooled = {}, {}
        for name in ("freq", "orig"):
            drawn = [each[some] for each, some in zip(cosines[name], ids, strict=True)]
            pairs = zip(drawn, rated, strict=True)
            means[name] = np.mean([np.corrcoef(x, y)[0, 1] for x, y in pairs])
            pooled[name] = np.corrcoef(np.concatenate(drawn), np.concatenate(rated))[0, 1]
        slow.append([each["freq"] - each["orig"] for each in (means, pooled)])
    found = correlations_of(cosines, ratings, draws=4000)
    for each, theirs in zip(found, np.array(slow).T, strict=True):
        ours = difference(each, "freq", "orig")
        low, high = np.quantile(theirs, (0.025, 0.975))
        assert ours.low == pytest.approx(low, abs=0.1 * (high - low))
        assert ours.high == pytest.approx(high, abs=0.1 * (high - low))


def test_the_same_draws_for_both_methods():
    cosines, ratings = sets_of(np.random.default_rng(3), (100,), {"orig": 2.0})
    cosines["freq"] = [3 * each + 1 for each in cosines["orig"]]  # the same correlation
    found = difference(correlations_of(cosines, ratings).mean, "freq", "orig")
    assert (found.low, found.high) == pytest.approx((0, 0), abs=1e-9)


def test_a_year_takes_little_time():
    cosines, ratings = sets_of(np.random.default_rng(4), (750,) * 5, {"orig": 2.0, "freq": 1.0})
    began = time.process_time()
    correlations_of(cosines, ratings)
    assert time.process_time() - began < 5
