"""Compute the vector of a resolved query: a fold over its nodes, in one of two arithmetics.

To first order, a row of numbers is a vector. In exact mode it is the scores t_c of all contexts c,
from which a vector is fitted once, at the end. Both mix words (OR), combine them (AND), and add or
subtract the origin of a category.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from andornot.algebra.nodes import (
    Away,
    Complement,
    Frame,
    Ids,
    Lifted,
    Mix,
    Node,
    SignedSum,
    Sum,
    Union,
    VectorNode,
    WeightedSum,
    Within,
    Word,
)
from andornot.algebra.turning import Turn, turn_away
from andornot.base.errors import AndornotError, MissingContextError
from andornot.base.moments import Vector, parts, second_moment, weighted_mean
from andornot.model_pmi import UnknownPmiError, model_pmi
from andornot.postprocessing.affine import Affine
from andornot.postprocessing.spaces import only_centred
from andornot.space import Space

Rows = npt.NDArray[np.float64]
_WORDS, _CONTEXTS = 256, 8192  # block size of scores
_REMEMBERED, _REMEMBERED_BYTES = 16, 64 << 20  # limits of the cache of scores of unions
_LEAST_LEFT = 1e-6  # share of a category below which its rest is computed from the words
_LEAST = 1e-10  # relative eigenvalue below which a direction is ignored


class Computed(NamedTuple):
    """The vector of a node.

    Attributes:
        vector: The post-processed vector.
        origin: The vector of the origin of its frame, or None.
        turns: The turns of parts with NOTs that have no category.
    """

    vector: Rows
    origin: Rows | None
    turns: Mapping[Away, Turn]


def compute(node: Node, arithmetic: Arithmetic) -> Computed:
    """Compute the vector of a node."""
    rows = _Rows(arithmetic)
    if isinstance(node, SignedSum):
        vectors = [arithmetic.vector(rows.of(part), False) for part in node.parts]
        return Computed(_signed_sum(node, np.stack(vectors)), None, {})
    vector = arithmetic.vector(rows.of(node), node.frame is not None)
    vector.flags.writeable = False
    if node.frame is None:
        return Computed(vector, None, rows.turns)
    origin = arithmetic.vector(rows.origin(node.frame), False)
    origin.flags.writeable = False
    return Computed(vector, origin, rows.turns)


def _signed_sum(node: SignedSum, vectors: Rows) -> Rows:
    """Return sum_i s_i v_i / |v_i| (3CosAdd)."""
    lengths = np.linalg.norm(vectors, axis=1)
    if not lengths.all():
        part = node.parts[int(lengths.argmin())]
        raise AndornotError(
            f"the vector of {part.formula} is zero and has no direction; use other words"
        )
    total = np.asarray((np.array(node.signs) / lengths) @ vectors, dtype=np.float64)
    total.flags.writeable = False
    return total


def row_of(node: Node, arithmetic: Arithmetic) -> Rows:
    """Compute the row of a node: its vector to first order, or its scores of all contexts."""
    return _Rows(arithmetic).of(node)


class _Rows:
    """The rows of one query; the origin of each frame is computed once."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self._arithmetic = arithmetic
        self._origins: dict[Frame, Rows] = {}
        self.turns: dict[Away, Turn] = {}

    def origin(self, frame: Frame) -> Rows:
        """Return v(A), the OR of the words of a category."""
        if frame not in self._origins:
            self._origins[frame] = self._arithmetic.mix_words(frame.category.ids, frame.weights)
        return self._origins[frame]

    def of(self, node: Node) -> Rows:
        match node:
            case Word() | Union():
                return self._arithmetic.mix_words(node.ids, node.weights)
            case Mix():
                return self._arithmetic.mix(self._stacked(node.parts), node.shares)
            case Sum():
                return self._arithmetic.combine(self._stacked(node.parts), node.frame is not None)
            case Away():
                return self._turned(node)
            case WeightedSum():
                return self._arithmetic.add_words(node.word_ids, node.factors)
            case VectorNode():
                return self._arithmetic.of_vector(node.formula.values)
            case Within() if node.is_whole:
                return np.zeros_like(self.origin(node.frame))
            case Within():
                return self.of(node.part) - self.origin(node.frame)
            case Complement():
                return self._arithmetic.complement(node, self.origin(node.frame))
            case Lifted():
                return self.of(node.part) + self.origin(node.out_of)
        raise TypeError(f"not a node of a query: {type(node).__name__}")

    def _turned(self, node: Away) -> Rows:
        """Return the wanted part, turned away from the negated operands."""
        rows = self._stacked(node.children)
        wanted, *unwanted = (self._arithmetic.vector(row, False) for row in rows)
        self.turns[node] = turn = turn_away(wanted, np.stack(unwanted))
        return self._arithmetic.turn(rows, turn.factors)

    def _stacked(self, nodes: tuple[Node, ...]) -> Rows:
        return np.stack([self.of(node) for node in nodes])


class Arithmetic(Protocol):
    """The operations of the fold over nodes."""

    def mix_words(self, ids: Ids, weights: Vector) -> Rows:
        """Return the OR of words."""

    def mix(self, rows: Rows, weights: Vector) -> Rows:
        """Return the OR of rows."""

    def combine(self, rows: Rows, framed: bool) -> Rows:
        """Return the AND of rows; `framed` is True if they are conditioned on a category."""

    def turn(self, rows: Rows, factors: Vector) -> Rows:
        """Return the row whose vector is the weighted sum of the vectors of rows."""

    def add_words(self, ids: Ids, factors: Vector) -> Rows:
        """Return the weighted AND of words."""

    def of_vector(self, values: Rows) -> Rows:
        """Return the row of a vector in the frame of the original vectors."""

    def complement(self, node: Complement, origin: Rows) -> Rows:
        """Return the NOT of words of a category, relative to its origin."""

    def vector(self, row: Rows, framed: bool) -> Rows:
        """Return the post-processed vector of a row."""


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
