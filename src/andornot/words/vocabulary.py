"""Words and their numbers, both ways, with the counts that belong to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from os import PathLike
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from andornot.base.caching import cached_property
from andornot.base.errors import AndornotError, FileError, MissingCountsError, UnknownWordError
from andornot.words.counts import (
    Counts,
    CountsOrigin,
    CountsSource,
    find_counts,
    read_counts_file,
    write_counts_file,
)
from andornot.words.spelling import closest_spellings

Scalar = TypeVar("Scalar", bound=np.generic)


class Vocabulary:
    """The words of a space in their order; immutable.

    The words are kept as UTF-8 bytes with offsets, so that a vocabulary can be opened from a file
    without reading it; Python strings and the index are made on first use.

    >>> vocabulary = Vocabulary(["the", "king"])
    >>> vocabulary.index("king"), "queen" in vocabulary, len(vocabulary)
    (1, False, 2)
    """

    def __init__(self, words: Sequence[str], counts: Counts | None = None) -> None:
        self._set(*pack_words(words), counts)
        _ = self._index  # refuses words that stand twice

    @classmethod
    def from_utf8(
        cls,
        data: npt.NDArray[np.uint8],
        offsets: npt.NDArray[np.int64],
        counts: Counts | None = None,
        source: object = "the vocabulary",
    ) -> Vocabulary:
        """A vocabulary over UTF-8 bytes: word i is data[offsets[i]:offsets[i + 1]].

        Bytes and offsets are checked when they are first used, and an error names the `source`.

        >>> data = np.frombuffer(b"theking", dtype=np.uint8)
        >>> Vocabulary.from_utf8(data, np.array([0, 3, 7])).words
        ('the', 'king')
        """
        vocabulary = cls.__new__(cls)
        vocabulary._set(data, offsets, counts, source)
        return vocabulary

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Vocabulary:
        """The words and counts of a file with one of each on every line, in its order.

        word2vec's -save-vocab and GloVe's vocab.txt are such files.

        >>> Vocabulary.read("examples/royal.counts").words[:2]
        ('the', 'man')
        """
        pairs = list(read_counts_file(path))
        if not pairs:
            raise FileError(path, "there are no words in it", "write one on each line")
        values = np.array([count for _, count in pairs])
        counts = Counts(values, CountsOrigin.FILE, str(path)).check()
        try:
            return cls([word for word, _ in pairs], counts)
        except AndornotError as error:
            raise FileError(path, str(error), "keep one line for each word") from error

    def write(self, path: str | PathLike[str]) -> None:
        """Write the words and their counts to a file that `read` takes back.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Vocabulary.read("examples/royal.counts").write(f"{folder}/vocab.txt")
        ...     Vocabulary.read(f"{folder}/vocab.txt").words[:2]
        ('the', 'man')
        """
        if self.counts is None:
            raise MissingCountsError("writing a vocabulary")
        write_counts_file(self.words, self.counts.values, path)

    def _set(
        self,
        data: npt.NDArray[np.uint8],
        offsets: npt.NDArray[np.int64],
        counts: Counts | None,
        source: object = "the vocabulary",
    ) -> None:
        if counts is not None and len(counts) != len(offsets) - 1:
            raise AndornotError(
                f"{len(counts):,} counts for {len(offsets) - 1:,} words; give one for each word"
            )
        self._utf8 = _read_only(data)
        self._offsets = _read_only(offsets)
        self._counts = counts
        self._source = source

    @property
    def utf8(self) -> npt.NDArray[np.uint8]:
        """The bytes of all words, one after the other."""
        return self._utf8

    @cached_property
    def offsets(self) -> npt.NDArray[np.int64]:
        """Where each word begins in `utf8`, and where the last one ends."""
        offsets = self._offsets
        if offsets[0] != 0 or offsets[-1] != len(self._utf8) or (np.diff(offsets) < 0).any():
            raise AndornotError(f"{self._source}: the offsets of the words make no sense")
        return offsets

    @property
    def counts(self) -> Counts | None:
        """The counts and their origin, where there are any."""
        return self._counts

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self._index

    def __repr__(self) -> str:
        origin = "none" if self.counts is None else self.counts.origin
        return f"Vocabulary({len(self):,} words, counts: {origin})"

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words, in their order."""
        data = self.utf8.tobytes()
        bounds = self.offsets.tolist()
        try:
            return tuple(data[start:stop].decode("utf-8") for start, stop in pairwise(bounds))
        except UnicodeDecodeError as error:
            raise self._not_utf8() from error

    def word(self, index: int) -> str:
        """The word with this number, without making a string of every other one.

        >>> Vocabulary(["the", "king"]).word(1)
        'king'
        """
        if not 0 <= index < len(self):
            raise IndexError(f"there is no word number {index} among {len(self):,}")
        if "words" in self.__dict__:  # they are strings already: slices of a map take their time
            return self.words[index]
        start, stop = self.offsets[index], self.offsets[index + 1]
        try:
            return self.utf8[start:stop].tobytes().decode("utf-8")
        except UnicodeDecodeError as error:
            raise self._not_utf8() from error

    def _not_utf8(self) -> AndornotError:
        return AndornotError(f"{self._source}: a word in it is not UTF-8; make it again")

    @cached_property
    def _index(self) -> dict[str, int]:
        index = dict(zip(self.words, range(len(self)), strict=True))
        if len(index) != len(self):
            seen: set[str] = set()
            twice = next(word for word in self.words if word in seen or seen.add(word))  # type: ignore[func-returns-value]
            raise AndornotError(
                f"{twice!r} stands twice in the vocabulary; each word has one number"
            )
        return index

    def index(self, word: str) -> int:
        """The number of a word.

        >>> Vocabulary(["the", "king"]).index("kong")
        Traceback (most recent call last):
        ...
        andornot.base.errors.UnknownWordError: unknown word 'kong'; did you mean 'king'?
        """
        if not isinstance(word, str):
            raise TypeError(f"a word is a string, not {word!r}")
        try:
            return self._index[word]
        except KeyError:
            suggest = partial(closest_spellings, word, self.words)
            raise UnknownWordError(word, suggest) from None

    def spelling(self, word: str) -> str | None:
        """Return a word as the vocabulary spells it: as it is, else in lower case, else None.

        >>> vocabulary = Vocabulary(["paris", "May", "may"])
        >>> [vocabulary.spelling(word) for word in ("PARIS", "May", "Berlin")]
        ['paris', 'May', None]
        """
        if word in self:
            return word
        lower = word.lower()
        return lower if lower in self else None

    def with_counts(self, source: CountsSource | Counts) -> Vocabulary:
        """The same words with other counts; see `andornot.words.counts.find_counts`.

        >>> Vocabulary(["the", "king"]).with_counts({"the": 9, "king": 1}).counts.values.tolist()
        [9.0, 1.0]
        """
        counts = source if isinstance(source, Counts) else find_counts(self.words, source)
        return Vocabulary.from_utf8(self.utf8, self.offsets, counts.check(), self._source)

    def in_memory(self) -> Vocabulary:
        """The same words and counts, in memory and no longer in a mapped file."""
        counts = self.counts
        if counts is not None:
            counts = replace(counts, values=np.array(counts.values))
        return Vocabulary.from_utf8(
            np.array(self.utf8), np.array(self.offsets), counts, self._source
        )

    def take(self, ids: npt.NDArray[np.int64]) -> Vocabulary:
        """The vocabulary of these words alone, in this order.

        >>> Vocabulary(["the", "old", "king"]).take(np.array([2, 0])).words
        ('king', 'the')
        """
        lengths = np.diff(self.offsets)[ids]
        offsets = np.zeros(len(ids) + 1, dtype=np.int64)
        np.cumsum(lengths, out=offsets[1:])
        # Byte j of the result stands in word i, at the same place from the word's first byte.
        shift = np.repeat(self.offsets[ids] - offsets[:-1], lengths)
        data = self.utf8[shift + np.arange(offsets[-1])]
        counts = self.counts
        if counts is not None:
            counts = replace(counts, values=counts.values[ids])
        return Vocabulary.from_utf8(data, offsets, counts)


def pack_words(words: Sequence[str]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """The UTF-8 bytes of words, one after the other, and their offsets.

    >>> data, offsets = pack_words(["the", "king"])
    >>> data.tobytes(), offsets.tolist()
    (b'theking', [0, 3, 7])
    """
    encoded = [_encode(word) for word in words]
    offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(word) for word in encoded], out=offsets[1:])
    return np.frombuffer(b"".join(encoded), dtype=np.uint8), offsets


def _encode(word: str) -> bytes:
    try:
        return word.encode("utf-8")
    except UnicodeEncodeError as error:
        raise AndornotError(f"the word {word!r} is not valid Unicode text; mend it") from error


def _read_only(array: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    view = array.view()
    view.flags.writeable = False
    return view
