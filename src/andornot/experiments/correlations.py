"""95 % intervals for differences of Pearson's correlations over the datasets of a year.

A year's figure is the mean of the correlations of its datasets, or the correlation of all pairs.

Sentence pairs are resampled within their dataset, so that each dataset keeps its size. A draw is a
row of weights, the number of times each pair was drawn, so that all draws need only a few matrix
products.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.experiments.intervals import DRAWS, Interval

Rows = npt.NDArray[np.float64]


class Correlations(NamedTuple):
    """Correlations of a year by method, each first of all pairs, then by draw."""

    mean: dict[str, Rows]
    pooled: dict[str, Rows]


def correlations_of(
    cosines: Mapping[str, Sequence[Rows]],
    ratings: Sequence[Rows],
    *,
    draws: int = DRAWS,
    seed: int = 1,
) -> Correlations:
    """Return the mean correlation over the datasets and the pooled one, by method and draw.

    Args:
        cosines: For each method, the cosines of the pairs of each dataset.
        ratings: The ratings of the pairs of each dataset.
        draws: Number of draws, which are the same for all methods.
        seed: The seed of the draws.

    >>> x, y = np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 3.0])
    >>> correlations_of({"a": [x]}, [y], draws=10).mean["a"].shape
    (11,)
    """
    rng = np.random.default_rng(seed)
    total = {name: np.zeros(draws + 1) for name in cosines}
    sums = {name: np.zeros((draws + 1, 6)) for name in cosines}
    # values near 0 limit the rounding error of the differences in pearson
    middle = {name: np.concatenate(each).mean() for name, each in cosines.items()}
    middle_rating = np.concatenate(ratings).mean()
    for number, rated in enumerate(ratings):
        weights = _weights(len(rated), draws, rng)
        for name, each in cosines.items():
            parts = weights @ products(each[number] - middle[name], rated - middle_rating)
            total[name] += pearson(parts)
            sums[name] += parts
    return Correlations(
        {name: each / len(ratings) for name, each in total.items()},
        {name: pearson(each) for name, each in sums.items()},
    )


def difference(found: Mapping[str, Rows], first: str, second: str) -> Interval:
    """Return the correlation of one method minus that of another, with its interval.

    Draws with an undefined correlation, where all values are equal, are left out.

    >>> found = {"freq": np.array([0.5, 0.5, 0.6]), "orig": np.array([0.4, 0.4, 0.4])}
    >>> str(difference(found, "freq", "orig"))
    '0.100 [0.102, 0.197]'
    """
    each = found[first] - found[second]
    drawn = each[1:][np.isfinite(each[1:])]
    low, high = np.quantile(drawn, (0.025, 0.975))
    return Interval(float(each[0]), float(low), float(high))


def _weights(size: int, draws: int, rng: np.random.Generator) -> Rows:
    """Return the number of times each item is drawn: once in the first row, then at random."""
    ids = rng.integers(size, size=(draws, size)) + size * np.arange(draws)[:, None]
    drawn = np.bincount(ids.ravel(), minlength=size * draws).reshape(draws, size)
    return np.vstack([np.ones(size), drawn])


def products(x: Rows, y: Rows) -> Rows:
    """Return for each pair of values the terms of the sums that `pearson` needs."""
    return np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1)


def pearson(sums: Rows) -> Rows:
    """Return Pearson's correlation for each row of sums of `products`.

    >>> pearson(products(np.array([1.0, 2.0]), np.array([3.0, 1.0])).sum(axis=0, keepdims=True))
    array([-1.])
    """
    mean_x, mean_y, xx, yy, xy = (sums[:, 1:] / sums[:, :1]).T
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt(_variance(xx, mean_x) * _variance(yy, mean_y))
        return np.asarray((xy - mean_x * mean_y) / np.where(spread > 0, spread, np.nan))


def _variance(squares: Rows, means: Rows) -> Rows:
    """Return the variance; a variance that is only rounding is 0.

    >>> _variance(np.array([0.01 + 1e-18, 2.0]), np.array([0.1, 1.0])).tolist()
    [0.0, 1.0]
    """
    found = squares - means**2
    return np.where(found > 1e-12 * squares, found, 0.0)
