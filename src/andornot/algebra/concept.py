"""Concepts: expressions over a space that combine with `&`, `|` and `~`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from andornot.algebra.categories import Category
from andornot.algebra.compute import Computed, compute
from andornot.algebra.expression import (
    ONE_CATEGORY,
    Expression,
    Given,
    Members,
    Named,
    Not,
    Or,
    check_depth,
    check_weight,
    conjunction,
    union,
)
from andornot.algebra.nodes import Lifted, Node, lift, notes_of, readings_of
from andornot.algebra.notes import turned_away
from andornot.base.caching import cached_property
from andornot.base.errors import AndornotError

if TYPE_CHECKING:
    from andornot.algebra.logic import Logic


@dataclass(frozen=True, eq=False)
class Concept:
    """An expression over a space: its vector, its probability, its frame and its formula.

    Concepts combine with `&`, `|`, `~`, `.given(A)`, and with numbers as weights of an OR:
    `0.7 * logic["box"] | 0.3 * logic["instance"]`. Each combination is a new query, which
    is resolved when its vector, its probability or its frame is first used.

    Attributes:
        logic: The logic that it belongs to.
        formula: The expression, over words of the vocabulary: words that a tokenizer splits are the
            AND of their pieces, and texts are replaced by their words.
        weight: The weight as an operand of an OR, or None.
        resolved: The node of the expression, if it was resolved already; see `node`.
    """

    logic: Logic
    formula: Expression
    weight: float | None = None
    resolved: Node | None = None

    def __post_init__(self) -> None:
        check_depth(self.formula)

    @cached_property
    def node(self) -> Node:
        """The resolved expression."""
        return self.logic.resolve(self.formula) if self.resolved is None else self.resolved

    @cached_property
    def computed(self) -> Computed:
        """The vector and the origin of its frame."""
        return compute(self.node, self.logic.arithmetic)

    @property
    def vector(self) -> npt.NDArray[np.float64]:
        """The post-processed vector, relative to its frame if it has one."""
        return self.computed.vector

    @property
    def probability(self) -> float:
        """p, given the frame if there is one; NaN if unknown (see `Explanation`)."""
        return self.node.probability

    @property
    def is_bound(self) -> bool:
        """True if the probability is an upper bound."""
        return self.node.is_bound

    @property
    def frame(self) -> Category | None:
        """The category that the concept is conditioned on, or None."""
        return self.node.category

    @property
    def notes(self) -> tuple[str, ...]:
        """Warnings about the query, such as operands with negligible weight."""
        return notes_of(self.node)

    @property
    def readings(self) -> tuple[str, ...]:
        """The interpretation of each NOT that has no category, as sentences."""
        turns = (turned_away(node, turn) for node, turn in self.computed.turns.items())
        return tuple(dict.fromkeys([*readings_of(self.node), *turns]))

    @property
    def in_global_frame(self) -> Concept:
        """Return the concept outside its category A: v + v(A), with the probability p p(A)."""
        lifted = lift(self.node)
        return self if lifted is self.node else replace(self, resolved=lifted)

    def __and__(self, other: Concept) -> Concept:
        parts = [self._unweighted("AND"), self._same(other)._unweighted("AND")]
        return Concept(self.logic, conjunction(parts))

    def __or__(self, other: Concept) -> Concept:
        left, right = self.formula, self._same(other).formula
        if isinstance(left, Or) and left.weights is not None and self.weight is None:
            # 0.5*a | 0.3*b | 0.2*c: the first two are already an Or with weights
            whole = union([*left.parts, right], [*left.weights, other.weight])
        else:
            whole = union([left, right], [self.weight, other.weight])
        return Concept(self.logic, whole)

    def __bool__(self) -> bool:
        raise AndornotError("combine concepts with &, | and ~ instead of `and`, `or` and `not`")

    def __invert__(self) -> Concept:
        return Concept(self.logic, Not(self._unweighted("NOT")))

    def __rmul__(self, weight: float) -> Concept:
        check_weight(weight)
        return replace(self, weight=float(weight) * (1.0 if self.weight is None else self.weight))

    __mul__ = __rmul__

    def given(self, category: Iterable[str] | str) -> Concept:
        """Return the concept given a category: its words, its name, or a proposed category."""
        if not isinstance(category, Iterable):
            raise AndornotError("a category must be a name or a list of words; pass one of them")
        if not isinstance(category, str):
            category = tuple(category)
            if not all(isinstance(word, str) for word in category):
                raise AndornotError(
                    "the words of a category must be strings, not concepts or numbers"
                )
        if not category:
            raise AndornotError("got a category without words; name at least two")
        if isinstance(self.formula, Given):
            raise AndornotError(ONE_CATEGORY)
        where = Named(category) if isinstance(category, str) else Members(category)
        return Concept(self.logic, Given(self._unweighted("given"), where))

    def __repr__(self) -> str:
        return f"Concept({self.formula})"

    def _unweighted(self, operation: str) -> Expression:
        self._check_inside()
        if self.weight is not None:
            raise AndornotError(f"weights are only allowed for operands of |, not of {operation}")
        return self.formula

    def _check_inside(self) -> None:
        if isinstance(self.resolved, Lifted):
            raise AndornotError(
                "a concept outside of its category can't be combined any more; combine first"
            )

    def _same(self, other: Concept) -> Concept:
        self._check_inside()
        if isinstance(other, str):
            raise AndornotError(f"{other!r} is a text, not a concept; write logic[{other!r}]")
        if not isinstance(other, Concept) or other.logic is not self.logic:
            raise AndornotError("only concepts of the same logic can be combined; use one Logic")
        other._check_inside()
        return other
