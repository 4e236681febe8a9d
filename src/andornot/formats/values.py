"""Check the numbers of a file, in blocks."""

from __future__ import annotations

from os import PathLike

import numpy as np
import numpy.typing as npt

from andornot.base.errors import FileError
from andornot.base.moments import parts
from andornot.space import Space
from andornot.words.vocabulary import Vocabulary


def refuse_infinite_vectors(space: Space, path: str | PathLike[str]) -> None:
    """Raise FileError for a target or context vector with a NaN or infinite value.

    Rounded context vectors are not decoded: they are finite, as `read_native` checks.
    """
    for rows in (space.target, vars(space)["context"]):
        if isinstance(rows, np.ndarray):
            for part in parts(rows):
                refuse_infinite(rows[part], path, space.vocabulary, part.start)


def refuse_infinite(
    values: npt.NDArray[np.floating],
    path: str | PathLike[str],
    vocabulary: Vocabulary | None = None,
    first: int = 0,
) -> None:
    """Raise FileError for a NaN or infinite value; `first` is the index of the first row.

    >>> refuse_infinite(np.array([[1.0], [np.nan]]), "v.bin")
    Traceback (most recent call last):
    ...
    andornot.base.errors.FileError: v.bin, word 2: a value is nan; correct or remove this vector
    """
    # The sum of a block is finite unless one of its values isn't, or it overflows.
    if np.isfinite(values.sum(dtype=np.float64)):
        return
    rows = values.reshape(len(values), -1)
    bad = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if not bad.size:
        return
    row = int(bad[0])
    value = rows[row][~np.isfinite(rows[row])][0]
    name = "" if vocabulary is None else f" of {vocabulary.word(first + row)!r}"
    raise FileError(
        path,
        f"a value{name} is {value}",
        "correct or remove this vector",
        row=first + row + 1,
    )
