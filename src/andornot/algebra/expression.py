"""What a query says, as a tree, and its printed form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

KEYWORDS = {"AND": "&", "OR": "|", "NOT": "!", "GIVEN": "@"}
_PLAIN = re.compile(r"[^\s&|!@{}(),*\"\\]+")


@dataclass(frozen=True)
class Word:
    """A word of the vocabulary."""

    text: str

    def __str__(self) -> str:
        return quoted(self.text)


@dataclass(frozen=True)
class And:
    """The conjunction of two or more parts, none of them an And."""

    parts: tuple[Expression, ...]

    def __str__(self) -> str:
        return " & ".join(_bracketed(part, Or) for part in self.parts)


@dataclass(frozen=True)
class Or:
    """The union of two or more parts, none of them an Or; with weights for all or for none."""

    parts: tuple[Expression, ...]
    weights: tuple[float, ...] | None = None

    def __str__(self) -> str:
        if self.weights is None:
            return " | ".join(str(part) for part in self.parts)
        return " | ".join(
            f"{weight!r}*{_bracketed(part, And)}"
            for weight, part in zip(self.weights, self.parts, strict=True)
        )


@dataclass(frozen=True)
class Not:
    """Everything in a category but this."""

    part: Expression

    def __str__(self) -> str:
        return f"!{_bracketed(self.part, And, Or)}"


@dataclass(frozen=True)
class Members:
    """A category by its words."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        return "{" + ", ".join(quoted(word) for word in self.words) + "}"


@dataclass(frozen=True)
class Named:
    """A category by its name."""

    name: str

    def __str__(self) -> str:
        return quoted(self.name)


@dataclass(frozen=True)
class Given:
    """Something, seen within a category."""

    part: Expression
    category: Members | Named

    def __str__(self) -> str:
        return f"{_bracketed(self.part, And, Or, Not, Given)} @ {self.category}"


Expression: TypeAlias = Word | And | Or | Not | Given


def quoted(text: str) -> str:
    r"""A word as it stands in a query: in quotation marks where it must be.

    >>> print(quoted("king"), quoted("new york"), quoted("AND"), quoted('6" nail'))
    king "new york" "AND" "6\" nail"
    """
    if _PLAIN.fullmatch(text) and text not in KEYWORDS:
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _bracketed(part: Expression, *kinds: type[Expression]) -> str:
    """A part, in brackets where it is of a kind that binds less."""
    return f"({part})" if isinstance(part, kinds) else str(part)


def words_of(expression: Expression) -> Iterator[str]:
    """Every word of an expression, categories left aside, in order.

    >>> list(words_of(And((Word("royal"), Not(Word("man"))))))
    ['royal', 'man']
    """
    if isinstance(expression, Word):
        yield expression.text
    elif isinstance(expression, And | Or):
        for part in expression.parts:
            yield from words_of(part)
    else:
        yield from words_of(expression.part)
