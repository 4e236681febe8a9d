"""Numbers for people and for JSON."""

from __future__ import annotations

import math


def number(value: float | None) -> str:
    """Format a number to three significant digits, or "unknown".

    >>> number(0.12345), number(float("nan")), number(None)
    ('0.123', 'unknown', 'unknown')
    """
    return "unknown" if value is None or math.isnan(value) else f"{value:.3g}"


def known(value: float) -> float | None:
    """Return a number, or None if it is NaN or infinite.

    >>> known(0.5), known(float("nan"))
    (0.5, None)
    """
    return value if math.isfinite(value) else None
