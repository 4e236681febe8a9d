"""Attributes that are computed on first access."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")


class cached_property(functools.cached_property[T]):  # noqa: N801 - the name used by functools
    """`functools.cached_property` without a lock, as in Python 3.12 and later.

    Before Python 3.12, all instances shared one lock, so a slow value delayed all others.
    Threads that access the same value at the same time may each compute it.

    >>> class Square:
    ...     @cached_property
    ...     def area(self) -> int:
    ...         return 3 * 3
    >>> Square().area
    9
    """

    if sys.version_info < (3, 12) and not TYPE_CHECKING:

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            """Return the cached value, or compute it."""
            if instance is None:
                return self
            if self.attrname not in instance.__dict__:
                instance.__dict__[self.attrname] = self.func(instance)
            return instance.__dict__[self.attrname]
