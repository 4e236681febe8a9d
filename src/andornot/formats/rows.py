"""Arrays that grow while a file is read, so that a claimed size never allocates memory."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotWarning
from andornot.base.remedies import option
from andornot.formats.text_kernels import gather_words
from andornot.words.vocabulary import Vocabulary
from andornot.words.word_hashes import may_repeat


def use_replace() -> str:
    """Return the remedy for words that are not UTF-8.

    >>> use_replace()
    "convert the file to UTF-8, or load it with undecodable='replace'"
    """
    return f"convert the file to UTF-8, or load it with {option('undecodable', 'replace')}"


class GrowingRows:
    """A float32 matrix that is extended in place, so that its peak is its final size.

    >>> rows = GrowingRows(2)
    >>> rows.extend(1)[:] = 7
    >>> rows.finish().tolist()
    [[7.0, 7.0]]
    """

    def __init__(self, dim: int) -> None:
        self._array = np.empty((0, dim), dtype=np.float32)

    def __len__(self) -> int:
        return len(self._array)

    def extend(self, count: int) -> npt.NDArray[np.float32]:
        """Add `count` rows and return them for filling; valid until the next call."""
        size = len(self._array)
        # refcheck is off because earlier views are invalid by contract; large arrays aren't copied
        self._array.resize((size + count, self.dim), refcheck=False)
        return self._array[size:]

    @property
    def dim(self) -> int:
        """The number of values in a row."""
        return self._array.shape[1]

    def shrink(self, count: int) -> None:
        """Keep only the first `count` rows."""
        self._array.resize((count, self.dim), refcheck=False)

    def keep(self, ids: npt.NDArray[np.int64]) -> None:
        """Keep only these rows; `ids` must ascend, so that each row moves towards the front."""
        step = 4096
        for start in range(0, len(ids), step):
            self._array[start : start + step][: len(ids) - start] = self._array[
                ids[start : start + step]
            ]
        self.shrink(len(ids))

    def finish(self) -> npt.NDArray[np.float32]:
        """The whole matrix."""
        return self._array


class GrowingWords:
    """Collects the UTF-8 bytes of words from the buffers in which they were read."""

    def __init__(self) -> None:
        self._pieces: list[npt.NDArray[np.uint8]] = []
        self._lengths: list[npt.NDArray[np.int64]] = []

    def extend(
        self,
        buffer: npt.NDArray[np.uint8],
        starts: npt.NDArray[np.int64],
        ends: npt.NDArray[np.int64],
    ) -> int:
        """Add the words buffer[starts[i]:ends[i]]; return the first that is not UTF-8, or -1."""
        lengths = ends - starts
        out = np.empty(int(lengths.sum()), dtype=np.uint8)
        gather_words(buffer, starts, ends, out)
        broken = _first_broken(out, lengths)
        if broken < 0:
            self._pieces.append(out)
            self._lengths.append(lengths)
        return broken

    def extend_replacing(self, words: Sequence[bytes]) -> None:
        """Add words, replacing invalid bytes by the replacement character, U+FFFD."""
        whole = [word.decode("utf-8", "replace").encode() for word in words]
        self._pieces.append(np.frombuffer(b"".join(whole), dtype=np.uint8))
        self._lengths.append(np.array([len(word) for word in whole], dtype=np.int64))

    def finish(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """Return all bytes, and the offsets of the words."""
        lengths = np.concatenate([np.empty(0, dtype=np.int64), *self._lengths])
        offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
        np.cumsum(lengths, out=offsets[1:])
        return np.concatenate([np.empty(0, dtype=np.uint8), *self._pieces]), offsets


def _first_broken(utf8: npt.NDArray[np.uint8], lengths: npt.NDArray[np.int64]) -> int:
    """Return the first word that is not UTF-8, or -1.

    The bytes are valid if they decode as a whole and no word begins inside a character.
    """
    begins = np.cumsum(lengths) - lengths
    inside = (utf8[begins[lengths > 0]] & 0xC0) == 0x80
    try:
        utf8.tobytes().decode("utf-8")
    except UnicodeDecodeError as error:
        return int(np.searchsorted(begins, error.start, side="right")) - 1
    if inside.any():  # two broken words that form a character together
        return int(np.flatnonzero(inside)[0]) - 1
    return -1


def drop_repeated(
    path: object, words: GrowingWords, rows: GrowingRows
) -> tuple[Vocabulary, str | None]:
    """Return the vocabulary without duplicates, and a note about the dropped words, or None.

    The first of equal words is kept. The rows of dropped words are removed.
    """
    utf8, offsets = words.finish()
    vocabulary = Vocabulary.from_utf8(utf8, offsets)
    if not may_repeat(utf8, offsets):
        return vocabulary, None
    first: dict[str, int] = {}
    for i, word in enumerate(vocabulary.words):
        first.setdefault(word, i)
    dropped = len(vocabulary) - len(first)
    if not dropped:  # different words with the same hash
        return vocabulary, None
    kept = np.fromiter(first.values(), dtype=np.int64, count=len(first))
    rows.keep(kept)
    return vocabulary.take(kept), report_repeated(path, dropped)


def report_repeated(path: object, dropped: int) -> str:
    """Warn about duplicate words, and return the note for the provenance."""
    note = f"{dropped:,} repeated words were dropped; the first vector of each was kept"
    warnings.warn(f"{path}: {note}", AndornotWarning, stacklevel=5)
    return note
