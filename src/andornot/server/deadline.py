"""The deadline of the request that a thread works for: it ends work of several parts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class _Current(threading.local):
    """The check of a thread: it raises once the request has been given up."""

    check: Callable[[], None] | None = None


_current = _Current()


@contextmanager
def deadline(check: Callable[[], None]) -> Iterator[None]:
    """Run a block of work within a deadline; `check` raises when it has passed."""
    _current.check = check
    try:
        yield
    finally:
        _current.check = None


def check_deadline() -> None:
    """Raise if the deadline of the request has passed; call it between parts of the work.

    >>> check_deadline()  # no request, no end
    """
    if _current.check is not None:
        _current.check()
