"""What a query costs, found before any work is done for it."""

from __future__ import annotations

from dataclasses import dataclass

from andornot.algebra.expression import (
    Expression,
    Given,
    Members,
    Named,
    Not,
    Word,
    check_depth,
    every_part,
    parts_of,
)
from andornot.algebra.logic import Logic
from andornot.algebra.parser import parse
from andornot.errors import AndornotError
from andornot.server.limits import Limits

_SHORT = 1_000  # characters: so much is read at once, and what it says is soon computed
_FEW = 100  # words of categories


class LimitError(AndornotError):
    """A query that asks for more than the service does for one."""


@dataclass(frozen=True)
class Cost:
    """What makes a query expensive: words, those of its categories, searches, names of categories.

    A NOT without a category searches for one.

    >>> Cost.of(parse("a & !b | !c @ {c, d}"))
    Cost(words=3, members=2, searches=1, named=0)
    """

    words: int
    members: int
    searches: int
    named: int = 0

    @classmethod
    def of(cls, expression: Expression) -> Cost:
        """The cost of an expression that is not nested too deep."""
        words = members = named = negated = 0
        for part in every_part(expression):
            if isinstance(part, Word):
                words += 1
            elif isinstance(part, Not):
                negated += 1
            elif isinstance(part, Given) and isinstance(part.category, Members):
                members += len(part.category.words)
            elif isinstance(part, Given):
                named += 1
        return cls(words, members, _searches(expression) if negated else 0, named)

    @property
    def is_small(self) -> bool:
        """Whether a query is computed in no time, but for the search that it shares with others.

        >>> Cost.of(parse("royal & woman")).is_small, Cost.of(parse("!day")).is_small
        (True, False)
        """
        return self.searches == 0 and self.members <= _FEW and self.named == 0


def read(query: str, limits: Limits, *, exact: bool = False) -> Expression:
    """A query that may be answered: it can be read, and asks for no more than is allowed.

    `exact` says that scores of all contexts are computed for every word, which takes long.

    >>> print(read("royal AND woman", Limits()))
    royal & woman
    """
    return priced(query, limits, exact=exact)[0]


def priced(query: str, limits: Limits, *, exact: bool = False) -> tuple[Expression, Cost]:
    """A query that may be answered, and what it costs.

    >>> priced("royal AND woman", Limits())[1].words
    2
    """
    expression = parse(query)
    try:
        check_depth(expression, limits.depth)
    except AndornotError as error:
        raise LimitError(f"{error} (--max-depth)") from None
    cost = Cost.of(expression)
    members = min(limits.batch, limits.exact_members) if exact else limits.batch
    if cost.words > limits.words:
        said = f"{cost.words:,} words in a query; at most {limits.words:,} are taken (--max-words)"
    elif cost.members > members:
        said = f"{cost.members:,} words in categories; at most {members:,} are taken"
        said += " where exact numbers are computed" if exact else " (--max-batch)"
    elif cost.searches > limits.searches:
        said = f"{cost.searches:,} NOTs without a category, and each is a search; name categories "
        said += f"(@ {{...}}), at most {limits.searches:,} are searched for"
    else:
        return expression, cost
    raise LimitError(said)


def check_named(logic: Logic, expression: Expression, limits: Limits) -> None:
    """Refuse names of categories that hold more words than exact numbers are computed for."""
    count = sum(len(logic.category(each).words) for each in _named(expression))
    if count > limits.exact_members:
        said = f"{count:,} words in named categories; at most {limits.exact_members:,} are taken"
        raise LimitError(f"{said} where exact numbers are computed")


def _named(expression: Expression) -> list[Named]:
    sets = [part.category for part in every_part(expression) if isinstance(part, Given)]
    return [each for each in sets if isinstance(each, Named)]


def is_short(query: str) -> bool:
    """Whether a query is read in no time.

    >>> is_short("royal & woman")
    True
    """
    return len(query) <= _SHORT


def _searches(expression: Expression) -> int:
    """How many NOTs have no category; those within one need none."""
    found = [expression]
    for part in found:  # grows while it is walked through
        if not isinstance(part, Given):
            found += parts_of(part)
    return sum(isinstance(part, Not) and not _has_category(part) for part in found)


def _has_category(expression: Expression) -> bool:
    return any(isinstance(part, Given) for part in every_part(expression))
