"""Compile kernels with numba: without the GIL, cached on disk if possible."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar, cast

import numba
from numba.core.caching import FunctionCache

from andornot.base.errors import AndornotWarning

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile `function` to machine code that releases the GIL and is cached on disk.

    Use it as a decorator for functions of numbers and arrays. If the cache can't be written, the
    function is compiled again in every process.
    """
    return _cached(function, {})


_REORDERED = {"reassoc", "contract", "nsz", "arcp", "afn"}  # infinities and NaN keep their meaning


def fast_kernel(function: F) -> F:
    """Compile a `kernel` whose floating-point sums may be reordered, to use wide registers.

    Division by zero gives an infinity, as in NumPy: a check for it would prevent vectorisation.
    """
    return _cached(function, {"fastmath": _REORDERED, "error_model": "numpy"})


def _cached(function: F, options: dict[str, Any]) -> F:
    compiled = numba.njit(nogil=True, **options)(function)
    with suppress(RuntimeError):  # no cache folder can be written
        compiled._cache = _Cache(function)  # type: ignore[no-untyped-call]
    return cast(F, compiled)


class _Cache(FunctionCache):
    """numba's function cache, made tolerant of disk errors.

    In numba, an error of the cache ends the kernel call: a full disk would end a training, and
    the error would name an unrelated file.
    """

    has_warned = False  # warn once for all kernels

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the cached code for a signature, or None if it is missing or damaged."""
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # pickle raises various errors for a damaged file
            with suppress(OSError):
                self.flush()  # type: ignore[no-untyped-call]
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save the compiled code; if that fails, warn once and continue without a cache."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except OSError as error:
            self.disable()  # type: ignore[no-untyped-call]
            if not _Cache.has_warned:
                _Cache.has_warned = True
                warnings.warn(
                    f"{self.cache_path}: can't store compiled kernels "
                    f"({error.strerror or error}), so every run compiles them again; free "
                    "disk space, or set NUMBA_CACHE_DIR to another folder",
                    AndornotWarning,
                    stacklevel=2,
                )
