"""Print answers for people."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from andornot.cli.console import printable

if TYPE_CHECKING:
    from andornot.algebra import Hit

_WIDTH = 80
_BAR = 30  # columns of the longest bar


def show_hits(hits: Sequence[Hit]) -> None:
    """Print words and scores, on a terminal with a bar for each score."""
    words = [printable(hit.word) for hit in hits]
    width = max(map(len, words), default=0)
    digits = max(3, len(str(len(hits))))
    longest = max((abs(hit.score) for hit in hits), default=0.0)
    drawn = sys.stdout.isatty() and sys.stdout.encoding.lower() == "utf-8"
    for rank, (hit, word) in enumerate(zip(hits, words, strict=True), start=1):
        bar = ""
        if drawn and hit.score > 0:
            bar = "  " + "\u2588" * max(1, round(_BAR * hit.score / longest))
        print(f"{rank:>{digits}}  {word:<{width}}  {hit.score:.3f}{bar}")


def show_readings(readings: Iterable[str]) -> None:
    """Print how a query was interpreted, in lines of 80 characters."""
    for reading in readings:
        print(textwrap.fill(printable(reading), _WIDTH))


def show_notes(notes: Iterable[str]) -> None:
    """Print the notes of an answer, in lines of 80 characters."""
    for note in notes:
        shown = printable(f"note: {note}")
        print(textwrap.fill(shown, _WIDTH, subsequent_indent="      "))
