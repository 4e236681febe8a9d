"""Run tasks in several threads: their number, their ranges, their results in order."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from andornot.base.errors import UsageError

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

T = TypeVar("T")


def thread_count(threads: int | None) -> int:
    """Return `threads`, or the number of cores available to this process.

    Raises:
        UsageError: If `threads` is below 1.

    >>> thread_count(3)
    3
    """
    if threads is not None:
        if threads < 1:
            raise UsageError(f"threads must be at least 1, got {threads}")
        return threads
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def spans(total: int, parts: int) -> list[tuple[int, int]]:
    """Split range(total) into at most `parts` contiguous spans of nearly equal length.

    >>> spans(7, 2)
    [(0, 4), (4, 7)]
    """
    step = max(1, -(-total // max(1, parts)))
    return [(start, min(start + step, total)) for start in range(0, total, step)]


def run_parallel(pool: ThreadPoolExecutor, tasks: Sequence[Callable[[], T]]) -> list[T]:
    """Run `tasks` in the pool and return their results in order; a single task runs directly.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as pool:
    ...     run_parallel(pool, [lambda: 1, lambda: 2])
    [1, 2]
    """
    if len(tasks) == 1:
        return [tasks[0]()]
    return [future.result() for future in [pool.submit(task) for task in tasks]]
