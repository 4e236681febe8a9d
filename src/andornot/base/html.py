"""Format HTML tables for notebooks: escaped, without scripts or external files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

_STYLE = "text-align:left;white-space:pre-line"


def table(rows: Iterable[Sequence[object]], headers: Sequence[str] = (), caption: str = "") -> str:
    """Format an HTML table.

    Args:
        rows: The cells of each row.
        headers: The names of the columns; default: no header row.
        caption: A line above the table.

    >>> table([["a < b", 1]], ["word", "rank"])
    '<table><thead><tr><th...>word</th><th...>rank</th></tr></thead><tbody><tr><td...>a &lt; b...'
    """
    above = _element("caption", caption) if caption else ""
    head = f"<thead>{_row('th', headers)}</thead>" if headers else ""
    body = "".join(_row("td", row) for row in rows)
    return f"<table>{above}{head}<tbody>{body}</tbody></table>"


def lines(texts: Iterable[str]) -> str:
    """Format lines of text as HTML, one below the other.

    >>> lines(["note: a & b"])
    '<div...>note: a &amp; b</div>'
    """
    return "".join(_element("div", text) for text in texts)


def _row(kind: str, cells: Sequence[object]) -> str:
    return f"<tr>{''.join(_element(kind, cell) for cell in cells)}</tr>"


def _element(kind: str, content: object) -> str:
    return f'<{kind} style="{_STYLE}">{escape(str(content))}</{kind}>'
