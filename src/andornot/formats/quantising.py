"""Quantise vectors to 8 or 4 bits: a code per value, a scale per row, and a common offset.

Codes of 8 bits are integers from -127 to 127. Codes of 4 bits select one of 16 levels, which are
fitted to each block of 50 columns.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.moments import parts, weighted_mean

LARGEST_VALUE = 1e30  # the product of a scale and a level must not overflow
_LARGEST_CODE = 127
_LEVELS = 16
_COLUMNS = 50  # columns per block; even, so that both codes of a byte lie in one block
_SAMPLE = 8192  # rows to which the levels are fitted
_QUANTILES = 1024  # quantiles from which the initial levels are computed
_ITERATIONS = 300  # maximum; trained vectors need about 200
_ROUNDS = 3  # alternations of codes and scale: 5 % less error than one round
_AT_ONCE = 1 << 15  # codes decoded in one step, so that values stay in the cache

Matrix = npt.NDArray[np.float64]


class EightBits(NamedTuple):
    """Rows as codes * scale + offset."""

    codes: npt.NDArray[np.int8]
    scale: npt.NDArray[np.floating]
    offset: npt.NDArray[np.float32]

    def fits(self) -> bool:
        """Return True if the shapes of the parts agree."""
        return self.codes.shape == (len(self.scale), len(self.offset))

    def is_finite(self) -> bool:
        """Return True if no code can give a value that is NaN or infinite."""
        return _is_finite(np.array([-128.0]), self.scale, self.offset)

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and of columns."""
        return len(self.scale), len(self.offset)

    def rows(self) -> npt.NDArray[np.float32]:
        """Return the rows in single precision.

        >>> EightBits(np.array([[-2, 4]], dtype="i1"), np.array([0.5]), np.ones(2)).rows().tolist()
        [[0.0, 3.0]]
        """
        rows = np.empty(self.codes.shape, dtype=np.float32)
        scale = self.scale.astype(np.float32)
        for part in parts(rows):
            np.multiply(self.codes[part], scale[part, None], out=rows[part])
            rows[part] += self.offset
        return rows


class FourBits(NamedTuple):
    """Rows as levels[block of the column, code] * scale + offset.

    A byte contains the codes of two columns, the first in its lower half. With an odd number of
    columns, the upper half of the last byte is unused.
    """

    codes: npt.NDArray[np.uint8]
    scale: npt.NDArray[np.floating]
    offset: npt.NDArray[np.float32]
    levels: npt.NDArray[np.float32]

    def fits(self) -> bool:
        """Return True if the shapes of the parts agree."""
        size, dim = len(self.scale), len(self.offset)
        return (self.codes.shape, self.levels.shape) == (
            (size, -(-dim // 2)),
            (-(-dim // _COLUMNS), _LEVELS),
        )

    def is_finite(self) -> bool:
        """Return True if no code can give a value that is NaN or infinite."""
        return _is_finite(self.levels, self.scale, self.offset)

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and of columns."""
        return len(self.scale), len(self.offset)

    def rows(self) -> npt.NDArray[np.float32]:
        """Return the rows in single precision.

        >>> levels = np.arange(16, dtype="f4")[None]
        >>> FourBits(np.array([[0x21, 3]], "u1"), np.array([2.0]), np.ones(3), levels).rows()
        array([[3., 5., 7.]], dtype=float32)
        """
        rows = np.empty((len(self.scale), len(self.offset)), dtype=np.float32)
        pairs = self._pairs()
        width = self.codes.shape[1]
        first = np.arange(width) * 2 // _COLUMNS * 256  # of each column's block in the table
        height = max(1, min(len(rows), _AT_ONCE // max(1, width)))
        places = np.empty((height, width), dtype=np.intp)
        found = np.empty((height, width), dtype=np.uint64)
        scale = self.scale.astype(np.float32)[:, None]
        for part in parts(rows, height):
            taken = part.stop - part.start
            np.add(self.codes[part], first, out=places[:taken])
            # All indices are valid; mode="raise" would make a copy.
            np.take(pairs, places[:taken], out=found[:taken], mode="clip")
            values = found[:taken].view(np.float32)[:, : rows.shape[1]]
            np.multiply(values, scale[part], out=rows[part])
            rows[part] += self.offset
        return rows

    def _pairs(self) -> npt.NDArray[np.uint64]:
        """Return both values of each byte as one number, 256 for each block of columns.

        One lookup decodes two values.
        """
        byte = np.arange(256)
        levels = self.levels.astype(np.float32)
        values = np.stack([levels[:, byte & 15], levels[:, byte >> 4]], axis=-1)
        return values.view(np.uint64).ravel()


def quantise(rows: npt.NDArray[Any], bits: int) -> EightBits | FourBits:
    """Quantise rows to 8 or 4 bits per value; their mean is stored separately.

    Args:
        rows: Vectors, one per row; values up to LARGEST_VALUE.
        bits: 8 or 4.

    >>> rows = np.array([[1.0, 2.0], [3.0, -2.0]], dtype=np.float32)
    >>> [bool(np.abs(quantise(rows, bits).rows() - rows).max() < 0.01) for bits in (8, 4)]
    [True, True]
    """
    offset = weighted_mean(rows, np.ones(len(rows))).astype(np.float32)
    return _in_8_bits(rows, offset) if bits == 8 else _in_4_bits(rows, offset)


def _in_8_bits(rows: npt.NDArray[Any], offset: npt.NDArray[np.float32]) -> EightBits:
    codes = np.empty(rows.shape, dtype=np.int8)
    scale = np.empty(len(rows), dtype=np.float32)
    for part in parts(rows):
        centred = rows[part] - offset
        largest = np.abs(centred).max(axis=1)
        scale[part] = np.where(largest > 0, largest, 1) / _LARGEST_CODE
        codes[part] = np.rint(centred / scale[part, None])
    return EightBits(codes, scale, offset)


def _in_4_bits(rows: npt.NDArray[Any], offset: npt.NDArray[np.float32]) -> FourBits:
    sample = rows[:: -(-len(rows) // _SAMPLE)].astype(np.float64) - offset
    sample = _divided(sample, _root_mean_square(sample))
    blocks = [slice(first, first + _COLUMNS) for first in range(0, len(offset), _COLUMNS)]
    levels = np.array([fit_levels(sample[:, block]) for block in blocks])
    codes = np.empty((len(rows), -(-len(offset) // 2)), dtype=np.uint8)
    scale = np.empty(len(rows))
    for part in parts(rows):
        centred = rows[part].astype(np.float64) - offset
        found, scale[part] = _nearest(centred, levels, blocks)
        codes[part] = found[:, ::2]
        codes[part, : found.shape[1] // 2] |= found[:, 1::2] << 4
    # The levels absorb the common size of the scales, which then fit into half precision.
    unit = np.abs(scale).max() or 1.0
    return FourBits(
        codes, (scale / unit).astype(np.float16), offset, (levels * unit).astype(np.float32)
    )


def _nearest(
    centred: Matrix, levels: Matrix, blocks: list[slice]
) -> tuple[npt.NDArray[np.uint8], Matrix]:
    """Optimise codes and scales alternately, and return them."""
    codes = np.empty(centred.shape, dtype=np.uint8)
    chosen = np.empty(centred.shape)
    scale = _root_mean_square(centred)
    for _ in range(_ROUNDS):
        scaled = _divided(centred, scale)
        for own, block in zip(levels, blocks, strict=True):
            codes[:, block] = np.searchsorted((own[1:] + own[:-1]) / 2, scaled[:, block])
            chosen[:, block] = own[codes[:, block]]
        squares = np.einsum("ij,ij->i", chosen, chosen)
        products = np.einsum("ij,ij->i", centred, chosen)
        scale = products / np.where(squares > 0, squares, 1)
    return codes, scale


def fit_levels(values: npt.NDArray[Any]) -> Matrix:
    """Return the 16 levels with the least squared distance to values (Lloyd's algorithm).

    The initial levels have the asymptotically optimal density, the cube root of the density of
    the values; plain quantiles would give too few levels in the tails. Each level
    then becomes the mean of the values nearest to it, until none moves; sums over sorted values
    make each step fast.

    >>> fit_levels(np.repeat(np.arange(16.0), 3)).tolist() == list(range(16))
    True
    """
    ordered = np.sort(values, axis=None).astype(np.float64)
    sums = np.concatenate([[0.0], np.cumsum(ordered)])
    quantiles = ordered[np.linspace(0, len(ordered) - 1, _QUANTILES).astype(np.int64)]
    # Between quantiles at a distance h the density is 1/h: h times its cube root is h^(2/3).
    mass = np.concatenate([[0.0], np.cumsum(np.diff(quantiles) ** (2 / 3))])
    levels: Matrix = np.interp((np.arange(_LEVELS) + 0.5) / _LEVELS * mass[-1], mass, quantiles)
    for _ in range(_ITERATIONS):
        inner = np.searchsorted(ordered, (levels[1:] + levels[:-1]) / 2)
        bounds = np.concatenate([[0], inner, [len(ordered)]])
        sizes = np.diff(bounds)
        means = np.diff(sums[bounds]) / np.maximum(sizes, 1)
        moved = np.where(sizes > 0, means, levels)
        if np.array_equal(moved, levels):
            break
        levels = moved
    return levels


def _is_finite(levels: npt.NDArray[Any], scale: npt.NDArray[Any], offset: npt.NDArray[Any]) -> bool:
    """Return True if levels * scale + offset is finite for every level, scale and offset.

    >>> [_is_finite(np.array([x]), np.ones(2), np.ones(1)) for x in (1e30, 1e39, np.nan)]
    [True, False, False]
    """
    level, factor, shift = (
        np.abs(each).max(initial=0).astype(np.float64) for each in (levels, scale, offset)
    )
    return bool(level * factor + shift < np.finfo(np.float32).max)


def _root_mean_square(rows: Matrix) -> Matrix:
    squares = np.einsum("ij,ij->i", rows, rows)
    return np.asarray(np.sqrt(squares / rows.shape[1]), dtype=np.float64)


def _divided(rows: Matrix, scale: Matrix) -> Matrix:
    """Divide each row by its scale; rows of scale 0 stay unchanged."""
    return rows / np.where(scale != 0, scale, 1)[:, None]
