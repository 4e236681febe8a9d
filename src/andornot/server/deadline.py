"""The time of the request that a thread works for: work of several parts ends when it is over."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class _Current(threading.local):
    """What tells a thread that nobody waits for it any more, by raising."""

    check: Callable[[], None] | None = None


_current = _Current()


@contextmanager
def timed(check: Callable[[], None]) -> Iterator[None]:
    """Work within the time that `check` knows of."""
    _current.check = check
    try:
        yield
    finally:
        _current.check = None


def check_time() -> None:
    """Raise where the time of the request is over; called between the parts of its work.

    >>> check_time()  # no request, no end
    """
    if _current.check is not None:
        _current.check()
