"""Verdicts on claims that a figure rises, and on claims that two figures are the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from andornot.experiments.intervals import Interval
from andornot.experiments.report import Claim, Verdict

_TINY = 1e-12  # in place of a figure of 0
SUBSTANTIAL = 0.05
"""The share of a figure from which on a difference is substantial."""


def verdict_on_rise(change: Interval, *, reaches: bool) -> Verdict:
    """Judge a rise: in part if it is smaller than the paper's, not if the interval allows 0.

    Args:
        change: The change by centring, with its interval.
        reaches: True if the paper's rise is within the interval or below it.

    >>> verdict_on_rise(Interval(0.1, 0.05, 0.15), reaches=False).value
    'in part'
    """
    if change.sign <= 0:
        return Verdict.NOT
    return Verdict.REPRODUCED if reaches else Verdict.IN_PART


def verdict_on_same(gaps: Iterable[tuple[Interval, float]]) -> Verdict:
    """Judge that figures are the same: not if a difference is shown and substantial.

    In part if no such difference is shown, but an interval allows one.

    Args:
        gaps: Each difference with its interval, and the figure that it is a difference of.

    >>> some, none, wide = Interval(0.2, 0.1, 0.3), Interval(0, -0.01, 0.01), Interval(0, -1, 1)
    >>> [verdict_on_same([(none, 1), (gap, 1)]).value for gap in (none, some, wide)]
    ['reproduced', 'not reproduced', 'in part']
    """
    listed = [(gap, SUBSTANTIAL * abs(figure)) for gap, figure in gaps]
    if any(gap.sign and abs(gap.value) > margin for gap, margin in listed):
        return Verdict.NOT
    within = all(-margin <= gap.low and gap.high <= margin for gap, margin in listed)
    return Verdict.REPRODUCED if within else Verdict.IN_PART


def combined(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict on a claim about several models: in part if their verdicts differ.

    >>> print(combined([Verdict.NOT, Verdict.NOT]), combined([Verdict.NOT, Verdict.REPRODUCED]))
    not reproduced in part
    """
    return verdicts[0] if len(set(verdicts)) == 1 else Verdict.IN_PART


def largest_gap(gaps: Mapping[str, tuple[Interval, float]]) -> str:
    """Return the name of the largest difference, relative to the figure it is a difference of.

    >>> largest_gap({"a": (Interval(0.2, 0.1, 0.3), 1.0), "b": (Interval(-1.0, -2.0, 1.0), 9.0)})
    'a'
    """
    return max(gaps, key=lambda name: abs(gaps[name][0].value) / max(abs(gaps[name][1]), _TINY))


def untested(what: str) -> Claim:
    """Return the verdict on a claim about a model that is missing at this scale."""
    return Claim(what, Verdict.NOT_TESTED, cause="The model was not available in this run.")
