"""English stop words: words that carry little of the meaning of a text."""

from __future__ import annotations

_LISTED = """
a an the of to in on at by for from with without as and or but nor not no
is are was were be been being am do does did done has have had having
it its they them their there this that these those which who whom whose what when where why how
you your i we our he she his her him me my one ones someone something some any
can could will would may might shall should must if then than so such
very more most much many also into onto out up down over under about between through during
before after again once each every other another same own too just used usually often
"""
STOP_WORDS = frozenset(_LISTED.split())


def is_stop_word(word: str) -> bool:
    """Return True for a stop word or its genitive, ignoring case.

    >>> is_stop_word("The"), is_stop_word("someone's"), is_stop_word("star")
    (True, True, False)
    """
    return word.lower().removesuffix("'s") in STOP_WORDS
