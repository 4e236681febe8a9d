"""Threads for slow requests, with bounded queues and a time limit."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from andornot.server.clients import client_left
from andornot.server.deadline import deadline
from andornot.server.failures import ServiceError
from andornot.server.limits import Limits
from andornot.server.sharing import QuickAsks

P = ParamSpec("P")
T = TypeVar("T")


class Workers:
    """Threads, a bounded number of requests that wait for them, and a time limit for each.

    A request beyond the bound is told to try again; so is one that has waited too long. Work is
    given up when its client has left. Quick asks, which another thread answers, are counted apart,
    so that slow requests can't take their places, and slow work gives way to them.
    """

    def __init__(self, limits: Limits, threads: int) -> None:
        self._limits = limits
        self._slow = 0  # requests that wait for a thread or have one
        self._quick = QuickAsks()
        self._is_closed = False
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="andornot")

    def check_k(self, k: int) -> None:
        """Check the number of words of an answer."""
        if k > self._limits.k:
            said = f"{k:,} words; at most {self._limits.k:,} are given (--max-k)"
            raise ServiceError(422, "limit", said)

    def check_batch(self, count: int, what: str) -> None:
        """Check the number of items in a request."""
        if count > self._limits.batch:
            said = f"{count:,} {what}; at most {self._limits.batch:,} are taken (--max-batch)"
            raise ServiceError(413, "limit", said)

    def check_hits(self, count: int) -> None:
        """Check the number of words in all answers of a batch."""
        if count > self._limits.hits:
            said = f"{count:,} words in all answers; at most {self._limits.hits:,} are given"
            raise ServiceError(413, "limit", f"{said}: fewer queries, or a smaller k")

    @contextmanager
    def admitted(self) -> Iterator[None]:
        """Count a slow request among those that wait or are worked on."""
        self._check_waiting(self._slow)
        self._slow += 1
        try:
            yield
        finally:
            self._slow -= 1

    @contextmanager
    def admitted_quick(self) -> Iterator[None]:
        """Count a quick ask among those that wait or are worked on."""
        self._check_waiting(self._quick.count)
        with self._quick.one_more():
            yield

    def _check_waiting(self, count: int) -> None:
        if count >= self._limits.waiting:
            raise ServiceError(
                503,
                "busy",
                f"{count:,} requests are waiting already; try again soon",
                {"retry-after": "1"},
            )

    async def within_time(self, future: asyncio.Future[T]) -> T:
        """Return the result of a future, if it comes within the time limit."""
        try:
            return await asyncio.wait_for(future, self._limits.seconds)
        except TimeoutError:
            raise self._too_late() from None

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run work in a thread, within the time limit and while the client waits for it."""
        given_up = threading.Event()
        check = self._clock(given_up)

        def call() -> T:
            with self._quick.slow_work(), deadline(check):
                check()
                return work(*args, **kwargs)

        done = asyncio.get_running_loop().run_in_executor(self._pool, call)
        left = asyncio.ensure_future(client_left())
        try:
            await asyncio.wait(
                (done, left), timeout=self._limits.seconds, return_when=asyncio.FIRST_COMPLETED
            )
            if done.done():
                return done.result()
            raise self._too_late()  # a client that has left doesn't read it
        finally:
            left.cancel()
            if not done.done():
                given_up.set()
                done.cancel()

    def _too_late(self) -> ServiceError:
        return ServiceError(
            503,
            "timeout",
            f"no answer within {self._limits.seconds:g} seconds (--time-limit)",
            {"retry-after": "5"},
        )

    def _clock(self, given_up: threading.Event) -> Callable[[], None]:
        """Return a check that gives way, and raises once the request has been given up."""
        end = time.monotonic() + self._limits.seconds

        def check() -> None:
            self._quick.give_way()
            if self._is_closed or given_up.is_set() or time.monotonic() > end:
                raise self._too_late()

        return check

    def close(self) -> None:
        """Start no more work, and give up what is running."""
        self._is_closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)
