"""Warnings about a query that an answer carries: words that hardly count, or nearly alone."""

from __future__ import annotations

import math
from collections.abc import Sequence

from andornot.algebra.categories import Category
from andornot.algebra.expression import QuotedText
from andornot.algebra.nodes import Ids
from andornot.base.moments import Vector
from andornot.words.vocabulary import Vocabulary

_MOST_SHOWN = 6  # operands or words in a note
_DOMINANT = 0.8  # the share of a category's rest from which one word stands for all of it
_FAINT = 0.01  # the share of an OR below which an operand hardly counts


def faint_operands(names: Sequence[str], shares: Vector) -> tuple[str, ...]:
    """Return a note if operands of an OR hardly count, with the way to make them count."""
    weak = [name for name, share in zip(names, shares, strict=True) if share < _FAINT]
    if not weak:
        return ()
    named = " and ".join(weak[:_MOST_SHOWN])
    named += f" and {len(weak) - _MOST_SHOWN} more" * (len(weak) > _MOST_SHOWN)
    form = " | ".join(f"1*({name})" for name in names[:_MOST_SHOWN])
    form += " | ..." * (len(names) > _MOST_SHOWN)
    verb = "carries" if len(weak) == 1 else "carry"
    return (f"{named} {verb} under 1 % of the weight of |; to weigh alike: {form}",)


def uncounted_operands(names: Sequence[str], masses: Vector) -> tuple[str, ...]:
    """Return a note if operands of an OR have no known frequency, so that all weigh alike."""
    unknown = [name for name, mass in zip(names, masses, strict=True) if math.isnan(mass)]
    if not unknown:
        return ()
    return (
        f"how often {_several(unknown)} is meant is not known, so the operands of | weigh alike; "
        "to choose: 0.7*... | 0.3*...",
    )


def words_left_out(text: QuotedText) -> tuple[str, ...]:
    """Return a note if a text has words that the space doesn't know."""
    if not text.unknown:
        return ()
    return (f"not in the space, and left out of {text}: {_several(text.unknown)}",)


def words_weigh_alike(text: QuotedText) -> str:
    """Return a note that the words of a text have no frequencies to be weighed by."""
    return f"this space has no frequencies: the words of {text} weigh alike"


def _several(words: Sequence[str]) -> str:
    """Return the first words, and how many more there are.

    >>> _several(["a", "b"]), _several(list("abcdefgh"))
    ('a, b', 'a, b, c, d, e, f and 2 more')
    """
    more = len(words) - _MOST_SHOWN
    return ", ".join(words[:_MOST_SHOWN]) + f" and {more} more" * (more > 0)


def missing_words(category: Category) -> tuple[str, ...]:
    """Return a note if a named category has words that the space doesn't know."""
    if not category.missing:
        return ()
    return (f"not in the space, and left out of {category.origin}: {_several(category.missing)}",)


def dominant_word(vocabulary: Vocabulary, ids: Ids, weights: Vector) -> tuple[str, ...]:
    """Return a note if one word is nearly all that a NOT leaves of a category."""
    shares = weights / weights.sum()
    if len(ids) == 1 or shares.max() < _DOMINANT:
        return ()
    word = vocabulary.word(int(ids[shares.argmax()]))
    return (
        f"{word} is {shares.max():.0%} of what is left of the category, by frequency; uniform "
        "weights (--weights uniform) count its words alike",
    )
