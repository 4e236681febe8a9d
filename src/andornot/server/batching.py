"""Queries that arrive together are answered together: one matrix product instead of many.

No request is delayed for batching: what arrives while a batch is computed makes the next one.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Generic, NamedTuple, TypeVar

K = TypeVar("K", bound=Hashable)
Q = TypeVar("Q")
A = TypeVar("A")


class _Waiting(NamedTuple, Generic[K, Q, A]):
    """A question, the key that its batch shares, and the future of its answer."""

    key: K
    question: Q
    answer: asyncio.Future[A]


class _Failed(NamedTuple):
    """The error that a question ended with."""

    error: Exception


class Batcher(Generic[K, Q, A]):
    """Collects questions with the same key and passes them to `work` together.

    One batch is computed at a time, in a thread of its own. If `work` fails, each question is
    asked alone, so that an error reaches only the request that caused it.

    Args:
        work: Return an answer for each question of a batch.
        most: The size of a batch at most.

    >>> async def ask() -> list[int]:
    ...     batcher = Batcher(lambda key, numbers: [key * n for n in numbers], most=2)
    ...     return await asyncio.gather(*(batcher.submit(10, n) for n in range(3)))
    >>> asyncio.run(ask())
    [0, 10, 20]
    """

    def __init__(self, work: Callable[[K, Sequence[Q]], Sequence[A]], most: int) -> None:
        self._work = work
        self._most = most
        self._waiting: deque[_Waiting[K, Q, A]] = deque()
        self._busy = False
        self._thread: Executor = ThreadPoolExecutor(1, thread_name_prefix="andornot-batch")

    def submit(self, key: K, question: Q) -> asyncio.Future[A]:
        """Add a question; return the future of its answer."""
        answer: asyncio.Future[A] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(key, question, answer))
        if not self._busy:
            # after the other callbacks of this round, so that what arrived with it is included
            self._busy = True
            asyncio.get_running_loop().call_soon(self._start)
        return answer

    def _take(self) -> list[_Waiting[K, Q, A]]:
        """Return the first question that has not been given up, and those with the same key."""
        batch: list[_Waiting[K, Q, A]] = []
        others: list[_Waiting[K, Q, A]] = []
        while self._waiting and len(batch) < self._most:
            each = self._waiting.popleft()
            if each.answer.done():  # it took too long, or the client has gone
                continue
            (batch if not batch or each.key == batch[0].key else others).append(each)
        self._waiting.extendleft(reversed(others))
        return batch

    def _start(self) -> None:
        batch = self._take()
        self._busy = bool(batch)
        if batch:
            loop = asyncio.get_running_loop()
            questions = [each.question for each in batch]
            running = loop.run_in_executor(self._thread, self._answers, batch[0].key, questions)
            running.add_done_callback(lambda done: self._finish(batch, done))

    def _answers(self, key: K, questions: list[Q]) -> list[A | _Failed]:
        try:
            return list(self._work(key, questions))
        except Exception as error:
            if len(questions) == 1:
                return [_Failed(error)]
        return [answer for each in questions for answer in self._answers(key, [each])]

    def _finish(
        self, batch: list[_Waiting[K, Q, A]], done: asyncio.Future[list[A | _Failed]]
    ) -> None:
        for each, answer in zip(batch, done.result(), strict=True):
            if each.answer.done():
                continue
            if isinstance(answer, _Failed):
                each.answer.set_exception(answer.error)
            else:
                each.answer.set_result(answer)
        self._start()

    def close(self) -> None:
        """Start no more batches."""
        self._thread.shutdown(wait=False, cancel_futures=True)
