"""AND, OR and NOT over words: expressions, concepts, the query language, explanations."""

from andornot.algebra.concept import Concept
from andornot.algebra.explanation import Explanation, explain
from andornot.algebra.logic import Answer, Hit, Logic
from andornot.algebra.parser import QuerySyntaxError, parse

__all__ = [
    "Answer",
    "Concept",
    "Explanation",
    "Hit",
    "Logic",
    "QuerySyntaxError",
    "explain",
    "parse",
]
