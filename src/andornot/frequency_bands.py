"""Measure vectors by frequency band, from frequent to rare words.

Centring subtracts the mean vector. Rare words with short vectors that have little of the mean in
them become roughly minus the mean. They collapse onto each other, and crowd the first ranks of
sums.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.errors import UsageError
from andornot.base.moments import parts, unit_rows

Ids = npt.NDArray[np.int64]


def bands(counts: npt.ArrayLike, n: int = 5) -> list[Ids]:
    """Split words by the rank of their count into n bands of nearly equal size.

    Args:
        counts: The count of each word, or any figure that grows with it.
        n: Number of bands.

    Returns:
        The word ids of each band, the most frequent words first. Words of equal count keep their
        order.

    >>> [band.tolist() for band in bands([1.0, 9.0, 5.0, 3.0], 2)]
    [[1, 2], [3, 0]]
    """
    values = np.asarray(counts, dtype=np.float64)
    if not 1 <= n <= len(values):
        raise UsageError(f"the number of bands must be 1 to {len(values):,}, got {n}")
    order: Ids = np.argsort(-values, kind="stable").astype(np.int64)
    return np.array_split(order, n)


def norm_ratio(vectors: npt.NDArray[Any], mean: npt.NDArray[Any], ids: Ids) -> float:
    """Return the mean of |v| over some words, divided by the length of the mean vector.

    A vector that is short compared with the mean is dominated by it after centring, unless it
    points along the mean (see `cosine_with`).

    Args:
        vectors: The vectors of all words, before centring.
        mean: The vector that centring subtracts.
        ids: The words.

    >>> norm_ratio(np.array([[3.0, 4.0], [0.0, 7.0]]), np.array([0.0, 2.0]), np.array([0, 1]))
    3.0
    """
    total = 0.0
    for part in parts(ids):
        total += float(np.linalg.norm(vectors[ids[part]].astype(np.float64), axis=1).sum())
    return total / len(ids) / float(np.linalg.norm(mean))


def cosine_with(vectors: npt.NDArray[Any], mean: npt.NDArray[Any], ids: Ids) -> float:
    """Return the mean cosine of some words with the mean vector; words with the vector 0 count 0.

    Args:
        vectors: The vectors of all words, before centring.
        mean: The vector that centring subtracts.
        ids: The words.

    >>> cosine_with(np.array([[0.0, 4.0], [3.0, 0.0]]), np.array([0.0, 2.0]), np.array([0, 1]))
    0.5
    """
    direction = np.asarray(mean, dtype=np.float64) / float(np.linalg.norm(mean))
    total = 0.0
    for part in parts(ids):
        total += float((unit_rows(vectors[ids[part]].astype(np.float64)) @ direction).sum())
    return total / len(ids)


def mean_cosine(vectors: npt.NDArray[Any], ids: Ids) -> float | None:
    """Return the mean cosine over all pairs of different words; None for fewer than two words.

    It is exact: the sum of all cosines is the squared length of the sum of the unit vectors. Words
    with the vector 0 have no direction and are ignored.

    >>> round(mean_cosine(np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 3.0]]), np.arange(3)), 4)
    0.4714
    """
    total = np.zeros(vectors.shape[1])
    number = 0
    for part in parts(ids):
        unit = unit_rows(vectors[ids[part]].astype(np.float64))
        total += unit.sum(axis=0)
        number += int(unit.any(axis=1).sum())
    if number < 2:
        return None
    return (float(total @ total) - number) / (number * (number - 1))
