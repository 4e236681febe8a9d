"""The query language: `royal & woman`, `box | instance`, `!mother @ {mother, father}`.

    query    = or | word (("+" | "-") word)+       an analogy
    or       = and ("|" and)*                      OR
    and      = not ("&" not)*                      AND
    not      = [number "*"] ("!" not | given)      NOT
    given    = operand ["@" category]              GIVEN
    operand  = word | "(" or ")"
    category = "{" word ("," word)* "}" | name

A word is a run of characters other than spaces and the signs above, or a string in quotation marks,
in which a backslash escapes the next character. With spaces, it is a word of the
vocabulary or a text: `resolve` decides. A weight precedes an operand of |. The signs + and
- of an analogy need spaces around them: otherwise they are part of a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from andornot.algebra.corrections import STRAIGHT_QUOTES, corrected, has_other_operators
from andornot.algebra.expression import (
    ALONE,
    ONE_CATEGORY,
    Analogy,
    Expression,
    Given,
    Members,
    Named,
    Not,
    Term,
    check_weight,
    conjunction,
    union,
)
from andornot.algebra.notation import KEYWORDS, SIGNS
from andornot.base.choices import DEEPEST
from andornot.base.errors import AndornotError

LONGEST_QUERY = 10_000
_LONGEST_CORRECTED = 200  # characters of a query for which a correction is suggested
_TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([&|!@{}(),*])|([^\s&|!@{}(),*"\\]+))', re.DOTALL)
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_END = ""


class QuerySyntaxError(AndornotError):
    """A query cannot be parsed.

    Attributes:
        query: The query.
        column: Where it is wrong, from 0.
        problem: What is wrong.
        correction: The query that may have been meant, or None.
    """

    def __init__(
        self, query: str, column: int, problem: str, correction: str | None = None
    ) -> None:
        self.query = query
        self.column = column
        self.problem = problem
        self.correction = correction
        super().__init__(f"column {column + 1}: {problem}")

    def pointer(self, width: int = 72) -> str:
        """Return the part of the query around the column, with a caret under it.

        >>> print(QuerySyntaxError("royal & ", 8, "a word is missing").pointer())
        royal &
                ^
        """
        start = max(0, self.column - width // 2)
        part = self.query[start : start + width]
        shown = "".join(c if c.isprintable() else " " for c in part)
        before = sum(_columns(c) for c in shown[: self.column - start])
        return f"{shown.rstrip()}\n{' ' * before}^"


def _columns(character: str) -> int:
    """Return the number of terminal columns of a character."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class _Token(NamedTuple):
    """A sign or a word; the empty sign is the end of the query."""

    text: str
    is_word: bool
    is_quoted: bool
    column: int

    @property
    def is_sign(self) -> bool:
        """True for + or -, which form an analogy between words."""
        return self.is_word and not self.is_quoted and self.text in SIGNS

    @property
    def is_lower_keyword(self) -> bool:
        """True for a word that would be an operator in capitals."""
        return self.is_word and not self.is_quoted and self.text.upper() in KEYWORDS


class _Weighted(NamedTuple):
    """An operand of | with its weight, or None."""

    weight: float | None
    part: Expression
    column: int


def parse(query: str) -> Expression:
    """Parse a query.

    Raises:
        QuerySyntaxError: If the query cannot be parsed; it names the problem and the column.

    >>> print(parse("NOT mother GIVEN {mother, father} AND (royal OR 'old')"))
    !mother @ {mother, father} & (royal | 'old')
    """
    if len(query) > LONGEST_QUERY:
        raise QuerySyntaxError(
            query,
            LONGEST_QUERY,
            f"the query has {len(query):,} characters; shorten it to {LONGEST_QUERY:,}",
        )
    return _Parser(query).query()


def column_of(query: str, word: str) -> int | None:
    """Return the column, from 0, of the first occurrence of a word in a query, or None.

    >>> column_of('"the" & kingg', "kingg")
    8
    """
    found = (token.column for token in _tokens(query) if token.is_word and token.text == word)
    return next(found, None)


class _Parser:
    """Recursive descent parser, with one method for each rule."""

    def __init__(self, query: str, *, suggests: bool = True) -> None:
        self._query = query
        self._suggests = suggests
        self._tokens = _tokens(query)
        self._position = 0
        self._depth = 0

    def query(self) -> Expression:
        if self._next.text == _END and not self._next.is_word:
            raise self._error("the query is empty; write a word, or words joined by & and |")
        if self._tokens[0].is_word and self._tokens[1].is_sign:
            return self._analogy()
        found = self._only(self._or())
        if not self._is(_END):
            raise self._not_here(f"{self._shown} can't follow here; {self._hint()}")
        return found

    # --- the rules -------------------------------------------------------------------------

    def _analogy(self) -> Analogy:
        parts, signs = [Term(self._word("a word"))], [1]
        while self._next.is_sign:
            signs.append(SIGNS[self._next.text])
            self._position += 1
            if self._next.is_sign:
                raise self._error(f"a word is missing before {self._shown}")
            parts.append(Term(self._word("a word")))
        if self._next.is_word:
            raise self._error("two words side by side; join the words of an analogy with + or -")
        if not self._is(_END):
            raise self._error(ALONE)
        return Analogy(tuple(parts), tuple(signs))

    def _or(self) -> _Weighted:
        operands = [self._and()]
        while self._take("|"):
            operands.append(self._and())
        if len(operands) == 1:
            return operands[0]
        try:
            whole = union([o.part for o in operands], [o.weight for o in operands])
        except AndornotError as error:
            raise self._error(str(error), operands[0].column) from error
        return _Weighted(None, whole, operands[0].column)

    def _and(self) -> _Weighted:
        first = self._not()
        if not self._is("&"):
            return first
        parts = [self._only(first)]
        while self._take("&"):
            parts.append(self._only(self._not()))
        return _Weighted(None, conjunction(parts), first.column)

    def _not(self) -> _Weighted:
        column = self._next.column
        weight = self._weight()
        if self._take("!"):
            return _Weighted(weight, Not(self._only(self._deeper(self._not))), column)
        return _Weighted(weight, self._given(), column)

    def _given(self) -> Expression:
        column = self._next.column
        operand = self._operand()
        if not self._take("@"):
            return operand
        category = self._category()
        if self._is("@"):
            raise self._error(ONE_CATEGORY)
        if isinstance(operand, Given):
            raise self._error(ONE_CATEGORY, column)
        return Given(operand, category)

    def _operand(self) -> Expression:
        if not self._take("("):
            return Term(self._word("a word"))
        inside = self._only(self._deeper(self._or))
        if not self._take(")"):
            raise self._not_here(f"a closing bracket is missing before {self._shown}")
        return inside

    def _weight(self) -> float | None:
        token = self._next
        if not token.is_word or token.is_quoted or not self._follows("*"):
            return None
        if not _NUMBER.fullmatch(token.text):
            raise self._error(f"{token.text!r} is not a number; write a weight before *")
        value = float(token.text)
        try:
            check_weight(value)
        except AndornotError as error:
            raise self._error(str(error)) from error
        self._position += 2
        return value

    def _category(self) -> Members | Named:
        if not self._take("{"):
            return Named(self._word("a category, as {word, word} or by its name,"))
        words = [self._word("a word of the category")]
        while self._take(","):
            words.append(self._word("a word of the category"))
        if not self._take("}"):
            raise self._not_here(f"a closing }} is missing before {self._shown}")
        return Members(tuple(dict.fromkeys(words)))

    # --- tokens ----------------------------------------------------------------------------

    @property
    def _next(self) -> _Token:
        return self._tokens[self._position]

    def _hint(self) -> str:
        """Suggest a correction for words without an operator between them."""
        beside = (self._tokens[self._position - 1], self._next)
        if any(token.is_lower_keyword for token in beside):
            return "operators are & | ! @, or AND, OR, NOT, GIVEN in capitals"
        return "join words by & or |, or put a phrase in quotation marks"

    def _not_here(self, problem: str) -> QuerySyntaxError:
        """Return the error for an unexpected token, with a suggested query."""
        if self._next.is_sign:
            return self._error(ALONE)
        meant = self._corrected()
        if meant is None:
            return self._error(problem)
        has_words = any(token.is_lower_keyword for token in self._tokens)
        if has_words or has_other_operators(self._tokens):
            said = "operators are & | ! @, or AND, OR, NOT, GIVEN in capitals"
        else:
            said = "two operands side by side"
            if self._next.is_word and self._tokens[self._position - 1].is_word:
                said = "two words side by side"
        return self._error(f"{said}; did you mean '{meant}'?", correction=meant)

    def _corrected(self) -> str | None:
        """Return the suggested query, which can be parsed, or None."""
        if not self._suggests:
            return None
        try:
            tokens = self._tokens
            if '"' not in self._query:
                tokens = _tokens(self._query.translate(STRAIGHT_QUOTES))
            found = str(_Parser(corrected(tokens), suggests=False).query())
        except AndornotError:
            return None
        return found if len(found) <= _LONGEST_CORRECTED and found.isprintable() else None

    @property
    def _shown(self) -> str:
        return repr(self._next.text) if self._next.text or self._next.is_word else "the end"

    def _is(self, sign: str) -> bool:
        return not self._next.is_word and self._next.text == sign

    def _follows(self, sign: str) -> bool:
        after = self._tokens[min(self._position + 1, len(self._tokens) - 1)]
        return not after.is_word and after.text == sign

    def _take(self, sign: str) -> bool:
        found = self._is(sign)
        self._position += found
        return found

    def _word(self, what: str) -> str:
        token = self._next
        if not token.is_word:
            raise self._not_here(f"{what} is missing before {self._shown}")
        self._position += 1
        return token.text

    def _only(self, operand: _Weighted) -> Expression:
        """Return an operand that may not have a weight."""
        if operand.weight is not None:
            raise self._error(
                "weights are only allowed for operands of |; remove it", operand.column
            )
        return operand.part

    def _deeper(self, rule: Callable[[], _Weighted]) -> _Weighted:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._error(f"the query is nested more than {DEEPEST} levels deep; simplify it")
        try:
            return rule()
        finally:
            self._depth -= 1

    def _error(
        self, problem: str, column: int | None = None, correction: str | None = None
    ) -> QuerySyntaxError:
        position = self._next.column if column is None else column
        return QuerySyntaxError(self._query, position, problem, correction)


def _tokens(query: str) -> list[_Token]:
    tokens = []
    position = 0
    end = len(query.rstrip())
    while position < end:
        match = _TOKEN.match(query, position)
        if match is None:
            column = position + len(query[position:]) - len(query[position:].lstrip())
            sign = query[column]
            problem = (
                "a quotation mark that is never closed"
                if sign == '"'
                else f"{sign!r} in a word; put the word in quotation marks"
            )
            raise QuerySyntaxError(query, column, problem)
        name, sign, word = match.groups()
        if name is not None:
            text = re.sub(r"\\(.)", r"\1", name, flags=re.DOTALL)
            if not text:
                raise QuerySyntaxError(query, match.start(1) - 1, "an empty word")
            tokens.append(_Token(text, True, True, match.start(1) - 1))
        elif sign is not None:
            tokens.append(_Token(sign, False, False, match.start(2)))
        elif word in KEYWORDS:
            tokens.append(_Token(KEYWORDS[word], False, False, match.start(3)))
        else:
            tokens.append(_Token(word, True, False, match.start(3)))
        position = match.end()
    tokens.append(_Token(_END, False, False, end))
    return tokens
