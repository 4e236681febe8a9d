"""The notation of the query language: signs, keywords, and words in quotation marks."""

from __future__ import annotations

import re

SIGNS = {"+": 1, "-": -1, "\u2212": -1}  # of an analogy, with spaces around them
KEYWORDS = {"AND": "&", "OR": "|", "NOT": "!", "GIVEN": "@"}
_PLAIN = re.compile(r"[^\s&|!@{}(),*\"\\]+")


def quoted(text: str) -> str:
    r"""Format a word for a query, in quotation marks if necessary.

    >>> print(quoted("king"), quoted("new york"), quoted("AND"), quoted('6" nail'))
    king "new york" "AND" "6\" nail"
    """
    if _PLAIN.fullmatch(text) and text not in KEYWORDS and text not in SIGNS:
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
