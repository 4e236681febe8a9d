"""Warnings about a query: negligible or dominant operands, unknown and converted words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from andornot.algebra.categories import Category
from andornot.algebra.expression import QuotedText, Term
from andornot.algebra.nodes import Away, Ids
from andornot.algebra.notation import quoted
from andornot.algebra.turning import Turn
from andornot.base.moments import Vector
from andornot.words.vocabulary import Vocabulary

_MOST_SHOWN = 6  # operands or words in a note
_LONGEST_TEXT = 60  # characters of a text in a note
_DOMINANT = 0.8  # share of a category's rest from which one word dominates it
_FAINT = 0.01  # share of an OR below which an operand is negligible


def faint_operands(names: Sequence[str], shares: Vector) -> tuple[str, ...]:
    """Return a note if operands of an OR have negligible weights, with a remedy."""
    weak = [name for name, share in zip(names, shares, strict=True) if share < _FAINT]
    if not weak:
        return ()
    named = " and ".join(weak[:_MOST_SHOWN])
    named += f" and {len(weak) - _MOST_SHOWN} more" * (len(weak) > _MOST_SHOWN)
    form = " | ".join(f"1*({name})" for name in names[:_MOST_SHOWN])
    form += " | ..." * (len(names) > _MOST_SHOWN)
    verb = "carries" if len(weak) == 1 else "carry"
    return (f"{named} {verb} under 1 % of the weight of |; to weigh alike: {form}",)


def words_of_category(category: Category) -> tuple[str, ...]:
    """Return notes on words of a category that are unknown or were read in another spelling."""
    respelled = read_as(category.respelled)
    if not category.missing:
        return respelled
    shown = _several(category.missing)
    return (*respelled, f"not in the space, and left out of {category.origin}: {shown}")


def words_as_read(terms: Iterable[Term | QuotedText]) -> tuple[str, ...]:
    """Return notes on converted words of a query, and on ignored words of its texts.

    >>> words_as_read([Term("paris", written="Paris"), QuotedText("red zzz", ("red",), ("zzz",))])
    ('Paris was read as paris', 'not in the space, and left out of "red zzz": zzz')
    """
    respelled: list[tuple[str, str]] = []
    left_out: dict[str, None] = {}
    for term in terms:
        if isinstance(term, Term) and term.written is not None:
            respelled.append((term.written, term.text))
        elif isinstance(term, QuotedText) and term.unknown:
            unknown = _several(term.unknown)
            left_out[f"not in the space, and left out of {_brief(term)}: {unknown}"] = None
    return (*read_as(respelled), *left_out)


def read_as(respelled: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return a note on words that were read in another spelling, such as in lower case.

    Args:
        respelled: Each word as written, and as converted.

    >>> read_as([("Paris", "paris")]), read_as([("Paris", "paris"), ("ROME", "rome")])
    (('Paris was read as paris',), ('read in lower case: Paris, ROME',))
    """
    pairs = list(dict.fromkeys(respelled))
    if len(pairs) > 1:
        is_lower = all(word == written.lower() for written, word in pairs)
        how = "in lower case" if is_lower else "in the vocabulary's spelling"
        return (f"read {how}: {_several([written for written, _ in pairs])}",)
    return tuple(f"{written} was read as {word}" for written, word in pairs)


def uncounted_operands(names: Sequence[str], masses: Vector) -> tuple[str, ...]:
    """Return a note if frequencies of OR operands are unknown, so that weights are equal."""
    unknown = [name for name, mass in zip(names, masses, strict=True) if math.isnan(mass)]
    if not unknown:
        return ()
    return (
        f"how often {_several(unknown)} is meant is not known, so the operands of | weigh alike; "
        "to choose: 0.7*... | 0.3*...",
    )


def words_weigh_alike(text: QuotedText) -> str:
    """Return a note that the words of a text have equal weights, without frequencies."""
    return f"this space has no frequencies: the words of {_brief(text)} weigh alike"


def _brief(text: QuotedText) -> str:
    r"""Return the beginning of a text, in quotation marks and in one line.

    >>> print(_brief(QuotedText("red\nzzz", ("red",))))
    "red zzz"
    """
    words = " ".join(text.text.split())
    shown = words if len(words) <= _LONGEST_TEXT else f"{words[:_LONGEST_TEXT].rstrip()}..."
    return quoted(shown) if shown.isprintable() else repr(shown)


def turned_away(node: Away, turn: Turn) -> str:
    """Describe the angle by which an AND was turned away from its negated operands."""
    wanted, unwanted = node.wanted.formula, [str(part.formula) for part in node.unwanted]
    cosines = [
        f"{before:.2f} to {after:.2f}"
        for before, after in zip(turn.before.tolist(), turn.after.tolist(), strict=True)
    ]
    if not turn.degrees:
        return f"{wanted} is not near {_several(unwanted)}, so {node.formula} is {wanted}"
    plural = "s" * (len(cosines) > 1)
    return (
        f"{wanted} was turned {turn.degrees:.0f} degrees away from {_several(unwanted)} "
        f"(cosine{plural} {_several(cosines)})"
    )


def _several(words: Sequence[str]) -> str:
    """Return the first words, and the number of others.

    >>> _several(["a", "b"]), _several(list("abcdefgh"))
    ('a, b', 'a, b, c, d, e, f and 2 more')
    """
    more = len(words) - _MOST_SHOWN
    return ", ".join(words[:_MOST_SHOWN]) + f" and {more} more" * (more > 0)


def dominant_word(vocabulary: Vocabulary, ids: Ids, weights: Vector) -> tuple[str, ...]:
    """Return a note if one word dominates the rest of a category."""
    shares = weights / weights.sum()
    if len(ids) == 1 or shares.max() < _DOMINANT:
        return ()
    word = vocabulary.word(int(ids[shares.argmax()]))
    return (
        f"{word} is {shares.max():.0%} of what is left of the category, by frequency; uniform "
        "weights count its words alike",
    )
