"""Checks of counts that come from a file, before a kernel indexes memory by them.

Kernels don't check bounds: a column beyond the vocabulary, or a row that ends before it begins,
would read or write memory that is not theirs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.choices import LINE_WINDOW
from andornot.base.errors import FileError
from andornot.base.kernels import kernel

_REMEDY = "it may be damaged: make the counts again"
_ROUNDING = 1e-5  # the sums are those of the values before they were rounded to float32
_NEEDED: dict[str, tuple[type, ...]] = {
    "window": (int, str),
    "weights": (str,),
    "sample": (float, int, type(None)),
    "corpus": (list,),
    "corpus_key": (str,),
}


def check_rows(
    path: Path,
    row_starts: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int32],
    values: npt.NDArray[Any],
    words: int,
) -> None:
    """Check where rows begin, their columns and their values, each of them once.

    Args:
        path: What an error names.
        row_starts: Where each row begins, and where the last one ends.
        columns: The columns of all rows; they must rise within a row and be below `words`.
        values: The count of each column; all must be finite and above 0.
        words: The number of words: of rows, and of columns that a row can have.

    Raises:
        FileError: If a kernel that takes these arrays could leave them.
    """
    if len(row_starts) != words + 1:
        raise FileError(path, f"{len(row_starts) - 1:,} rows for {words:,} words", _REMEDY)
    if row_starts[0] != 0 or row_starts[-1] != len(columns) or (np.diff(row_starts) < 0).any():
        raise FileError(path, f"its rows don't fit its {len(columns):,} columns", _REMEDY)
    if len(values) != len(columns):
        raise FileError(path, f"{len(values):,} values for {len(columns):,} columns", _REMEDY)
    row = _first_wrong_row(row_starts, columns, values)
    if row >= 0:
        raise FileError(
            path,
            f"row {row + 1:,} has a column that is not one of its {words:,} words, that comes "
            "twice, or whose count is not a number above 0",
            _REMEDY,
        )


def check_marginal(
    path: Path,
    marginal: npt.NDArray[np.float64],
    row_starts: npt.NDArray[np.int64],
    values: npt.NDArray[np.float32],
) -> None:
    """Check that `marginal` has the sums of the rows, whose starts were checked before.

    Raises:
        FileError: If it has not.
    """
    if len(marginal) != len(row_starts) - 1:
        raise FileError(path, f"{len(marginal):,} sums for {len(row_starts) - 1:,} rows", _REMEDY)
    row = _first_wrong_sum(row_starts, values, marginal)
    if row >= 0:
        raise FileError(path, f"the sum of row {row + 1:,} is not {marginal[row]:g}", _REMEDY)


def check_settings(path: Path, settings: object) -> dict[str, Any]:
    """Return the settings of counts, after a check that they say how the text was counted.

    Raises:
        FileError: If they don't.
    """
    if not isinstance(settings, dict):
        raise FileError(path, "its record has no settings", _REMEDY)
    for name, kinds in _NEEDED.items():
        if name not in settings or not isinstance(settings[name], kinds):
            raise FileError(path, f"its record has no valid {name}", _REMEDY)
    if isinstance(settings["window"], str) and settings["window"] != LINE_WINDOW:
        raise FileError(path, "its record has no valid window", _REMEDY)
    return settings


@kernel
def _first_wrong_row(
    row_starts: npt.NDArray[np.int64], columns: npt.NDArray[np.int32], values: npt.NDArray[Any]
) -> int:
    """The first row whose columns don't rise from 0 to the number of rows, or -1."""
    words = len(row_starts) - 1
    for row in range(words):
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
    marginal: npt.NDArray[np.float64],
) -> int:
    """The first row whose sum is not in `marginal`, or -1."""
    for row in range(len(marginal)):
        total = 0.0
        for i in range(row_starts[row], row_starts[row + 1]):
            total += values[i]
        if not abs(total - marginal[row]) <= _ROUNDING * total:
            return row
    return -1
