"""Complete the beginning of a word, the most frequent words first."""

from __future__ import annotations

import bisect

from andornot.words.vocabulary import Vocabulary


class Completion:
    """Completes words, in the order of the vocabulary.

    >>> complete = Completion(Vocabulary(["the", "them", "king"]))
    >>> complete("th"), complete("th", most=1), complete("x")
    (['the', 'them'], ['the'], [])
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._words = vocabulary.words
        self._sorted = sorted(range(len(self._words)), key=lambda index: self._words[index])
        self._spellings = [self._words[index] for index in self._sorted]

    def __call__(self, beginning: str, most: int = 50) -> list[str]:
        """Return at most `most` words that begin with `beginning`; none if it is empty."""
        if not beginning:
            return []
        first = bisect.bisect_left(self._spellings, beginning)
        last = bisect.bisect_left(self._spellings, beginning + "\U0010ffff")
        return [self._words[index] for index in sorted(self._sorted[first:last])[:most]]
