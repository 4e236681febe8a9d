"""Concatenated target and context vectors, whitened, of unit length, without a copy.

Each side is centred and whitened separately and scaled to a root mean square length of 1. Only the
rows of a few words are computed; products with all words use the original vectors.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.errors import UsageError
from andornot.base.moments import Vector, second_moment, weighted_mean
from andornot.postprocessing.affine import Affine, whitening
from andornot.space import Space

Ids = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.float32]


class _Side(NamedTuple):
    """The target or the context vectors: the original rows, their map, and their scale."""

    rows: Matrix
    affine: Affine
    scale: float


class BothSides:
    """The rows [v; u] of a space, whitened and of unit length.

    Without context vectors, a row is the target vector. Without frequencies, all words have the
    same weight. Vectors that were post-processed already are used unchanged.

    >>> import andornot
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> sides = BothSides(space)
    >>> sides.width, float(round(np.linalg.norm(sides.unit_rows([0])), 5))
    (3, 1.0)
    """

    def __init__(self, space: Space, strength: float = 1.0) -> None:
        """Fit the maps and measure the lengths, in blocks.

        Args:
            space: The vectors, and p(w) if it is known.
            strength: The strength of whitening, C^(-strength/2), from 0 (only centred) to 1.

        Raises:
            UsageError: If the strength is not between 0 and 1.
        """
        if not 0 <= strength <= 1:
            raise UsageError(f"strength must be between 0 and 1, got {strength}")
        weights = space.probability if space.has_frequencies else np.full(len(space), 1.0)
        weights = weights / weights.sum()
        self._sides: list[_Side] = []
        squares = np.zeros(len(space))
        for rows in (space.target, space.context):
            if rows is None:
                continue
            affine = (
                Affine(np.zeros(space.dim))
                if space.provenance.postprocess
                else _fitted(rows, weights, strength)
            )
            lengths = affine.lengths(rows).astype(np.float64) ** 2
            mean = float(weights @ lengths)
            scale = 1 / np.sqrt(mean) if mean > 0 else 1.0
            self._sides.append(_Side(rows, affine, scale))
            squares += scale**2 * lengths
        self.has_direction: npt.NDArray[np.bool_] = squares > 0
        # the product with a word without a direction is 0
        inverse = 1 / np.sqrt(np.where(self.has_direction, squares, np.inf))
        self._inverse_lengths = np.asarray(inverse, dtype=np.float32)

    @property
    def width(self) -> int:
        """The number of columns of a row."""
        return sum(side.rows.shape[1] for side in self._sides)

    def unit_rows(self, ids: npt.ArrayLike) -> Matrix:
        """Return the rows of some words."""
        chosen = np.asarray(ids, dtype=np.int64)
        rows = [side.scale * side.affine.of_block(side.rows[chosen]) for side in self._sides]
        return np.asarray(np.hstack(rows) * self._inverse_lengths[chosen, None], dtype=np.float32)

    def products(self, query: npt.NDArray[np.floating]) -> Matrix:
        """Return the product of every row with a vector: the cosine, if the vector has length 1."""
        found = np.zeros(len(self._inverse_lengths), dtype=np.float32)
        start = 0
        for side in self._sides:
            stop = start + side.rows.shape[1]
            part = np.asarray(side.scale * query[None, start:stop], dtype=np.float32)
            turned, offset = side.affine.back(part)
            found += side.rows @ turned[0] - offset[0]
            start = stop
        found *= self._inverse_lengths
        return found


def _fitted(rows: Matrix, weights: Vector, strength: float) -> Affine:
    mean = weighted_mean(rows, weights)
    if strength == 0:
        return Affine(mean)
    return Affine(mean, whitening(second_moment(rows, weights, mean), strength))
