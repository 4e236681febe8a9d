"""How much a request may ask for, and how much may be under way."""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import ParamSpec, TypeVar

from andornot.errors import UsageError
from andornot.server.failures import ServiceError

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Limits:
    """What a service allows, for each request and altogether.

    `body` is in bytes; `depth` is of operations within each other; `k` are words of an answer, of a
    category or of a completion; `batch` are queries, sentences or words of one request; `waiting`
    are requests that wait or are worked on; `seconds` is the time that one may take.

    >>> Limits().k
    1000
    """

    body: int = 1_000_000
    depth: int = 32
    k: int = 1_000
    batch: int = 1_000
    waiting: int = 256
    seconds: float = 30.0

    def __post_init__(self) -> None:
        for field in fields(self):
            if not getattr(self, field.name) > 0:
                raise UsageError(f"the limit of {field.name} is above 0")

    def check_k(self, k: int) -> None:
        """Refuse more words than are given."""
        if k > self.k:
            raise ServiceError(422, "limit", f"{k:,} words; at most {self.k:,} are given (--max-k)")

    def check_batch(self, count: int, what: str) -> None:
        """Refuse more things in one request than are taken."""
        if count > self.batch:
            raise ServiceError(
                413,
                "limit",
                f"{count:,} {what}; at most {self.batch:,} are taken at once (--max-batch)",
            )


class Work:
    """Threads for what takes time, a bounded number of requests before them, and a time for each.

    A request too many is told to come back; so is one that has waited too long.
    """

    def __init__(self, limits: Limits, threads: int) -> None:
        self._limits = limits
        self._under_way = 0
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="andornot")

    @contextmanager
    def admitted(self) -> Iterator[None]:
        """A place among the requests that wait or are worked on."""
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

    async def in_time(self, future: asyncio.Future[T]) -> T:
        """What comes of it, if it comes in time."""
        try:
            return await asyncio.wait_for(future, self._limits.seconds)
        except TimeoutError:
            raise ServiceError(
                503,
                "timeout",
                f"no answer within {self._limits.seconds:g} seconds (--time-limit)",
                {"retry-after": "5"},
            ) from None

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something in a thread, within the time."""
        call = functools.partial(work, *args, **kwargs)
        return await self.in_time(asyncio.get_running_loop().run_in_executor(self.pool, call))

    def clock(self) -> Callable[[], bool]:
        """What tells, from now on, whether the time of a request is over."""
        end = time.monotonic() + self._limits.seconds
        return lambda: time.monotonic() > end

    def close(self) -> None:
        """Finish what is under way, and start nothing more."""
        self.pool.shutdown(wait=True, cancel_futures=True)
