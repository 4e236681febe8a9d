"""The result of a job: its tables, bars, numbers and intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy.typing as npt

from andornot.experiments.intervals import Interval, mean_interval
from andornot.experiments.report import Table

DRAWS, SEED = 5000, 0
ANY, NAIVE = "any of these", " (naive)"
"""Labels in tables: the choice among all methods, and the mark of today's common practice."""


class Bar(NamedTuple):
    """A target of a job: at least a bound, at most a bound, or an interval above 0.

    Attributes:
        what: The figure and the method.
        bound: The bar in words, such as "at least 0.36".
        found: The figure, with an interval if it is a mean.
        reached: True if the figure reaches the bar.
    """

    what: str
    bound: str
    found: Interval | float
    reached: bool


def at_least(what: str, bound: float, found: Interval | float) -> Bar:
    """Return a bar with a lower bound.

    >>> at_least("in the first 10", 0.36, 0.4).reached
    True
    """
    return Bar(what, f"at least {bound:g}", found, _value(found) >= bound)


def at_most(what: str, bound: float, found: Interval | float) -> Bar:
    """Return a bar with an upper bound.

    >>> at_most("median rank", 25, 31.0).reached
    False
    """
    return Bar(what, f"at most {bound:g}", found, _value(found) <= bound)


def above(what: str, difference: Interval, least: float = 0.0) -> Bar:
    """Return a bar with a lower bound for a difference, whose interval must be above 0.

    >>> above("ours - gensim", Interval(0.03, 0.01, 0.05), least=0.02).reached
    True
    """
    bound = f"at least {least:+g}, interval above 0" if least else "interval above 0"
    return Bar(what, bound, difference, difference.value >= least and difference.sign > 0)


@dataclass(frozen=True)
class JobResult:
    """The result of a job.

    Attributes:
        name: A word for it, such as "descriptions".
        title: A short description of the job.
        items: A description of the items: the number of known ones and the dataset.
        tables: The main table first, with the naive method, the paper's, ours and the best of the
            others.
        bars: The targets.
        shown: The main figure of some methods, for a drawing.
        shown_as: The title of the drawing.
        numbers: All other numbers, for JSON.
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
    """Return a mean over items with an interval of 5,000 draws and seed 0.

    For the difference between two methods, `values` are the differences item by item.

    >>> mean_of([0.2, 0.2, 0.2]).sign
    1
    """
    return mean_interval(values, clusters=clusters, draws=DRAWS, seed=SEED)


def _value(found: Interval | float) -> float:
    return found.value if isinstance(found, Interval) else found
