"""Bootstrap intervals, beside a closed form."""

import numpy as np
import pytest

from andornot.base.errors import UsageError
from andornot.experiments.intervals import Interval, interval, mean_interval


def test_the_interval_of_a_mean_is_that_of_the_normal_approximation():
    values = np.random.default_rng(3).normal(2.0, 1.0, size=400)
    found = mean_interval(values)
    half = 1.96 * values.std() / np.sqrt(len(values))
    assert found.value == pytest.approx(values.mean())
    assert found.low == pytest.approx(values.mean() - half, abs=half / 6)
    assert found.high == pytest.approx(values.mean() + half, abs=half / 6)


def test_items_of_one_cluster_are_drawn_together():
    values = np.repeat(np.random.default_rng(3).normal(size=40), 50)
    alone = mean_interval(values)
    together = mean_interval(values, clusters=np.repeat(np.arange(40), 50).tolist())
    # 50 copies of an item tell no more than one: the interval is sqrt(50) times as wide
    widths = [each.high - each.low for each in (alone, together)]
    assert widths[1] / widths[0] == pytest.approx(np.sqrt(50), rel=0.15)


def test_a_difference_is_claimed_only_where_the_interval_excludes_0():
    assert mean_interval(0.2 + 0.1 * np.random.default_rng(1).normal(size=30)).sign == 1
    assert mean_interval(-0.2 + 0.1 * np.random.default_rng(1).normal(size=30)).sign == -1
    assert mean_interval([-1.0, 1.0, -1.0, 1.0]).sign == 0


def test_draws_without_a_value_are_left_out():
    values = np.array([0.0, 0.0, 1.0])
    found = interval(lambda ids: 1 / values[ids].sum() if values[ids].any() else np.nan, 3)
    assert isinstance(found, Interval)
    assert found.value == 1.0
    assert np.isfinite([found.low, found.high]).all()


def test_no_items_are_refused():
    with pytest.raises(UsageError, match="at least 1 item, got 0"):
        mean_interval([])


@pytest.mark.parametrize("size", [2, 3, 5, 10])
def test_few_items_seldom_claim_a_difference_that_is_not_there(size):
    rng = np.random.default_rng(size)
    claims = [mean_interval(rng.normal(size=size)).sign != 0 for _ in range(200)]
    assert np.mean(claims) < 0.15


def test_one_item_has_no_interval():
    found = mean_interval([0.3])
    assert found.sign == 0
    assert str(found) == "0.300 [no interval]"


@pytest.mark.parametrize("clusters", [None, [i % 7 for i in range(60)]])
def test_a_mean_has_the_interval_of_any_other_statistic(clusters):
    values = np.random.default_rng(4).normal(size=60)
    slow = interval(lambda ids: values[ids].mean(), 60, clusters=clusters, draws=500, seed=9)
    found = mean_interval(values, clusters=clusters, draws=500, seed=9)
    np.testing.assert_allclose(found, slow, rtol=1e-12)


def test_draws_in_several_blocks_are_the_same(monkeypatch):
    values = np.random.default_rng(4).normal(size=60)
    whole = mean_interval(values)
    monkeypatch.setattr("andornot.experiments.intervals._HELD", 100)
    np.testing.assert_allclose(mean_interval(values), whole, rtol=1e-12)
