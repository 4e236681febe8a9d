"""95 % intervals for differences of Pearson's correlations, averaged over the datasets of a year.

Sentence pairs are resampled within their dataset, so that each dataset keeps its size. A draw is a
row of weights, the number of times each pair was drawn, so that all draws need only a few matrix
products.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from andornot.experiments.intervals import DRAWS, Interval

Rows = npt.NDArray[np.float64]


def mean_correlations(
    cosines: Mapping[str, Sequence[Rows]],
    ratings: Sequence[Rows],
    *,
    draws: int = DRAWS,
    seed: int = 1,
) -> dict[str, Rows]:
    """Return the mean correlation over the datasets by method: first of all pairs, then by draw.

    Args:
        cosines: For each method, the cosines of the pairs of each dataset.
        ratings: The ratings of the pairs of each dataset.
        draws: Number of draws, which are the same for all methods.
        seed: The seed of the draws.

    >>> x, y = np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 3.0])
    >>> mean_correlations({"a": [x]}, [y], draws=10)["a"].shape
    (11,)
    """
    rng = np.random.default_rng(seed)
    total = {name: np.zeros(draws + 1) for name in cosines}
    for number, rated in enumerate(ratings):
        weights = _weights(len(rated), draws, rng)
        for name, each in cosines.items():
            total[name] += _correlations(weights, each[number], rated)
    return {name: each / len(ratings) for name, each in total.items()}


def difference(found: Mapping[str, Rows], first: str, second: str) -> Interval:
    """Return the mean correlation of one method minus that of another, with its interval.

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


def _correlations(weights: Rows, x: Rows, y: Rows) -> Rows:
    """Return Pearson's correlation of x and y under each row of weights."""
    x, y = x - x.mean(), y - y.mean()  # limits the rounding error of the differences below
    moments = weights @ np.stack([x, y, x * x, y * y, x * y], axis=1) / len(x)
    mean_x, mean_y, xx, yy, xy = moments.T
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.sqrt((xx - mean_x**2) * (yy - mean_y**2))
        return np.asarray((xy - mean_x * mean_y) / np.where(spread > 0, spread, np.nan))
