"""A concept: an expression over a space, that combines with others by `&`, `|` and `~`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from andornot.algebra.categories import Category
from andornot.algebra.expression import (
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
from andornot.algebra.meaning import Deferred, Value
from andornot.caching import cached_property
from andornot.errors import AndornotError

if TYPE_CHECKING:
    from andornot.algebra.logic import Logic


@dataclass(frozen=True, eq=False)
class Concept:
    """An expression over a space: its vector, its probability, its frame and its formula.

    Concepts combine by `&`, `|`, `~`, `.given(A)`, and by numbers as weights of an OR:
    `0.7 * logic["box"] | 0.3 * logic["instance"]`. `outside` is one brought out of its category.
    """

    logic: Logic
    formula: Expression
    weight: float | None = None
    outside: bool = False

    def __post_init__(self) -> None:
        check_depth(self.formula)

    @cached_property
    def value(self) -> Value:
        """The meaning in the arithmetic of the logic."""
        return self._found[0]

    @property
    def vector(self) -> npt.NDArray[np.float64]:
        """The vector: post-processed, and within its frame where it has one."""
        return self._found[1]

    @cached_property
    def _found(self) -> tuple[Value, npt.NDArray[np.float64]]:
        """The meaning and the vector; the row isn't kept: the scores of the exact mode are long."""
        value = self._again()
        vector = self.logic.arithmetic.vector(value.row, value.frame is not None)
        vector.flags.writeable = False
        return replace(value, deferred=Deferred(lambda: self._again().row)), vector

    def _again(self) -> Value:
        value = self.logic.meaning.of(self.formula)
        return self.logic.meaning.to_global(value) if self.outside else value

    @property
    def probability(self) -> float:
        """p, within the frame where there is one; NaN where the space has no frequencies."""
        return self.value.probability

    @property
    def frame(self) -> Category | None:
        """The category it is conditioned on, if any."""
        return self.value.frame

    @property
    def in_global_frame(self) -> Concept:
        """The same outside its category: v_A + v, with the probability p(A) p."""
        return replace(self, outside=True)

    def __and__(self, other: Concept) -> Concept:
        parts = [self._unweighted("AND"), self._same(other)._unweighted("AND")]
        return Concept(self.logic, conjunction(parts))

    def __or__(self, other: Concept) -> Concept:
        left, right = self.formula, self._same(other).formula
        if isinstance(left, Or) and left.weights is not None and self.weight is None:
            # 0.5*a | 0.3*b | 0.2*c: the first two are an Or with weights already
            whole = union([*left.parts, right], [*left.weights, other.weight])
        else:
            whole = union([left, right], [self.weight, other.weight])
        return Concept(self.logic, whole)

    def __bool__(self) -> bool:
        raise AndornotError("concepts are joined by &, | and ~, not by `and`, `or` and `not`")

    def __invert__(self) -> Concept:
        return Concept(self.logic, Not(self._unweighted("NOT")))

    def __rmul__(self, weight: float) -> Concept:
        check_weight(weight)
        return replace(self, weight=float(weight) * (1.0 if self.weight is None else self.weight))

    __mul__ = __rmul__

    def given(self, category: Iterable[str] | str) -> Concept:
        """As seen within a category: its words, its name, or one that was proposed."""
        if not isinstance(category, Iterable):
            raise AndornotError("a category is the name of one, or its words")
        if not isinstance(category, str):
            category = tuple(category)
            if not all(isinstance(word, str) for word in category):
                raise AndornotError("the words of a category are texts, not concepts or numbers")
        if not category:
            raise AndornotError("a category without words; name some")
        if isinstance(self.formula, Given):
            raise AndornotError("a second category; something is seen within one")
        where = Named(category) if isinstance(category, str) else Members(category)
        return Concept(self.logic, Given(self._unweighted("given"), where))

    def __repr__(self) -> str:
        return f"Concept({self.formula})"

    def _unweighted(self, operation: str) -> Expression:
        self._check_inside()
        if self.weight is not None:
            raise AndornotError(f"a weight belongs to an operand of |, not of {operation}")
        return self.formula

    def _check_inside(self) -> None:
        if self.outside:
            raise AndornotError(
                "a concept that was brought out of its category doesn't combine any more; combine "
                "first"
            )

    def _same(self, other: Concept) -> Concept:
        self._check_inside()
        if not isinstance(other, Concept) or other.logic is not self.logic:
            raise AndornotError("concepts combine with concepts of the same logic")
        other._check_inside()
        return other
