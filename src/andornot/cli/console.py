"""What every command shares: a progress bar, warnings on one line, plain numbers."""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from andornot.base.errors import AndornotWarning


class Bar(Protocol):
    """What moves a bar: the part that is done, and a note to show beside it."""

    def __call__(self, done: float, note: str = "", /) -> None:
        """Show this much."""


@contextmanager
def progress_bars(*labels: str, total: float = 0, unit: str = "") -> Iterator[list[Bar | None]]:
    """Bars on standard error for stages that follow each other; None where it is no terminal.

    A bar appears when its stage begins. With a `total`, it shows how many `unit` are done in a
    second, unless there is a note.
    """
    if not sys.stderr.isatty():
        yield [None for _ in labels]
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
    with RichProgress(*columns, console=Console(stderr=True), transient=True) as bars:

        def stage(label: str) -> Bar:
            task = bars.add_task(label, total=1.0, rate="", start=False, visible=False)
            began = 0.0

            def show(done: float, note: str = "", /) -> None:
                nonlocal began
                if not began:
                    began = time.perf_counter()
                    bars.start_task(task)
                    for other in bars.task_ids:
                        bars.update(other, visible=other == task)
                seconds = time.perf_counter() - began
                rate = f"{done * total / seconds:,.0f} {unit}/s" if total and seconds > 0.5 else ""
                bars.update(task, completed=done, rate=note or rate)

            return show

        yield [stage(label) for label in labels]


@contextmanager
def progress_bar(label: str, total: float = 0, unit: str = "") -> Iterator[Bar | None]:
    """A single bar of `progress_bars`, which is there from the beginning."""
    with progress_bars(label, total=total, unit=unit) as (bar,):
        if bar:
            bar(0.0)
        yield bar


@contextmanager
def shown_warnings() -> Iterator[None]:
    """Print andornot's warnings as single lines on standard error."""

    def show(message: Warning | str, *_: object, **__: object) -> None:
        print(f"warning: {message}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("always", AndornotWarning)
        warnings.showwarning = show
        yield


def printable(text: str) -> str:
    r"""A text that keeps its line and changes no terminal: control characters are escaped.

    >>> printable("king"), printable("a\tb")
    ('king', "'a\\tb'")
    """
    return text if text.isprintable() else repr(text)


def print_json(facts: object) -> None:
    """Print JSON that any standard output can hold.

    >>> print_json({"words": 2})
    {
      "words": 2
    }
    """
    plain = (getattr(sys.stdout, "encoding", None) or "ascii").lower() not in ("utf-8", "utf8")
    print(json.dumps(facts, ensure_ascii=plain, allow_nan=False, indent=2))


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
