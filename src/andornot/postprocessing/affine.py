"""Fit the affine map v -> (v - mean) M of a post-processing, in blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.choices import Postprocess
from andornot.base.errors import AndornotError, UsageError
from andornot.base.moments import Vector, parts, second_moment, weighted_mean

_LEAST_VARIANCE = 1e-10  # relative variance below which a direction is mapped to 0


@dataclass(frozen=True, eq=False)
class Affine:
    """The map v -> (v - mean) M; `matrix` None means M = 1.

    >>> Affine(np.array([1.0, 2.0]))(np.array([[3.0, 3.0]])).tolist()
    [[2.0, 1.0]]
    """

    mean: Vector
    matrix: npt.NDArray[np.float64] | None = None

    def __call__(self, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the mapped rows, with the same type."""
        result = np.empty_like(rows)
        for part in parts(rows):
            result[part] = self.of_block(rows[part])
        return result

    def of_block(self, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the mapped rows of a small array."""
        centred: npt.NDArray[Any] = rows - np.asarray(self.mean, rows.dtype)
        return centred if self.matrix is None else centred @ np.asarray(self.matrix, rows.dtype)

    def lengths(self, rows: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """Return the lengths of the mapped rows, without storing these.

        >>> Affine(np.array([1.0, 1.0])).lengths(np.array([[4.0, 5.0]])).tolist()
        [5.0]
        """
        lengths = np.empty(len(rows), dtype=np.float32)
        for part in parts(rows):
            lengths[part] = np.linalg.norm(self.of_block(rows[part]), axis=1)
        return lengths

    def back(self, queries: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Transform queries q for unmapped rows: v'.q = v.first - second for every v.

        >>> first, second = Affine(np.array([1.0, 1.0])).back(np.array([[2.0, 3.0]]))
        >>> first.tolist(), second.tolist()
        ([[2.0, 3.0]], [5.0])
        """
        turned = (
            queries if self.matrix is None else queries @ np.asarray(self.matrix.T, queries.dtype)
        )
        return turned, turned @ np.asarray(self.mean, queries.dtype)


def fit(
    method: str, rows: npt.NDArray[Any], p: Vector | None, components: int | None = None
) -> Affine:
    """Fit the map of a post-processing to rows; `p` are the frequencies, if it needs them.

    >>> fit("frequency", np.array([[0.0], [4.0]]), np.array([0.75, 0.25])).mean.tolist()
    [1.0]
    """
    if method == Postprocess.NONE:
        return Affine(np.zeros(rows.shape[1]))
    if method == Postprocess.UNIFORM:
        return Affine(weighted_mean(rows, np.ones(len(rows))))
    if p is None:
        raise AndornotError(f"{method} needs the frequencies of the words; pass p")
    if method == Postprocess.ALL_BUT_THE_TOP:
        mean = weighted_mean(rows, p)
        return Affine(mean, _without_top(second_moment(rows, p / p.sum(), mean), components))
    if method == Postprocess.FREQUENCY:
        return Affine(weighted_mean(rows, p))
    if method == Postprocess.ZIPFIAN_WHITENING:
        mean = weighted_mean(rows, p)
        return Affine(mean, whitening(second_moment(rows, p / p.sum(), mean)))
    raise UsageError(f"unknown post-processing {method!r}; choose one of {', '.join(Postprocess)}")


def _without_top(
    covariance: npt.NDArray[np.float64], components: int | None
) -> npt.NDArray[np.float64]:
    """Return the projection 1 - P P' that removes the leading directions (Mu, Viswanath 2018)."""
    dim = len(covariance)
    count = max(1, round(dim / 100)) if components is None else components
    if not 0 <= count <= dim:
        raise AndornotError(f"0 to {dim} components can be removed, got {count} components")
    _, directions = np.linalg.eigh(covariance)
    top = directions[:, dim - count :]
    return np.asarray(np.eye(dim) - top @ top.T, dtype=np.float64)


def whitening(
    covariance: npt.NDArray[np.float64], strength: float = 1.0
) -> npt.NDArray[np.float64]:
    """Return the symmetric root C^(-strength/2); strength 1 makes the covariance 1.

    Directions without variance are mapped to 0.

    >>> whitening(np.diag([4.0, 1.0])).tolist()
    [[0.5, 0.0], [0.0, 1.0]]
    """
    variances, directions = np.linalg.eigh(covariance)
    enough = variances > _LEAST_VARIANCE * max(float(variances[-1]), 1e-300)
    scale = np.where(enough, np.where(enough, variances, 1) ** (-strength / 2), 0)
    return np.asarray((directions * scale) @ directions.T, dtype=np.float64)
