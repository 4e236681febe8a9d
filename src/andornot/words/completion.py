"""Words that begin with some letters, the most frequent first."""

from __future__ import annotations

import bisect

from andornot.words.vocabulary import Vocabulary


class Completion:
    """Completes words; those that come first in the vocabulary come first.

    >>> complete = Completion(Vocabulary(["the", "them", "king"]))
    >>> complete("th"), complete("th", most=1), complete("x")
    (['the', 'them'], ['the'], [])
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._words = vocabulary.words
        self._sorted = sorted(range(len(self._words)), key=lambda number: self._words[number])
        self._spellings = [self._words[number] for number in self._sorted]

    def __call__(self, beginning: str, most: int = 50) -> list[str]:
        """At most so many words that begin like this; none for an empty beginning."""
        if not beginning:
            return []
        first = bisect.bisect_left(self._spellings, beginning)
        last = bisect.bisect_left(self._spellings, beginning + "\U0010ffff")
        return [self._words[number] for number in sorted(self._sorted[first:last])[:most]]
