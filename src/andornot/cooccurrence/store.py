"""Cooccurrence: a sparse symmetric matrix of counts, with its vocabulary and its settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from andornot.base.errors import FileError
from andornot.base.folders import map_array, new_folder, read_record, recover
from andornot.base.outputs import check_output
from andornot.cooccurrence.checks import check_marginal, check_rows, check_settings
from andornot.words.stored_words import read_words
from andornot.words.vocabulary import Vocabulary

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

KIND = "andornot counts"
HELD_OUT = "held_out_"
"""The prefix of the arrays of held-out counts."""


class Sink(Protocol):
    """Where arrays are appended to: a folder in the making, or memory."""

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
    """How often words stand near each other: N(w, c), row by row.

    Row w has the columns columns[row_starts[w]:row_starts[w + 1]], ascending, and the weighted
    counts `values` beside them. `marginal` holds the exact sums of the rows, N(w); the matrix is
    symmetric, so they are those of the columns too. `settings` says how it was counted.
    `held_out` are the counts of the blocks that were kept apart, over the same words. The counts of
    the words themselves, and so q, are those of the whole text in both.

    >>> from andornot.cooccurrence import count
    >>> from andornot.corpus import open_corpus
    >>> counts = count(open_corpus(["examples/nursery.txt"], tokenizer="words"), min_count=3)
    >>> len(counts.vocabulary), counts.pairs, counts.settings["weights"]
    (3, 8, 'linear')
    """

    vocabulary: Vocabulary
    row_starts: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int32]
    values: npt.NDArray[np.float32]
    marginal: npt.NDArray[np.float64]
    settings: dict[str, Any]
    held_out: Cooccurrence | None = None

    @property
    def pairs(self) -> int:
        """How many pairs of words co-occur."""
        return len(self.columns)

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

    def blocks(self, pairs: int = 1 << 22) -> Iterator[tuple[int, int, slice]]:
        """The rows in blocks of about this many pairs: first row, last row, their entries."""
        first = 0
        while first < len(self.vocabulary):
            limit = int(self.row_starts[first]) + pairs
            last = int(np.searchsorted(self.row_starts, limit, side="right")) - 1
            last = min(max(last, first + 1), len(self.vocabulary))
            yield first, last, slice(int(self.row_starts[first]), int(self.row_starts[last]))
            first = last

    def rows_of(self, first: int, last: int) -> npt.NDArray[np.int32]:
        """The row of each entry of the rows from `first` to `last`."""
        lengths = np.diff(self.row_starts[first : last + 1])
        return np.repeat(np.arange(first, last, dtype=np.int32), lengths)

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write the counts to a folder, which appears under its name when it is complete.

        Counts that stand there already are replaced only by `force`.
        """
        path = check_output(path, force=force, kind=KIND)
        with new_folder(path, replace=force) as writer:
            for prefix, counts in (("", self), (HELD_OUT, self.held_out)):
                if counts is not None:
                    sink = Prefixed(writer, prefix)
                    sink.append("columns", counts.columns)
                    sink.append("values", counts.values)
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


def load_counts(path: str | PathLike[str]) -> Cooccurrence:
    """Map counts from their folder; a replacement that was interrupted is finished first.

    Every number is read once, so that no kernel indexes memory by one that is out of range.

    Raises:
        FileError: If the folder has no counts, or damaged ones.
    """
    path = Path(path)
    recover(path)
    record = read_record(path)
    if record.get("kind") != KIND:
        raise FileError(path, "these are no co-occurrence counts", "make them: `andornot count`")
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
    """Map the arrays whose names begin with a prefix."""
    row_starts = map_array(path, record, f"{prefix}row_starts", "<i8")
    columns = map_array(path, record, f"{prefix}columns", "<i4")
    values = map_array(path, record, f"{prefix}values", "<f4")
    marginal = map_array(path, record, f"{prefix}marginal", "<f8")
    check_rows(path, row_starts, columns, values, len(words))
    check_marginal(path, marginal, row_starts, values)
    return Cooccurrence(words, row_starts, columns, values, marginal, settings, held_out)
