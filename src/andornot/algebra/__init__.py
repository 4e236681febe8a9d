"""AND, OR and NOT over words: expressions, concepts, the query language, explanations."""

from andornot.algebra.concept import Concept
from andornot.algebra.explanation import Explanation, explain
from andornot.algebra.logic import Logic
from andornot.algebra.parser import QuerySyntaxError, parse
from andornot.algebra.ranking import Answer, AskOptions, Hit

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
