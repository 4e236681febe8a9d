"""Suggest a correction for a query that can't be parsed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

from andornot.algebra.notation import KEYWORDS, SIGNS, quoted


class Token(Protocol):
    """A sign or a word of a query."""

    @property
    def text(self) -> str:
        """The sign, or the word without its quotation marks."""

    @property
    def is_word(self) -> bool:
        """True for a word."""

    @property
    def is_quoted(self) -> bool:
        """True for a word in quotation marks."""


def corrected(tokens: Sequence[Token]) -> str:
    """Return a query with operators between its words; it may still be wrong in another way.

    Lower-case `and`, `or`, `not` and `given` are read as operators where one is allowed. Operands
    side by side are joined with &, words of a category with a comma.

    Args:
        tokens: The tokens of the query; the last one is its end.
    """
    found: list[str] = []
    in_braces = False
    operand_next = True
    for token, after in pairwise(tokens):
        name = token.text.upper() if token.is_word and not token.is_quoted else ""
        is_operator = name in KEYWORDS and not in_braces and _starts_operand(after)
        text = quoted(token.text) if token.is_word else token.text
        if is_operator and (name == "NOT" or not operand_next):
            found += ["&"] * (name == "NOT" and not operand_next) + [KEYWORDS[name]]
            operand_next = True
        elif token.is_word and not operand_next:
            found += _joined(token, in_braces)
            operand_next = found[-1] in SIGNS
        elif token.is_word:
            found.append(text)
            operand_next = False
        else:
            found += ["&"] * (text in ("(", "!") and not operand_next) + [text]
            operand_next = text not in (")", "}")
            in_braces = text == "{" or (in_braces and text != "}")
    return " ".join(found)


def _joined(token: Token, in_braces: bool) -> list[str]:
    """Return a word that follows another operand, with an operator before it."""
    if in_braces:
        return [",", quoted(token.text)]
    if token.is_quoted or token.text[0] not in SIGNS:
        return ["&", quoted(token.text)]
    sign, word = token.text[0], token.text[1:]  # perhaps an analogy without a space
    return [sign, quoted(word)] if word else [sign]


def _starts_operand(token: Token) -> bool:
    return token.is_word or token.text in ("(", "!", "{")
