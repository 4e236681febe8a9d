"""An answer in one plain sentence: what was asked, and the first words that were found."""

from __future__ import annotations

from collections.abc import Sequence

from andornot.algebra.describing import MEASURE as DESCRIPTION
from andornot.algebra.expression import (
    And,
    Expression,
    Given,
    Members,
    Named,
    Not,
    Or,
    QuotedText,
)
from andornot.algebra.ranking import Answer
from andornot.base.choices import Measure

_FIRST = 3  # words of the answer
_LONGEST = 160  # characters of a query in words
_MOST = 6  # words of a category


def sentence_of(answer: Answer) -> str:
    """Return an answer in one sentence.

    >>> import andornot
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> print(sentence_of(andornot.Logic(space).ask("royal & woman", k=2)))
    Nearest to royal and woman together: queen, princess.
    """
    formula = answer.concept.formula
    phrase = in_words(formula)
    if isinstance(formula, And) and not any(isinstance(part, Not) for part in formula.parts):
        phrase += "" if answer.measure == DESCRIPTION else " together"
    if len(phrase) > _LONGEST:
        phrase = "this query"
    found = ", ".join(answer.words[:_FIRST])
    if not found:
        return f"No word is left to answer {phrase}."
    if answer.hits[0].score < 0:
        return f"No word is near {phrase}: even the first, {answer.words[0]}, is below zero."
    if answer.measure == DESCRIPTION:
        return f"Words for {phrase}: {found}."
    if answer.measure == Measure.PMI:
        return f"Highest in PMI with {phrase}: {found}."
    if answer.concept.frame is not None and _is_rest(formula):
        return f"{phrase[0].upper()}{phrase[1:]}: {found}."
    return f"Nearest to {phrase}: {found}."


def in_words(formula: Expression) -> str:
    """Return a query in plain words.

    >>> from andornot.algebra.parser import parse
    >>> print(in_words(parse("(violin | piano) & composer")))
    (violin or piano) and composer
    >>> print(in_words(parse("apple & !fruit & !pie")))
    apple, turned away from fruit and pie
    >>> print(in_words(parse("!day @ {day, night, morning}")))
    what is left of {day, night, morning} without day
    """
    if isinstance(formula, QuotedText):
        return f"“{formula.text}”"
    if isinstance(formula, And):
        return _conjunction(formula.parts)
    if isinstance(formula, Or):
        if formula.weights is None:
            return " or ".join(map(_inside, formula.parts))
        total = sum(formula.weights)
        pairs = zip(formula.parts, formula.weights, strict=True)
        return " or ".join(f"{_inside(part)} ({weight / total:.0%})" for part, weight in pairs)
    if isinstance(formula, Not):
        if isinstance(formula.part, Given):
            category = _category(formula.part.category)
            return f"what is left of {category} without {_inside(formula.part.part)}"
        return f"what is not {_inside(formula.part)}"
    if isinstance(formula, Given):
        return f"{_inside(formula.part)} as seen within {_category(formula.category)}"
    return str(formula)


def _conjunction(parts: Sequence[Expression]) -> str:
    """Return an AND in words: its operands, and those that it is turned away from."""
    wanted = [_inside(part) for part in parts if not _is_turned_away_from(part)]
    unwanted = [_inside(part.part) for part in parts if isinstance(part, Not) and _is_bare(part)]
    if not wanted:
        return f"what is neither {' nor '.join(unwanted)}"
    joined = " and ".join(wanted)
    return f"{joined}, turned away from {' and '.join(unwanted)}" if unwanted else joined


def _inside(part: Expression) -> str:
    """Return an operand in words, in brackets if it has several words."""
    text = in_words(part)
    return f"({text})" if isinstance(part, And | Or) else text


def _is_bare(part: Not) -> bool:
    return not isinstance(part.part, Given)


def _is_turned_away_from(part: Expression) -> bool:
    return isinstance(part, Not) and _is_bare(part)


def _is_rest(formula: Expression) -> bool:
    return isinstance(formula, Not) and isinstance(formula.part, Given)


def _category(category: Members | Named) -> str:
    """Return a category with the first of its words."""
    if isinstance(category, Named) or len(category.words) <= _MOST:
        return str(category)
    more = len(category.words) - _MOST
    return f"{str(Members(category.words[:_MOST]))[:-1]} and {more} more}}"
