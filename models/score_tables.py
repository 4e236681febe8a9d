"""Tables of scores: in Markdown for reports, and row by row on standard error."""

from __future__ import annotations

import sys

Row = dict[str, float | str | None]


def table_of(rows: dict[str, Row], heading: str = "") -> str:
    """Format rows as a table in Markdown; a row may lack columns that others have."""
    names = list(dict.fromkeys(key for row in rows.values() for key in row))
    lines = [f"| | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for name, row in rows.items():
        cells = [shown(key, row[key]) if key in row else "" for key in names]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([*([heading, ""] if heading else []), *lines]) + "\n"


def print_row(name: str, row: Row) -> None:
    """Print a row to standard error at once."""
    cells = ", ".join(f"{key} {shown(key, value)}" for key, value in row.items())
    print(f"{name}: {cells}", file=sys.stderr, flush=True)


def shown(key: str, value: float | str | None) -> str:
    """Format a value: three decimals for scores, as few digits as needed for settings."""
    if value is None:
        return "none"
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    if key in ("prior", "sample"):
        return f"{value:g}"
    return f"{value:+.3f}" if key == "change" else f"{value:.3f}"
