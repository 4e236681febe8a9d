"""Slow work gives way to quick asks: it takes a bounded part of the time while any are under way.

All threads of a process share one interpreter. A lower priority of the slow threads would not help:
one that is held up by another program while it has the interpreter holds up the whole service.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_PAUSE = 9.0  # seconds of a pause for each second of work, at most, for each busy thread


class _Paid(threading.local):
    """The CPU time of a thread up to its last pause."""

    seconds: float = 0.0


class QuickAsks:
    """The quick asks that are under way, for which threads with slow work pause.

    All slow work together takes at most a tenth of the time meanwhile, but never stops.
    """

    def __init__(self) -> None:
        self.count = 0  # changed by the event loop alone
        self._none = threading.Event()
        self._none.set()
        self._slow = 0  # threads that are busy
        self._lock = threading.Lock()
        self._paid = _Paid()

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """Count an ask until it is answered."""
        self.count += 1
        self._none.clear()
        try:
            yield
        finally:
            self.count -= 1
            if not self.count:
                self._none.set()

    @contextmanager
    def slow_work(self) -> Iterator[None]:
        """Count a thread that has slow work, until it has done it."""
        with self._lock:
            self._slow += 1
        try:
            self.give_way()  # for what this thread did before
            yield
        finally:
            with self._lock:
                self._slow -= 1

    def give_way(self) -> None:
        """Pause while quick asks are under way, in proportion to the work since the last pause.

        A thread calls it between the parts of its work.
        """
        spent = time.thread_time() - self._paid.seconds
        self._none.wait(_PAUSE * self._slow * spent)
        self._paid.seconds = time.thread_time()
