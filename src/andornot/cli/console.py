"""Print progress, warnings, JSON and sizes; shared by all commands."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from andornot.base.errors import AndornotWarning
from andornot.base.progress import progress_bars


def shown_progress() -> AbstractContextManager[None]:
    """Show progress bars if standard error is a terminal."""
    return progress_bars() if sys.stderr.isatty() else nullcontext()


@contextmanager
def shown_warnings() -> Iterator[None]:
    """Print andornot's warnings as single lines on standard error."""

    def show(message: Warning | str, *_: object, **__: object) -> None:
        print(f"warning: {one_line(str(message))}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("always", AndornotWarning)
        warnings.showwarning = show
        yield


def printable(text: str) -> str:
    r"""Return the text, quoted and escaped if it contains control characters.

    >>> printable("king"), printable("a\tb")
    ('king', "'a\\tb'")
    """
    return text if text.isprintable() else repr(text)


def one_line(message: str) -> str:
    r"""Return a message as one line, with its control characters escaped.

    Unlike `printable`, it does not quote the message.

    >>> print(one_line("no tensor 'a\nb'"))
    no tensor 'a\nb'
    """
    return "".join(c if c.isprintable() else printable(c)[1:-1] for c in message)


def print_json(facts: object) -> None:
    """Print JSON, as ASCII unless standard output is UTF-8.

    >>> print_json({"words": 2})
    {
      "words": 2
    }
    """
    plain = (getattr(sys.stdout, "encoding", None) or "ascii").lower() not in ("utf-8", "utf8")
    print(json.dumps(facts, ensure_ascii=plain, allow_nan=False, indent=2))


def readable_size(count: int) -> str:
    """Format a number of bytes for people.

    >>> readable_size(1_234_567)
    '1.2 MB'
    """
    size = float(count)
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"
