"""95 % bootstrap intervals: the items of an experiment are drawn again, with replacement.

A verdict claims a difference between two methods only if the interval of their difference excludes
0. An interval covers the items of one training; it doesn't cover the variation between trainings.

Bootstrap percentiles are too narrow for few items. They are widened around the figure by the ratio
of Student's t to the normal distribution (Hesterberg 2015, section 5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.errors import UsageError

DRAWS = 1000
_UNBOUNDED = 1e9  # JSON has no infinity
_HELD = 1 << 20  # ids of draws in memory at a time
_NO_ITEMS = "an interval needs at least 1 item, got 0"
Ids = npt.NDArray[np.int64]


class Interval(NamedTuple):
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def sign(self) -> int:
        """1 if the interval is above 0, -1 if it is below 0, and 0 if it includes 0."""
        return int(self.low > 0) - int(self.high < 0)

    def __str__(self) -> str:
        """Format the figure and the interval with three decimal places.

        >>> str(Interval(0.5, 0.25, 0.75))
        '0.500 [0.250, 0.750]'
        """
        if self.high >= _UNBOUNDED:
            return f"{self.value:.3f} [no interval]"
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def interval(
    statistic: Callable[[Ids], float],
    size: int,
    *,
    clusters: Sequence[Any] | None = None,
    draws: int = DRAWS,
    seed: int = 1,
) -> Interval:
    """Return a statistic of items with its interval.

    Draws for which the statistic is not finite, such as a ratio to 0, are left out.

    Args:
        statistic: Computes the figure from the ids of the drawn items.
        size: Number of items; their ids are 0 to size - 1.
        clusters: The cluster of each item. Items of a cluster are drawn together, because they are
            not independent. Default: every item is its own cluster.
        draws: Number of draws.
        seed: Seed of the draws.

    Raises:
        UsageError: If there are no items.

    >>> heights = np.array([1.0, 2.0, 3.0, 4.0])
    >>> str(interval(lambda ids: heights[ids].mean(), 4))
    '2.500 [0.625, 4.387]'
    """
    if size < 1:
        raise UsageError(_NO_ITEMS)
    every = np.arange(size)
    members = [every[i : i + 1] for i in every] if clusters is None else _members(clusters)
    found = [
        statistic(chosen if clusters is None else np.concatenate([members[i] for i in chosen]))
        for block in _drawn(len(members), draws, seed)
        for chosen in block
    ]
    return _widened(float(statistic(every)), np.array(found), len(members))


def _drawn(number: int, draws: int, seed: int) -> Iterator[Ids]:
    """Yield draws of `number` ids with replacement, a row for each draw, in blocks of rows."""
    rng = np.random.default_rng(seed)
    height = max(1, _HELD // number)
    for start in range(0, draws, height):
        yield rng.integers(number, size=(min(height, draws - start), number))


def _widened(value: float, found: npt.NDArray[np.float64], number: int) -> Interval:
    """Return the interval of a figure from its values in the draws of `number` clusters."""
    from scipy.stats import norm, t

    known = found[np.isfinite(found)]
    if number < 2 or not len(known):  # the spread is unknown
        return Interval(value, -_UNBOUNDED, _UNBOUNDED)
    wider = np.sqrt(number / (number - 1)) * t.ppf(0.975, number - 1) / norm.ppf(0.975)
    low, high = value + wider * (np.quantile(known, (0.025, 0.975)) - value)
    return Interval(value, float(low), float(high))


def mean_interval(
    values: npt.ArrayLike,
    *,
    clusters: Sequence[Any] | None = None,
    draws: int = DRAWS,
    seed: int = 1,
) -> Interval:
    """Return the mean of a figure over the items, with its interval.

    For the difference between two methods, `values` are the differences item by item. The other
    parameters are those of `interval`.

    >>> mean_interval([0.2, 0.2, 0.2]).sign
    1
    """
    each = np.asarray(values, dtype=np.float64)
    if not len(each):
        raise UsageError(_NO_ITEMS)
    members = None if clusters is None else _members(clusters)
    sums = each if members is None else np.array([each[ids].sum() for ids in members])
    sizes = np.ones(len(each)) if members is None else np.array([len(ids) for ids in members])
    found = [
        sums[block].sum(axis=1) / sizes[block].sum(axis=1)
        for block in _drawn(len(sums), draws, seed)
    ]
    return _widened(float(each.mean()), np.concatenate(found), len(sums))


def _members(clusters: Sequence[Any]) -> list[Ids]:
    found: dict[Any, list[int]] = {}
    for item, cluster in enumerate(clusters):
        found.setdefault(cluster, []).append(item)
    return [np.array(items) for items in found.values()]
