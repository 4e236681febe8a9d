"""Resolve an expression into nodes, with all decisions about a query.

It decides which words and categories are meant, which category a bare NOT gets, and which operands
are duplicates. Weights are computed in `weighing.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from andornot.algebra.canonical_form import canonical
from andornot.algebra.categories import Category
from andornot.algebra.expression import (
    ONE_CATEGORY,
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
    conjunction,
    every_part,
    has_texts,
    has_weights,
    terms_of,
    union,
    words_of,
)
from andornot.algebra.literals import Sides, is_bare_not, sides_of
from andornot.algebra.nodes import (
    Away,
    Complement,
    Frame,
    Mix,
    Node,
    SignedSum,
    Sum,
    VectorNode,
    Within,
    Word,
    in_common_frame,
    lift,
)
from andornot.algebra.notes import (
    dominant_word,
    faint_operands,
    uncounted_operands,
    words_as_read,
    words_of_category,
)
from andornot.algebra.texts import weigh_text
from andornot.algebra.weighing import ONE, Weigher
from andornot.base.errors import AndornotError
from andornot.base.moments import Vector
from andornot.words.vocabulary import Vocabulary

Find: TypeAlias = Callable[[Members | Named], Category]
Propose: TypeAlias = Callable[[Sequence[str]], Category]


def resolve(
    expression: Expression,
    vocabulary: Vocabulary,
    p: Vector,
    weights: str,
    find: Find,
    propose: Propose,
) -> Node:
    """Resolve an expression into nodes.

    Args:
        expression: The query; its words are words of the vocabulary (see `read_words`).
        vocabulary: The words of the space.
        p: The probability of each word, or NaN for all if the space has no frequencies.
        weights: The weights of an OR without explicit weights: "frequency" or "uniform".
        find: Returns the category of a set of words or of a name.
        propose: Returns a category for words that are negated without one. It is called once per
            bare NOT.

    Raises:
        AndornotError: If the expression has no meaning in this vocabulary.
    """
    node = _Resolver(vocabulary, p, weights, find, propose).resolve(expression)
    notes = words_as_read(terms_of(expression))
    return replace(node, notes=(*notes, *node.notes)) if notes else node


class _Resolver:
    """Resolves one expression; the arguments are those of `resolve`."""

    def __init__(
        self, vocabulary: Vocabulary, p: Vector, weights: str, find: Find, propose: Propose
    ) -> None:
        self._vocabulary = vocabulary
        self._weigher = Weigher(vocabulary, p, weights)
        self._find = find
        self._propose = propose

    def resolve(self, expression: Expression) -> Node:
        if isinstance(expression, Term):
            number = self._vocabulary.index(expression.text)
            return Word(
                formula=expression,
                probability=float(self._weigher.p[number]),
                ids=np.array([number]),
                weights=ONE,
            )
        if isinstance(expression, QuotedText):
            return weigh_text(expression, self._vocabulary, self._weigher.p)
        if isinstance(expression, VectorTerm):
            return VectorNode(formula=expression, probability=np.nan)
        if isinstance(expression, And):
            return self._and(expression)
        if isinstance(expression, Or):
            return self._or(expression)
        if isinstance(expression, Given):
            return self._given(expression.part, self._find(expression.category))
        if isinstance(expression, Analogy):
            return self._analogy(expression)
        return self._not(expression.part)

    # --- given and NOT ---------------------------------------------------------------------

    def _members(self, expression: Expression, category: Category) -> frozenset[int] | None:
        """Return the words of a category whose union is the expression, or None."""
        everything = frozenset(category.ids.tolist())
        if isinstance(expression, Term | QuotedText):
            numbers = [self._vocabulary.index(word) for word in words_of(expression)]
            return frozenset(numbers) if len(numbers) == 1 and everything >= set(numbers) else None
        if isinstance(expression, Or):
            sets = [self._members(part, category) for part in expression.parts]
            known = [each for each in sets if each is not None]
            return frozenset().union(*known) if len(known) == len(sets) else None
        if isinstance(expression, Not):
            inside = self._members(expression.part, category)
            return None if inside is None else everything - inside
        return None

    def _given(self, part: Expression, category: Category) -> Node:
        """Resolve a part given a category."""
        if any(isinstance(each, Not) for each in every_part(part)):
            return self._negated(part, category, Given(part, Members(category.words)))
        members = self._members(part, category)
        inner = self.resolve(part)
        if inner.frame is not None:
            raise AndornotError(ONE_CATEGORY)
        frame = self._weigher.frame(category)
        formula = Given(inner.formula, Members(category.words))
        if members is None:
            stranger = f"{part} is not a union of words of {category.brief}"
            return Within(
                formula=formula,
                probability=_at_most_one(inner.probability / frame.probability),
                frame=frame,
                is_bound=True,
                notes=(*words_of_category(category), stranger),
                part=inner,
            )
        return self._weigher.seen_within(inner, frame, formula, words_of_category(category))

    def _not(self, part: Expression) -> Node:
        if isinstance(part, Given):
            category = self._find(part.category)
            formula = Not(Given(part.part, Members(category.words)))
            return self._negated(Not(part.part), category, formula)
        _check_unweighted(part)
        if is_bare_not(Not(part)):
            return self._bare_not(part)
        inner = self.resolve(part)
        if inner.frame is None or inner.ids is None:
            raise AndornotError(
                f"NOT takes a word, or words joined by |, of one category, got {part}; simplify it"
            )
        rest = frozenset(inner.frame.category.ids.tolist()) - frozenset(inner.ids.tolist())
        return self._rest(rest, inner.frame, Not(inner.formula))

    def _bare_not(self, part: Expression) -> Node:
        """Resolve a NOT without a category: the rest of a proposed one, lifted out of it.

        Given the category, the words nearest to the negated word would come last, but people
        prefer these as alternatives.
        """
        if isinstance(part, Not):
            return self.resolve(part.part)
        category = self._propose(list(words_of(part)))
        node = self._negated(Not(part), category, Not(Given(part, Members(category.words))))
        reading = f"{Not(part)} was read as the rest of {category} ({category.origin})"
        return replace(lift(node), readings=(reading,))

    def _negated(self, part: Expression, category: Category, formula: Expression) -> Node:
        """Resolve an expression with a NOT in it, within one category."""
        members = self._members(part, category)
        if members is None:
            raise AndornotError(self._why_no_union(part, category))
        _check_unweighted(part)
        frame = self._weigher.frame(category)
        if isinstance(part, Not) or not members:
            return self._rest(members, frame, formula)
        return self._weigher.seen_within(
            self._weigher.union(members), frame, formula, words_of_category(category)
        )

    def _why_no_union(self, part: Expression, category: Category) -> str:
        inside = set(category.words)
        strangers = [word for word in words_of(part) if word not in inside]
        if strangers and not has_texts(part):
            return f"NOT is within a category, and {strangers[0]!r} is not in {category.brief}"
        return f"NOT takes a word, or words joined by |, within a category; {part} is neither"

    def _rest(self, members: frozenset[int], frame: Frame, formula: Expression) -> Node:
        """Return the rest of a category after a NOT."""
        category = frame.category
        if not members:
            raise AndornotError(
                f"all words of {category.brief} are negated, so none is left; leave a word out"
            )
        ids = np.array(sorted(members), dtype=np.int64)
        weights = self._weigher.weights(ids)
        notes = (*words_of_category(category), *dominant_word(self._vocabulary, ids, weights))
        is_left_out = [number not in members for number in category.ids.tolist()]
        if not (any(is_left_out) and _negates(formula)):  # NOT NOT gives the words themselves
            return self._weigher.seen_within(self._weigher.union(members), frame, formula, notes)
        weights_out = frame.weights[is_left_out]
        share = float(weights_out.sum() / frame.weights.sum())
        if share == 0 or len(weights_out) == 1:  # their weights are equal
            weights_out = np.ones(len(weights_out))
        return Complement(
            formula=formula,
            probability=self._weigher.probability(ids, frame),
            ids=ids,
            weights=weights,
            frame=frame,
            notes=notes,
            left_out=self._weigher.words(category.ids[is_left_out], weights_out),
            share=share,
        )

    # --- analogies -------------------------------------------------------------------------

    def _analogy(self, expression: Analogy) -> SignedSum:
        return SignedSum(
            formula=expression,
            probability=np.nan,
            notes=(f"read as an analogy: {expression}, with vectors of unit length",),
            parts=tuple(self.resolve(part) for part in expression.parts),
            signs=expression.signs,
        )

    # --- AND and OR ------------------------------------------------------------------------

    def _and(self, expression: And) -> Node:
        sides = sides_of(expression.parts)
        if not sides.wanted:  # !b & !c is !(b | c)
            return self._not(union(sides.unwanted, [None] * len(sides.unwanted)))
        return self._away(sides) if sides.unwanted else self._sum(sides.wanted)

    def _away(self, sides: Sides) -> Away:
        """Resolve an AND with NOTs that have no category; its probability is at most p(a)."""
        for part in sides.unwanted:
            _check_unweighted(part)
        wanted = lift(self._sum(sides.wanted))
        unwanted = tuple(lift(self.resolve(part)) for part in sides.unwanted)
        negated = [Not(part.formula) for part in unwanted]
        return Away(
            formula=conjunction([wanted.formula, *negated]),
            probability=wanted.probability,
            is_bound=True,
            wanted=wanted,
            unwanted=unwanted,
        )

    def _sum(self, expressions: Sequence[Expression]) -> Node:
        """Resolve the AND of operands; a single operand is returned unchanged."""
        if len(expressions) == 1:
            return self.resolve(expressions[0])
        parts, frame = in_common_frame([self.resolve(part) for part in expressions])
        return Sum(
            formula=And(tuple(part.formula for part in parts)),
            probability=float(np.prod([part.probability for part in parts])),
            frame=frame,
            is_bound=any(part.is_bound for part in parts),
            parts=parts,
        )

    def _or(self, expression: Or) -> Node:
        """Resolve an OR: a union if all operands are unions of words, else a mean of them."""
        weights = expression.weights or (1.0,) * len(expression.parts)
        largest = max(weights)  # divide by it, because the sum of weights could overflow
        keys = [canonical(part) for part in expression.parts]
        written: dict[str, Expression] = {}
        relative: dict[str, float] = {}
        for key, part, weight in zip(keys, expression.parts, weights, strict=True):
            written.setdefault(key, part)
            relative[key] = relative.get(key, 0.0) + weight / largest
        distinct = {key: self.resolve(part) for key, part in written.items()}
        formula = Or(tuple(distinct[key].formula for key in keys), expression.weights)
        parts, frame = in_common_frame(distinct.values())
        if expression.weights is not None:
            return self._mix(parts, np.array(list(relative.values())), formula, frame)
        names = list(map(str, written.values()))
        if any(part.weights is None for part in parts):
            mix = self._mix(parts, self._weigher.masses(parts), formula, frame)
            notes = faint_operands(names, mix.shares)
            if self._weigher.by_frequency:
                notes += uncounted_operands(names, np.array([part.probability for part in parts]))
            return replace(mix, notes=notes)
        sets = [_members_of(part) for part in parts]
        members = frozenset().union(*sets)
        is_disjoint = sum(map(len, sets)) == len(members)
        shares = self._weigher.shares(sets, members)
        whole = replace(
            self._weigher.union(members),
            notes=faint_operands(names, shares),
            parts=parts,
            shares=tuple(shares.tolist()) if is_disjoint else None,
        )
        if frame is None:
            return replace(whole, formula=formula)
        return self._weigher.seen_within(whole, frame, formula)

    def _mix(
        self,
        parts: tuple[Node, ...],
        weights: Vector,
        formula: Expression,
        frame: Frame | None,
    ) -> Mix:
        """Return the weighted mean of operands; weights don't change the probability."""
        ids = None
        if all(part.ids is not None for part in parts):
            members = frozenset().union(*map(_members_of, parts))
            ids = np.array(sorted(members), dtype=np.int64)
        if len(parts) == 1:
            probability, is_bound = parts[0].probability, parts[0].is_bound
        elif ids is not None:
            probability, is_bound = self._weigher.probability(ids, frame), False
        else:
            probability, is_bound = _at_most_one(sum(part.probability for part in parts)), True
        return Mix(
            formula=formula,
            probability=probability,
            ids=ids,
            frame=frame,
            is_bound=is_bound,
            parts=parts,
            shares=weights / weights.sum(),
        )


def _negates(expression: Expression) -> bool:
    """Return True if a formula over members of a category excludes the words it names."""
    if isinstance(expression, Given):
        return _negates(expression.part)
    return isinstance(expression, Not) and not _negates(expression.part)


def _members_of(node: Node) -> frozenset[int]:
    """Return the words of a node that is a union of words."""
    assert node.ids is not None
    return frozenset(node.ids.tolist())


def _check_unweighted(part: Expression) -> None:
    if has_weights(part):
        raise AndornotError(f"weights are not allowed within NOT: {part}; remove the weights")


def _at_most_one(bound: float) -> float:
    """Cap a bound of a probability at 1; NaN stays NaN."""
    return float(np.minimum(1.0, bound))
