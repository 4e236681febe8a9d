"""Intervals of correlations against brute force."""

import time

import numpy as np
import pytest

from andornot.experiments.correlations import difference, mean_correlations


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
    found = mean_correlations(cosines, ratings, draws=5)
    for name in "ab":
        each = [np.corrcoef(x, y)[0, 1] for x, y in zip(cosines[name], ratings, strict=True)]
        assert found[name][0] == pytest.approx(np.mean(each))


def test_intervals_against_draws_one_by_one():
    rng = np.random.default_rng(2)
    cosines, ratings = sets_of(rng, (40, 200), {"orig": 2.0, "freq": 1.5})
    slow = []
    for _ in range(2000):
        total = 0.0
        for number, rated in enumerate(ratings):
            ids = rng.integers(len(rated), size=len(rated))  # within the set: it keeps its size
            first, second = (
                np.corrcoef(cosines[name][number][ids], rated[ids])[0, 1]
                for name in ("freq", "orig")
            )
            total += (first - second) / len(ratings)
        slow.append(total)
    found = difference(mean_correlations(cosines, ratings, draws=4000), "freq", "orig")
    low, high = np.quantile(slow, (0.025, 0.975))
    width = high - low
    assert found.low == pytest.approx(low, abs=0.1 * width)
    assert found.high == pytest.approx(high, abs=0.1 * width)


def test_the_same_draws_for_both_methods():
    cosines, ratings = sets_of(np.random.default_rng(3), (100,), {"orig": 2.0})
    cosines["freq"] = [3 * each + 1 for each in cosines["orig"]]  # the same correlation
    found = difference(mean_correlations(cosines, ratings), "freq", "orig")
    assert (found.low, found.high) == pytest.approx((0, 0), abs=1e-9)


def test_a_year_takes_little_time():
    cosines, ratings = sets_of(np.random.default_rng(4), (750,) * 5, {"orig": 2.0, "freq": 1.0})
    began = time.process_time()
    mean_correlations(cosines, ratings)
    assert time.process_time() - began < 5
