"""GloVe's loss: the sum of f(x) (v.u + a + b - log x)^2 / 2, its AdaGrad steps.

f(x) = min(1, x / x_max)^alpha. For AdaGrad, pairs are laid out in the order in which they are
trained: by blocks of columns that fit the cache, and in each block row after row, so that the
vectors of a row and of its columns are used again while they are near. Rows and blocks are in
random order.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.kernels import fast_kernel, kernel
from andornot.training.arithmetic import Number, f32
from andornot.training.drawing import shuffle

Matrix = npt.NDArray[np.float32]
BLOCK = 256  # columns of a block: their vectors and AdaGrad sums fit in a megabyte


class Pairs(NamedTuple):
    """A block of rows of counts, the settings of their weights, and which pairs are held out.

    The rows begin with the word `first`. One in `one_in` pairs is held out, or none if it is 0.
    """

    first: int
    row_starts: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int32]
    values: Matrix
    x_max: float
    alpha: float
    one_in: int


class Factors(NamedTuple):
    """v and u, a and b; or, for AdaGrad, the sums of their squared steps."""

    target: Matrix
    context: Matrix
    target_bias: npt.NDArray[np.float32]
    context_bias: npt.NDArray[np.float32]

    def turned(self) -> Factors:
        """Return the factors with the sides exchanged, which the symmetric counts allow."""
        return Factors(self.context, self.target, self.context_bias, self.target_bias)


@kernel
def pair_weight(x: float, x_max: float, alpha: float) -> float:
    """Return f(x), the weight of a pair.

    >>> pair_weight(100.0, 100.0, 0.75), pair_weight(6.25, 100.0, 0.75)
    (1.0, 0.125)
    """
    return 1.0 if x >= x_max else (x / x_max) ** alpha


@kernel
def _is_held_out(row: int, column: int, one_in: int) -> bool:
    """Return whether a pair is held out, by a hash of its two words; never if `one_in` is 0.

    The counts are symmetric, so (w, c) and (c, w) are held out together: each reveals the other.
    """
    if one_in == 0:
        return False
    mixed = (np.uint64(min(row, column)) << np.uint64(32)) | np.uint64(max(row, column))
    mixed = (mixed ^ (mixed >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    return mixed % np.uint64(one_in) == np.uint64(0)  # type: ignore[no-any-return]


@kernel
def training_weight(row: int, i: int, pairs: Pairs) -> float:
    """Return f(x) of the i-th pair, which is in this row; 0 if it is held out."""
    if _is_held_out(row, pairs.columns[i], pairs.one_in):
        return 0.0
    return pair_weight(np.float64(pairs.values[i]), pairs.x_max, pairs.alpha)


@kernel
def _lay_out(
    rows: npt.NDArray[np.int32],
    pairs: Pairs,
    starts: npt.NDArray[np.int64],
    out_rows: npt.NDArray[np.int32],
    out_columns: npt.NDArray[np.int32],
    logs: Matrix,
    weights: Matrix,
) -> None:
    """Lay out the pairs of `rows` by blocks of columns; block b begins at starts[b]."""
    starts[:] = 0
    for row in rows:
        here = row - pairs.first
        for i in range(pairs.row_starts[here], pairs.row_starts[here + 1]):
            if not _is_held_out(row, pairs.columns[i], pairs.one_in):
                starts[pairs.columns[i] // BLOCK + 1] += 1
    for block in range(1, len(starts)):
        starts[block] += starts[block - 1]
    ends = starts.copy()
    for row in rows:
        here = row - pairs.first
        for i in range(pairs.row_starts[here], pairs.row_starts[here + 1]):
            column = pairs.columns[i]
            if _is_held_out(row, column, pairs.one_in):
                continue
            place = ends[column // BLOCK]
            ends[column // BLOCK] += 1
            out_rows[place] = row
            out_columns[place] = column
            x = np.float64(pairs.values[i])
            logs[place] = math.log(x)
            weights[place] = pair_weight(x, pairs.x_max, pairs.alpha)


@fast_kernel
def _step(
    w: int, c: int, log: Number, weight: Number, rate: Number, factors: Factors, sums: Factors
) -> Number:
    """Make GloVe's AdaGrad step for one pair; return its loss before the step."""
    v, u = factors.target[w], factors.context[c]
    v_sums, u_sums = sums.target[w], sums.context[c]
    score = f32(0)
    for x in range(len(v)):
        score += v[x] * u[x]
    error = score + factors.target_bias[w] + factors.context_bias[c] - log
    push = weight * error
    loss = f32(0.5) * push * error
    push *= rate
    for x in range(len(v)):
        to_v, to_u = push * u[x], push * v[x]
        v[x] -= to_v / np.sqrt(v_sums[x])
        u[x] -= to_u / np.sqrt(u_sums[x])
        v_sums[x] += to_v * to_v
        u_sums[x] += to_u * to_u
    factors.target_bias[w] -= push / np.sqrt(sums.target_bias[w])
    factors.context_bias[c] -= push / np.sqrt(sums.context_bias[c])
    sums.target_bias[w] += push * push
    sums.context_bias[c] += push * push
    return loss


@kernel
def train_rows(
    row_order: npt.NDArray[np.int32],
    pairs: Pairs,
    factors: Factors,
    sums: Factors,
    rate: float,
    state: npt.NDArray[np.uint64],
) -> tuple[float, int]:
    """Train the pairs of some rows by AdaGrad; return the sum of their losses, and their number."""
    total = 0
    for row in row_order:
        here = row - pairs.first
        total += pairs.row_starts[here + 1] - pairs.row_starts[here]
    blocks = (len(factors.target) + BLOCK - 1) // BLOCK
    starts = np.empty(blocks + 1, dtype=np.int64)
    rows = np.empty(total, dtype=np.int32)
    columns = np.empty(total, dtype=np.int32)
    logs = np.empty(total, dtype=np.float32)
    weights = np.empty(total, dtype=np.float32)
    _lay_out(row_order, pairs, starts, rows, columns, logs, weights)
    order = np.arange(blocks).astype(np.int32)
    shuffle(state, order)
    loss = 0.0
    for block in order:
        for i in range(starts[block], starts[block + 1]):
            loss += _step(rows[i], columns[i], logs[i], weights[i], f32(rate), factors, sums)
    return loss, starts[blocks]


@fast_kernel
def loss_of_rows(pairs: Pairs, factors: Factors) -> float:
    """Return the loss of all pairs of a block."""
    total = 0.0
    for here in range(len(pairs.row_starts) - 1):
        row = pairs.first + here
        v = factors.target[row]
        for i in range(pairs.row_starts[here], pairs.row_starts[here + 1]):
            c = pairs.columns[i]
            u = factors.context[c]
            score = f32(0)
            for j in range(len(v)):
                score += v[j] * u[j]
            x = np.float64(pairs.values[i])
            biases = factors.target_bias[row] + factors.context_bias[c]
            error = np.float64(score + biases) - math.log(x)
            total += 0.5 * pair_weight(x, pairs.x_max, pairs.alpha) * error * error
    return total


@kernel
def find_held_out(pairs: Pairs) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Return the rows of the pairs of a block that are held out, and their indices in the block."""
    words = len(pairs.row_starts) - 1
    found = 0
    for here in range(words):
        for i in range(pairs.row_starts[here], pairs.row_starts[here + 1]):
            found += _is_held_out(pairs.first + here, pairs.columns[i], pairs.one_in)
    rows = np.empty(found, dtype=np.int32)
    indices = np.empty(found, dtype=np.int64)
    found = 0
    for here in range(words):
        for i in range(pairs.row_starts[here], pairs.row_starts[here + 1]):
            if _is_held_out(pairs.first + here, pairs.columns[i], pairs.one_in):
                rows[found] = pairs.first + here
                indices[found] = i
                found += 1
    return rows, indices
