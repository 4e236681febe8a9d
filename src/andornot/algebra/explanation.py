"""Why an answer is what it is: the formula with its numbers, and how far it can be trusted."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from andornot.algebra.arithmetic import Ids
from andornot.algebra.categories import Category
from andornot.algebra.concept import Concept
from andornot.algebra.expression import (
    And,
    Expression,
    Given,
    Named,
    Not,
    Or,
    Word,
    every_part,
    parts_of,
)
from andornot.algebra.meaning import Value
from andornot.algebra.validity import Measured, measured, validity
from andornot.errors import AndornotError

if TYPE_CHECKING:
    from andornot.cooccurrence import Cooccurrence

_STEPS = {And: "AND", Or: "OR", Not: "NOT", Given: "given", Word: "word"}
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST_TERMS = 8  # of a sum that is written out


@dataclass(frozen=True)
class Part:
    """A part of the formula, with categories by their letters.

    `vector` and `probability_formula` say how they were computed, with their numbers; `weight` is
    the share in the OR above it.
    """

    formula: str
    kind: str
    depth: int
    vector: str
    probability: float
    probability_formula: str
    is_bound: bool
    weight: float | None


@dataclass(frozen=True)
class Group:
    """A category: its letter, where it comes from, its words with their weights, and p(A)."""

    name: str
    origin: str
    words: tuple[str, ...]
    weights: tuple[float, ...]
    probability: float


@dataclass(frozen=True)
class Explanation:
    """Everything that can be said of a concept.

    `residual` is how far the exact scores are from any vector's, in PMI; `cosine` and `rms` compare
    the first-order vector with the exact one. They are None where they don't apply, and
    `inapplicable` says why: for a pure AND, and without context vectors. `measured` compares with
    counts where there are some, or says why it can't.
    """

    formula: str
    arithmetic: str
    postprocess: str
    parts: tuple[Part, ...]
    categories: tuple[Group, ...]
    probability: float
    is_bound: bool
    residual: float | None
    cosine: float | None
    rms: float | None
    inapplicable: str | None
    measured: Measured | str | None
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON: probabilities that nobody knows are None."""
        found: dict[str, Any] = _without_nan(asdict(self))
        return found

    def text(self, width: int = 80) -> str:
        """Lines for a terminal without any frills."""
        from andornot.algebra.rendering import as_text

        return as_text(self, width)

    def __rich__(self) -> Any:
        """Tables for a terminal with colours."""
        from andornot.algebra.rendering import as_tables

        return as_tables(self)


def explain(concept: Concept, counts: Cooccurrence | None = None) -> Explanation:
    """Explain a concept; with co-occurrence counts, compare it with the PMI that was counted too.

    >>> import andornot
    >>> from andornot.algebra import Logic
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> print(explain(Logic(space).concept("king | queen")).text())
    king | queen
      OR     king | queen
             v = 0.727 v(king) + 0.273 v(queen)
             p = 0.0234 + 0.00876 = 0.0321
        word   king   weight 0.727   p = 0.0234
        word   queen   weight 0.273   p = 0.00876
    mode       first order, post-processing frequency
    residual   not applicable: the space has no context vectors
    validity   not applicable: the space has no context vectors
    """
    logic = concept.logic
    telling = _Telling(concept)
    parts = tuple(telling.parts(concept.formula, 0, None))
    residual = cosine = rms = None
    inapplicable = _why_inapplicable(concept)
    if inapplicable is None:
        residual, cosine, rms = validity(concept)
    compared = None if counts is None else measured(concept, counts)
    return Explanation(
        formula=str(concept.formula),
        arithmetic="exact" if logic.exact else "first order",
        postprocess=logic.space.provenance.postprocess or str(logic.postprocess),
        parts=parts,
        categories=tuple(telling.groups()),
        probability=concept.probability,
        is_bound=concept.value.is_bound,
        residual=residual,
        cosine=cosine,
        rms=rms,
        inapplicable=inapplicable,
        measured=compared,
        notes=(*concept.value.notes, *telling.outside(), *logic.notes),
    )


class _Telling:
    """Tells the parts of a formula, and gives letters to the categories that it meets."""

    def __init__(self, concept: Concept) -> None:
        self._concept = concept
        self._logic = concept.logic
        self._meaning = concept.logic.meaning
        self._letters: dict[Category, str] = {}
        self._symbol = "t" if concept.logic.exact else "v"

    def groups(self) -> list[Group]:
        found = []
        for frame, letter in self._letters.items():
            weights = self._meaning.weights_of(frame.ids)
            shares = tuple((weights / weights.sum()).tolist())
            mass = self._meaning.mass_of(frame)
            found.append(Group(letter, frame.origin, frame.words, shares, mass))
        return found

    def outside(self) -> list[str]:
        """That a concept was brought out of its category."""
        frame = self._meaning.of(self._concept.formula).frame
        if not self._concept.outside or frame is None:
            return []
        letter, symbol = self._letter(frame), self._symbol
        whole = number(self._meaning.mass_of(frame))
        return [f"it is asked outside of {letter}: plus {symbol}({letter}), and p times {whole}"]

    def parts(self, expression: Expression, depth: int, weight: float | None) -> list[Part]:
        value = self._meaning.of(expression)
        vector, p = self._computed(expression, value)
        found = [
            Part(
                self._name(expression),
                _STEPS[type(expression)],
                depth,
                vector,
                value.probability,
                p,
                value.is_bound,
                weight,
            )
        ]
        if isinstance(expression, Or):
            disjoint = value.is_weighted or value.members is None or self._is_disjoint(value)
            for part, share in value.shares:
                found += self.parts(part, depth + 1, share if disjoint else None)
        elif isinstance(expression, And) or value.members is None:
            for part in parts_of(expression):
                found += self.parts(part, depth + 1, None)
        return found

    def _is_disjoint(self, value: Value) -> bool:
        """Whether the operands of a union share no words, so that each has a weight of its own."""
        sizes = [len(self._meaning.of(part).members or ()) for part, _ in value.shares]
        return sum(sizes) == len(value.members or ())

    def _computed(self, expression: Expression, value: Value) -> tuple[str, str]:
        """How the vector and the probability were computed."""
        if isinstance(expression, And):
            values, frame = self._meaning.together(expression.parts)
            terms = [self._term(part, frame) for part in expression.parts]
            factors = [each.probability for each in values]
            return _sum(terms), _equation(_product(factors), float(np.prod(factors)))
        if isinstance(expression, Or) and len(value.shares) == 1:  # the same operand, repeated
            ((part, _),) = value.shares
            return self._computed(part, self._meaning.of(part))
        if isinstance(expression, Or) and (value.members is None or value.is_weighted):
            return self._mixed(expression, value)
        if value.frame is not None:
            return self._framed(expression, value, value.frame)
        if isinstance(expression, Or):
            return self._united(value)
        return f"{self._symbol}({self._name(expression)})", number(value.probability)

    def _mixed(self, expression: Or, value: Value) -> tuple[str, str]:
        """An OR of parts, each with its weight."""
        operands = [part for part, _ in value.shares]
        values, frame = self._meaning.together(operands)
        terms = [self._weighed(share, self._term(part, frame)) for part, share in value.shares]
        masses = [each.probability for each in values]
        if value.members is not None:  # the weights change the vector alone
            return self._logarithm(terms), self._masses(value)
        return self._logarithm(terms), _equation(_sum(map(number, masses)), sum(masses))

    def _united(self, value: Value) -> tuple[str, str]:
        """An OR of words: each of them once, whatever named it."""
        ids = self._ids(value)
        weights = self._meaning.weights_of(ids)
        terms = [
            self._weighed(share, f"{self._symbol}({self._words([i])})")
            for i, share in zip(ids, weights / weights.sum(), strict=True)
        ]
        return self._logarithm(terms), self._masses(value)

    def _masses(self, value: Value) -> str:
        """The probability of words: the sum of theirs, or its part of the category's."""
        ids = self._ids(value)
        masses = self._meaning.masses_of(ids)
        if value.frame is None:
            return _equation(_sum(map(number, masses)), value.probability)
        whole = self._meaning.mass_of(value.frame)
        ratio = f"p({self._words(ids)}) / p({self._letter(value.frame)}) = "
        return _equation(f"{ratio}{number(masses.sum())} / {number(whole)}", value.probability)

    def _framed(self, expression: Expression, value: Value, frame: Category) -> tuple[str, str]:
        """Given and NOT: v_w - v_A, or -pi/(1-pi) (v_w - v_A)."""
        letter, symbol = self._letter(frame), self._symbol
        part = expression.part if isinstance(expression, Given) else expression
        if value.members is None:
            inside = self._name(part)
            mass, whole = self._meaning.of(part).probability, self._meaning.mass_of(frame)
            ratio = f"p({inside}) / p({letter}) = {number(mass)} / {number(whole)}"
            return f"{symbol}({inside}) - {symbol}({letter})", _equation(ratio, mass / whole)
        left_out = np.array([i for i in frame.ids if i not in value.members], dtype=np.int64)
        if not (_negates(expression) and len(left_out)):
            inside = self._words(self._ids(value))
            if any(isinstance(each, Or) and each.weights for each in every_part(part)):
                inside = self._name(part)
            return f"{symbol}({inside}) - {symbol}({letter})", self._masses(value)
        inside = self._words(left_out)
        whole = self._meaning.mass_of(frame)
        numbers = f"{number(self._meaning.masses_of(left_out).sum())} / {number(whole)}"
        p = _equation(f"1 - p({inside}) / p({letter}) = 1 - {numbers}", value.probability)
        if self._logic.exact:
            return f"t({letter} without {inside}) - t({letter})", p
        weights = self._meaning.weights_of(frame.ids)
        pi = weights[np.isin(frame.ids, left_out)].sum() / weights.sum()
        return f"-{number(pi / (1 - pi))} (v({inside}) - v({letter}))", p

    def _term(self, part: Expression, frame: Category | None) -> str:
        """An operand; outside its own category where the others are."""
        own = self._meaning.of(part).frame
        name = f"{self._symbol}({self._name(part)})"
        if own is None or own == frame:
            return name
        return f"[{name} + {self._symbol}({self._letter(own)})]"

    def _weighed(self, share: float, term: str) -> str:
        return f"{number(share)} {'exp ' * self._logic.exact}{term}"

    def _logarithm(self, terms: list[str]) -> str:
        return f"log({_sum(terms)})" if self._logic.exact else _sum(terms)

    def _ids(self, value: Value) -> Ids:
        return np.array(sorted(value.members or ()), dtype=np.int64)

    def _words(self, ids: Iterable[int]) -> str:
        """The union of some words, as it would be written."""
        words = [str(Word(self._logic.space.vocabulary.word(int(i)))) for i in ids]
        more = len(words) - _MOST_TERMS
        return " | ".join(words[:_MOST_TERMS]) + (f" | {more} more" if more > 0 else "")

    def _name(self, expression: Expression) -> str:
        """A formula with letters for its categories."""
        return str(self._lettered(expression))

    def _lettered(self, expression: Expression) -> Expression:
        if isinstance(expression, And):
            return And(tuple(map(self._lettered, expression.parts)))
        if isinstance(expression, Or):
            return Or(tuple(map(self._lettered, expression.parts)), expression.weights)
        if isinstance(expression, Given):
            letter = self._letter(self._logic.category(expression.category))
            return Given(self._lettered(expression.part), Named(letter))
        if isinstance(expression, Not):
            inner = self._lettered(expression.part)
            frame = self._meaning.of(expression).frame
            if frame is not None and not any(isinstance(each, Given) for each in every_part(inner)):
                return Not(Given(inner, Named(self._letter(frame))))  # it was proposed
            return Not(inner)
        return expression

    def _letter(self, frame: Category) -> str:
        if frame not in self._letters:
            count = len(self._letters)
            number = str(count // len(_LETTERS)) if count >= len(_LETTERS) else ""
            self._letters[frame] = _LETTERS[count % len(_LETTERS)] + number
        return self._letters[frame]


def _negates(expression: Expression) -> bool:
    """Whether a formula over members of a category leaves out what it names."""
    if isinstance(expression, Given):
        return _negates(expression.part)
    return isinstance(expression, Not) and not _negates(expression.part)


def _why_inapplicable(concept: Concept) -> str | None:
    """Why there is nothing to compare with the exact mode, if so."""
    space = concept.logic.space
    if space.context is None:
        return "the space has no context vectors"
    if all(isinstance(each, And | Word) for each in every_part(concept.formula)):
        return "words and their AND are the same in both modes"
    try:
        _ = concept.logic.exact_arithmetic
    except AndornotError as error:
        return str(error)
    return None


def _sum(terms: Iterable[str]) -> str:
    shown = list(terms)
    more = len(shown) - _MOST_TERMS
    return " + ".join(shown[:_MOST_TERMS]) + (f" + {more} more" if more > 0 else "")


def _product(factors: Iterable[float]) -> str:
    return " x ".join(map(number, factors))


def _equation(left: str, total: float) -> str:
    """The way to a probability and what it comes to."""
    if math.isnan(total):
        return number(total)
    capped = f" = {number(total)}, capped at 1" if total > 1 + 1e-9 else f" = {number(total)}"
    return left + capped


def number(value: float) -> str:
    """Three digits, or that nobody knows.

    >>> number(0.12345), number(float("nan"))
    ('0.123', 'unknown')
    """
    return "unknown" if math.isnan(value) else f"{value:.3g}"


def _without_nan(found: Any) -> Any:
    if isinstance(found, dict):
        return {key: _without_nan(value) for key, value in found.items()}
    if isinstance(found, list | tuple):
        return [_without_nan(value) for value in found]
    return None if isinstance(found, float) and math.isnan(found) else found
