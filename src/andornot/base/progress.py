"""Progress of long tasks: a task reports it, and the caller decides how to show it.

A long task opens a stage and reports the completed fraction. Nothing is shown unless the caller
uses `progress_bars` or sets a reporter.
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
    """Function that reports the progress of a stage."""

    def __call__(self, done: float, note: str = "", /) -> None:
        """Report the completed fraction, from 0 to 1, and a note to show with it."""


class Reporter(Protocol):
    """Function that opens a stage and returns its `Report`."""

    def __call__(
        self, label: str, total: float, unit: str, done: float, /
    ) -> AbstractContextManager[Report]:
        """Open a stage of which a fraction is `done`; `total` units, if not 0, give a speed."""


_current: ContextVar[Reporter | None] = ContextVar("reporter", default=None)


def _ignore(done: float, note: str = "", /) -> None:
    """Ignore the report, because no reporter is set."""


def stage(
    label: str, total: float = 0, unit: str = "", done: float = 0.0
) -> AbstractContextManager[Report]:
    """Open a stage of a long task and return the function that reports its progress.

    Args:
        label: The name of the stage.
        total: The number of units of work, used to show a speed; 0 if unknown.
        unit: The name of a unit, in the plural.
        done: The fraction that is complete already, for example in a resumed run.

    >>> with stage("counting") as report:
    ...     report(0.5)
    """
    reporter = _current.get()
    return nullcontext(_ignore) if reporter is None else reporter(label, total, unit, done)


def track(items: Collection[T], label: str) -> Iterator[T]:
    """Iterate over the items and report the progress.

    >>> list(track("abc", "counting"))
    ['a', 'b', 'c']
    """
    with stage(label) as report:
        for done, item in enumerate(items):
            report(done / len(items))
            yield item


@contextmanager
def reporting(reporter: Reporter) -> Iterator[None]:
    """Send the progress of all stages within the block to a reporter."""
    token = _current.set(reporter)
    try:
        yield
    finally:
        _current.reset(token)


def progress_bars() -> AbstractContextManager[None]:
    """Show progress bars for long tasks within the block, on standard error or in a notebook.

    >>> import andornot
    >>> with andornot.progress_bars():
    ...     space = andornot.load("examples/royal.vec")
    """
    return reporting(_Bars())


class _Bars:
    """Progress bars of rich: show the innermost stage, and clear the bar after the last one."""

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
