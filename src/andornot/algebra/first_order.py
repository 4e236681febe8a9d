"""The arithmetic of queries to first order, in which a row is a vector."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from andornot.algebra.nodes import Complement, Ids
from andornot.base.moments import Vector, parts
from andornot.postprocessing.affine import Affine
from andornot.space import Space

Rows = npt.NDArray[np.float64]
_LEAST_LEFT = 1e-6  # share of a category below which its rest is computed from the words


class FirstOrder:
    """The paper's formulas: OR is a weighted mean, AND a sum, of post-processed vectors."""

    def __init__(self, space: Space, target: Affine) -> None:
        self._space = space
        self._target = target

    def mix_words(self, ids: Ids, weights: Vector) -> Rows:
        """Return sum p_i v_i / sum p_i."""
        if len(ids) == 1:
            row = self._target.of_block(self._space.target[ids].astype(np.float64))[0]
            return np.asarray(row, dtype=np.float64)
        total = np.zeros(self._space.dim)
        for part in parts(ids):
            rows = self._target.of_block(self._space.target[ids[part]].astype(np.float64))
            total += weights[part] @ rows
        return np.asarray(total / weights.sum(), dtype=np.float64)

    def mix(self, rows: Rows, weights: Vector) -> Rows:
        """Return the weighted mean."""
        return np.asarray(weights @ rows / weights.sum(), dtype=np.float64)

    def combine(self, rows: Rows, framed: bool) -> Rows:
        """Return the sum."""
        return np.asarray(rows.sum(axis=0), dtype=np.float64)

    def turn(self, rows: Rows, factors: Vector) -> Rows:
        """Return the weighted sum."""
        return np.asarray(factors @ rows, dtype=np.float64)

    def add_words(self, ids: Ids, factors: Vector) -> Rows:
        """Return sum f_i v_i."""
        rows = self._target.of_block(self._space.target[ids].astype(np.float64))
        return np.asarray(factors @ rows, dtype=np.float64)

    def of_vector(self, values: Rows) -> Rows:
        """Return the vector, post-processed."""
        return np.asarray(self._target.of_block(values[None])[0], dtype=np.float64)

    def complement(self, node: Complement, origin: Rows) -> Rows:
        """Return -pi/(1-pi) (v_w - v_A), the reversed direction, without reading the rest of A."""
        if node.share == 0:
            return np.zeros_like(origin)
        if 1 - node.share < _LEAST_LEFT:  # avoids cancellation
            return self.mix_words(node.ids, node.weights) - origin
        left_out = self.mix_words(node.left_out.ids, node.left_out.weights)
        return -node.share / (1 - node.share) * (left_out - origin)

    def vector(self, row: Rows, framed: bool) -> Rows:
        """Return the row itself."""
        return row
