"""The exact arithmetic of queries, in which a row is the scores of all contexts."""

from __future__ import annotations

import threading

import numpy as np
import numpy.typing as npt

from andornot.algebra.nodes import Complement, Ids
from andornot.base.errors import AndornotError, MissingContextError
from andornot.base.moments import Vector, parts, second_moment, weighted_mean
from andornot.model_pmi import UnknownPmiError, model_pmi
from andornot.postprocessing.affine import Affine
from andornot.postprocessing.spaces import only_centred
from andornot.space import Space

Rows = npt.NDArray[np.float64]
_WORDS, _CONTEXTS = 256, 8192  # block size of scores
_REMEMBERED, _REMEMBERED_BYTES = 16, 64 << 20  # limits of the cache of scores of unions
_LEAST = 1e-10  # relative eigenvalue below which a direction is ignored


class Exact:
    """Without |PMI| << 1: OR is the logarithm of a weighted mean of exponentials, per context.

    A word has the scores t_c = v.u_c (+ a_w - log p(w) for GloVe), with the vectors as trained:
    centring u would add a different constant to each word, and so change the weights. A vector is
    the v that minimises sum_c p(c) (v.u_c + a - t_c)^2, where a is 0 for SGNS and free for GloVe,
    whose words have biases.

    AND adds PMI, so it needs the scores at which PMI is 0 (`zero`). A space that keeps q and k, or
    biases, has them: log(p/kq) for SGNS (eq. 5), log Z + log p - b for GloVe (eq. 6). Otherwise
    they are those of the mean of the vectors, which by Theorem 1 leaves an error of eps_c.
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
        zero = np.zeros(space.dim)
        self._rows, self._context = space.target, space.context
        # the mean is added to products, not to the vectors, which are not copied
        self._row_mean = zero if space.target_mean is None else space.target_mean
        self._shift = zero if space.context_mean is None else space.context_mean
        self._p = space.probability
        self.has_bias = space.target_bias is not None
        self._offset: Rows = np.zeros(len(space))
        if space.target_bias is not None:
            bias = space.target_bias.astype(np.float64)
            self._offset = bias - np.log(np.maximum(self._p, 1e-300))
        self._target = target
        self._remembered: dict[tuple[bytes, bytes], Rows] = {}
        self._lock = threading.Lock()
        # the centre of post-processing, in the frame of the vectors as trained
        self._origin = target.mean + self._row_mean
        self._inverse, self._contexts_mean = self._normal_equations()
        self._centre = np.asarray(self._products(self._origin) + self._p @ self._offset)
        self.zero, self.zero_is_known = self._zero(space)

    def _zero(self, space: Space) -> tuple[Rows, bool]:
        """Return the scores at which PMI is 0, and True if the space determines them."""
        try:
            rest = model_pmi(space)
        except UnknownPmiError:
            return self._centre, False
        return -(rest.of_contexts + rest.constant), True

    def _normal_equations(self) -> tuple[Rows, Rows]:
        """Return the pseudo-inverse of U'PU, centred under p with biases, and the mean of u."""
        mean = np.zeros(self._context.shape[1])
        if self.has_bias:
            mean = weighted_mean(self._context, self._p) + self._shift
        moments = second_moment(self._context, self._p, mean - self._shift)
        sizes, directions = np.linalg.eigh(moments)
        enough = sizes > _LEAST * max(float(sizes[-1]), 1e-300)
        inverse = np.where(enough, 1 / np.where(enough, sizes, 1), 0)
        return np.asarray((directions * inverse) @ directions.T, dtype=np.float64), mean

    def _products(self, vectors: Rows, part: slice = slice(None)) -> Rows:
        """Return v.u_c for some contexts, as trained."""
        products = vectors.astype(np.float32) @ self._context[part].T
        return products + np.asarray(vectors @ self._shift)[..., None]

    def mix_words(self, ids: Ids, weights: Vector) -> Rows:
        """Return log sum_i pi_i exp(t_i); the latest unions are cached.

        Queries within one category share its origin, which costs a pass over all contexts for
        each of its words. An explanation needs the row of its answer again.
        """
        if len(ids) == 1:
            return self._mix_words(ids, weights)
        key = (ids.tobytes(), weights.tobytes())
        with self._lock:
            found = self._remembered.pop(key, None)
        if found is None:
            found = self._mix_words(ids, weights)
            found.flags.writeable = False
        with self._lock:
            self._remembered[key] = found  # moves it to the end
            most = max(1, min(_REMEMBERED, _REMEMBERED_BYTES // found.nbytes))
            while len(self._remembered) > most:
                self._remembered.pop(next(iter(self._remembered)))
        return found

    def complement(self, node: Complement, origin: Rows) -> Rows:
        """Return the scores of the rest of the category minus those of the whole category."""
        return self.mix_words(node.ids, node.weights) - origin

    def _mix_words(self, ids: Ids, weights: Vector) -> Rows:
        """Compute the OR in blocks of words and contexts."""
        ids, weights = ids[weights > 0], weights[weights > 0]
        constants = np.log(weights / weights.sum()) + self._offset[ids]
        total = np.full(len(self._context), -np.inf)
        for some in parts(ids, _WORDS):
            vectors = self._rows[ids[some]] + self._row_mean
            for part in parts(self._context, _CONTEXTS):
                scores = self._products(vectors, part) + constants[some, None]
                np.logaddexp(total[part], np.logaddexp.reduce(scores, axis=0), out=total[part])
        return total

    def mix(self, rows: Rows, weights: Vector) -> Rows:
        """Return log sum_i pi_i exp(t_i)."""
        kept = weights > 0
        shares = np.log(weights[kept] / weights.sum())
        return np.asarray(np.logaddexp.reduce(rows[kept] + shares[:, None], axis=0))

    def combine(self, rows: Rows, framed: bool) -> Rows:
        """Return the scores of the sum of the PMIs; within a category the rows are differences.

        Moving a constant from the biases of one side of GloVe to the other changes nothing in the
        model, and nothing here.
        """
        total = rows.sum(axis=0)
        if not framed and len(rows) > 1:
            total -= (len(rows) - 1) * self.zero
        return np.asarray(total, dtype=np.float64)

    def turn(self, rows: Rows, factors: Vector) -> Rows:
        """Return the scores of the weighted sum, relative to the centre of the vectors."""
        total = factors @ rows - (factors.sum() - 1) * self._centre
        return np.asarray(total, dtype=np.float64)

    def add_words(self, ids: Ids, factors: Vector) -> Rows:
        """Return the scores of sum f_i PMI_i, which are those of one vector."""
        vector = factors @ (self._rows[ids].astype(np.float64) + self._row_mean)
        scores = self._products(vector) + factors @ self._offset[ids]
        return np.asarray(scores - (factors.sum() - 1) * self.zero, dtype=np.float64)

    def of_vector(self, values: Rows) -> Rows:
        """Return the scores of a vector; with biases, that of the mean word."""
        scores = self._products(values + self._row_mean) + self._p @ self._offset
        return np.asarray(scores, dtype=np.float64)

    def expected_ratio(self, row: Rows) -> tuple[float, int, float]:
        """Return E_c[exp(PMI)] of a row, the context with the largest share, and this share.

        For an AND whose p(w|c) is the product of its parts' p(w|c) in all contexts, it is the ratio
        of p(w) and the product of their p.
        """
        terms = np.where(self._p > 0, self._p * np.exp(row - self.zero), 0)
        largest = int(terms.argmax())
        total = float(terms.sum())
        return total, largest, float(terms[largest] / total)

    def fit(self, row: Rows) -> tuple[Rows, float]:
        """Return the vector v of least squares, in the trained frame, and a."""
        weighted = self._p * row
        level = float(weighted.sum()) if self.has_bias else 0.0
        right = np.zeros(self._context.shape[1])
        for part in parts(self._context):
            right += weighted[part].astype(np.float32) @ self._context[part]
        right += weighted.sum() * self._shift - level * self._contexts_mean
        found = self._inverse @ right
        return found, level - float(found @ self._contexts_mean)

    def centred(self, row: Rows, framed: bool) -> Rows:
        """Return the fitted vector, centred unless it is conditioned on a category."""
        found, _ = self.fit(row)
        return found if framed else found - self._origin

    def vector(self, row: Rows, framed: bool) -> Rows:
        """Return the fitted vector, post-processed."""
        matrix = self._target.matrix
        found = self.centred(row, framed)
        return found if matrix is None else np.asarray(found @ matrix)

    def residual(self, row: Rows) -> float:
        """Return sqrt(sum_c p(c) (v.u_c + a - t_c)^2), the error of the best vector."""
        found, level = self.fit(row)
        errors = self._products(found) + level - row
        return float(np.sqrt(self._p @ errors**2))

    def distance(self, difference: Rows) -> float:
        """Return sqrt(sum_c p(c) (d.u_c)^2), the distance of two centred vectors in PMI.

        With biases, it is defined up to a constant.
        """
        scores = self._products(difference)
        if self.has_bias:
            scores -= self._p @ scores
        return float(np.sqrt(self._p @ scores**2))
