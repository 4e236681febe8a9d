"""What a job found: tables, whether its bars are reached, and numbers; and its intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy.typing as npt

from andornot.experiments.intervals import Interval, mean_interval
from andornot.experiments.report import Table

DRAWS, SEED = 5000, 0
ANY, NAIVE = "any of these", " (naive)"
"""How tables name the choice among all methods, and mark what people do today."""


class Bar(NamedTuple):
    """A figure that a job is to reach: at least a bound, or at most, or an interval above 0.

    Attributes:
        what: Which figure of which method.
        bound: The bar in words, such as "at least 0.36".
        found: The figure, with an interval where it is a mean.
        reached: Whether the figure reaches the bar.
    """

    what: str
    bound: str
    found: Interval | float
    reached: bool


def at_least(what: str, bound: float, found: Interval | float) -> Bar:
    """Return the bar that a figure is at least a bound.

    >>> at_least("in the first 10", 0.36, 0.4).reached
    True
    """
    return Bar(what, f"at least {bound:g}", found, _value(found) >= bound)


def at_most(what: str, bound: float, found: Interval | float) -> Bar:
    """Return the bar that a figure is at most a bound.

    >>> at_most("median rank", 25, 31.0).reached
    False
    """
    return Bar(what, f"at most {bound:g}", found, _value(found) <= bound)


def above(what: str, difference: Interval, least: float = 0.0) -> Bar:
    """Return the bar that a difference is at least so large, with an interval above 0.

    >>> above("ours - gensim", Interval(0.03, 0.01, 0.05), least=0.02).reached
    True
    """
    bound = f"at least {least:+g}, interval above 0" if least else "interval above 0"
    return Bar(what, bound, difference, difference.value >= least and difference.sign > 0)


@dataclass(frozen=True)
class JobResult:
    """What a job found.

    Attributes:
        name: A word for it, such as "descriptions".
        title: What the job is, in a few words.
        items: What was asked, in words: how many items of which dataset are known.
        tables: The first is the one that the job is about; it names the naive method, the paper's,
            ours and the best of the others.
        bars: What it is to reach.
        shown: The main figure of some methods, for a drawing.
        shown_as: The title of the drawing: what the figure is.
        numbers: Everything else, for JSON.
    """

    name: str
    title: str
    items: str
    tables: tuple[Table, ...]
    bars: tuple[Bar, ...] = ()
    shown: dict[str, Interval] = field(default_factory=dict)
    shown_as: str = ""
    numbers: dict[str, Any] = field(default_factory=dict)


def mean_of(values: npt.ArrayLike, clusters: Sequence[Any] | None = None) -> Interval:
    """Return a mean over items with the interval of the jobs: 5,000 draws, seed 0.

    For the difference of two methods, `values` are the differences item by item.

    >>> mean_of([0.2, 0.2, 0.2]).sign
    1
    """
    return mean_interval(values, clusters=clusters, draws=DRAWS, seed=SEED)


def _value(found: Interval | float) -> float:
    return found.value if isinstance(found, Interval) else found
