"""Compute `a & !b` without a category: turn a away from b.

Given the neighbourhood N of a, the paper's NOT b is -k (v_b - v_N), and AND adds it to v_a - v_N.
Outside of N this is v_a - k (v_b - v_N). The neighbours of a surround it, so v_N lies on the line
of a, and the result is a rotation of a, in the plane of a and b, away from b. The angle is chosen
by experiment, because p(b|N) depends more on the size of N than on b. The result is never nearer
to b than a was.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.moments import Vector

Rows = npt.NDArray[np.float64]

MOST = 0.3
"""The largest angle, in radians. `andornot reproduce people` compares it with others."""

_MIRRORED = 2.0  # a - 2 q is the mirror image of a at what is at right angles to q
_NOTHING_LEFT = 1e-6  # cosine between a and a - q, below which a is a sum of the b


class Turn(NamedTuple):
    """The turn of a vector a away from other vectors b.

    Attributes:
        factors: The result is factors[0] a + factors[1] b_1 + factors[2] b_2 and so on.
        degrees: The angle between a and the result.
        before: The cosine of a with each b.
        after: The cosine of the result with each b.
    """

    factors: Vector
    degrees: float
    before: Vector
    after: Vector


def turn_away(wanted: Vector, unwanted: Rows, most: float = MOST) -> Turn:
    """Turn a vector a away from others, b, and keep its length.

    Let q be the nearest point to a in the cone of the b (their sums by weights of at least 0), so
    that a - q has no positive cosine with any b. The result lies on the way from a through a - q to
    its mirror image, a - 2 q, at most `most` from a, and ends where it would come near to a b that
    a is not near. So its cosine with each b is at most that of a, or 0 if that is negative.

    Args:
        wanted: The vector a.
        unwanted: The vectors b, one per row.
        most: The largest angle to turn by.

    >>> turn = turn_away(np.array([1.0, 0.0]), np.array([[3.0, 4.0]]), np.pi / 6)
    >>> turn.factors @ [[1.0, 0.0], [3.0, 4.0]]  # 30 degrees downwards
    array([ 0.8660254, -0.5      ])
    """
    length = float(np.linalg.norm(wanted))
    lengths = np.linalg.norm(unwanted, axis=1)
    units = unwanted / np.where(lengths > 0, lengths, 1)[:, None]
    before = units @ wanted / (length or 1)
    weights = _cone_weights(wanted / (length or 1), units, before)
    point = weights @ units
    sine = float(np.linalg.norm(point))  # of the angle between a and a - q
    cosine = math.sqrt(max(0.0, 1 - sine**2))
    stays = np.append(1.0, np.zeros(len(units)))
    if not sine:
        return Turn(stays, 0.0, before, before)
    if cosine < _NOTHING_LEFT:
        return Turn(0 * stays, 0.0, before, 0 * before)
    # a - step q has step sine cosine across a, and 1 - step sine^2 along it
    step = math.tan(most) / (sine * (cosine + sine * math.tan(most)))
    step = min(step, _MIRRORED, _largest_step(before, units @ point))
    across, along = step * sine * cosine, 1 - step * sine**2
    scale = 1 / math.hypot(across, along)
    shares = weights * length / np.where(lengths > 0, lengths, 1)
    factors = scale * np.append(1.0, -step * shares)
    after = scale * (before - step * (units @ point))
    return Turn(factors, math.degrees(math.atan2(across, along)), before, after)


def _largest_step(before: Vector, of_point: Vector) -> float:
    """Return the largest s for which no b with b.a < 0 has b.(a - s q) > 0."""
    comes_nearer = (before < 0) & (of_point < 0)
    return float((before[comes_nearer] / of_point[comes_nearer]).min(initial=math.inf))


def _cone_weights(unit: Vector, units: Rows, cosines: Vector) -> Vector:
    """Return the weights t >= 0 that minimise |a - sum t_i b_i|, for unit vectors."""
    if len(units) == 1:
        return np.maximum(cosines, 0)
    if not (cosines > 0).any():
        return np.zeros(len(units))
    from scipy.optimize import nnls

    return np.asarray(nnls(units.T, unit)[0], dtype=np.float64)
