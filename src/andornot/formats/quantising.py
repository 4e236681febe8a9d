"""Vectors in 8 bits: for each row whole numbers from -127 to 127, a scale, and a common offset."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.moments import parts, weighted_mean

_LARGEST = 127


class Quantised(NamedTuple):
    """Rows as codes * scale + offset."""

    codes: npt.NDArray[np.int8]
    scale: npt.NDArray[np.float32]
    offset: npt.NDArray[np.float32]

    def rows(self) -> npt.NDArray[np.float32]:
        """The rows, in single precision.

        >>> Quantised(np.array([[-2, 4]], dtype="i1"), np.array([0.5]), np.ones(2)).rows().tolist()
        [[0.0, 3.0]]
        """
        rows = np.empty(self.codes.shape, dtype=np.float32)
        for part in parts(rows):
            np.multiply(self.codes[part], self.scale[part, None], out=rows[part])
            rows[part] += self.offset
        return rows


def quantise(rows: npt.NDArray[Any]) -> Quantised:
    """The nearest rows that 8 bits can say; what all have in common, their mean, is kept apart.

    >>> rows = np.array([[1.0, 2.0], [3.0, -2.0]], dtype=np.float32)
    >>> bool(np.abs(quantise(rows).rows() - rows).max() < 0.01)
    True
    """
    offset = weighted_mean(rows, np.ones(len(rows))).astype(np.float32)
    codes = np.empty(rows.shape, dtype=np.int8)
    scale = np.empty(len(rows), dtype=np.float32)
    for part in parts(rows):
        centred = rows[part] - offset
        largest = np.abs(centred).max(axis=1)
        scale[part] = np.where(largest > 0, largest, 1) / _LARGEST
        codes[part] = np.rint(centred / scale[part, None])
    return Quantised(codes, scale, offset)
