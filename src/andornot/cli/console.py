"""What every command shares: a progress bar, warnings on one line, plain numbers."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from andornot.errors import AndornotWarning


class Bar(Protocol):
    """What moves a bar: the part that is done, and a note to show beside it."""

    def __call__(self, done: float, note: str = "", /) -> None:
        """Show this much."""


@contextmanager
def progress_bar(label: str, total: float = 0, unit: str = "") -> Iterator[Bar | None]:
    """A bar on standard error while something runs; nothing where that is not a terminal.

    With a `total`, it also shows how many `unit` are done in a second, unless there is a note.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}", markup=False),
        TimeRemainingColumn(),
    )
    began = time.perf_counter()

    def show(done: float, note: str = "", /) -> None:
        seconds = time.perf_counter() - began
        rate = f"{done * total / seconds:,.0f} {unit}/s" if total and seconds > 0.5 else ""
        bar.update(task, completed=done, rate=note or rate)

    with RichProgress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=1.0, rate="")
        yield show


@contextmanager
def shown_warnings() -> Iterator[None]:
    """Print andornot's warnings as single lines on standard error."""

    def show(message: Warning | str, *_: object, **__: object) -> None:
        print(f"warning: {message}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("always", AndornotWarning)
        warnings.showwarning = show
        yield


def readable_size(count: int) -> str:
    """A number of bytes as people read it.

    >>> readable_size(1_234_567)
    '1.2 MB'
    """
    size = float(count)
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"
