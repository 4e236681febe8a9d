"""What the service does for each request, in a thread: from plain values to plain data."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from andornot.algebra import Answer, Logic, explain
from andornot.algebra.expression import Expression, check_depth
from andornot.algebra.facts import facts_of
from andornot.algebra.logic import Concept
from andornot.algebra.parser import parse
from andornot.errors import AndornotError
from andornot.parallel import spans
from andornot.postprocessing.sentences import encode
from andornot.server.failures import dumped, kind_of
from andornot.server.projecting import project
from andornot.server.spaces import Served

_AT_A_TIME = 64  # queries of a batch


@dataclass(frozen=True)
class Manner:
    """How queries are answered; those with the same manner can be answered together."""

    served: Served
    postprocess: str
    weights: str
    exact: bool
    k: int
    measure: str
    everywhere: bool
    keep_operands: bool
    among: tuple[str, ...] | str | None

    @property
    def logic(self) -> Logic:
        """The logic that answers."""
        return self.served.logic(self.postprocess, self.weights, self.exact)


def read(query: str, depth: int) -> Expression:
    """A query that may be answered: it can be read, and is not nested too deep.

    >>> print(read("royal AND woman", depth=3))
    royal & woman
    """
    expression = parse(query)
    check_depth(expression, depth)
    return expression


def answer_all(manner: Manner, queries: Sequence[str], depth: int) -> list[Answer | AndornotError]:
    """An answer for each query, or what is wrong with it."""
    found: list[Expression | AndornotError] = []
    for query in queries:
        try:
            found.append(read(query, depth))
        except AndornotError as error:
            found.append(error)
    try:
        answers = iter(
            manner.logic.answer_all(
                [each for each in found if not isinstance(each, AndornotError)],
                k=manner.k,
                measure=manner.measure,
                everywhere=manner.everywhere,
                keep_operands=manner.keep_operands,
                among=manner.among,
            )
        )
    except AndornotError as error:  # of the manner: no query can be answered in it
        return [each if isinstance(each, AndornotError) else error for each in found]
    return [each if isinstance(each, AndornotError) else next(answers) for each in found]


def answer_together(
    manner: Manner, queries: Sequence[str], depth: int
) -> list[bytes | AndornotError]:
    """As `answer_all`, with answers as JSON.

    Errors stay what they are: looking for spellings takes long, and nobody else is to wait for it.
    """
    answers = answer_all(manner, queries, depth)
    return [
        each if isinstance(each, AndornotError) else dumped(facts_of(query, each))
        for query, each in zip(queries, answers, strict=True)
    ]


def batch(
    manner: Manner, queries: Sequence[str], depth: int, is_over: Callable[[], bool]
) -> dict[str, Any]:
    """All answers, and what is wrong with the queries that have none.

    Some at a time: when it `is_over`, because nobody waits any more, the rest is left.
    """
    answers: list[dict[str, Any]] = []
    for first, last in spans(len(queries), -(-len(queries) // _AT_A_TIME)):
        if is_over():
            break
        some = queries[first:last]
        for query, each in zip(some, answer_all(manner, some, depth), strict=True):
            facts = facts_of(query, each)
            if isinstance(each, AndornotError):
                facts["kind"] = kind_of(each)
            answers.append(facts)
    return {"answers": answers}


def concept_of(logic: Logic, query: str, depth: int) -> Concept:
    """The concept of a query."""
    return logic.concept(read(query, depth))


def explained(logic: Logic, query: str, depth: int) -> dict[str, Any]:
    """Why an answer is what it is."""
    return explain(concept_of(logic, query, depth)).to_dict()


def encoded(logic: Logic, sentences: Sequence[str], weights: str) -> dict[str, Any]:
    """A vector for each sentence."""
    vectors = encode(logic.space, sentences, weights=weights, mapped=logic.target)
    return {"dimension": logic.space.dim, "vectors": vectors.tolist()}


def proposed(logic: Logic, words: Sequence[str], size: int) -> dict[str, Any]:
    """A category for words."""
    category = logic.propose_category(words, size)
    masses = logic.meaning.masses_of(category.ids).tolist()
    return {
        "words": list(category.words),
        "probabilities": [None if math.isnan(mass) else mass for mass in masses],
        "origin": category.origin,
    }


def projected(
    served: Served,
    logic: Logic,
    words: Sequence[str],
    categories: Sequence[Sequence[str]],
    query: str | None,
    depth: int,
    axes_by: str,
) -> dict[str, Any]:
    """A plane with words, origins and the vector of a query."""
    concept = None if query is None else concept_of(logic, query, depth)
    return project(served, logic, words, categories, concept, axes_by)
