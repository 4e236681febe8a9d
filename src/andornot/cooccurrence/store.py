"""Cooccurrence: a sparse symmetric matrix of counts, with its vocabulary and its settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from andornot.base.errors import FileError
from andornot.base.folders import array_path, map_array, new_folder, read_record, recover
from andornot.base.outputs import check_output
from andornot.cooccurrence.checks import (
    check_rows,
    check_settings,
    check_starts,
    check_sums,
)
from andornot.cooccurrence.row_blocks import (
    BLOCK_PAIRS,
    BYTES_PER_PAIR,
    ArrayEntries,
    Columns,
    Entries,
    FileEntries,
    RowBlock,
    Values,
)
from andornot.words.stored_words import read_words
from andornot.words.vocabulary import Vocabulary

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

KIND = "andornot counts"
HELD_OUT = "held_out_"
"""The prefix of the arrays of held-out counts."""


class Sink(Protocol):
    """A place to append arrays to: a folder in the making, or memory."""

    def append(self, name: str, array: npt.NDArray[Any]) -> None:
        """Put `array` at the end of the array of this name."""


class Memory:
    """A sink that keeps its arrays in memory."""

    def __init__(self) -> None:
        self._pieces: dict[str, list[npt.NDArray[Any]]] = {}

    def append(self, name: str, array: npt.NDArray[Any]) -> None:
        """Put `array` at the end of the array of this name."""
        self._pieces.setdefault(name, []).append(array.copy())

    def take(self, name: str) -> npt.NDArray[Any]:
        """The whole array of this name, which is then forgotten here."""
        return np.concatenate(self._pieces.pop(name))


class Prefixed:
    """A sink that writes to another, with a prefix before each name."""

    def __init__(self, sink: Sink, prefix: str) -> None:
        self._sink = sink
        self._prefix = prefix

    def append(self, name: str, array: npt.NDArray[Any]) -> None:
        """Put `array` at the end of the array of this name."""
        self._sink.append(self._prefix + name, array)


@dataclass(frozen=True, eq=False)
class Cooccurrence:
    """Counts of words near each other, N(w, c), row by row.

    Row w has the entries row_starts[w] to row_starts[w + 1]: its columns, ascending, and their
    weighted counts. Entries may be in memory or on disk (`rows`). `marginal` holds the exact sums
    of the rows, N(w); the matrix is symmetric, so they are those of the columns too. `settings`
    says how it was counted. `held_out` are the counts of the blocks that were kept apart, over the
    same words. The counts of the words themselves, and so q, are those of the whole text in both.

    >>> from andornot.cooccurrence import count
    >>> from andornot.corpus import open_corpus
    >>> counts = count(open_corpus(["examples/nursery.txt"], tokenizer="words"), min_count=3)
    >>> len(counts.vocabulary), counts.pairs, counts.settings["weights"]
    (3, 8, 'linear')
    """

    vocabulary: Vocabulary
    row_starts: npt.NDArray[np.int64]
    entries: Entries
    marginal: npt.NDArray[np.float64]
    settings: dict[str, Any]
    held_out: Cooccurrence | None = None

    @property
    def columns(self) -> Columns:
        """The columns of all entries."""
        return self.entries.columns

    @property
    def values(self) -> Values:
        """The counts of all entries."""
        return self.entries.values

    @property
    def pairs(self) -> int:
        """The number of pairs of words that co-occur."""
        return len(self.entries)

    @property
    def in_memory(self) -> bool:
        """True if all entries are in memory, so that reading them costs nothing."""
        return self.entries.source is None

    @property
    def total(self) -> float:
        """The sum of all counts."""
        return float(self.marginal.sum())

    @property
    def probability(self) -> npt.NDArray[np.float64]:
        """p(w), the marginal of the counts."""
        probability: npt.NDArray[np.float64] = self.marginal / self.total
        return probability

    def matrix(self) -> csr_matrix:
        """The counts as a SciPy sparse matrix that shares their memory."""
        from scipy.sparse import csr_matrix

        size = len(self.vocabulary)
        return csr_matrix((self.values, self.columns, self.row_starts), shape=(size, size))

    def rows(self, first: int, last: int) -> RowBlock:
        """Return the rows from `first` to `last`, in memory.

        Raises:
            FileError: If they can't be read, or are not valid.
        """
        starts = self.row_starts[first : last + 1]
        entries = self.entries.read(int(starts[0]), int(starts[-1]))
        rows = RowBlock(first, starts - starts[0], *entries)
        source, words = self.entries.source, len(self.vocabulary)
        if source is not None:
            check_rows(source, rows, words)
            check_sums(source, rows, self.marginal, words)
        return rows

    def blocks(
        self, pairs: int = BLOCK_PAIRS, first: int = 0, last: int | None = None
    ) -> Iterator[RowBlock]:
        """Yield the rows from `first` to `last` in blocks of at most `pairs` entries.

        A longer row is a block of its own.

        >>> from andornot.cooccurrence import count
        >>> from andornot.corpus import open_corpus
        >>> counts = count(open_corpus(["examples/nursery.txt"], tokenizer="words"), min_count=3)
        >>> [len(rows.columns) for rows in counts.blocks(pairs=6)]
        [6, 2]
        """
        for start, stop in self.cuts(pairs, first, last):
            yield self.rows(start, stop)

    def cuts(
        self, pairs: int, first: int = 0, last: int | None = None
    ) -> Iterator[tuple[int, int]]:
        """Yield the first and the last row of each block, without reading it; see `blocks`."""
        last = len(self.vocabulary) if last is None else last
        while first < last:
            limit = int(self.row_starts[first]) + pairs
            stop = int(np.searchsorted(self.row_starts, limit, side="right")) - 1
            stop = min(max(stop, first + 1), last)
            yield first, stop
            first = stop

    def loaded(self, memory: int) -> Cooccurrence:
        """Return the same counts with all entries in memory if they fit into so many bytes."""
        parts = [self] if self.held_out is None else [self, self.held_out]
        if sum(part.pairs for part in parts) * BYTES_PER_PAIR > memory:
            return self
        held_out = None if self.held_out is None else self.held_out.loaded(memory)
        whole = self.rows(0, len(self.vocabulary))
        return replace(self, entries=ArrayEntries(whole.columns, whole.values), held_out=held_out)

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write the counts to a folder, which appears under its name when it is complete.

        Existing counts are replaced only with `force`.
        """
        path = check_output(path, force=force, kind=KIND)
        with new_folder(path, replace=force) as writer:
            for prefix, counts in (("", self), (HELD_OUT, self.held_out)):
                if counts is not None:
                    sink = Prefixed(writer, prefix)
                    for rows in counts.blocks():
                        sink.append("columns", rows.columns)
                        sink.append("values", rows.values)
                    write_rows(sink, counts.row_starts, counts.marginal)
            write_words(writer, self.vocabulary)
            writer.finish(KIND, {"settings": self.settings})


def write_rows(
    sink: Sink, row_starts: npt.NDArray[np.int64], marginal: npt.NDArray[np.float64]
) -> None:
    """Write where the rows begin, and their sums."""
    sink.append("row_starts", row_starts)
    sink.append("marginal", marginal)


def write_words(sink: Sink, vocabulary: Vocabulary) -> None:
    """Write the words and their counts."""
    assert vocabulary.counts is not None
    sink.append("words", vocabulary.utf8)
    sink.append("word_offsets", vocabulary.offsets)
    sink.append("word_counts", vocabulary.counts.values)


def load_folder(path: Path) -> Cooccurrence:
    """Open a folder of arrays of counts; finish an interrupted replacement of it first.

    Every number is read and checked once, block by block. The entries stay on disk.

    Raises:
        FileError: If the folder has no counts, or damaged ones.
    """
    recover(path)
    record = read_record(path)
    settings = check_settings(path, record.get("settings"))
    words = read_words(path, record, "word_counts")
    held_out = None
    if f"{HELD_OUT}columns" in record["arrays"]:
        apart = _load_part(path, record, HELD_OUT, words, settings, None)
        held_out = apart if apart.pairs else None
    counts = _load_part(path, record, "", words, settings, held_out)
    if not counts.pairs:
        raise FileError(path, "it has no pairs of words", "make the counts again")
    return counts


def _load_part(
    path: Path,
    record: dict[str, Any],
    prefix: str,
    words: Vocabulary,
    settings: dict[str, Any],
    held_out: Cooccurrence | None,
) -> Cooccurrence:
    """Open the arrays whose names begin with a prefix, and check all of their numbers."""
    row_starts = np.array(map_array(path, record, f"{prefix}row_starts", "<i8"))
    marginal = np.array(map_array(path, record, f"{prefix}marginal", "<f8"))
    entries = FileEntries(
        path,
        array_path(path, record, f"{prefix}columns", "<i4"),
        array_path(path, record, f"{prefix}values", "<f4"),
    )
    check_starts(path, row_starts, len(entries), len(words))
    counts = Cooccurrence(words, row_starts, entries, marginal, settings, held_out)
    for _ in counts.blocks():
        pass
    return counts
