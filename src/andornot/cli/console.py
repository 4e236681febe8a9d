"""What every command shares: a progress bar, warnings on one line, plain numbers."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from andornot.errors import AndornotWarning
from andornot.files import Progress


@contextmanager
def progress_bar(label: str) -> Iterator[Progress | None]:
    """A bar on standard error while something runs; nothing where that is not a terminal."""
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
        TimeRemainingColumn(),
    )
    with RichProgress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=1.0)
        yield lambda done: bar.update(task, completed=done)


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
