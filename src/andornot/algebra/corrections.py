"""Suggest a correction for a query that can't be parsed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol

from andornot.algebra.notation import KEYWORDS, SIGNS, quoted

# wide signs, as input methods for Chinese and Japanese write them, and the signs of logic
_OTHER_SIGNS = {"＆": "&", "｜": "|", "∧": "&", "∨": "|"}
_NEGATIONS = "~¬"
_PARTS = re.compile(f"[{''.join(_OTHER_SIGNS)}]+|[^{''.join(_OTHER_SIGNS)}]+")
STRAIGHT_QUOTES = str.maketrans(dict.fromkeys("“”„", '"'))  # as word processors change them
_SEPARATORS = ";:?；：？，、。"  # at the ends of a word; a full stop may belong to it


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

    @property
    def column(self) -> int:
        """The column of the query, from 0."""


class _Read(NamedTuple):
    """A part of a token, as it is read in the notation of queries."""

    text: str
    is_word: bool
    is_quoted: bool
    column: int


def corrected(tokens: Sequence[Token]) -> str:
    """Return a query with operators between its words; it may still be wrong in another way.

    Lower-case `and`, `or`, `not` and `given` are read as operators where one is allowed, and so are
    the signs of other notations: && || ＆ ｜ ∧ ∨ ~ ¬. Operands side by side are joined with &,
    words of a category with a comma. Signs that are neither operators nor words are left out.

    Args:
        tokens: The tokens of the query; the last one is its end.
    """
    found: list[str] = []
    in_braces = False
    operand_next = True
    for token, after in pairwise([*_read(tokens), tokens[-1]]):
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


def has_other_operators(tokens: Sequence[Token]) -> bool:
    """Return True if a query has operators of another notation, such as &&."""
    read = [token.text for token in _read(tokens) if not token.is_word]
    return read != [token.text for token in tokens[:-1] if not token.is_word]


def _read(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens before the end, with the operators of other notations as & | !."""
    before = tokens[-1]
    for token in tokens[:-1]:
        is_doubled = token.column == before.column + 1 and token.text == before.text
        if token.is_quoted:
            yield token
        elif token.is_word:
            for part in _PARTS.findall(token.text):
                yield from _read_part(part, token.column)
        elif not is_doubled or token.text not in ("&", "|"):
            yield token
        before = token


def _read_part(part: str, column: int) -> Iterator[Token]:
    """Yield the operators and the word of a part of a word."""
    if part[0] in _OTHER_SIGNS:
        yield _Read(_OTHER_SIGNS[part[0]], False, False, column)
        return
    if part[0] in _NEGATIONS:
        yield _Read("!", False, False, column)
    word = part.lstrip(_NEGATIONS).strip(_SEPARATORS)
    if word in SIGNS or not all(_is_separator(character) for character in word):
        yield _Read(word, True, False, column)


def _is_separator(character: str) -> bool:
    """Return True for punctuation and for signs of mathematics."""
    category = unicodedata.category(character)
    return category[0] == "P" or category == "Sm"


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
