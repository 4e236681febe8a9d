"""Check names and arrays passed in Python; errors name the argument and the row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.errors import UsageError


def shown(value: object) -> str:
    """Format a value for an error message: shortened, with its type unless it is a string.

    >>> shown(None), shown("a"), shown(b"a")
    ('None', "'a'", "b'a' (bytes)")
    """
    text = repr(value)
    text = text if len(text) <= 40 else f"{text[:37]}..."
    return text if value is None or isinstance(value, str) else f"{text} ({type(value).__name__})"


def check_names(names: Iterable[str], argument: str) -> list[str]:
    """Check that names are unique, non-empty strings and return them as a list.

    >>> check_names(["a", "a"], "names")
    Traceback (most recent call last):
    ...
    andornot.base.errors.UsageError: names[1] and names[0] are both 'a'; names must be unique
    """
    if isinstance(names, str | bytes | Mapping) or not isinstance(names, Iterable):
        raise UsageError(f"{argument} must be a list of strings, got {shown(names)}")
    found: dict[str, int] = {}
    for row, name in enumerate(names):
        if not isinstance(name, str):
            raise UsageError(f"{argument}[{row}] must be a string, got {shown(name)}")
        if not name:
            raise UsageError(f"{argument}[{row}] is an empty string; give each row a name")
        try:
            name.encode("utf-8")
        except UnicodeEncodeError as error:
            raise UsageError(f"{argument}[{row}], {name!r}, is not valid Unicode text") from error
        if name in found:
            raise UsageError(
                f"{argument}[{row}] and {argument}[{found[name]}] are both {shown(name)}; names "
                "must be unique"
            )
        found[name] = row
    if not found:
        raise UsageError(f"{argument} is empty; give at least one name")
    return list(found)


def check_matrix(values: object, argument: str, rows: int | None = None) -> npt.NDArray[np.float32]:
    """Check that an array is two-dimensional and finite and return it as float32.

    Args:
        values: Anything that NumPy can convert to an array of numbers.
        argument: The name of the argument, for errors.
        rows: The required number of rows; default: any number.

    >>> check_matrix([[1.0, 2.0], [3.0, float("nan")]], "matrix")
    Traceback (most recent call last):
    ...
    andornot.base.errors.UsageError: matrix[1] must have finite numbers, got nan
    """
    array = _numbers(values, argument)
    if array.ndim != 2 or not array.shape[1]:
        raise UsageError(
            f"{argument} must have two dimensions, one row per name, got the shape {array.shape}"
        )
    if rows is not None and len(array) != rows:
        raise UsageError(
            f"{argument} must have a row for each of {rows:,} names, got {len(array):,}"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        matrix: npt.NDArray[np.float32] = np.asarray(array, dtype=np.float32)
        sums = matrix.sum(axis=1, dtype=np.float64)  # finite if every number of the row is
    wrong = np.flatnonzero(~np.isfinite(sums))
    if len(wrong):
        row = matrix[wrong[0]]
        raise UsageError(
            f"{argument}[{wrong[0]}] must have finite numbers, got {row[~np.isfinite(row)][0]}"
        )
    return matrix


def check_counts(values: object, argument: str, size: int) -> npt.NDArray[np.float64]:
    """Check that counts are finite and not negative, one per name, and return an array.

    >>> check_counts([1, -2], "counts", 2)
    Traceback (most recent call last):
    ...
    andornot.base.errors.UsageError: counts[1] must be a finite number of at least 0, got -2.0
    """
    array = _numbers(values, argument).astype(np.float64)
    if array.shape != (size,):
        raise UsageError(
            f"{argument} must have a number for each of {size:,} names, got the shape {array.shape}"
        )
    wrong = np.flatnonzero(~(np.isfinite(array) & (array >= 0)))
    if len(wrong):
        raise UsageError(
            f"{argument}[{wrong[0]}] must be a finite number of at least 0, got {array[wrong[0]]}"
        )
    return array


def _numbers(values: object, argument: str) -> npt.NDArray[Any]:
    try:
        array = np.asarray(values)
    except ValueError as error:  # rows of different lengths
        raise UsageError(
            f"{argument} must be an array of numbers; its rows have different lengths"
        ) from error
    if array.dtype.kind not in "iuf":
        raise UsageError(f"{argument} must be an array of numbers, got {shown(values)}")
    return array
