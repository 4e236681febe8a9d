"""Attributes that are computed when they are first wanted."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")


class cached_property(functools.cached_property[T]):  # noqa: N801 - it stands for that of functools
    """As in functools, without a lock: so it is there from Python 3.12 on.

    Before, one lock served all instances: a value that takes long held up those of all others.
    Threads that want the same value at the same time may each compute it.

    >>> class Square:
    ...     @cached_property
    ...     def area(self) -> int:
    ...         return 3 * 3
    >>> Square().area
    9
    """

    if sys.version_info < (3, 12) and not TYPE_CHECKING:

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            """The value that is kept, or is computed now."""
            if instance is None:
                return self
            if self.attrname not in instance.__dict__:
                instance.__dict__[self.attrname] = self.func(instance)
            return instance.__dict__[self.attrname]
