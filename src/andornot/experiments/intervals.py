"""95 % intervals by the bootstrap: the items of an experiment are drawn again, with replacement.

A verdict speaks of a difference between two methods only where the interval of their difference
excludes 0. An interval is about the items of one training: how another training would differ, it
does not say.

The percentiles of a bootstrap are too narrow for few items. They are widened about the figure by
what Student's t has over the normal distribution (Hesterberg 2015, section 5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.errors import UsageError

DRAWS = 1000
_UNBOUNDED = 1e9  # JSON has no infinity
_HELD = 1 << 20  # ids of draws held at a time
_NO_ITEMS = "an interval needs at least 1 item, got 0"
Ids = npt.NDArray[np.int64]


class Interval(NamedTuple):
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def sign(self) -> int:
        """1 above 0, -1 below 0, and 0 where the interval holds 0."""
        return int(self.low > 0) - int(self.high < 0)

    def __str__(self) -> str:
        """Show it with three digits.

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
    """Return a statistic of the items 0 to size - 1, which it is given by their ids.

    Items of the same cluster are drawn together, because they are not independent. Draws for which
    the statistic is not a number, such as a ratio to nothing, are left out.

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
    """Draw as many as there are, again and again: a row for each draw, some rows at a time."""
    rng = np.random.default_rng(seed)
    height = max(1, _HELD // number)
    for start in range(0, draws, height):
        yield rng.integers(number, size=(min(height, draws - start), number))


def _widened(value: float, found: npt.NDArray[np.float64], number: int) -> Interval:
    """Return the interval of a figure from what was found in the draws of so many clusters."""
    from scipy.stats import norm, t

    known = found[np.isfinite(found)]
    if number < 2 or not len(known):  # nothing is known of its spread
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
    """Return the mean of a figure over the items.

    For the difference of two methods, `values` are the differences item by item.

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
