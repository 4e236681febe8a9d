"""Checks of counts that come from a file, before a kernel indexes memory by them.

Kernels don't check bounds: a column beyond the vocabulary, or a row that ends before it begins,
would read or write memory that is not theirs.
"""

from __future__ import annotations

import math
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.choices import LINE_WINDOW
from andornot.base.errors import FileError
from andornot.base.kernels import kernel
from andornot.cooccurrence.row_blocks import RowBlock

Source = str | PathLike[str]

_REMEDY = "it may be damaged: make the counts again"
_ROUNDING = 1e-5  # the sums are those of the values before they were rounded to float32
_NEEDED: dict[str, tuple[type, ...]] = {
    "window": (int, str),
    "weights": (str,),
    "sample": (float, int, type(None)),
    "corpus": (list,),
    "corpus_key": (str,),
    "tokens": (int,),
}


def check_starts(source: Source, row_starts: npt.NDArray[np.int64], pairs: int, words: int) -> None:
    """Check where rows begin, against the number of their entries and of words.

    A row has at most as many entries as there are words, so that reading it takes no more memory.

    Args:
        source: What an error names.
        row_starts: Where each row begins, and where the last one ends.
        pairs: The number of entries of all rows.
        words: The number of words, which is that of rows.

    Raises:
        FileError: If they don't fit each other.
    """
    if len(row_starts) != words + 1:
        raise FileError(source, f"{len(row_starts) - 1:,} rows for {words:,} words", _REMEDY)
    lengths = np.diff(row_starts)
    if row_starts[0] != 0 or row_starts[-1] != pairs or (lengths < 0).any():
        raise FileError(source, f"its rows don't fit its {pairs:,} columns", _REMEDY)
    if (lengths > words).any():
        row = int(np.argmax(lengths > words))
        problem = f"row {row + 1:,} has {lengths[row]:,} columns, more than the {words:,} words"
        raise FileError(source, problem, _REMEDY)


def check_rows(source: Source, rows: RowBlock, words: int) -> None:
    """Check the columns and the values of a block of rows whose starts were checked.

    Columns must rise within a row and be below `words`; values must be finite and above 0.

    Raises:
        FileError: If a kernel that takes these rows could read or write outside its arrays.
    """
    _, row_starts, columns, values = rows
    if not len(columns) == len(values) == row_starts[-1]:
        raise FileError(source, f"{len(values):,} values for {len(columns):,} columns", _REMEDY)
    row = _first_wrong_row(row_starts, columns, values, words)
    if row >= 0:
        raise FileError(
            source,
            f"row {rows.first + row + 1:,} has a column that is not one of its {words:,} words, "
            "that occurs twice, or whose count is not a number above 0",
            _REMEDY,
        )


def check_sums(
    source: Source, rows: RowBlock, marginal: npt.NDArray[np.float64], words: int
) -> None:
    """Check that `marginal` has one number for each word, and the sums of a checked block of rows.

    Raises:
        FileError: If it has not.
    """
    if len(marginal) != words:
        raise FileError(source, f"{len(marginal):,} sums for {words:,} rows", _REMEDY)
    sums = marginal[rows.first : rows.last]
    row = _first_wrong_sum(rows.row_starts, rows.values, sums)
    if row >= 0:
        number = rows.first + row + 1
        raise FileError(source, f"the sum of row {number:,} is not {sums[row]:g}", _REMEDY)


def check_settings(source: Source, settings: object) -> dict[str, Any]:
    """Return the settings of counts, after a check that they say how the text was counted.

    Raises:
        FileError: If they don't.
    """
    if not isinstance(settings, dict):
        raise FileError(source, "its record has no settings", _REMEDY)
    for name, kinds in _NEEDED.items():
        if name not in settings or not isinstance(settings[name], kinds):
            raise FileError(source, f"its record has no valid {name}", _REMEDY)
    window, sample, held_out = settings["window"], settings["sample"], settings.get("held_out")
    for name, is_valid in {
        "window": window == LINE_WINDOW if isinstance(window, str) else window > 0,
        "sample": sample is None or 0 <= sample < math.inf,
        "corpus": all(isinstance(each, str) for each in settings["corpus"]),
        "tokens": settings["tokens"] >= 0,
        "held_out": held_out is None or (isinstance(held_out, int) and held_out >= 0),
    }.items():
        if not is_valid:
            raise FileError(source, f"its record has no valid {name}", _REMEDY)
    return settings


@kernel
def _first_wrong_row(
    row_starts: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int32],
    values: npt.NDArray[Any],
    words: int,
) -> int:
    """Return the first row whose columns don't rise from 0 to the number of words, or -1."""
    for row in range(len(row_starts) - 1):
        before = -1
        for i in range(row_starts[row], row_starts[row + 1]):
            if not (before < columns[i] < words and 0 < values[i] < np.inf):
                return row
            before = columns[i]
    return -1


@kernel
def _first_wrong_sum(
    row_starts: npt.NDArray[np.int64],
    values: npt.NDArray[np.float32],
    sums: npt.NDArray[np.float64],
) -> int:
    """Return the first row whose sum is another, or -1."""
    for row in range(len(sums)):
        total = 0.0
        for i in range(row_starts[row], row_starts[row + 1]):
            total += values[i]
        if not abs(total - sums[row]) <= _ROUNDING * total:
            return row
    return -1
