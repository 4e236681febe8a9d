"""GloVe's loss: the sum of f(x) (v.u + a + b - log x)^2 / 2, its AdaGrad steps, its row solver.

f(x) = min(1, x / x_max)^alpha. For AdaGrad, pairs are laid out in the order in which they are
trained: by blocks of columns that fit the cache, and in each block row after row, so that the
vectors of a row and of its columns are used again while they are near. Rows and blocks come in
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
_ENOUGH = f32(1e-8)  # of the first residual's square: a row is solved to float32's precision
_APART = 256  # numbers between arrays: more than a compiled loop reads at a time


class Pairs(NamedTuple):
    """The counts row by row, and the two settings of their weights."""

    row_starts: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int32]
    values: Matrix
    x_max: float
    alpha: float


class Factors(NamedTuple):
    """v and u, a and b; or, for AdaGrad, the sums of their squared steps."""

    target: Matrix
    context: Matrix
    target_bias: npt.NDArray[np.float32]
    context_bias: npt.NDArray[np.float32]

    def turned(self) -> Factors:
        """The same with the sides exchanged: the counts are symmetric."""
        return Factors(self.context, self.target, self.context_bias, self.target_bias)


@kernel
def _weight(x: float, x_max: float, alpha: float) -> float:
    return 1.0 if x >= x_max else (x / x_max) ** alpha


@kernel
def _is_held_out(row: int, column: int, one_in: int) -> bool:
    """Whether a pair is set aside to measure the loss, by a hash of its place; never if 0."""
    if one_in == 0:
        return False
    mixed = (np.uint64(row) << np.uint64(32)) | np.uint64(column)
    mixed = (mixed ^ (mixed >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(29)
    return mixed % np.uint64(one_in) == np.uint64(0)  # type: ignore[no-any-return]


@kernel
def _lay_out(
    rows: npt.NDArray[np.int32],
    pairs: Pairs,
    one_in: int,
    starts: npt.NDArray[np.int64],
    out_rows: npt.NDArray[np.int32],
    out_columns: npt.NDArray[np.int32],
    logs: Matrix,
    weights: Matrix,
) -> None:
    """Lay out the pairs of `rows` by blocks of columns; block b goes from starts[b]."""
    starts[:] = 0
    for row in rows:
        for i in range(pairs.row_starts[row], pairs.row_starts[row + 1]):
            if not _is_held_out(row, pairs.columns[i], one_in):
                starts[pairs.columns[i] // BLOCK + 1] += 1
    for block in range(1, len(starts)):
        starts[block] += starts[block - 1]
    ends = starts.copy()
    for row in rows:
        for i in range(pairs.row_starts[row], pairs.row_starts[row + 1]):
            column = pairs.columns[i]
            if _is_held_out(row, column, one_in):
                continue
            place = ends[column // BLOCK]
            ends[column // BLOCK] += 1
            out_rows[place] = row
            out_columns[place] = column
            x = np.float64(pairs.values[i])
            logs[place] = math.log(x)
            weights[place] = _weight(x, pairs.x_max, pairs.alpha)


@fast_kernel
def _step(
    w: int, c: int, log: Number, weight: Number, rate: Number, factors: Factors, sums: Factors
) -> Number:
    """GloVe's AdaGrad step for one pair; its loss before."""
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
    one_in: int,
    factors: Factors,
    sums: Factors,
    rate: float,
    state: npt.NDArray[np.uint64],
) -> tuple[float, int]:
    """AdaGrad over the pairs of some rows; the sum of their losses, and how many they are."""
    total = 0
    for row in row_order:
        total += pairs.row_starts[row + 1] - pairs.row_starts[row]
    blocks = (len(factors.target) + BLOCK - 1) // BLOCK
    starts = np.empty(blocks + 1, dtype=np.int64)
    rows = np.empty(total, dtype=np.int32)
    columns = np.empty(total, dtype=np.int32)
    logs = np.empty(total, dtype=np.float32)
    weights = np.empty(total, dtype=np.float32)
    _lay_out(row_order, pairs, one_in, starts, rows, columns, logs, weights)
    order = np.arange(blocks).astype(np.int32)
    shuffle(state, order)
    loss = 0.0
    for block in order:
        for i in range(starts[block], starts[block + 1]):
            loss += _step(rows[i], columns[i], logs[i], weights[i], f32(rate), factors, sums)
    return loss, starts[blocks]


@fast_kernel
def _residual(
    row: int, pairs: Pairs, factors: Factors, weights: Matrix, residual: Matrix
) -> tuple[Number, float]:
    """What a row's vector (into `residual`) and its bias are pulled by, and the row's loss."""
    v, bias = factors.target[row], factors.target_bias[row]
    begin = pairs.row_starts[row]
    residual[:] = f32(0)
    bias_residual = f32(0)
    loss = 0.0
    for i in range(pairs.row_starts[row + 1] - begin):
        x = np.float64(pairs.values[begin + i])
        c = pairs.columns[begin + i]
        u = factors.context[c]
        weights[i] = _weight(x, pairs.x_max, pairs.alpha)
        score = f32(0)
        for j in range(len(v)):
            score += u[j] * v[j]
        error = f32(math.log(x)) - score - bias - factors.context_bias[c]
        pull = weights[i] * error
        loss += f32(0.5) * pull * error
        for j in range(len(v)):
            residual[j] += pull * u[j]
        bias_residual += pull
    return bias_residual, loss


@fast_kernel
def _image(
    row: int,
    pairs: Pairs,
    context: Matrix,
    weights: Matrix,
    direction: Matrix,
    bias_direction: Number,
    image: Matrix,
) -> Number:
    """The normal equations' matrix, the sum of f u~ u~' with u~ = (u, 1), times a direction."""
    begin = pairs.row_starts[row]
    image[:] = f32(0)
    bias_image = f32(0)
    for i in range(pairs.row_starts[row + 1] - begin):
        u = context[pairs.columns[begin + i]]
        part = f32(bias_direction)
        for j in range(len(u)):
            part += u[j] * direction[j]
        part *= weights[i]
        for j in range(len(u)):
            image[j] += part * u[j]
        bias_image += part
    return bias_image


@fast_kernel
def solve_rows(first: int, last: int, pairs: Pairs, factors: Factors, steps: int) -> float:
    """Improve each v and a by conjugate gradients, u and b fixed; the loss before."""
    dim = factors.target.shape[1]
    longest = 0
    for row in range(first, last):
        longest = max(longest, pairs.row_starts[row + 1] - pairs.row_starts[row])
    weights = np.empty(longest, dtype=np.float32)
    # compiled loops add in another order where two arrays are close in memory: keep them apart, so
    # that sums don't depend on where the arrays were allocated
    work = np.empty((3, dim + 2 * _APART), dtype=np.float32)
    residual = work[0, _APART : _APART + dim]
    direction = work[1, _APART : _APART + dim]
    image = work[2, _APART : _APART + dim]
    total = 0.0
    for row in range(first, last):
        v = factors.target[row]
        bias_residual, loss = _residual(row, pairs, factors, weights, residual)
        total += loss
        size = bias_residual * bias_residual
        for j in range(dim):
            direction[j] = residual[j]
            size += residual[j] * residual[j]
        bias_direction = bias_residual
        enough = size * _ENOUGH
        for _ in range(steps):
            if size <= enough:
                break
            bias_image = _image(
                row, pairs, factors.context, weights, direction, bias_direction, image
            )
            curvature = bias_direction * bias_image
            for j in range(dim):
                curvature += direction[j] * image[j]
            length = size / curvature
            for j in range(dim):
                v[j] += length * direction[j]
                residual[j] -= length * image[j]
            factors.target_bias[row] += length * bias_direction
            bias_residual -= length * bias_image
            before = size
            size = bias_residual * bias_residual
            for j in range(dim):
                size += residual[j] * residual[j]
            for j in range(dim):
                direction[j] = residual[j] + size / before * direction[j]
            bias_direction = bias_residual + size / before * bias_direction
    return total


@fast_kernel
def loss_of_rows(first: int, last: int, pairs: Pairs, factors: Factors) -> float:
    """The loss of all pairs of some rows."""
    total = 0.0
    for row in range(first, last):
        v = factors.target[row]
        for i in range(pairs.row_starts[row], pairs.row_starts[row + 1]):
            c = pairs.columns[i]
            u = factors.context[c]
            score = f32(0)
            for j in range(len(v)):
                score += v[j] * u[j]
            x = np.float64(pairs.values[i])
            biases = factors.target_bias[row] + factors.context_bias[c]
            error = np.float64(score + biases) - math.log(x)
            total += 0.5 * _weight(x, pairs.x_max, pairs.alpha) * error * error
    return total


@kernel
def find_held_out(
    pairs: Pairs, one_in: int, rows: npt.NDArray[np.int32], places: npt.NDArray[np.int64]
) -> int:
    """List the pairs that are held out: their rows, and their places in the counts; how many."""
    found = 0
    for row in range(len(pairs.row_starts) - 1):
        for i in range(pairs.row_starts[row], pairs.row_starts[row + 1]):
            if _is_held_out(row, pairs.columns[i], one_in) and found < len(rows):
                rows[found] = row
                places[found] = i
                found += 1
    return found
