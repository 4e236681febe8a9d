"""Threads for the work of requests, with a bounded queue and a time limit."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from andornot.server.deadline import deadline
from andornot.server.failures import ServiceError
from andornot.server.limits import Limits

P = ParamSpec("P")
T = TypeVar("T")


class Workers:
    """Threads, a bounded number of requests that wait for them, and a time limit for each.

    A request beyond the bound is told to try again; so is one that has waited too long.
    """

    def __init__(self, limits: Limits, threads: int) -> None:
        self._limits = limits
        self._under_way = 0
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

    def check_exact_members(self, count: int) -> None:
        """Check the number of words in categories for which exact numbers are computed."""
        if count > self._limits.exact_members:
            said = f"{count:,} words in categories; at most {self._limits.exact_members:,} are"
            raise ServiceError(422, "limit", f"{said} taken where exact numbers are computed")

    def check_hits(self, count: int) -> None:
        """Check the number of words in all answers of a batch."""
        if count > self._limits.hits:
            said = f"{count:,} words in all answers; at most {self._limits.hits:,} are given"
            raise ServiceError(413, "limit", f"{said}: fewer queries, or a smaller k")

    @contextmanager
    def admitted(self) -> Iterator[None]:
        """Count a request among those that wait or are worked on."""
        if self._under_way >= self._limits.waiting:
            raise ServiceError(
                503,
                "busy",
                f"{self._under_way:,} requests are waiting already; try again soon",
                {"retry-after": "1"},
            )
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1

    async def within_time(self, future: asyncio.Future[T]) -> T:
        """Return the result of a future, if it comes within the time limit."""
        try:
            return await asyncio.wait_for(future, self._limits.seconds)
        except TimeoutError:
            raise self._too_late() from None

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run work in a thread, within the time limit."""
        check = self._clock()

        def call() -> T:
            with deadline(check):
                return work(*args, **kwargs)

        return await self.within_time(asyncio.get_running_loop().run_in_executor(self._pool, call))

    def _too_late(self) -> ServiceError:
        return ServiceError(
            503,
            "timeout",
            f"no answer within {self._limits.seconds:g} seconds (--time-limit)",
            {"retry-after": "5"},
        )

    def _clock(self) -> Callable[[], None]:
        """Return a check that raises once the request has been given up."""
        end = time.monotonic() + self._limits.seconds

        def check() -> None:
            if self._is_closed or time.monotonic() > end:
                raise self._too_late()

        return check

    def close(self) -> None:
        """Start no more work, and give up what is running."""
        self._is_closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)
