"""Progress of long work: the work reports it, and the caller decides what is shown.

Long work opens a stage and reports the part that is done. Nothing is shown unless the caller asked
for it, with `progress_bars` or with a reporter of its own.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

T = TypeVar("T")


class Report(Protocol):
    """The function that reports the progress of a stage."""

    def __call__(self, done: float, note: str = "", /) -> None:
        """Report the part that is done, from 0 to 1, and a note to show beside it."""


class Reporter(Protocol):
    """The function that opens a stage for whoever watches."""

    def __call__(
        self, label: str, total: float, unit: str, done: float, /
    ) -> AbstractContextManager[Report]:
        """Open a stage that is partly `done`; `total` units of work, if not 0, give a speed."""


_current: ContextVar[Reporter | None] = ContextVar("reporter", default=None)


def _ignore(done: float, note: str = "", /) -> None:
    """Drop the report: no reporter is set."""


def stage(
    label: str, total: float = 0, unit: str = "", done: float = 0.0
) -> AbstractContextManager[Report]:
    """Open a stage of long work, and return the function that reports its progress.

    Args:
        label: What the work is.
        total: How many units of work it is, which gives a speed; 0 if unknown.
        unit: What is counted.
        done: The part that was done before, such as by a run that is resumed.

    >>> with stage("counting") as report:
    ...     report(0.5)
    """
    reporter = _current.get()
    return nullcontext(_ignore) if reporter is None else reporter(label, total, unit, done)


def track(items: Collection[T], label: str) -> Iterator[T]:
    """Iterate over the items, and report how many are done.

    >>> list(track("abc", "counting"))
    ['a', 'b', 'c']
    """
    with stage(label) as report:
        for done, item in enumerate(items):
            report(done / len(items))
            yield item


@contextmanager
def reporting(reporter: Reporter) -> Iterator[None]:
    """Send the progress of all work within the block to a reporter."""
    token = _current.set(reporter)
    try:
        yield
    finally:
        _current.reset(token)


def progress_bars() -> AbstractContextManager[None]:
    """Show a progress bar for long work within the block, on standard error or in a notebook.

    >>> import andornot
    >>> with andornot.progress_bars():
    ...     space = andornot.load("examples/royal.vec")
    """
    return reporting(_Bars())


class _Bars:
    """Bars of rich: the innermost stage is shown, and nothing stays when the last one ends."""

    def __init__(self) -> None:
        self._shown: Progress | None = None
        self._open: list[TaskID] = []

    @contextmanager
    def __call__(self, label: str, total: float, unit: str, done: float, /) -> Iterator[Report]:
        bars = self._shown = self._shown or _start()
        task = bars.add_task(label, total=1.0, completed=done, rate="")  # type: ignore[arg-type]
        self._open.append(task)
        self._show_innermost(bars)
        began = time.perf_counter()

        def report(done: float, note: str = "", /) -> None:
            seconds = time.perf_counter() - began
            rate = f"{done * total / seconds:,.0f} {unit}/s" if total and seconds > 0.5 else ""
            bars.update(task, completed=done, rate=note or rate)

        try:
            yield report
        finally:
            self._open.remove(task)
            bars.remove_task(task)
            self._show_innermost(bars)
            if not self._open:
                bars.stop()
                self._shown = None

    def _show_innermost(self, bars: Progress) -> None:
        for task in self._open:
            bars.update(task, visible=task == self._open[-1])


def _start() -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    bars = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}", markup=False),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    bars.start()
    return bars
