"""The price of a query: a fold over its expression, before anything is searched."""

from __future__ import annotations

from dataclasses import dataclass

from andornot.algebra.expression import (
    Expression,
    Given,
    Members,
    Term,
    check_depth,
    every_part,
)
from andornot.algebra.literals import count_searches
from andornot.algebra.parser import parse
from andornot.algebra.texts import most_words
from andornot.base.errors import AndornotError
from andornot.server.limits import Limits

_SHORT = 1_000  # characters
_FEW = 100  # words of categories
_FEW_DRAWN = 50  # words of an answer with a picture
_FEW_OPERANDS = 8  # words of a query with a picture


class LimitError(AndornotError):
    """A query asks for more than the service allows."""


@dataclass(frozen=True)
class Cost:
    """The parts of a query that make it expensive.

    Attributes:
        words: Words outside of categories, those of texts included.
        members: Words of categories that are written out.
        searches: NOTs for which a category is searched for.
        named: Categories by name.

    >>> Cost.of(parse("a | !b | !c @ {c, d}"))
    Cost(words=3, members=2, searches=1, named=0)
    """

    words: int
    members: int
    searches: int
    named: int = 0

    @classmethod
    def of(cls, expression: Expression) -> Cost:
        """Return the cost of an expression that is not nested too deep."""
        words = members = named = 0
        for part in every_part(expression):
            if isinstance(part, Term):
                words += most_words(part.text)
            elif isinstance(part, Given) and isinstance(part.category, Members):
                members += len(part.category.words)
            elif isinstance(part, Given):
                named += 1
        return cls(words, members, count_searches(expression), named)

    @property
    def is_small(self) -> bool:
        """Return True if a query is cheap but for the search, which it shares with others.

        >>> Cost.of(parse("royal & woman")).is_small, Cost.of(parse("!day")).is_small
        (True, False)
        """
        return self.searches == 0 and self.members <= _FEW and self.named == 0

    def is_drawn_quickly(self, k: int) -> bool:
        """Return True if a picture of k words takes little time; each query has its own.

        >>> cost = Cost.of(parse("royal & woman"))
        >>> cost.is_drawn_quickly(10), cost.is_drawn_quickly(1000)
        (True, False)
        """
        return k <= _FEW_DRAWN and self.words <= _FEW_OPERANDS


def priced(query: str, limits: Limits, *, exact: bool = False) -> tuple[Expression, Cost]:
    """Parse a query and return it with its cost, if it may be answered.

    Args:
        query: The query.
        limits: What a request may cost.
        exact: Whether the scores of all contexts are computed for every word, which takes long.

    Raises:
        QuerySyntaxError: If the query cannot be read.
        LimitError: If it asks for more than the limits allow.

    >>> expression, cost = priced("royal AND woman", Limits())
    >>> print(expression, cost.words)
    royal & woman 2
    """
    expression = parse(query)
    try:
        check_depth(expression, limits.depth)
    except AndornotError as error:
        raise LimitError(f"{error} (--max-depth)") from None
    cost = Cost.of(expression)
    check_words(cost.words, "a query", limits)
    if exact:
        check_exact_members(cost.members, "categories", limits)
    if cost.members > limits.batch:
        said = f"{cost.members:,} words in categories; at most {limits.batch:,} are taken"
        raise LimitError(f"{said} (--max-batch)")
    if cost.searches > limits.searches:
        said = f"{cost.searches:,} NOTs without a category, and each is a search; name categories "
        raise LimitError(f"{said}(@ {{...}}), at most {limits.searches:,} are searched for")
    return expression, cost


def check_words(count: int, where: str, limits: Limits) -> None:
    """Check the number of words of a query or a description.

    >>> check_words(most_words("a person who studies stars"), "a description", Limits())
    """
    if count > limits.words:
        raise LimitError(
            f"{count:,} words in {where}; at most {limits.words:,} are taken (--max-words)"
        )


def check_exact_members(count: int, where: str, limits: Limits) -> None:
    """Check the number of words in categories for which exact numbers are computed.

    >>> check_exact_members(3, "named categories", Limits())
    """
    if count > limits.exact_members:
        said = f"{count:,} words in {where}; at most {limits.exact_members:,} are taken"
        raise LimitError(f"{said} where exact numbers are computed")


def check_examples(count: int, limits: Limits) -> None:
    """Check the number of examples and counter-examples of a word list.

    >>> check_examples(3, Limits())
    """
    if count > limits.examples:
        raise LimitError(
            f"{count:,} examples and counter-examples; at most {limits.examples:,} are taken"
        )


def is_short(query: str) -> bool:
    """Return whether a query is short enough to be parsed while other requests wait.

    >>> is_short("royal & woman")
    True
    """
    return len(query) <= _SHORT
