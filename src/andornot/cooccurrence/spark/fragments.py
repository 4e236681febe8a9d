"""Fragments: the part of a row that one task has counted, packed into bytes for the shuffle.

A fragment is a sequence of pairs of numbers, the step to the next column and its sum, each written
in 7 bits of a byte at a time (LEB128). Most steps and sums take one byte. A long row is cut at some
columns, so that the row of "the" is not the work of a single task.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError
from andornot.base.kernels import kernel
from andornot.cooccurrence.runs import Rows
from andornot.cooccurrence.spark.ranges import Ranges
from andornot.cooccurrence.windows import emit_row

_LONGEST_ENTRY = 15  # bytes: 5 of a step, 10 of a sum


class Fragments(NamedTuple):
    """Some fragments: the range and the row of each, and its bytes from offsets[i] on."""

    ranges: npt.NDArray[np.int32]
    rows: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int32]
    data: npt.NDArray[np.uint8]


class Merged(NamedTuple):
    """Entries of merged rows, in order."""

    rows: npt.NDArray[np.int32]
    columns: npt.NDArray[np.int32]
    sums: npt.NDArray[np.int64]


def pack(rows: Rows, ranges: Ranges) -> Fragments:
    """Pack rows into fragments, cut where a range begins.

    >>> columns, sums = np.array([1, 300, 2], dtype=np.int32), np.array([5, 1, 200])
    >>> rows = Rows(0, 2, np.array([2, 1]), columns, sums)
    >>> packed = pack(rows, Ranges(np.array([0]), np.array([300])))
    >>> packed.ranges.tolist(), packed.rows.tolist(), packed.offsets.tolist()
    ([0, 1, 1], [0, 0, 1], [0, 2, 5, 8])
    >>> packed.data.tolist()
    [1, 5, 172, 2, 1, 2, 200, 1]
    """
    most = int(np.count_nonzero(rows.lengths)) + len(ranges.rows)
    out_ranges, out_rows = np.empty(most, np.int32), np.empty(most, np.int32)
    offsets = np.zeros(most + 1, np.int32)
    data = np.empty(_LONGEST_ENTRY * len(rows.columns), np.uint8)
    size = _pack(rows.first, *rows[2:], *ranges, out_ranges, out_rows, offsets, data)
    used = data[: offsets[size]]
    return Fragments(out_ranges[:size], out_rows[:size], offsets[: size + 1], used)


@kernel
def _write_number(number: int, data: npt.NDArray[np.uint8], at: int) -> int:
    """Write a number at data[at]; return where it ends."""
    while number >= 0x80:
        data[at] = (number & 0x7F) | 0x80
        number >>= 7
        at += 1
    data[at] = number
    return at + 1


@kernel
def _pack(
    first: int,
    lengths: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int32],
    sums: npt.NDArray[np.int64],
    cut_rows: npt.NDArray[np.int64],
    cut_columns: npt.NDArray[np.int64],
    ranges: npt.NDArray[np.int32],
    rows: npt.NDArray[np.int32],
    offsets: npt.NDArray[np.int32],
    data: npt.NDArray[np.uint8],
) -> int:
    """Write the fragments of some rows; return how many there are."""
    size = 0
    written = 0
    entry = 0
    cut = 0
    for i in range(len(lengths)):
        row = first + i
        before = 0
        for j in range(lengths[i]):
            column = columns[entry]
            is_new = j == 0
            while cut < len(cut_rows) and (
                cut_rows[cut] < row or (cut_rows[cut] == row and cut_columns[cut] <= column)
            ):
                cut += 1
                is_new = True
            if is_new:
                ranges[size] = cut
                rows[size] = row
                size += 1
                before = 0
            written = _write_number(column - before, data, written)
            written = _write_number(sums[entry], data, written)
            offsets[size] = written
            before = column
            entry += 1
    return size


class RowMerger:
    """Adds up fragments that come in the order of their rows.

    Its memory is that of one row, however many fragments a row has.

    >>> rows = Rows(0, 2, np.array([2, 1]), np.array([1, 5, 2], np.int32), np.array([5, 1, 9]))
    >>> packed = pack(rows, Ranges.whole())
    >>> merger = RowMerger(6)
    >>> [array.tolist() for array in merger.add(*packed[1:])]
    [[0, 0], [1, 5], [5, 1]]
    >>> [array.tolist() for array in merger.finish()]
    [[1], [2], [9]]
    """

    def __init__(self, words: int) -> None:
        self._sums = np.zeros(words, np.int64)
        self._touched = np.empty(words, np.int32)
        self._row, self._count = -1, 0

    def add(
        self,
        rows: npt.NDArray[np.int32],
        offsets: npt.NDArray[np.int32],
        data: npt.NDArray[np.uint8],
    ) -> Merged:
        """Add fragments, and return the rows that are complete: all but the last one."""
        data = data[offsets[0] : offsets[-1]]
        most = self._count + len(data) // 2
        out = (np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most, np.int64))
        self._row, self._count, written = _merge(
            rows, offsets, data, self._row, self._count, self._sums, self._touched, *out
        )
        if written < 0:
            raise AndornotError(f"a fragment of row {self._row:,} is damaged; run the count again")
        return Merged(out[0][:written], out[1][:written], out[2][:written])

    def finish(self) -> Merged:
        """Return the last row."""
        other = np.array([-1], np.int32)
        return self.add(other, np.zeros(2, np.int32), np.empty(0, np.uint8))


@kernel
def _read_number(data: npt.NDArray[np.uint8], at: int) -> tuple[np.int64, int]:
    """Return the number at data[at], and where it ends."""
    number = np.int64(0)
    shift = 0
    while True:
        byte = np.int64(data[at])
        at += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80 or at >= len(data):
            return number, at


@kernel
def _merge(
    rows: npt.NDArray[np.int32],
    offsets: npt.NDArray[np.int32],
    data: npt.NDArray[np.uint8],
    current: int,
    count: int,
    sums: npt.NDArray[np.int64],
    touched: npt.NDArray[np.int32],
    out_rows: npt.NDArray[np.int32],
    out_columns: npt.NDArray[np.int32],
    out_sums: npt.NDArray[np.int64],
) -> tuple[int, int, int]:
    """Add fragments to the current row; return the last row, its columns, and what was written.

    -1 is written where a fragment has a column beyond the vocabulary.
    """
    written = 0
    for i in range(len(rows)):
        if rows[i] != current:
            start = written
            written = emit_row(sums, touched, count, out_columns, out_sums, written)
            out_rows[start:written] = current
            current = rows[i]
            count = 0
        at = offsets[i] - offsets[0]
        end = offsets[i + 1] - offsets[0]
        column = np.int64(0)
        while at < end:
            step, at = _read_number(data, at)
            units, at = _read_number(data, at)
            column += step
            if not 0 <= column < len(sums) or units <= 0 or at > end:
                return current, count, -1
            if sums[column] == 0:
                touched[count] = column
                count += 1
            sums[column] += units
    return current, count, written
