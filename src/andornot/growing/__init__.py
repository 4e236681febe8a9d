"""Grow a word list from examples and counter-examples."""

from andornot.growing.grower import Grower
from andornot.growing.word_list import Proposal, WordList

__all__ = ["Grower", "Proposal", "WordList"]
