"""Ranges of entries, in the order of rows and columns: each is the work of one task.

They are planned from the counts of the words, before any pair is counted, as if words met by
chance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]

ENTRIES_PER_RANGE = 8_000_000
"""About how many entries of fragments one task merges, unless the number of ranges is given."""

_HEAVY = 0.25  # of a range: a row from here on may be cut
_BINS_PER_OCTAVE = 4


class Ranges(NamedTuple):
    """The starts of all ranges but the first: a row and a column of it."""

    rows: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int64]

    @classmethod
    def whole(cls) -> Ranges:
        """Return the single range of all entries."""
        return cls(np.empty(0, np.int64), np.empty(0, np.int64))


def expected_entries(occurrences: Vector, window: float, tasks: int) -> Vector:
    """Return about how many entries the fragments of each row have, over all tasks.

    A task sees two words n times together by chance, and then has an entry with probability
    1 - exp(-n). Columns of about the same count are taken together.

    Args:
        occurrences: The count of each word in the text.
        window: The number of contexts of an occurrence.
        tasks: The number of tasks that count.
    """
    counts = np.maximum(occurrences, 1e-9)
    bins = np.round(np.log2(counts) * _BINS_PER_OCTAVE).astype(np.int64)
    kinds, members = np.unique(bins, return_counts=True)
    typical = 2.0 ** (kinds / _BINS_PER_OCTAVE)
    entries = np.zeros(len(counts))
    rate = window / (counts.sum() * tasks)
    for column_count, columns in zip(typical, members, strict=True):
        entries -= tasks * columns * np.expm1(-rate * column_count * counts)
    return entries


def plan_ranges(occurrences: Vector, window: float, tasks: int, size: int) -> Ranges:
    """Cut all entries into `size` ranges of about the same work.

    A row with much work is cut between two columns, any other at its beginning.

    >>> plan_ranges(np.array([8.0, 1, 1, 1, 1]), 4, 1, 2)
    Ranges(rows=array([1]), columns=array([3]))
    """
    entries = expected_entries(occurrences, window, tasks)
    until = np.cumsum(entries)
    step = until[-1] / size
    targets = step * np.arange(1, size)
    rows = np.minimum(np.searchsorted(until, targets, side="right"), len(entries) - 1)
    columns = np.zeros(len(rows), dtype=np.int64)
    rate = window / (occurrences.sum() * tasks)
    for i, (row, target) in enumerate(zip(rows.tolist(), targets.tolist(), strict=True)):
        if entries[row] > _HEAVY * step:
            inside = np.cumsum(-np.expm1(-rate * occurrences[row] * occurrences))
            share = (target - until[row]) / entries[row] + 1
            columns[i] = np.searchsorted(inside, share * inside[-1])
    return Ranges(rows.astype(np.int64), columns)
