"""The logistic function and its loss, in float32, written so that loops over them vectorise."""

from __future__ import annotations

from typing import Any

import numpy as np

from andornot.base.kernels import fast_kernel

f32 = np.float32
Number = Any
"""A float32 in compiled code."""

_LOG2_E = f32(1.4426950408889634)
_LN_2 = f32(0.6931471805599453)
_FLOOR = f32(-40.0)  # e^-40 is nothing beside 1, and its products stay clear of denormal numbers
_E2, _E3, _E4, _E5, _E6 = f32(1 / 2), f32(1 / 6), f32(1 / 24), f32(1 / 120), f32(1 / 720)
_L3, _L5, _L7, _L9, _L11 = f32(1 / 3), f32(1 / 5), f32(1 / 7), f32(1 / 9), f32(1 / 11)
_ZERO, _HALF, _ONE, _TWO = f32(0), f32(0.5), f32(1), f32(2)


@fast_kernel
def exp_negative(x: Number) -> Number:
    """Return e^x for x <= 0 to float32's precision: 2^n by its bits, times a short series.

    >>> print(f"{exp_negative(f32(-1.5)):.5f}")
    0.22313
    """
    scaled = max(x, _FLOOR) * _LOG2_E
    whole = np.floor(scaled + _HALF)
    f = (scaled - whole) * _LN_2
    series = _ONE + f * (_ONE + f * (_E2 + f * (_E3 + f * (_E4 + f * (_E5 + f * _E6)))))
    bits = np.int32((np.int32(whole) + np.int32(127)) << np.int32(23))
    return series * bits.view(np.float32)


@fast_kernel
def sigmoid(x: Number) -> Number:
    """Return 1 / (1 + e^-x).

    >>> print(f"{sigmoid(f32(-3)):.5f}")
    0.04743
    """
    e = exp_negative(-abs(x))
    inverse = _ONE / (_ONE + e)
    return inverse if x >= _ZERO else e * inverse


@fast_kernel
def softplus(x: Number) -> Number:
    """Return log(1 + e^x), the loss of a negative example with score x.

    The loss of a positive example is that of -x.

    log(1 + e) = 2 artanh(z) with z = e/(2 + e), at most 1/3: its series is short.

    >>> print(f"{softplus(f32(-3)):.5f}")
    0.04859
    """
    e = exp_negative(-abs(x))
    z = e / (_TWO + e)
    y = z * z
    series = _ONE + y * (_L3 + y * (_L5 + y * (_L7 + y * (_L9 + y * _L11))))
    return _TWO * z * series + max(x, _ZERO)
