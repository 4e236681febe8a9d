"""Ranks of phrases for the sum of their words, and the gain by centring, with intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.moments import unit_rows
from andornot.base.progress import track
from andornot.experiments.centring import METHODS, centred
from andornot.experiments.intervals import Ids, Interval, interval
from andornot.experiments.ranks import ranks
from andornot.space import Space

Ranks = dict[str, npt.NDArray[np.int64]]
"""The rank of each phrase, by post-processing."""


def words_of(phrase: str) -> tuple[str, ...]:
    """Return the words of a phrase, and the phrase as a token.

    >>> words_of("card game")
    ('card', 'game', 'card_game')
    """
    return (*phrase.split(), phrase.replace(" ", "_"))


def is_known(phrase: str, space: Space) -> bool:
    """Return True if the space has a phrase and its words."""
    return all(word in space for word in words_of(phrase))


def operands_of(space: Space, phrases: Collection[str]) -> list[tuple[int, ...]]:
    """Return the ids of the words of each phrase."""
    index = space.vocabulary.index
    return [tuple(index(word) for word in phrase.split()) for phrase in phrases]


def phrase_ids(space: Space, phrases: Collection[str]) -> list[int]:
    """Return the id of the token of each phrase."""
    return [space.vocabulary.index(words_of(phrase)[-1]) for phrase in phrases]


def phrase_ranks(
    space: Space,
    phrases: Collection[str],
    methods: Collection[str] = METHODS,
    operands: bool = True,
) -> Ranks:
    """Return the rank of each phrase for the sum of its words.

    Args:
        space: The model.
        phrases: The phrases, all of which it knows.
        methods: The names of the post-processings.
        operands: Rank the words of the phrase as well.
    """
    parts, goals = operands_of(space, phrases), phrase_ids(space, phrases)
    found = {}
    for name in track(methods, "ranking phrases"):
        rows = centred(space, METHODS[name]).target
        queries = np.array([rows[list(each)].sum(axis=0) for each in parts])
        found[name] = ranks(unit_rows(rows), queries, goals, None if operands else parts)
    return found


class Gain(NamedTuple):
    """Top-n accuracy of two methods, and their comparison, with intervals over phrases.

    Attributes:
        before: Accuracy of the first method.
        after: Accuracy of the second method.
        difference: `after` - `before`.
        ratio: `after` / `before`; None if `before` is 0.
        odds: Odds ratio; None if an accuracy is 0 or 1.
    """

    before: float
    after: float
    difference: Interval
    ratio: Interval | None
    odds: Interval | None


def accuracy(found: npt.NDArray[np.int64], n: int) -> float:
    """Return the share of phrases with a rank of at most n.

    >>> accuracy(np.array([1, 5, 20]), 5)
    0.6666666666666666
    """
    return float(np.mean(found <= n))


def gain(found: Ranks, n: int, *, since: str = "orig", to: str = "freq") -> Gain:
    """Compare the top-n accuracy of two methods, phrase by phrase.

    >>> found = {"orig": np.array([1, 20, 30, 40]), "freq": np.array([1, 2, 30, 40])}
    >>> gain(found, 10).ratio.value, gain(found, 10).odds.value
    (2.0, 3.0)
    """
    before, after = found[since] <= n, found[to] <= n

    def of(compare: Callable[[float, float], float]) -> Interval | None:
        def statistic(ids: Ids) -> float:
            return compare(float(before[ids].mean()), float(after[ids].mean()))

        figure = interval(statistic, len(before))
        return figure if math.isfinite(figure.value) else None

    difference = of(lambda a, b: b - a)
    assert difference is not None
    return Gain(float(before.mean()), float(after.mean()), difference, of(_ratio), of(_odds_ratio))


def ratio_of_gains(first: Ranks, second: Ranks, n: int) -> Interval | None:
    """Return the gain of one model divided by that of another, on the same phrases.

    The gain is the ratio of the top-n accuracies of freq and orig. Return None if one is unknown.

    Args:
        first: The ranks by the model to divide by.
        second: The ranks of the same phrases by the other model.
        n: The n of the top-n accuracy.

    >>> first = {"orig": np.array([1, 20, 30, 40]), "freq": np.array([1, 2, 30, 40])}
    >>> second = {"orig": np.array([1, 20, 30, 40]), "freq": np.array([1, 2, 3, 4])}
    >>> ratio_of_gains(first, second, 10).value
    2.0
    """
    found = [each[name] <= n for each in (first, second) for name in ("orig", "freq")]

    def statistic(ids: Ids) -> float:
        before, after, other_before, other_after = (float(each[ids].mean()) for each in found)
        one = _ratio(before, after)
        return _ratio(other_before, other_after) / one if one else math.inf

    figure = interval(statistic, len(found[0]))
    return figure if math.isfinite(figure.value) else None


def _ratio(before: float, after: float) -> float:
    return after / before if before else math.inf


def _odds_ratio(before: float, after: float) -> float:
    if not 0 < before < 1 or not 0 < after < 1:
        return math.inf
    return after * (1 - before) / (before * (1 - after))
