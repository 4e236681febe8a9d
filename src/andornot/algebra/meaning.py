"""What an expression means: a row of numbers, a probability, and the category it is seen within."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from andornot.algebra.arithmetic import Arithmetic, Ids, Rows
from andornot.algebra.categories import Category
from andornot.algebra.expression import (
    And,
    Expression,
    Given,
    Members,
    Named,
    Not,
    Or,
    Word,
    canonical,
    every_part,
    words_of,
)
from andornot.caching import cached_property
from andornot.errors import AndornotError, MissingCountsError
from andornot.moments import Vector
from andornot.vocabulary import Vocabulary

_KEPT = 16  # values and origins that are remembered; in exact mode they are long
_MOST_SHOWN = 6  # operands or words in a note
_DOMINANT = 0.8  # a word with more of what NOT leaves speaks for all of it
_ONE = np.ones(1)
_ONE.flags.writeable = False
_FAINT = 0.01  # an operand of OR with less of the weight is as good as absent


class Deferred:
    """Numbers that are computed when they are first wanted, and kept unchanged."""

    def __init__(self, compute: Callable[[], Rows]) -> None:
        self._compute = compute

    @cached_property
    def numbers(self) -> Rows:
        """The numbers, which nobody may write to."""
        numbers = self._compute()
        numbers.flags.writeable = False
        return numbers


@dataclass(frozen=True, eq=False)
class Value:
    """A meaning. `members` are the words it is a union of, where it is one.

    In a frame, the row and the probability are conditional on the category; the probability is NaN
    in a space without frequencies. `is_bound` says that it is an upper bound: the parts may
    overlap. `shares` are the operands of an OR, each once, with the weights that they had;
    `is_weighted` says that somebody gave them.
    """

    deferred: Deferred
    probability: float
    frame: Category | None = None
    members: frozenset[int] | None = None
    is_bound: bool = False
    notes: tuple[str, ...] = ()
    shares: tuple[tuple[Expression, float], ...] = ()
    is_weighted: bool = False

    @property
    def row(self) -> Rows:
        """What the arithmetic computes with."""
        return self.deferred.numbers


class Meaning:
    """Finds the meaning of expressions, in one kind of arithmetic.

    `p` are the probabilities (NaN where nobody knows them), `weigh` says whether OR weighs by them,
    `find` gives the category of a set or a name, `propose` one for words that are negated without
    any.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        arithmetic: Arithmetic,
        p: Vector,
        weigh: bool,
        find: Callable[[Members | Named], Category],
        propose: Callable[[Sequence[str]], Category],
    ) -> None:
        self._vocabulary = vocabulary
        self._arithmetic = arithmetic
        self._p = p
        self._weigh = weigh
        self._find = find
        self._propose = propose
        self._origins: dict[Category, Deferred] = {}
        self._values: dict[Expression, Value] = {}

    def of(self, expression: Expression) -> Value:
        """The meaning of an expression; the latest are remembered.

        Several threads may ask: what one forgets, another still holds.
        """
        value = self._values.get(expression)
        if value is None:
            value = self._find_meaning(expression)
            if len(self._values) >= _KEPT:
                self._values.clear()
            self._values[expression] = value
        return value

    def _find_meaning(self, expression: Expression) -> Value:
        if isinstance(expression, Word):
            return self._word(self._vocabulary.index(expression.text))
        if isinstance(expression, And):
            return self._and(expression)
        if isinstance(expression, Or):
            return self._or(expression)
        if isinstance(expression, Given):
            return self._given(expression.part, self._find(expression.category))
        return self._not(expression.part)

    # --- unions and complements ------------------------------------------------------------

    def _word(self, number: int) -> Value:
        """A word alone, which needs no frequency: the union that comes most often."""
        row = Deferred(lambda: self._arithmetic.mix_words(np.array([number]), _ONE))
        return Value(row, float(self._p[number]), None, frozenset([number]))

    def _union(self, members: frozenset[int], frame: Category | None = None) -> Value:
        """The union of some words, as seen in a frame where there is one."""
        ids = np.array(sorted(members), dtype=np.int64)
        weights = self.weights_of(ids)
        mass = float(self._p[ids].sum())
        if frame is None:
            row = Deferred(lambda: self._arithmetic.mix_words(ids, weights))
            return Value(row, mass, None, members)
        if members == frozenset(frame.ids.tolist()):
            row = Deferred(lambda: np.zeros_like(self.origin(frame)))
            share = 1.0 if mass == mass else np.nan
        else:
            row = Deferred(lambda: self._arithmetic.mix_words(ids, weights) - self.origin(frame))
            share = mass / self.mass_of(frame)
        return Value(row, share, frame, members, notes=_missing(frame))

    def mass_of(self, frame: Category) -> float:
        """p(A), which is divided by."""
        mass = float(self._p[frame.ids].sum())
        if mass <= 0 and not self._weigh:
            return np.nan
        if mass <= 0:
            raise AndornotError(f"the words of {frame.brief} have the frequency 0; choose others")
        return mass

    def masses_of(self, ids: Ids) -> Vector:
        """The probabilities of words."""
        return self._p[ids]

    def origin(self, frame: Category) -> Rows:
        """v_A, the OR of a category: the origin of its frame."""
        origin = self._origins.get(frame)
        if origin is None:
            if len(self._origins) >= _KEPT:
                self._origins.clear()
            weights = self.weights_of(frame.ids)
            origin = Deferred(lambda: self._arithmetic.mix_words(frame.ids, weights))
            self._origins[frame] = origin
        return origin.numbers

    def weights_of(self, ids: Ids) -> Vector:
        """What OR weighs these words by; a word alone needs no frequency."""
        if len(ids) == 1:
            return _ONE
        weights = self._p[ids] if self._weigh else np.ones(len(ids))
        if np.isnan(weights).any():
            raise MissingCountsError("weighing by frequency")
        if not weights.sum() > 0:
            raise AndornotError(
                "these words have the frequency 0, and OR weighs by it; choose other words, or "
                "uniform weights (--weights uniform)"
            )
        return np.asarray(weights, dtype=np.float64)

    def _members(self, expression: Expression, frame: Category) -> frozenset[int] | None:
        """The members of a category that an expression is the union of, or None."""
        everything = frozenset(frame.ids.tolist())
        if isinstance(expression, Word):
            number = self._vocabulary.index(expression.text)
            return frozenset([number]) if number in everything else None
        if isinstance(expression, Or):
            sets = [self._members(part, frame) for part in expression.parts]
            known = [each for each in sets if each is not None]
            return frozenset().union(*known) if len(known) == len(sets) else None
        if isinstance(expression, Not):
            inside = self._members(expression.part, frame)
            return None if inside is None else everything - inside
        return None

    # --- given and NOT ---------------------------------------------------------------------

    def _given(self, part: Expression, frame: Category) -> Value:
        members = self._members(part, frame)
        negated = any(isinstance(each, Not) for each in every_part(part))
        if members is None and negated:
            raise AndornotError(self._no_members(part, frame))
        if members is not None and negated:
            _check_unweighted(part)
            return (
                self._rest(members, frame)
                if isinstance(part, Not) or not members
                else (self._union(members, frame))
            )
        value = self.of(part)
        if value.frame is not None:
            raise AndornotError("something is seen within one category, not within another too")
        if members is None:
            stranger = f"{part} is no union of members of {frame.brief}"
            return Value(
                Deferred(lambda: value.row - self.origin(frame)),
                _at_most_one(value.probability / self.mass_of(frame)),
                frame,
                is_bound=True,
                notes=(*value.notes, *_missing(frame), stranger),
            )
        seen = self._union(members, frame)
        if any(isinstance(each, Or) and each.weights for each in every_part(part)):
            row = Deferred(lambda: value.row - self.origin(frame))
            seen = replace(seen, deferred=row, is_weighted=True)
        return replace(seen, notes=_unique([*value.notes, *seen.notes]))

    def _no_members(self, part: Expression, frame: Category) -> str:
        inside = {self._vocabulary.word(int(number)) for number in frame.ids}
        strangers = [word for word in words_of(part) if word not in inside]
        if strangers:
            return f"NOT is within a category, and {strangers[0]!r} is not in {frame.brief}"
        return f"NOT takes a word, or words joined by |, within a category; {part} is neither"

    def _not(self, part: Expression) -> Value:
        if isinstance(part, Given):
            return self._given(Not(part.part), self._find(part.category))
        _check_unweighted(part)
        if not any(isinstance(each, And | Given) for each in every_part(part)):
            frame = self._propose(list(words_of(part)))
            value = self._given(Not(part), frame)
            note = f"no category was named (@ {{...}}); proposed: {frame} ({frame.origin})"
            return replace(value, notes=(*value.notes, note))
        value = self.of(part)
        if value.frame is None or value.members is None:
            raise AndornotError(
                f"NOT takes a word, or words joined by |, within one category; {part} is neither"
            )
        return self._rest(frozenset(value.frame.ids.tolist()) - value.members, value.frame)

    def _rest(self, members: frozenset[int], frame: Category) -> Value:
        """What a NOT leaves of a category; said where one word is nearly all of it."""
        if not members:
            raise AndornotError(
                f"nothing of {frame.brief} is left when all of it is negated; leave a word out"
            )
        value = self._union(members, frame)
        if len(members) == 1:
            return value
        ids = np.array(sorted(members), dtype=np.int64)
        shares = self.weights_of(ids)
        shares = shares / shares.sum()
        if shares.max() < _DOMINANT:
            return value
        word = self._vocabulary.word(int(ids[shares.argmax()]))
        note = (
            f"{word} is {shares.max():.0%} of what is left of the category, by frequency; uniform "
            "weights (--weights uniform) count its words alike"
        )
        return replace(value, notes=(*value.notes, note))

    # --- AND and OR ------------------------------------------------------------------------

    def to_global(self, value: Value) -> Value:
        """The same outside its frame: v_A is added, and the probability is that of both."""
        frame = value.frame
        if frame is None:
            return value
        row = Deferred(lambda: value.row + self.origin(frame))
        return replace(
            value, deferred=row, probability=value.probability * self.mass_of(frame), frame=None
        )

    def together(self, parts: Iterable[Expression]) -> tuple[list[Value], Category | None]:
        """The values of operands in their common frame, or all outside of any."""
        values = [self.of(part) for part in parts]
        frame = values[0].frame
        if all(value.frame == frame for value in values):
            return values, frame
        return [self.to_global(value) for value in values], None

    def _and(self, expression: And) -> Value:
        values, frame = self.together(expression.parts)
        return Value(
            Deferred(
                lambda: self._arithmetic.combine(
                    np.stack([value.row for value in values]), frame is not None
                )
            ),
            float(np.prod([value.probability for value in values])),
            frame,
            is_bound=any(value.is_bound for value in values),
            notes=_unique(note for value in values for note in value.notes),
        )

    def _or(self, expression: Or) -> Value:
        """The union of words, where all operands are such; else the mean of the operands."""
        weights = expression.weights
        relative = np.ones(len(expression.parts))
        if weights is not None:
            relative = np.array(weights) / max(weights)  # their sum could overflow
        kept: dict[str, tuple[Expression, float]] = {}
        for part, weight in zip(expression.parts, relative.tolist(), strict=True):
            key = canonical(part)
            kept[key] = (part, weight + (kept[key][1] if key in kept else 0.0))
        operands = [part for part, _ in kept.values()]
        values, frame = self.together(operands)
        sets = [value.members for value in values]
        united = None
        if all(each is not None for each in sets):
            united = self._union(frozenset().union(*filter(None, sets)), frame)
        if weights is not None:
            shares = np.array([weight for _, weight in kept.values()])
        elif united is not None and not any(value.is_weighted for value in values):
            # by the words of each; those that operands share count for both here, once in the row
            shares = np.array([self._weight_in(value.members, united.members) for value in values])
        elif self._weigh:
            shares = np.array([value.probability for value in values])
            if np.isnan(shares).any():
                raise MissingCountsError("weighing by frequency")
        else:
            shares = np.ones(len(values))
        if not shares.sum() > 0:
            raise AndornotError("the operands of | have the frequency 0; give them weights")
        shares = shares / shares.sum()
        notes = _unique(note for value in values for note in value.notes)
        if weights is None:
            notes += _faint(operands, shares)
        told = tuple((part, float(share)) for part, share in zip(operands, shares, strict=True))
        weighted = weights is not None or any(value.is_weighted for value in values)
        if united is not None and not weighted:
            return replace(united, notes=notes, shares=told)
        if len(values) == 1:
            return replace(values[0], notes=notes, shares=told)
        row = Deferred(
            lambda: self._arithmetic.mix(np.stack([value.row for value in values]), shares)
        )
        if united is not None:
            return replace(united, deferred=row, notes=notes, shares=told, is_weighted=True)
        total = _at_most_one(sum(value.probability for value in values))
        return Value(row, total, frame, None, True, notes, told)

    def _weight_in(self, part: frozenset[int] | None, whole: frozenset[int] | None) -> float:
        """What some words weigh among others."""
        assert part is not None
        assert whole is not None
        ids = sorted(whole)
        inside = [number in part for number in ids]
        return float(self.weights_of(np.array(ids, dtype=np.int64))[inside].sum())


def _check_unweighted(part: Expression) -> None:
    if any(isinstance(each, Or) and each.weights for each in every_part(part)):
        raise AndornotError(f"NOT leaves words out whole: {part} can't have weights")


def _at_most_one(bound: float) -> float:
    """A bound of a probability; NaN stays NaN."""
    return float(np.minimum(1.0, bound))


def _faint(operands: list[Expression], shares: Vector) -> tuple[str, ...]:
    """Say which operands hardly count, and how to make them count."""
    weak = [str(part) for part, share in zip(operands, shares, strict=True) if share < _FAINT]
    if not weak:
        return ()
    named = " and ".join(weak[:_MOST_SHOWN])
    named += f" and {len(weak) - _MOST_SHOWN} more" * (len(weak) > _MOST_SHOWN)
    form = " | ".join(f"1*({part})" for part in operands[:_MOST_SHOWN])
    form += " | ..." * (len(operands) > _MOST_SHOWN)
    verb = "carries" if len(weak) == 1 else "carry"
    return (f"{named} {verb} under 1 % of the weight of |; to weigh alike: {form}",)


def _missing(frame: Category) -> tuple[str, ...]:
    """Say which words of a category the space doesn't know."""
    if not frame.missing:
        return ()
    shown = ", ".join(frame.missing[:_MOST_SHOWN])
    more = f" and {len(frame.missing) - _MOST_SHOWN} more" * (len(frame.missing) > _MOST_SHOWN)
    return (f"not in the space, and left out of {frame.origin}: {shown}{more}",)


def _unique(notes: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(notes))
