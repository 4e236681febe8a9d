"""OR words by construction: rows of counts are added, and the contexts don't change.

The target a_OR_b has the counts N(a, c) + N(b, c), so that p(a_OR_b | c) = p(a | c) + p(b | c) for
every context c. The contexts and their vectors U are those of a model of the original text. For
fixed U, the loss is a sum over target rows, so the vector of a_OR_b is the minimum of a convex
problem: weighted logistic regression for SGNS, weighted least squares for GloVe. Both are solved to
convergence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_factor, cho_solve, lstsq
from scipy.special import expit

from andornot.base.errors import AndornotError, MissingContextError
from andornot.base.moments import second_moment
from andornot.base.progress import track
from andornot.cooccurrence import Cooccurrence
from andornot.space import Space
from andornot.words.counts import noise_weights

Vector = npt.NDArray[np.float64]
Rows = npt.NDArray[np.float64]
_MOST_STEPS = 100  # limit for Newton's method, which needs five to twenty
_ENOUGH = 1e-7  # a row is solved at this gradient, relative to that at 0
_SLOW = 0.3  # a new Hessian is computed if a step leaves more of the gradient
_SHORTEST = 1e-6  # shortest step, relative to the full one
_LEAST = 1e-12  # smallest relative singular value of GloVe's equations


class SolvedRow(NamedTuple):
    """A target vector, and the norm of its gradient relative to the norm at 0."""

    vector: Vector
    slope: float


class RowSolver:
    """Solver of target rows, with a model's context vectors, settings and prior."""

    def __init__(self, space: Space) -> None:
        if space.context is None:
            raise MissingContextError("solving a row")
        record = space.provenance
        self._context = space.context.astype(np.float64)
        self._bias = space.context_bias
        self._prior = float(record.settings.get("prior", 0.0))
        self._x_max = float(record.settings.get("x_max", 100.0))
        self._alpha = float(record.settings.get("alpha", 0.75))
        if self._bias is None:
            if record.negatives is None or record.negative_exponent is None:
                raise AndornotError(
                    "solving a row of SGNS needs k and the exponent of q, which this space doesn't "
                    "record; use a space that was trained with andornot"
                )
            q = noise_weights(space.counts, record.negative_exponent)
            self._noise = record.negatives * q / q.sum()

    def solve(self, counts: Vector, start: Vector) -> SolvedRow:
        """Return the row at the minimum of its loss.

        Args:
            counts: Counts of the target with each context.
            start: Start of the iterations for SGNS; the result doesn't depend on it.
        """
        return self._sgns(counts, start) if self._bias is None else self._glove(counts)

    def _sgns(self, counts: Vector, start: Vector) -> SolvedRow:
        """Minimise sum N softplus(-s) + n k q softplus(s) + prior |v|^2 / 2 by Newton's method."""
        u, prior, negative = self._context, self._prior, counts.sum() * self._noise

        def loss(v: Vector, s: Vector) -> float:
            both = counts @ np.logaddexp(0, -s) + negative @ np.logaddexp(0, s)
            return float(both + prior * (v @ v) / 2)

        def gradient(v: Vector, s: Vector) -> Vector:
            return np.asarray((negative * expit(s) - counts * expit(-s)) @ u + prior * v)

        v = start.astype(np.float64)
        s = u @ v
        value, slope = loss(v, s), gradient(v, s)
        begun = before = float(np.linalg.norm(gradient(0 * v, 0 * s)))
        metric: Any = None
        for _ in range(_MOST_STEPS):
            size = float(np.linalg.norm(slope))
            if size < _ENOUGH * begun:
                break
            if metric is None or size > _SLOW * before:
                weights = (counts + negative) * expit(s) * expit(-s)
                metric = cho_factor(second_moment(u, weights) + prior * np.eye(len(v)))
            step = cho_solve(metric, slope)
            across = u @ step
            length = 1.0
            while length > _SHORTEST and loss(v - length * step, s - length * across) > value:
                length /= 2
            v, s = v - length * step, s - length * across
            value, slope, before = loss(v, s), gradient(v, s), size
        return SolvedRow(v, float(np.linalg.norm(slope)) / begun)

    def _glove(self, counts: Vector) -> SolvedRow:
        """Minimise sum f(N) (v.u + a + b - log N)^2 / 2 + prior |v|^2 / 2: linear in (v, a)."""
        assert self._bias is not None
        seen = np.flatnonzero(counts)
        root = np.sqrt(np.minimum(1, counts[seen] / self._x_max) ** self._alpha)
        design = root[:, None] * np.column_stack([self._context[seen], np.ones(len(seen))])
        wanted = root * (np.log(counts[seen]) - self._bias[seen])
        ridge = np.append(np.full(design.shape[1] - 1, self._prior), 0.0)  # no prior on the bias
        matrix, right = design.T @ design + np.diag(ridge), design.T @ wanted
        # without a prior, a row with fewer contexts than dimensions gets the shortest solution
        found = lstsq(matrix, right, cond=_LEAST, lapack_driver="gelsy")[0]
        slope = np.linalg.norm(matrix @ found - right) / np.linalg.norm(right)
        return SolvedRow(found[:-1], float(slope))


class MergedRows(NamedTuple):
    """The target vectors of OR words, and the largest relative gradient among them."""

    vectors: Rows
    slope: float


def merged_rows(space: Space, counts: Cooccurrence, pairs: Sequence[tuple[int, int]]) -> MergedRows:
    """Return the target vectors of pairs of words whose rows of counts are added.

    Args:
        space: A model of these counts.
        counts: The counts it was trained on.
        pairs: The word ids of each OR.
    """
    solver, table, p = RowSolver(space), counts.matrix(), space.probability
    found = []
    for a, b in track(pairs, "solving rows of OR words"):
        added = (table[a] + table[b]).toarray().ravel().astype(np.float64)
        start = (p[a] * space.target[a] + p[b] * space.target[b]) / (p[a] + p[b])
        found.append(solver.solve(added, start))
    return MergedRows(np.array([row.vector for row in found]), max(row.slope for row in found))
