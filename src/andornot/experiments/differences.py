"""Differences between methods in words, by the sign of their intervals."""

from __future__ import annotations

from collections.abc import Mapping

from andornot.experiments.intervals import Interval

_COMPARED = {1: "above", -1: "below", 0: "not distinguishable from"}


def in_words(differences: Mapping[str, Interval], words: Mapping[int, str] = _COMPARED) -> str:
    """Describe the differences to several methods, grouped by their sign.

    Args:
        differences: The difference to each method.
        words: The words for intervals above 0 (1), below 0 (-1), and including 0 (0).

    >>> print(in_words({"a": Interval(0.2, 0.1, 0.3), "b": Interval(0.0, -0.1, 0.1)}))
    above a by 0.200 [0.100, 0.300]; not distinguishable from b (0.000 [-0.100, 0.100])
    """
    said = []
    for sign, word in words.items():
        group = {name: each for name, each in differences.items() if each.sign == sign}
        if not group:
            continue
        shown = [
            f"{name} by {_absolute(each)}" if sign else f"{name} ({each})"
            for name, each in group.items()
        ]
        said.append(f"{word} {', '.join(shown)}")
    return "; ".join(said)


def _absolute(difference: Interval) -> Interval:
    if difference.value >= 0:
        return difference
    return Interval(-difference.value, -difference.high, -difference.low)
