"""Two ways to compute with words: with vectors, to first order, or with PMI itself, exactly.

Both mix words (OR), combine them (AND), and subtract the origin of a category (given); what they
compute with is a row of numbers: a vector, or the scores t_c of all contexts c, from which a vector
is fitted once, at the end.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from andornot.errors import AndornotError, MissingContextError
from andornot.moments import Vector, parts, second_moment
from andornot.postprocessing.affine import Affine
from andornot.postprocessing.spaces import only_centred
from andornot.space import Space

Rows = npt.NDArray[np.float64]
Ids = npt.NDArray[np.int64]
_MANY = 256  # words whose scores are held at a time
_LEAST = 1e-10  # of the largest eigenvalue: directions in which the contexts have no spread


class Arithmetic(Protocol):
    """How words are computed with."""

    def mix_words(self, ids: Ids, weights: Vector) -> Rows:
        """The OR of some words."""

    def mix(self, rows: Rows, weights: Vector) -> Rows:
        """The OR of some rows."""

    def combine(self, rows: Rows, framed: bool) -> Rows:
        """The AND of some rows, seen within a category (`framed`) or not."""

    def vector(self, row: Rows, framed: bool) -> Rows:
        """The vector of a row, post-processed."""


class FirstOrder:
    """The paper's formulas: OR is a weighted mean, AND a sum, of post-processed vectors."""

    def __init__(self, space: Space, target: Affine) -> None:
        self._space = space
        self._target = target

    def mix_words(self, ids: Ids, weights: Vector) -> Rows:
        """Sum p_i v_i / sum p_i."""
        total = np.zeros(self._space.dim)
        for part in parts(ids):
            rows = self._target.of_block(self._space.target[ids[part]].astype(np.float64))
            total += weights[part] @ rows
        return np.asarray(total / weights.sum(), dtype=np.float64)

    def mix(self, rows: Rows, weights: Vector) -> Rows:
        """The weighted mean."""
        return np.asarray(weights @ rows / weights.sum(), dtype=np.float64)

    def combine(self, rows: Rows, framed: bool) -> Rows:
        """The sum."""
        return np.asarray(rows.sum(axis=0), dtype=np.float64)

    def vector(self, row: Rows, framed: bool) -> Rows:
        """The row itself."""
        return row


class Exact:
    """Without |PMI| << 1: OR is the logarithm of a weighted mean of exponentials, per context.

    A word has t_c = v.u_c (+ a_w - log p(w) for GloVe), with the vectors as trained: centring u
    adds to each word's t what differs by word, and would spoil the weights. A vector is the v that
    minimises sum_c p(c) (v.u_c + a - t_c)^2, where a is 0 for SGNS and free for GloVe.
    """

    def __init__(self, space: Space, target: Affine) -> None:
        if space.context is None:
            raise MissingContextError("the exact mode")
        done = space.provenance.postprocess
        if done is not None and not only_centred(done):
            raise AndornotError(
                f"the exact mode needs the vectors as they were trained, and this space has had "
                f"{done}; take the space it was made from"
            )
        self._rows = space.target
        self._row_mean = np.zeros(space.dim) if space.target_mean is None else space.target_mean
        mean = np.zeros(space.dim) if space.context_mean is None else space.context_mean
        self._context = space.context if not mean.any() else (space.context + mean).astype("f4")
        self._p = space.probability
        self._free = space.target_bias is not None
        self._offset: Rows = np.zeros(len(space))
        if space.target_bias is not None:
            bias = space.target_bias.astype(np.float64)
            self._offset = bias - np.log(np.maximum(self._p, 1e-300))
        self._target = target
        # the centre of post-processing, in the frame of the vectors as trained
        self._origin = target.mean + self._row_mean
        self._inverse, self._contexts_mean = self._normal_equations()

    def _normal_equations(self) -> tuple[Rows, Rows]:
        """The pseudo-inverse of U'PU, centred under p where a is free, and the mean of u."""
        mean = np.zeros(self._context.shape[1])
        if self._free:
            for part in parts(self._context):
                mean += self._p[part] @ self._context[part].astype(np.float64)
        moments = second_moment(self._context, self._p, mean)
        sizes, directions = np.linalg.eigh(moments)
        enough = sizes > _LEAST * max(float(sizes[-1]), 1e-300)
        inverse = np.where(enough, 1 / np.where(enough, sizes, 1), 0)
        return np.asarray((directions * inverse) @ directions.T, dtype=np.float64), mean

    def _scores(self, ids: Ids) -> Rows:
        rows = (self._rows[ids] + self._row_mean).astype(np.float32)
        return (rows @ self._context.T).astype(np.float64) + self._offset[ids, None]

    def mix_words(self, ids: Ids, weights: Vector) -> Rows:
        """Log sum_i pi_i exp(t_i), some words at a time."""
        ids, weights = ids[weights > 0], weights[weights > 0]
        shares = np.log(weights / weights.sum())
        total = np.full(len(self._context), -np.inf)
        for part in parts(ids, _MANY):
            here = self._scores(ids[part]) + shares[part, None]
            np.logaddexp(total, np.logaddexp.reduce(here, axis=0), out=total)
        return total

    def mix(self, rows: Rows, weights: Vector) -> Rows:
        """Log sum_i pi_i exp(t_i)."""
        kept = weights > 0
        shares = np.log(weights[kept] / weights.sum())
        return np.asarray(np.logaddexp.reduce(rows[kept] + shares[:, None], axis=0))

    def combine(self, rows: Rows, framed: bool) -> Rows:
        """The sum; outside a category the centre counts once, as in sums of centred vectors.

        So does the mean of what GloVe's words have beside v.u: moving a constant from the biases of
        one side to the other changes nothing in the model, and nothing here.
        """
        total = rows.sum(axis=0)
        if not framed:
            centre = self._context @ self._origin.astype(np.float32)
            total -= (len(rows) - 1) * (centre + self._p @ self._offset)
        return np.asarray(total, dtype=np.float64)

    def fit(self, row: Rows) -> tuple[Rows, float]:
        """The vector v of least squares, in the trained frame, and a."""
        weighted = self._p * row
        level = float(weighted.sum()) if self._free else 0.0
        right = np.zeros(self._context.shape[1])
        for part in parts(self._context):
            right += weighted[part] @ self._context[part].astype(np.float64)
        right -= level * self._contexts_mean
        found = self._inverse @ right
        return found, level - float(found @ self._contexts_mean)

    def centred(self, row: Rows, framed: bool) -> Rows:
        """The fitted vector, centred; what is seen within a category has no mean to lose."""
        found, _ = self.fit(row)
        return found if framed else found - self._origin

    def vector(self, row: Rows, framed: bool) -> Rows:
        """The fitted vector, post-processed."""
        matrix = self._target.matrix
        found = self.centred(row, framed)
        return found if matrix is None else np.asarray(found @ matrix)

    def residual(self, row: Rows) -> float:
        """sqrt(sum_c p(c) (v.u_c + a - t_c)^2): what no vector of this dimension can say."""
        found, level = self.fit(row)
        errors = (self._context @ found.astype(np.float32)).astype(np.float64) + level - row
        return float(np.sqrt(self._p @ errors**2))

    def distance(self, difference: Rows) -> float:
        """sqrt(sum_c p(c) (d.u_c)^2): how far two centred vectors are apart in PMI.

        Where a is free, up to a constant.
        """
        scores = (self._context @ difference.astype(np.float32)).astype(np.float64)
        if self._free:
            scores -= self._p @ scores
        return float(np.sqrt(self._p @ scores**2))
