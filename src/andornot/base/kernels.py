"""The one way this project compiles a kernel: no GIL, cached on disk where that is possible."""

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

    Used as a decorator: `@kernel` above a function of numbers and arrays. Where no cache can be
    written, it is compiled anew in every process.
    """
    return _cached(function, {})


_REORDERED = {"reassoc", "contract", "nsz", "arcp", "afn"}  # infinities and NaN keep their meaning


def fast_kernel(function: F) -> F:
    """A `kernel` of floating-point loops: sums may be reordered, so that they use wide registers.

    Division by zero gives an infinity, as in NumPy: the check for it would keep loops scalar.
    """
    return _cached(function, {"fastmath": _REORDERED, "error_model": "numpy"})


def _cached(function: F, options: dict[str, Any]) -> F:
    compiled = numba.njit(nogil=True, **options)(function)
    with suppress(RuntimeError):  # where no folder for the cache can be written
        compiled._cache = _Cache(function)  # type: ignore[no-untyped-call]
    return cast(F, compiled)


class _Cache(FunctionCache):
    """numba's cache of a function, which can do without the disk.

    numba lets an error of the cache end the call of the kernel: a full disk would end a training,
    and the error would name whatever was about to be written.
    """

    has_warned = False  # once for all kernels

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return what is cached for a signature; None if there is nothing, or nothing whole."""
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # whatever pickle makes of a damaged file
            with suppress(OSError):
                self.flush()  # type: ignore[no-untyped-call]
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save what was compiled; where that fails, say so once and go on without."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except OSError as error:
            self.disable()  # type: ignore[no-untyped-call]
            if not _Cache.has_warned:
                _Cache.has_warned = True
                warnings.warn(
                    f"{self.cache_path}: compiled kernels can't be kept there "
                    f"({error.strerror or error}), so that every run compiles them anew; free "
                    "some space, or set NUMBA_CACHE_DIR to another folder",
                    AndornotWarning,
                    stacklevel=2,
                )
