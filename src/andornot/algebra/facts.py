"""Answers and errors of queries as plain data, for --json and the service."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from andornot.algebra.filters import WordFilter
from andornot.algebra.parser import QuerySyntaxError, column_of
from andornot.algebra.plain_sentences import sentence_of
from andornot.algebra.ranking import Answer, Hit
from andornot.base.errors import AndornotError, UnknownWordError


@dataclass(frozen=True)
class AnswerData:
    """An answer as data: the words for a query, best first.

    Attributes:
        query: The query as it was asked.
        formula: The query as it was read.
        sentence: The answer in one plain sentence.
        measure: "cosine" or "pmi".
        probability: p of the query, or None without frequencies, for a text and for an analogy.
        probability_is_bound: True if p is an upper bound.
        category: The words that were ranked, or None for the whole vocabulary.
        filter: The filter of the ranked words (pattern, length, frequency), or None.
        readings: The interpretation of each NOT that has no category.
        hits: The words and their scores.
        notes: Warnings about the answer.
    """

    query: str
    formula: str
    sentence: str
    measure: str
    probability: float | None
    probability_is_bound: bool
    category: tuple[str, ...] | None
    filter: WordFilter | None
    readings: tuple[str, ...]
    hits: tuple[Hit, ...]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, query: str, answer: Answer) -> AnswerData:
        """Return the data of an answer.

        >>> import andornot
        >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
        >>> answer = andornot.Logic(space).ask("royal & woman")
        >>> AnswerData.of("royal & woman", answer).hits[0].word
        'queen'
        """
        p = answer.concept.probability
        return cls(
            query=query,
            formula=str(answer.concept.formula),
            sentence=sentence_of(answer),
            measure=str(answer.measure),
            probability=None if math.isnan(p) else p,
            probability_is_bound=answer.concept.is_bound,
            category=None if answer.among is None else answer.among.words,
            filter=answer.filter,
            readings=answer.readings,
            hits=answer.hits,
            notes=answer.notes,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the data, ready for JSON."""
        hits = [{"word": hit.word, "score": hit.score} for hit in self.hits]
        passed = None if self.filter is None else asdict(self.filter)
        return vars(self) | {"filter": passed, "hits": hits}


def facts_of(query: str, answer: Answer | AndornotError) -> dict[str, Any]:
    """Return a query with its answer or its error, ready for JSON."""
    if isinstance(answer, AndornotError):
        return {"query": query} | error_facts(query, answer)
    return AnswerData.of(query, answer).to_dict()


def error_facts(query: str, error: AndornotError) -> dict[str, Any]:
    """Return what is wrong with a query, the column (from 1), and what may have been meant.

    >>> from andornot.algebra import QuerySyntaxError
    >>> error_facts("a &", QuerySyntaxError("a &", 3, "a word is missing"))["column"]
    4
    """
    facts: dict[str, Any] = {"error": str(error)}
    if isinstance(error, QuerySyntaxError):
        facts |= {"column": error.column + 1, "at": error.pointer()}
        if error.correction is not None:
            facts["correction"] = error.correction
    if isinstance(error, UnknownWordError):
        facts |= {"word": error.word, "suggestions": list(error.suggestions)}
        column = column_of(query, error.word)
        if column is not None:
            facts["column"] = column + 1
    return facts
