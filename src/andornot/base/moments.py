"""Weighted means and second moments of matrices, computed in blocks of rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]
_HEIGHT = 8192
_IN_CACHE = 1024  # rows whose copy in double precision stays in the cache


def parts(rows: npt.NDArray[Any], height: int = _HEIGHT) -> Iterator[slice]:
    """Yield slices of at most `height` rows, so that no step copies the whole matrix.

    >>> list(parts(np.zeros((5, 1)), height=3))
    [slice(0, 3, None), slice(3, 5, None)]
    """
    for first in range(0, len(rows), height):
        yield slice(first, min(first + height, len(rows)))


def weighted_mean(rows: npt.NDArray[Any], weights: Vector) -> Vector:
    """Return the weighted mean of the rows; the weights need not sum to one.

    >>> weighted_mean(np.array([[0.0], [4.0]]), np.array([3.0, 1.0])).tolist()
    [1.0]
    """
    total = np.zeros(rows.shape[1])
    for part in parts(rows, _IN_CACHE):
        # unlike @, einsum starts no threads of BLAS, which take longer than the sum itself
        total += np.einsum("i,ij->j", weights[part], rows[part].astype(np.float64))
    return np.asarray(total / weights.sum(), dtype=np.float64)


def second_moment(
    rows: npt.NDArray[Any], weights: Vector, centre: Vector | None = None
) -> npt.NDArray[np.float64]:
    """Return (X - centre)' diag(weights) (X - centre).

    It is computed in double precision, because callers invert it.

    >>> second_moment(np.array([[1.0, 2.0]]), np.array([4.0])).tolist()
    [[4.0, 8.0], [8.0, 16.0]]
    """
    total = np.zeros((rows.shape[1], rows.shape[1]))
    for part in parts(rows):
        block = rows[part].astype(np.float64)
        if centre is not None:
            block -= centre
        block *= np.sqrt(weights[part])[:, None]
        total += block.T @ block  # half the work, as NumPy sees that both are one array
    return total


def unit_rows(rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Normalise rows to unit length; rows of zeros stay zero.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=rows.dtype)
