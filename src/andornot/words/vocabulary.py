"""The vocabulary: words, their indices and their counts."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from os import PathLike
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from andornot.base.caching import cached_property
from andornot.base.errors import (
    AndornotError,
    FileError,
    MissingCountsError,
    UnknownWordError,
    naming,
)
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
    """The words of a space, in order; immutable.

    The words are stored as UTF-8 bytes with offsets, so that a vocabulary can be opened without
    reading the whole file. Python strings and the index are built on first use.

    >>> vocabulary = Vocabulary(["the", "king"])
    >>> vocabulary.index("king"), "queen" in vocabulary, len(vocabulary)
    (1, False, 2)
    """

    def __init__(self, words: Sequence[str], counts: Counts | None = None) -> None:
        self._set(*pack_words(words), counts)
        _ = self._index  # raises an error for duplicate words

    @classmethod
    def from_utf8(
        cls,
        data: npt.NDArray[np.uint8],
        offsets: npt.NDArray[np.int64],
        counts: Counts | None = None,
        source: object = "the vocabulary",
    ) -> Vocabulary:
        """Return a vocabulary of UTF-8 bytes: word i is data[offsets[i]:offsets[i + 1]].

        Bytes and offsets are checked on first use; errors name the `source`.

        >>> data = np.frombuffer(b"theking", dtype=np.uint8)
        >>> Vocabulary.from_utf8(data, np.array([0, 3, 7])).words
        ('the', 'king')
        """
        vocabulary = cls.__new__(cls)
        vocabulary._set(data, offsets, counts, source)
        return vocabulary

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Vocabulary:
        """Read words and counts from a file with a word and its count on each line.

        word2vec's -save-vocab and GloVe's vocab.txt have this format.

        >>> Vocabulary.read("examples/royal.counts").words[:2]
        ('the', 'man')
        """
        pairs = list(read_counts_file(path))
        if not pairs:
            raise FileError(path, "the file has no words", "write a word and its count per line")
        values = np.array([count for _, count in pairs])
        with naming(path, "correct the file"):
            counts = Counts(values, CountsOrigin.FILE, str(path)).check()
        with naming(path, "keep one line per word"):
            return cls([word for word, _ in pairs], counts)

    def write(self, path: str | PathLike[str]) -> None:
        """Write the words and their counts to a file that `read` can read.

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
                f"{len(counts):,} counts for {len(offsets) - 1:,} words; give one count per word"
            )
        self._utf8 = _read_only(data)
        self._offsets = _read_only(offsets)
        self._counts = counts
        self._source = source

    @property
    def utf8(self) -> npt.NDArray[np.uint8]:
        """The concatenated bytes of all words."""
        return self._utf8

    @cached_property
    def offsets(self) -> npt.NDArray[np.int64]:
        """The offset of each word in `utf8`, and the end of the last word."""
        offsets = self._offsets
        if offsets[0] != 0 or offsets[-1] != len(self._utf8) or (np.diff(offsets) < 0).any():
            raise AndornotError(
                f"{self._source}: the word offsets are inconsistent; recreate the file"
            )
        return offsets

    @property
    def counts(self) -> Counts | None:
        """The counts and their origin, or None."""
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
        """All words, in order."""
        data, offsets = self.utf8.tobytes(), self.offsets
        try:
            text = data.decode("utf-8")  # at once: one call for each word takes longer
        except UnicodeDecodeError as error:
            raise self._not_utf8() from error
        if len(text) != len(data):  # some characters have several bytes
            begins = np.append((self.utf8 & 0xC0) != 0x80, True)
            if not begins[offsets].all():
                raise self._not_utf8()
            offsets = np.cumsum(begins)[offsets] - 1
        return tuple([text[start:stop] for start, stop in pairwise(offsets.tolist())])

    def word(self, index: int) -> str:
        """Return the word with this index, without decoding all others.

        >>> Vocabulary(["the", "king"]).word(1)
        'king'
        """
        if not 0 <= index < len(self):
            raise IndexError(f"the index must be from 0 to {len(self) - 1}, got {index}")
        if "words" in self.__dict__:  # decoded already; slicing a memory map is slower
            return self.words[index]
        start, stop = self.offsets[index], self.offsets[index + 1]
        try:
            return self.utf8[start:stop].tobytes().decode("utf-8")
        except UnicodeDecodeError as error:
            raise self._not_utf8() from error

    def _not_utf8(self) -> AndornotError:
        return AndornotError(f"{self._source}: a word is not UTF-8; recreate the file")

    @cached_property
    def _index(self) -> dict[str, int]:
        index = dict(zip(self.words, range(len(self)), strict=True))
        if len(index) != len(self):
            seen: set[str] = set()
            twice = next(word for word in self.words if word in seen or seen.add(word))  # type: ignore[func-returns-value]
            raise AndornotError(
                f"{self._source}: the word {twice!r} occurs twice; words must be unique"
            )
        return index

    def index(self, word: str) -> int:
        """Return the index of a word.

        >>> Vocabulary(["the", "king"]).index("kong")
        Traceback (most recent call last):
        ...
        andornot.base.errors.UnknownWordError: unknown word 'kong'; did you mean 'king'?
        """
        if not isinstance(word, str):
            raise TypeError(f"a word must be a string, got {word!r}")
        try:
            return self._index[word]
        except KeyError:
            suggest = partial(closest_spellings, word, self.words)
            raise UnknownWordError(word, suggest) from None

    def spelling(self, word: str) -> str | None:
        """Return the word as the vocabulary spells it, or None if it is unknown.

        The word is looked up as it is written, then in composed Unicode (NFC), then in lower case.
        Text from macOS or PDF is often decomposed: an accent is a character of its own.

        >>> vocabulary = Vocabulary(["paris", "May", "may"])
        >>> [vocabulary.spelling(word) for word in ("PARIS", "May", "Berlin")]
        ['paris', 'May', None]
        """
        if word in self:
            return word
        composed = unicodedata.normalize("NFC", word)
        forms = (composed, word.lower(), composed.lower())
        return next((form for form in forms if form in self), None)

    def with_counts(self, source: CountsSource | Counts) -> Vocabulary:
        """Return the same words with other counts; see `andornot.words.counts.find_counts`.

        >>> Vocabulary(["the", "king"]).with_counts({"the": 9, "king": 1}).counts.values.tolist()
        [9.0, 1.0]
        """
        counts = source if isinstance(source, Counts) else find_counts(self.words, source)
        return Vocabulary.from_utf8(self.utf8, self.offsets, counts.check(), self._source)

    def in_memory(self) -> Vocabulary:
        """Return a copy in memory, independent of a mapped file."""
        counts = self.counts
        if counts is not None:
            counts = replace(counts, values=np.array(counts.values))
        return Vocabulary.from_utf8(
            np.array(self.utf8), np.array(self.offsets), counts, self._source
        )

    def take(self, ids: npt.NDArray[np.int64]) -> Vocabulary:
        """Return the vocabulary of these word ids, in this order.

        Counts are left out if all these words count 0: such counts say nothing.

        >>> Vocabulary(["the", "old", "king"]).take(np.array([2, 0])).words
        ('king', 'the')
        """
        lengths = np.diff(self.offsets)[ids]
        offsets = np.zeros(len(ids) + 1, dtype=np.int64)
        np.cumsum(lengths, out=offsets[1:])
        # Byte j of the result belongs to word i, at the same distance from the word's first byte.
        shift = np.repeat(self.offsets[ids] - offsets[:-1], lengths)
        data = self.utf8[shift + np.arange(offsets[-1])]
        counts = self.counts
        if counts is not None:
            values = counts.values[ids]
            counts = replace(counts, values=values) if values.any() or not len(ids) else None
        return Vocabulary.from_utf8(data, offsets, counts)


def pack_words(words: Sequence[str]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Return the concatenated UTF-8 bytes of words, and their offsets.

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
        raise AndornotError(f"the word {word!r} is not valid Unicode text; correct it") from error


def _read_only(array: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    view = array.view()
    view.flags.writeable = False
    return view
