"""The expression tree of a query as written, and its printed form."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from andornot.algebra.notation import quoted
from andornot.base.choices import DEEPEST
from andornot.base.errors import AndornotError

ALONE = "an analogy (+ and - between words) takes no brackets, &, |, ! or @; ask it alone"
ONE_CATEGORY = "a part of a query can be seen within one category only; remove the other"
_DEEPEST_TREE = 4 * DEEPEST  # at most a |, an & and an @ between two brackets


@dataclass(frozen=True)
class Term:
    """A word.

    Attributes:
        text: The word.
        written: The spelling in the query, if the vocabulary spells it differently.
    """

    text: str
    written: str | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return quoted(self.text)


@dataclass(frozen=True)
class QuotedText:
    """A text that is not a word: the AND of its words, each with a weight.

    Attributes:
        text: The text as written.
        words: The words of the vocabulary in the text, in order. A repeated word of the text
            counts once.
        unknown: Its words that are not in the vocabulary, which are ignored.
        stop_words: Its stop words that are in the vocabulary: ignored, and excluded from results.
    """

    text: str
    words: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    stop_words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.words:
            raise AndornotError(f"no word of {self.text!r} is known; use other words")

    @property
    def is_word(self) -> bool:
        """True if the text has one known word, and so means that word."""
        return len(self.words) == 1

    def __str__(self) -> str:
        return quoted(self.text)


@dataclass(frozen=True, eq=False)
class VectorTerm:
    """A vector that doesn't belong to a word; it can't be written in the query language.

    Attributes:
        values: The vector, in the frame of the original vectors.
        name: The name in formulas, or None.
    """

    values: npt.NDArray[np.float64]
    name: str | None = None

    @property
    def digest(self) -> str:
        """A unique key of the vector."""
        return hashlib.sha256(self.values.tobytes()).hexdigest()[:6]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VectorTerm) and np.array_equal(self.values, other.values)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __str__(self) -> str:
        return f"<{self.name or f'vector {self.digest}'}>"


@dataclass(frozen=True)
class And:
    """The conjunction of parts, none of them an And."""

    parts: tuple[Expression, ...]

    def __post_init__(self) -> None:
        if not self.parts:
            raise AndornotError("an AND needs at least one operand, got none")
        _check_alone(self.parts)

    def __str__(self) -> str:
        return " & ".join(_bracketed(part, Or) for part in self.parts)


@dataclass(frozen=True)
class Or:
    """The union of parts, none of them an Or, with weights for all or for none."""

    parts: tuple[Expression, ...]
    weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if not self.parts:
            raise AndornotError("an OR needs at least one operand, got none")
        _check_alone(self.parts)
        if self.weights is None:
            return
        if len(self.weights) != len(self.parts):
            raise AndornotError(
                "either all operands of | must have a weight, or none; add or remove some"
            )
        for weight in self.weights:
            check_weight(weight)
        if not max(self.weights) > 0:
            raise AndornotError("the weights of | add up to zero; make at least one positive")

    def __str__(self) -> str:
        if self.weights is None:
            return " | ".join(str(part) for part in self.parts)
        return " | ".join(
            f"{repr(weight).removesuffix('.0')}*{_bracketed(part, And)}"
            for weight, part in zip(self.weights, self.parts, strict=True)
        )


@dataclass(frozen=True)
class Not:
    """The rest of a category."""

    part: Expression

    def __post_init__(self) -> None:
        _check_alone([self.part])

    def __str__(self) -> str:
        return f"!{_bracketed(self.part, And, Or)}"


@dataclass(frozen=True)
class Members:
    """A category by its words."""

    words: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", tuple(dict.fromkeys(self.words)))

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
    """A part given a category."""

    part: Expression
    category: Members | Named

    def __post_init__(self) -> None:
        _check_alone([self.part])

    def __str__(self) -> str:
        return f"{_bracketed(self.part, And, Or, Not, Given)} @ {self.category}"


@dataclass(frozen=True)
class Analogy:
    """Words added and subtracted: `king - man + woman`. It can't be part of another expression.

    Attributes:
        parts: The words, in order; a word that a tokenizer splits is the And of its pieces. A text
            must have a single known word.
        signs: +1 or -1 for each of them; the first is +1.
    """

    parts: tuple[Expression, ...]
    signs: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.parts) < 2 or len(self.parts) != len(self.signs):
            raise AndornotError("an analogy needs at least two words, and a sign for each")
        if self.signs[0] != 1 or not set(self.signs) <= {1, -1}:
            raise AndornotError(f"an analogy's signs must be +1 or -1, first +1, got {self.signs}")
        if not all(isinstance(part, Term | QuotedText | And) for part in self.parts):
            raise AndornotError("+ and - join words; remove the other operations")
        for part in self.parts:
            if has_texts(part):
                raise AndornotError(f"+ and - join words; write one word in the place of {part}")

    def __str__(self) -> str:
        first, *others = (_bracketed(part, And) for part in self.parts)
        signed = zip(self.signs[1:], others, strict=True)
        return first + "".join(f" {'+' if sign > 0 else '-'} {part}" for sign, part in signed)


Expression: TypeAlias = Term | QuotedText | VectorTerm | And | Or | Not | Given | Analogy


def _check_alone(parts: Iterable[Expression]) -> None:
    if any(isinstance(part, Analogy) for part in parts):
        raise AndornotError(ALONE)


def check_weight(weight: float) -> None:
    """Check that a weight is a finite number of at least 0.

    >>> check_weight(0.5)
    """
    is_number = isinstance(weight, int | float | np.number)
    if not is_number or not 0 <= weight < math.inf:
        raise AndornotError(f"a weight must be a number of at least 0, got {weight}")


def conjunction(parts: Sequence[Expression]) -> Expression:
    """Return the And of some parts, with nested Ands flattened.

    >>> print(conjunction([And((Term("a"), Term("b"))), Term("c")]))
    a & b & c
    """
    flat = [each for part in parts for each in (part.parts if isinstance(part, And) else (part,))]
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def union(parts: Sequence[Expression], weights: Sequence[float | None]) -> Expression:
    """Return the Or of some parts, with nested Ors flattened.

    Either all parts have a weight, or none has one.

    >>> print(union([Or((Term("a"), Term("b"))), Term("c")], [None, None]))
    a | b | c
    """
    if len(parts) == 1 and weights[0] is None:
        return parts[0]
    given = [weight for weight in weights if weight is not None]
    inside = [part for part in parts if isinstance(part, Or)]
    if (given and inside) or any(part.weights is not None for part in inside):
        raise AndornotError("a weighted OR cannot be nested; write all its operands side by side")
    if given and len(given) < len(weights):
        raise AndornotError(
            "either all operands of | must have a weight, or none; add or remove some"
        )
    flat = [each for part in parts for each in (part.parts if isinstance(part, Or) else (part,))]
    return Or(tuple(flat), tuple(given) or None)


def check_depth(expression: Expression, most: int = _DEEPEST_TREE) -> None:
    """Raise AndornotError if an expression is nested too deeply for recursion.

    >>> check_depth(Not(Term("a")))
    """
    level: list[Expression] = [expression]
    for _ in range(most):
        level = [part for each in level for part in parts_of(each)]
        if not level:
            return
    raise AndornotError(f"the formula is nested more than {most} deep; simplify it")


def parts_of(expression: Expression) -> tuple[Expression, ...]:
    """Return the operands of an expression.

    >>> parts_of(Not(Term("a")))
    (Term(text='a'),)
    """
    if isinstance(expression, And | Or | Analogy):
        return expression.parts
    return () if isinstance(expression, Term | QuotedText | VectorTerm) else (expression.part,)


def every_part(expression: Expression) -> list[Expression]:
    """Return an expression and all expressions below it.

    >>> [str(part) for part in every_part(Not(Term("a")))]
    ['!a', 'a']
    """
    found = [expression]
    for part in found:  # grows during the iteration
        found += parts_of(part)
    return found


def has_weights(expression: Expression) -> bool:
    """Return True if an expression contains an OR with explicit weights.

    >>> has_weights(Not(Or((Term("a"), Term("b")), (1.0, 2.0))))
    True
    """
    return any(isinstance(part, Or) and part.weights for part in every_part(expression))


def has_texts(expression: Expression) -> bool:
    """Return True if an expression contains a text of several words.

    >>> has_texts(Not(QuotedText("a bird", ("bird",)))), has_texts(QuotedText("x y", ("x", "y")))
    (False, True)
    """
    return any(isinstance(each, QuotedText) and not each.is_word for each in terms_of(expression))


def _bracketed(part: Expression, *kinds: type[Expression]) -> str:
    """Return the text of a part, in brackets if it has lower precedence."""
    return f"({part})" if isinstance(part, kinds) else str(part)


def words_of(expression: Expression) -> Iterator[str]:
    """Iterate over the words of an expression outside of categories, in order; a text has several.

    >>> list(words_of(And((Term("royal"), Not(Term("man"))))))
    ['royal', 'man']
    """
    for term in terms_of(expression):
        yield from (term.text,) if isinstance(term, Term) else term.words


def terms_of(expression: Expression) -> Iterator[Term | QuotedText]:
    """Iterate over the words and texts of an expression outside of categories, in order.

    >>> list(terms_of(Not(Term("man"))))
    [Term(text='man')]
    """
    if isinstance(expression, Term | QuotedText):
        yield expression
    for part in parts_of(expression):
        yield from terms_of(part)


def stop_words_of(expression: Expression) -> list[str]:
    """Return the stop words of the texts of an expression.

    >>> stop_words_of(Not(QuotedText("a bird", ("bird",), stop_words=("a",))))
    ['a']
    """
    texts = (each for each in terms_of(expression) if isinstance(each, QuotedText))
    return [word for text in texts for word in text.stop_words]


def replace_words(expression: Expression, change: Callable[[Term], Expression]) -> Expression:
    """Return an expression with each word outside of categories replaced.

    >>> print(replace_words(Not(Term("Man")), lambda word: Term(word.text.lower())))
    !man
    """
    if isinstance(expression, Term):
        return change(expression)
    if isinstance(expression, QuotedText | VectorTerm):
        return expression
    parts = [replace_words(part, change) for part in parts_of(expression)]
    if isinstance(expression, And):
        return conjunction(parts)
    if isinstance(expression, Or):
        return Or(tuple(parts), expression.weights)
    if isinstance(expression, Analogy):
        return Analogy(tuple(parts), expression.signs)
    return replace(expression, part=parts[0])
