"""Verdicts on claims that centring raises a figure."""

from __future__ import annotations

from andornot.experiments.intervals import Interval
from andornot.experiments.report import Claim, Verdict


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


def untested(what: str) -> Claim:
    """Return the verdict on a claim about a model that is missing at this scale."""
    return Claim(what, Verdict.NOT_TESTED, cause="the model was not available in this run")
