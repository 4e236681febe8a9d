"""Build the steps of an explanation: a fold over the nodes of a query."""

from __future__ import annotations

import math
from collections.abc import Iterable

from andornot.algebra.concept import Concept
from andornot.algebra.explanation.records import Group, Part
from andornot.algebra.expression import (
    Analogy,
    And,
    Expression,
    Given,
    Members,
    Named,
    Not,
    Or,
    QuotedText,
    Term,
    VectorTerm,
)
from andornot.algebra.nodes import (
    Away,
    Complement,
    Frame,
    Ids,
    Lifted,
    Mix,
    Node,
    SignedSum,
    Sum,
    Union,
    VectorNode,
    WeightedSum,
    Within,
    Word,
    every_node,
)
from andornot.base.formatting import known, number

_STEPS = {
    And: "AND",
    Or: "OR",
    Not: "NOT",
    Given: "given",
    Term: "word",
    QuotedText: "text",
    VectorTerm: "vector",
    Analogy: "offset",
}
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST_TERMS = 8  # terms of a sum that are shown


class ExplanationBuilder:
    """Writes out the nodes of a concept, with letters for its categories."""

    def __init__(self, concept: Concept) -> None:
        self._logic = concept.logic
        self._exact = concept.logic.exact
        self._symbol = "t" if concept.logic.exact else "v"
        self._turns = concept.computed.turns
        self._frames: dict[Frame, str] = {}
        self._letters: dict[frozenset[str], str] = {}
        for node in every_node(concept.node):
            if node.frame is not None and node.frame not in self._frames:
                letter = _letter(len(self._frames))
                self._frames[node.frame] = letter
                self._letters[frozenset(node.frame.category.words)] = letter

    def groups(self) -> list[Group]:
        """Return the categories, each with the shares of its words."""
        return [
            Group(
                letter,
                frame.category.origin,
                frame.category.words,
                tuple((frame.weights / frame.weights.sum()).tolist()),
                known(frame.probability),
            )
            for frame, letter in self._frames.items()
        ]

    def parts(self, node: Node, depth: int, weight: float | None) -> list[Part]:
        """Return the steps of a node and its children."""
        vector, p = self._computed(node)
        step = Part(
            formula=self._name(node.formula),
            kind="lift" if isinstance(node, Lifted) else _STEPS[type(node.formula)],
            depth=depth,
            symbol="v" if isinstance(node, SignedSum) else self._symbol,
            vector=vector,
            sign="<=" if node.is_bound else "=",
            probability=known(node.probability),
            probability_formula=p,
            weight=weight,
            category=None if node.frame is None else self._frames[node.frame],
            origin=None if node.category is None else node.category.origin,
            notes=node.notes,
        )
        found = [step]
        for part, share in _steps_below(node):
            found += self.parts(part, depth + 1, share)
        return found

    def _computed(self, node: Node) -> tuple[str, str]:
        """Return the formulas of the vector and the probability."""
        match node:
            case Word() | Union() if len(node.ids) == 1:  # one word, repeated or within a text
                return self._value(self._words(node.ids)), number(node.probability)
            case Union():
                return self._union(node), self._mass(node)
            case Mix():
                return self._mix(node)
            case Sum():
                factors = _product(part.probability for part in node.parts)
                return self._sum(node), _equation(factors, node.probability)
            case Away():
                return self._away(node), f"p({self._name(node.wanted.formula)})"
            case SignedSum():
                return _signed_sum(node), "not defined for an analogy"
            case WeightedSum():
                return self._text(node), "unknown: only words are counted"
            case VectorNode():
                return self._term(node), "unknown: only words are counted"
            case Within():
                return self._within(node)
            case Complement():
                return self._complement(node)
            case Lifted():
                return self._lifted(node), self._lifted_mass(node)
        raise TypeError(f"not a node of a query: {type(node).__name__}")

    def _sum(self, node: Sum) -> str:
        """Write an AND."""
        terms = _sum(map(self._term, node.parts))
        return terms if node.frame is not None else f"{terms}{self._less_zero(len(node.parts))}"

    def _away(self, node: Away) -> str:
        """Write a turn; operands that need no turn have the factor 0."""
        wanted, *unwanted = self._turns[node].factors.tolist()
        terms = f"{number(wanted)} {self._term(node.wanted)}"
        for part, factor in zip(node.unwanted, unwanted, strict=True):
            terms += f" - {number(abs(factor))} {self._term(part)}"
        rest = 1 - wanted - sum(unwanted)
        return terms + f" {'-' if rest < 0 else '+'} {number(abs(rest))} t(centre)" * self._exact

    def _text(self, node: WeightedSum) -> str:
        """Write a text: the AND of its words, with weights that sum to their number."""
        terms = [
            f"{number(factor)} {self._term(part)}"
            for part, factor in zip(node.parts, node.factors.tolist(), strict=True)
        ]
        return f"{_sum(terms)}{self._less_zero(len(terms))}"

    def _less_zero(self, count: int) -> str:
        """Write what an AND subtracts in exact mode: the scores of PMI 0, else of the centre.

        Every term contains them once, and so must their sum.
        """
        more = count - 1
        if not self._exact or not more:
            return ""
        known = self._logic.exact_arithmetic.zero_is_known
        return f" - {f'{more} ' * (more > 1)}t({'PMI = 0' if known else 'centre'})"

    def _union(self, node: Union) -> str:
        """Write an OR of words, each of them once."""
        shares = (node.weights / node.weights.sum()).tolist()
        terms = [
            self._weighed(share, self._value(self._words([i])))
            for i, share in zip(node.ids.tolist(), shares, strict=True)
        ]
        return self._logarithm(terms)

    def _mix(self, node: Mix) -> tuple[str, str]:
        """Write an OR of parts, each with its share."""
        if len(node.parts) == 1:  # one operand, repeated
            return self._term(node.parts[0]), number(node.probability)
        terms = [
            self._weighed(share, self._term(part))
            for part, share in zip(node.parts, node.shares.tolist(), strict=True)
        ]
        if node.ids is not None:  # the weights change only the vector
            return self._logarithm(terms), self._mass(node)
        masses = [part.probability for part in node.parts]
        return self._logarithm(terms), _equation(_sum(map(number, masses)), sum(masses))

    def _within(self, node: Within) -> tuple[str, str]:
        """Write a part given A: v - v(A)."""
        letter = self._frames[node.frame]
        inside = self._operand(node.part)
        vector = f"{self._value(inside)} - {self._value(letter)}"
        if node.ids is not None:
            return vector, self._mass(node)
        mass, whole = node.part.probability, node.frame.probability
        ratio = f"p({inside}) / p({letter}) = {number(mass)} / {number(whole)}"
        return vector, _equation(ratio, mass / whole)

    def _complement(self, node: Complement) -> tuple[str, str]:
        """Write a NOT: -pi/(1-pi) (v_w - v_A), or in exact mode the difference itself."""
        frame, letter = node.frame, self._frames[node.frame]
        inside = self._operand(node.left_out)
        numbers = f"{number(node.left_out.probability)} / {number(frame.probability)}"
        p = _equation(f"1 - p({inside}) / p({letter}) = 1 - {numbers}", node.probability)
        if self._exact:
            return f"t({letter} without {inside}) - t({letter})", p
        if node.share == 1:  # the words that are left have the frequency 0
            return f"v({self._words(node.ids)}) - v({letter})", p
        ratio = node.share / (1 - node.share)
        return f"-{number(ratio)} (v({inside}) - v({letter}))", p

    def _mass(self, node: Node) -> str:
        """Write p of a union of words: the sum of theirs, or its share of the category's."""
        assert node.ids is not None
        masses = self._logic.probabilities[node.ids]
        if node.frame is None:
            return _equation(_sum(map(number, masses)), node.probability)
        ratio = f"p({self._words(node.ids)}) / p({self._frames[node.frame]}) = "
        numbers = f"{number(masses.sum())} / {number(node.frame.probability)}"
        return _equation(ratio + numbers, node.probability)

    def _term(self, part: Node) -> str:
        """Write an operand."""
        if isinstance(part, Lifted):
            return f"[{self._lifted(part)}]"
        return self._value(self._name(part.formula))

    def _lifted(self, node: Lifted) -> str:
        letter = self._frames[node.out_of]
        return f"{self._value(self._name(node.formula))} + {self._value(letter)}"

    def _lifted_mass(self, node: Lifted) -> str:
        names = f"p({self._name(node.formula)}) x p({self._frames[node.out_of]})"
        numbers = _product([node.part.probability, node.out_of.probability])
        return _equation(f"{names} = {numbers}", node.probability)

    def _value(self, inside: str) -> str:
        return f"{self._symbol}({inside})"

    def _weighed(self, share: float, term: str) -> str:
        return f"{number(share)} {'exp ' * self._exact}{term}"

    def _logarithm(self, terms: list[str]) -> str:
        return f"log({_sum(terms)})" if self._exact else _sum(terms)

    def _words(self, ids: Ids | list[int]) -> str:
        """Write the union of words."""
        words = [str(Term(self._logic.space.vocabulary.word(int(i)))) for i in ids]
        more = len(words) - _MOST_TERMS
        return " | ".join(words[:_MOST_TERMS]) + (f" | {more} more" if more > 0 else "")

    def _operand(self, node: Node) -> str:
        """Write the formula of a node; one word is written once, and a long union is cut."""
        if node.weights is None or node.ids is None or 1 < len(node.ids) <= _MOST_TERMS:
            return self._name(node.formula)
        return self._words(node.ids)

    def _name(self, formula: Expression) -> str:
        """Write a formula with letters for its categories."""
        return str(self._lettered(formula))

    def _lettered(self, formula: Expression) -> Expression:
        if isinstance(formula, And):
            return And(tuple(map(self._lettered, formula.parts)))
        if isinstance(formula, Or):
            return Or(tuple(map(self._lettered, formula.parts)), formula.weights)
        if isinstance(formula, Not):
            return Not(self._lettered(formula.part))
        if isinstance(formula, Given):
            assert isinstance(formula.category, Members)  # a resolved formula has no other
            letter = self._letters[frozenset(formula.category.words)]
            return Given(self._lettered(formula.part), Named(letter))
        return formula


def _steps_below(node: Node) -> list[tuple[Node, float | None]]:
    """Return the child nodes of a step, with their shares in an OR or weights in a text."""
    match node:
        case Mix():
            return list(zip(node.parts, node.shares.tolist(), strict=True))
        case WeightedSum():
            return list(zip(node.parts, node.factors.tolist(), strict=True))
        case Union():
            return list(zip(node.parts, node.shares or [None] * len(node.parts), strict=True))
        case Within() | Complement():  # a single word needs no step of its own
            return [(child, None) for child in node.children if _is_computed(child)]
    return [(child, None) for child in node.children]


def _is_computed(node: Node) -> bool:
    """Return True if a node is more than a single word."""
    return node.ids is None or len(node.ids) > 1


def _letter(count: int) -> str:
    """Return the letter of a category: A to Z, then A1 and so on."""
    number = str(count // len(_LETTERS)) if count >= len(_LETTERS) else ""
    return _LETTERS[count % len(_LETTERS)] + number


def _sum(terms: Iterable[str]) -> str:
    shown = list(terms)
    more = len(shown) - _MOST_TERMS
    return " + ".join(shown[:_MOST_TERMS]) + (f" + {more} more" if more > 0 else "")


def _signed_sum(node: SignedSum) -> str:
    """Write an analogy: vectors of unit length, added and subtracted."""
    names = [f"v({part.formula})/|v({part.formula})|" for part in node.parts]
    signed = zip(node.signs[1:], names[1:], strict=True)
    return names[0] + "".join(f" {'+' if sign > 0 else '-'} {name}" for sign, name in signed)


def _product(factors: Iterable[float]) -> str:
    return " x ".join(map(number, factors))


def _equation(left: str, total: float) -> str:
    """Write the formula of a probability and its value."""
    if math.isnan(total):
        return number(total)
    capped = f" = {number(total)}, capped at 1" if total > 1 + 1e-9 else f" = {number(total)}"
    return left + capped
