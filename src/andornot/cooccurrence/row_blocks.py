"""The entries of a matrix of counts, in memory or on disk, and blocks of its rows."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from andornot.base.array_files import ArrayFile
from andornot.base.errors import FileError

BYTES_PER_PAIR = 8
"""Memory of an entry: its column and its value."""

BLOCK_PAIRS = 1 << 20
"""Entries of a block where no memory is given: 8 MB."""

Columns = npt.NDArray[np.int32]
Values = npt.NDArray[np.float32]


class RowBlock(NamedTuple):
    """A block of rows in memory: entries row_starts[i] to row_starts[i + 1] are of first + i."""

    first: int
    row_starts: npt.NDArray[np.int64]
    columns: Columns
    values: Values

    @property
    def last(self) -> int:
        """The row after the last one of the block."""
        return self.first + len(self.row_starts) - 1

    @property
    def row_ids(self) -> npt.NDArray[np.int32]:
        """The row of each entry.

        >>> starts, empty = np.array([0, 2, 3]), np.empty(0)
        >>> RowBlock(5, starts, empty, empty).row_ids.tolist()
        [5, 5, 6]
        """
        ids = np.arange(self.first, self.last, dtype=np.int32)
        return np.repeat(ids, np.diff(self.row_starts))


def pairs_within(memory: int, threads: int = 1) -> int:
    """Return the most entries of a block, where each thread reads one.

    The blocks take half of the memory; the other half is for what is computed from them.

    >>> pairs_within(32 << 20), pairs_within(32 << 20, threads=2)
    (2097152, 1048576)
    """
    return max(1, memory // (2 * BYTES_PER_PAIR * threads))


class Entries(Protocol):
    """The columns and values of all rows, one row after the other, wherever they are stored."""

    @property
    def source(self) -> str | PathLike[str] | None:
        """The path or address that errors name; None for arrays in memory, which aren't checked."""

    def __len__(self) -> int: ...

    def read(self, start: int, stop: int) -> tuple[Columns, Values]:
        """Return the columns and values from `start` to `stop`, contiguous and in memory.

        Several threads may call this at once.

        Raises:
            FileError: If they can't be read.
        """

    @property
    def columns(self) -> Columns:
        """All columns: for SciPy, and for small counts."""

    @property
    def values(self) -> Values:
        """All values: for SciPy, and for small counts."""


class ArrayEntries:
    """Entries in memory: a part of them is a view, not a copy."""

    source = None

    def __init__(self, columns: Columns, values: Values) -> None:
        self.columns = columns
        self.values = values

    def __len__(self) -> int:
        return len(self.columns)

    def read(self, start: int, stop: int) -> tuple[Columns, Values]:
        """Return the columns and values from `start` to `stop`."""
        return self.columns[start:stop], self.values[start:stop]


class FileEntries:
    """Entries in two files of a folder, one with the columns and one with the values."""

    def __init__(self, source: Path, columns: Path, values: Path) -> None:
        self.source = source
        self._columns = ArrayFile(columns, "<i4")
        self._values = ArrayFile(values, "<f4")
        if len(self._columns) != len(self._values):
            raise FileError(
                source,
                f"{len(self._values):,} values for {len(self._columns):,} columns",
                "it may be damaged: make the counts again",
            )

    def __len__(self) -> int:
        return len(self._columns)

    def read(self, start: int, stop: int) -> tuple[Columns, Values]:
        """Return the columns and values from `start` to `stop`, read from the files."""
        return self._columns.read(start, stop), self._values.read(start, stop)

    @property
    def columns(self) -> Columns:
        """All columns, mapped."""
        return self._columns.map()

    @property
    def values(self) -> Values:
        """All values, mapped."""
        return self._values.map()
