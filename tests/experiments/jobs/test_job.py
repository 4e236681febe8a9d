"""Bars: on which side of a bound a figure is; intervals as the protocol draws them."""

import numpy as np
import pytest

from andornot.experiments.intervals import Interval, interval
from andornot.experiments.jobs.job import above, at_least, at_most, mean_of


@pytest.mark.parametrize(
    ("bar", "reached"),
    [
        (at_least("a", 0.36, Interval(0.36, 0.3, 0.4)), True),
        (at_least("a", 0.36, 0.359), False),
        (at_most("a", 25, 25.0), True),
        (at_most("a", 25, 25.5), False),
        (above("a", Interval(0.02, 0.001, 0.04), least=0.02), True),
        (above("a", Interval(0.019, 0.001, 0.04), least=0.02), False),
        (above("a", Interval(0.03, -0.001, 0.06), least=0.02), False),
        (above("a", Interval(0.0, 0.0, 0.0)), False),
    ],
)
def test_a_bar_is_reached_at_its_bound(bar, reached):
    assert bar.reached is reached


def test_intervals_are_those_of_5000_draws_from_seed_0():
    values = np.random.default_rng(2).normal(size=30)
    clusters = [i // 3 for i in range(30)]
    for groups in (None, clusters):
        expected = interval(lambda ids: values[ids].mean(), 30, clusters=groups, draws=5000, seed=0)
        np.testing.assert_allclose(mean_of(values, groups), expected)
        assert mean_of(values, groups) != interval(lambda ids: values[ids].mean(), 30)
