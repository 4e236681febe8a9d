"""The rows of GloVe's loss: each is a least-squares problem, solved by conjugate gradients.

Given u and b, the loss of a word w is sum_c f(x) (v.u_c + a + b_c - log x)^2 / 2 + ridge |v|^2 / 2:
quadratic in v and a. Its matrix is about s_w times the mean of u~ u~' over all contexts, where s_w
is the sum of the row's weights. In the coordinates in which that mean is diagonal (`Facing`), a
division solves it, and conjugate gradients need a few steps to correct for the row's own contexts.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.kernels import fast_kernel
from andornot.training.arithmetic import Number, f32
from andornot.training.glove_kernels import Matrix, Pairs, training_weight

_APART = 256  # numbers between arrays: more than a compiled loop reads at a time


class Facing(NamedTuple):
    """The other side as the rows see it: centred, in the axes of its mean square.

    `spread` is the mean square along each axis.
    """

    rows: Matrix
    bias: npt.NDArray[np.float32]
    spread: npt.NDArray[np.float32]


class Precision(NamedTuple):
    """The ridge, and when a row is solved: a residual smaller by `tolerance`, or `most` steps."""

    ridge: float
    tolerance: float
    most: int


@fast_kernel
def _residual(
    here: int,
    pairs: Pairs,
    facing: Facing,
    x: Matrix,
    bias: Number,
    weights: Matrix,
    residual: Matrix,
) -> tuple[Number, Number, float]:
    """Compute a row's residual: into `residual` for the vector; return it for the bias.

    Return also the sum of the weights, and the loss.
    """
    begin = pairs.row_starts[here]
    residual[:] = f32(0)
    bias_residual = f32(0)
    mass = f32(0)
    loss = 0.0
    for i in range(pairs.row_starts[here + 1] - begin):
        value = np.float64(pairs.values[begin + i])
        c = pairs.columns[begin + i]
        u = facing.rows[c]
        weights[i] = training_weight(pairs.first + here, begin + i, pairs)
        score = f32(0)
        for j in range(len(x)):
            score += u[j] * x[j]
        error = f32(math.log(value)) - score - bias - facing.bias[c]
        pull = weights[i] * error
        loss += f32(0.5) * pull * error
        mass += weights[i]
        for j in range(len(x)):
            residual[j] += pull * u[j]
        bias_residual += pull
    return bias_residual, mass, loss


@fast_kernel
def _image(
    here: int,
    pairs: Pairs,
    others: Matrix,
    weights: Matrix,
    direction: Matrix,
    bias_direction: Number,
    image: Matrix,
) -> Number:
    """Compute the row's matrix, the sum of f u~ u~' with u~ = (u, 1), times a direction."""
    begin = pairs.row_starts[here]
    image[:] = f32(0)
    bias_image = f32(0)
    for i in range(pairs.row_starts[here + 1] - begin):
        u = others[pairs.columns[begin + i]]
        part = f32(bias_direction)
        for j in range(len(u)):
            part += u[j] * direction[j]
        part *= weights[i]
        for j in range(len(u)):
            image[j] += part * u[j]
        bias_image += part
    return bias_image


@fast_kernel
def solve_rows(
    pairs: Pairs,
    facing: Facing,
    rows: Matrix,
    bias: npt.NDArray[np.float32],
    precision: Precision,
    total: float,
) -> float:
    """Solve the rows of a block in place; return `total` plus their loss before.

    `rows` and `bias` are those of the words of the block, in the axes of `facing`.
    """
    number, dim = rows.shape
    ridge, tolerance = f32(precision.ridge), f32(precision.tolerance)
    longest = 0
    for here in range(number):
        longest = max(longest, pairs.row_starts[here + 1] - pairs.row_starts[here])
    weights = np.empty(longest, dtype=np.float32)
    # compiled loops add in another order where two arrays are close in memory: keep them apart, so
    # that sums don't depend on where the arrays were allocated
    work = np.empty((4, dim + 2 * _APART), dtype=np.float32)
    residual = work[0, _APART : _APART + dim]
    direction = work[1, _APART : _APART + dim]
    image = work[2, _APART : _APART + dim]
    inverse = work[3, _APART : _APART + dim]  # of the row's matrix as it is on average
    for here in range(number):
        x, own = rows[here], bias[here]
        bias_residual, mass, loss = _residual(here, pairs, facing, x, own, weights, residual)
        if mass == 0:  # a word without pairs to train on
            continue
        total += loss
        bias_inverse = f32(1) / mass
        bias_direction = bias_inverse * bias_residual
        size = bias_residual * bias_direction
        for j in range(dim):
            inverse[j] = f32(1) / (mass * facing.spread[j] + ridge)
            residual[j] -= ridge * x[j]
            direction[j] = inverse[j] * residual[j]
            size += residual[j] * direction[j]
        enough = size * tolerance * tolerance
        for _ in range(precision.most):
            if size <= enough:
                break
            bias_image = _image(here, pairs, facing.rows, weights, direction, bias_direction, image)
            curvature = bias_direction * bias_image
            for j in range(dim):
                image[j] += ridge * direction[j]
                curvature += direction[j] * image[j]
            length = size / curvature
            own += length * bias_direction
            bias_residual -= length * bias_image
            before = size
            size = bias_residual * bias_residual * bias_inverse
            for j in range(dim):
                x[j] += length * direction[j]
                residual[j] -= length * image[j]
                size += residual[j] * residual[j] * inverse[j]
            turn = size / before
            for j in range(dim):
                direction[j] = inverse[j] * residual[j] + turn * direction[j]
            bias_direction = bias_inverse * bias_residual + turn * bias_direction
        bias[here] = own
    return total


@fast_kernel
def row_masses(pairs: Pairs, masses: npt.NDArray[np.float64]) -> None:
    """Add up the weights of each row of a block."""
    for here in range(len(pairs.row_starts) - 1):
        row = pairs.first + here
        mass = 0.0
        for i in range(pairs.row_starts[here], pairs.row_starts[here + 1]):
            mass += training_weight(row, i, pairs)
        masses[row] = mass


@fast_kernel
def mean_targets(pairs: Pairs, other: npt.NDArray[np.float32], own: Matrix) -> None:
    """Set each bias to the weighted mean of log x - b over its row: the best without vectors."""
    for here in range(len(pairs.row_starts) - 1):
        row = pairs.first + here
        mass, pull = 0.0, 0.0
        for i in range(pairs.row_starts[here], pairs.row_starts[here + 1]):
            weight = training_weight(row, i, pairs)
            mass += weight
            pull += weight * (math.log(np.float64(pairs.values[i])) - other[pairs.columns[i]])
        if mass > 0:
            own[row] = pull / mass
