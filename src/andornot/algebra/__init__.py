"""AND, OR and NOT over words: expressions, concepts, the query language, explanations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from andornot.algebra.ask_options import AskOptions
from andornot.algebra.concept import Concept
from andornot.algebra.logic import Logic
from andornot.algebra.parser import QuerySyntaxError, parse
from andornot.algebra.ranking import Answer, Hit

if TYPE_CHECKING:
    from andornot.algebra.explanation import Explanation, explain

__all__ = [
    "Answer",
    "AskOptions",
    "Concept",
    "Explanation",
    "Hit",
    "Logic",
    "QuerySyntaxError",
    "explain",
    "parse",
]


def __getattr__(name: str) -> Any:
    """Import the explanations when one is wanted: an answer doesn't need them."""
    if name not in ("Explanation", "explain"):
        raise AttributeError(f"module 'andornot.algebra' has no attribute {name!r}")
    from andornot.algebra import explanation

    return getattr(explanation, name)
