"""Differences in words, by the sign of their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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


def by_sign(signs: Mapping[str, int], sentences: Mapping[int, str]) -> list[str]:
    """Return a sentence for each sign, with the names that have it in place of {}.

    Args:
        signs: The sign of each difference, by name.
        sentences: The sentences for 1, -1 and 0, in the order in which they are returned.

    >>> by_sign({"a": 1, "b": -1, "c": 1}, {1: "It rises for {}.", -1: "It falls for {}."})
    ['It rises for a and c.', 'It falls for b.']
    """
    found = []
    for sign, sentence in sentences.items():
        names = [name for name, each in signs.items() if each == sign]
        if names:
            found.append(sentence.format(joined(names)))
    return found


def joined(names: Sequence[str]) -> str:
    """Return names in a sentence; names with commas are separated by semicolons.

    >>> joined(["a", "b", "c"]), joined(["a, b", "c"])
    ('a, b and c', 'a, b; c')
    """
    if any("," in name for name in names):
        return "; ".join(names)
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _absolute(difference: Interval) -> Interval:
    if difference.value >= 0:
        return difference
    return Interval(-difference.value, -difference.high, -difference.low)
