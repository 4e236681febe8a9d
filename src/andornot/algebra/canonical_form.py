"""The canonical form of an expression, by which repeated operands are found."""

from __future__ import annotations

from andornot.algebra.expression import (
    Analogy,
    And,
    Expression,
    Given,
    Members,
    Not,
    Or,
    QuotedText,
    VectorTerm,
)
from andornot.algebra.notation import quoted


def canonical(expression: Expression) -> str:
    """Return a key that is equal for expressions that differ only in order or repetition.

    >>> from andornot.algebra.expression import Term
    >>> canonical(And((Term("b"), Term("a")))) == canonical(And((Term("a"), Term("b"))))
    True
    """
    if isinstance(expression, And):
        return "&(" + ",".join(sorted(canonical(part) for part in expression.parts)) + ")"
    if isinstance(expression, Or):
        inside = [canonical(part) for part in expression.parts]
        if expression.weights is None:
            return "|(" + ",".join(sorted(set(inside))) + ")"
        weighted = [f"{w}*{part}" for w, part in zip(expression.weights, inside, strict=True)]
        return "|(" + ",".join(sorted(weighted)) + ")"
    if isinstance(expression, Analogy):
        signed = zip(expression.signs, map(canonical, expression.parts), strict=True)
        return "+(" + ",".join(sorted(f"{sign}*{part}" for sign, part in signed)) + ")"
    if isinstance(expression, Not):
        return f"!({canonical(expression.part)})"
    if isinstance(expression, Given):
        category = expression.category
        words = str(category)
        if isinstance(category, Members):
            words = ",".join(sorted(quoted(word) for word in category.words))
        return f"@({canonical(expression.part)};{words})"
    if isinstance(expression, QuotedText):
        words = ",".join(sorted(quoted(word) for word in expression.words))
        return words if expression.is_word else f"text({words})"
    if isinstance(expression, VectorTerm):
        return f"vector({expression.digest})"
    return str(expression)
