"""Answers, and what is wrong with queries, as plain data: what --json prints, and the service."""

from __future__ import annotations

import math
from typing import Any

from andornot.algebra.logic import Answer
from andornot.algebra.parser import QuerySyntaxError, column_of
from andornot.errors import AndornotError, UnknownWordError


def facts_of(query: str, answer: Answer | AndornotError) -> dict[str, Any]:
    """A query with its answer, or with what is wrong with it, ready for JSON.

    Columns count from 1.

    >>> import andornot
    >>> from andornot.algebra import Logic
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> logic = Logic(space)
    >>> facts_of("royal & woman", logic.ask("royal & woman"))["hits"][0]["word"]
    'queen'
    """
    if isinstance(answer, AndornotError):
        return {"query": query} | error_facts(query, answer)
    p = answer.concept.probability
    return {
        "query": query,
        "formula": str(answer.concept.formula),
        "measure": str(answer.measure),
        "probability": None if math.isnan(p) else p,
        "probability_is_bound": answer.concept.value.is_bound,
        "category": None if answer.among is None else list(answer.among.words),
        "hits": [{"word": hit.word, "score": hit.score} for hit in answer.hits],
        "notes": list(answer.notes),
    }


def error_facts(query: str, error: AndornotError) -> dict[str, Any]:
    """What is wrong with a query: where in it, and the spellings that may have been meant.

    >>> from andornot.algebra import QuerySyntaxError
    >>> error_facts("a &", QuerySyntaxError("a &", 3, "a word is missing"))["column"]
    4
    """
    facts: dict[str, Any] = {"error": str(error)}
    if isinstance(error, QuerySyntaxError):
        facts |= {"column": error.column + 1, "at": error.pointer()}
    if isinstance(error, UnknownWordError):
        facts |= {"word": error.word, "suggestions": list(error.suggestions)}
        column = column_of(query, error.word)
        if column is not None:
            facts["column"] = column + 1
    return facts
