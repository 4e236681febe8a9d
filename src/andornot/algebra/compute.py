"""Compute the vector of a resolved query: a fold over its nodes, in one of two arithmetics.

To first order (`first_order`), a row of numbers is a vector. In exact mode (`exact_mode`) it is the
scores t_c of all contexts c, from which a vector is fitted once, at the end. Both mix words (OR),
combine them (AND), and add or subtract the origin of a category.
"""

from __future__ import annotations

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
from andornot.base.errors import AndornotError
from andornot.base.moments import Vector

Rows = npt.NDArray[np.float64]


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
    usable = np.isfinite(lengths) & (lengths > 0)
    if not usable.all():
        part = node.parts[int(usable.argmin())]
        raise AndornotError(
            f"the vector of {str(part.formula)!r} is zero or not finite: it has no direction; "
            "use other words"
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
