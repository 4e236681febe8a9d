"""The NOTs of a query that have no category.

In an AND with other operands, such a NOT turns away from its words (`turning.py`). Elsewhere it
needs a category, and a search proposes one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from andornot.algebra.canonical_form import canonical
from andornot.algebra.expression import (
    And,
    Expression,
    Given,
    Not,
    Or,
    every_part,
    has_texts,
    parts_of,
)


class Sides(NamedTuple):
    """The wanted and the negated operands of an AND."""

    wanted: tuple[Expression, ...]
    unwanted: tuple[Expression, ...]


def sides_of(parts: Iterable[Expression]) -> Sides:
    """Split the operands of an AND, with NOTs moved inwards by De Morgan's laws.

    >>> from andornot.algebra.parser import parse
    >>> wanted, unwanted = sides_of(parse("a & !(b | !c) & !d & !d").parts)
    >>> [str(part) for part in wanted], [str(part) for part in unwanted]
    (['a', 'c'], ['b', 'd'])
    """
    wanted: list[Expression] = []
    unwanted: dict[str, Expression] = {}
    waiting = list(parts)[::-1]
    while waiting:
        part = waiting.pop()
        inner = part.part if isinstance(part, Not) and not _has_category(part) else None
        if isinstance(part, And):  # from a NOT NOT
            waiting += part.parts[::-1]
        elif inner is None:
            wanted.append(part)
        elif isinstance(inner, Not):
            waiting.append(inner.part)
        elif isinstance(inner, Or) and inner.weights is None:
            waiting += [Not(each) for each in inner.parts[::-1]]
        else:
            unwanted.setdefault(canonical(inner), inner)
    return Sides(tuple(wanted), tuple(unwanted.values()))


def _has_category(expression: Expression) -> bool:
    return any(isinstance(part, Given) for part in every_part(expression))


def is_bare_not(expression: Expression) -> bool:
    """Return True for a NOT of words without a category, which needs a search on its own.

    >>> from andornot.algebra.parser import parse
    >>> is_bare_not(parse("!(a | b)")), is_bare_not(parse("!a @ b")), is_bare_not(parse("!(a & b)"))
    (True, False, False)
    """
    if not isinstance(expression, Not) or has_texts(expression):
        return False
    return not any(isinstance(part, And | Given) for part in every_part(expression))


def count_searches(expression: Expression) -> int:
    """Return the number of NOTs of an expression that need a search for a category.

    >>> from andornot.algebra.parser import parse
    >>> [count_searches(parse(query)) for query in ("!a", "a & !b", "!a & !b", "a | !b", "!!a")]
    [1, 0, 1, 1, 0]
    """
    if isinstance(expression, Given):
        return 0
    if isinstance(expression, And):
        wanted, unwanted = sides_of(expression.parts)
        return sum(map(count_searches, (*wanted, *unwanted))) if wanted else 1
    if isinstance(expression, Not) and isinstance(expression.part, Not):
        return count_searches(expression.part.part)
    if is_bare_not(expression):
        return 1
    return sum(map(count_searches, parts_of(expression)))
