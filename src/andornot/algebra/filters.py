"""Filters on the words that an answer ranks: by pattern, length and frequency."""

from __future__ import annotations

import fnmatch
import re
from dataclasses import dataclass
from itertools import compress

import numpy as np
import numpy.typing as npt

from andornot.base import defaults
from andornot.base.arguments import shown
from andornot.base.choices import FrequencyFilter
from andornot.base.errors import MissingCountsError, UsageError
from andornot.base.moments import Vector
from andornot.space import Space

COMMON = 10_000  # the number of common words
RARE = 30_000  # words beyond this rank are rare
LONGEST_PATTERN = 100  # characters
_LENGTHS = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?")
Ids = npt.NDArray[np.int64]


@dataclass(frozen=True)
class WordFilter:
    """A filter of answers; a word must pass all given conditions.

    Attributes:
        pattern: The spelling of the whole word, where * matches any characters and ? matches one.
            Case is ignored.
        length: The number of characters, "N" or "N-M".
        frequency: "common" for the 10,000 most frequent words, "rare" for all but the 30,000 most
            frequent ones, "any" for all.

    >>> WordFilter(pattern="a[*", length="3").pattern
    'a[*'
    >>> WordFilter(length="5-3")
    Traceback (most recent call last):
    ...
    andornot.base.errors.UsageError: length must be N or N-M with 1 <= N <= M, got '5-3'
    """

    pattern: str | None = None
    length: str | None = None
    frequency: str = defaults.FREQUENCY

    def __post_init__(self) -> None:
        if self.pattern is not None and not (
            isinstance(self.pattern, str) and 1 <= len(self.pattern) <= LONGEST_PATTERN
        ):
            raise UsageError(
                f"pattern must be a text of 1 to {LONGEST_PATTERN} characters, such as 'a*', got "
                f"{shown(self.pattern)}"
            )
        if self.length is not None:
            _ = self.lengths
        if self.frequency not in tuple(FrequencyFilter):
            raise UsageError(
                f"unknown frequency {self.frequency!r}; choose one of {', '.join(FrequencyFilter)}"
            )

    @property
    def is_open(self) -> bool:
        """True if every word passes."""
        return self == WordFilter()

    @property
    def lengths(self) -> tuple[int, int]:
        """The minimum and the maximum length."""
        found = _LENGTHS.fullmatch(str(self.length))
        least, most = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
        if not 1 <= least <= most:
            raise UsageError(f"length must be N or N-M with 1 <= N <= M, got {self.length!r}")
        return least, most

    def __str__(self) -> str:
        parts = []
        if self.pattern is not None:
            parts.append(f"pattern {self.pattern!r}")
        if self.length is not None:
            parts.append(f"length {self.length}")
        if self.frequency == FrequencyFilter.COMMON:
            parts.append(f"frequency common (the {COMMON:,} most frequent words)")
        if self.frequency == FrequencyFilter.RARE:
            parts.append(f"frequency rare (beyond the {RARE:,} most frequent words)")
        return ", ".join(parts)

    def passed(self, space: Space, ids: Ids | None = None) -> Ids:
        """Return the ids of the words that pass, of the given words or of the whole vocabulary.

        Raises:
            MissingCountsError: If a frequency is required and the space has none.
        """
        ids = np.arange(len(space)) if ids is None else ids
        if self.frequency != FrequencyFilter.ANY:
            ids = ids[self._by_frequency(space)[ids]]
        if self.length is None and self.pattern is None:
            return ids
        words = space.words
        spelled = words if len(ids) == len(words) else [words[i] for i in ids.tolist()]
        if self.length is not None:
            least, most = self.lengths
            sizes = np.fromiter(map(len, spelled), dtype=np.int64, count=len(ids))
            fits = (least <= sizes) & (sizes <= most)
            ids, spelled = ids[fits], list(compress(spelled, fits.tolist()))
        if self.pattern is not None:
            matches = _regex(self.pattern).fullmatch
            ids = ids[np.fromiter((matches(word) is not None for word in spelled), bool, len(ids))]
        return ids

    def _by_frequency(self, space: Space) -> npt.NDArray[np.bool_]:
        """Return a mask of the words whose frequency passes."""
        if not space.has_frequencies:
            has_tokenizer = space.pieces is not None
            operation = f"the filter frequency {self.frequency}"
            raise MissingCountsError(operation, has_tokenizer=has_tokenizer)
        if self.frequency == FrequencyFilter.COMMON:
            return most_frequent(space.probability, COMMON)
        return ~most_frequent(space.probability, RARE)


def most_frequent(p: Vector, count: int) -> npt.NDArray[np.bool_]:
    """Return a mask of the most frequent words; of equal counts the first are chosen.

    >>> most_frequent(np.array([0.1, 0.3, 0.3, 0.3]), 2).tolist()
    [False, True, True, False]
    """
    if count >= len(p):
        return np.ones(len(p), dtype=bool)
    least = np.partition(p, len(p) - count)[len(p) - count]
    found = np.asarray(p > least)
    found[np.flatnonzero(p == least)[: count - int(found.sum())]] = True
    return found


def _regex(pattern: str) -> re.Pattern[str]:
    """Convert a pattern to a regular expression that runs in bounded time."""
    return re.compile(fnmatch.translate(pattern.replace("[", "[[]")), re.IGNORECASE)
