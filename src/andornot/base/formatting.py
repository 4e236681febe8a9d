"""Format numbers for people and for JSON."""

from __future__ import annotations

import math


def number(value: float | None) -> str:
    """Format a number to three significant digits, or "unknown".

    >>> number(0.12345), number(float("nan")), number(None)
    ('0.123', 'unknown', 'unknown')
    """
    return "unknown" if value is None or math.isnan(value) else f"{value:.3g}"


def counted(count: int, noun: str) -> str:
    """Format a number of things.

    >>> counted(1, "epoch"), counted(2000, "word")
    ('1 epoch', '2,000 words')
    """
    return f"{count:,} {noun}{'s' * (count != 1)}"


def known(value: float) -> float | None:
    """Return a finite number unchanged, and None for NaN and infinities.

    >>> known(0.5), known(float("nan"))
    (0.5, None)
    """
    return value if math.isfinite(value) else None


def readable_time(seconds: float) -> str:
    """Format a duration for people.

    >>> readable_time(90), readable_time(5000), readable_time(200_000)
    ('1.5 min', '1.4 h', '2.3 days')
    """
    for unit, size in (("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"
