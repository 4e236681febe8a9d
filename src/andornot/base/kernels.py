"""The one way this project compiles a kernel: no GIL, cached on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile `function` to machine code that releases the GIL and is cached on disk.

    Used as a decorator: `@kernel` above a function of numbers and arrays. Where no folder for the
    cache can be written, it is compiled anew in every process.
    """
    try:
        return cast(F, numba.njit(nogil=True, cache=True)(function))
    except RuntimeError:
        return cast(F, numba.njit(nogil=True)(function))


_REORDERED = {"reassoc", "contract", "nsz", "arcp", "afn"}  # infinities and NaN keep their meaning


def fast_kernel(function: F) -> F:
    """A `kernel` of floating-point loops: sums may be reordered, so that they use wide registers.

    Division by zero gives an infinity, as in NumPy: the check for it would keep loops scalar.
    """
    options: dict[str, Any] = {"nogil": True, "fastmath": _REORDERED, "error_model": "numpy"}
    try:
        return cast(F, numba.njit(cache=True, **options)(function))
    except RuntimeError:
        return cast(F, numba.njit(**options)(function))
