"""What the service does for each request, in a thread: from plain values to JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from andornot.algebra import Answer, Logic, explain
from andornot.algebra.concept import Concept
from andornot.algebra.expression import Expression
from andornot.algebra.facts import facts_of
from andornot.algebra.parser import column_of
from andornot.errors import AndornotError, UnknownWordError
from andornot.postprocessing.sentences import encode
from andornot.server.costs import check_named, priced, read
from andornot.server.deadline import check_time
from andornot.server.failures import dumped, kind_of, listed
from andornot.server.limits import Limits
from andornot.server.projecting import project
from andornot.server.spaces import Served

_AT_A_TIME = 64  # queries of a batch
_EXACT_AT_A_TIME = 4
_SUGGESTIONS = 10  # errors of a batch for which spellings are looked for: that takes long


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
    among: tuple[str, ...] | None

    @property
    def logic(self) -> Logic:
        """The logic that answers."""
        return self.served.logic(self.postprocess, self.weights, self.exact)

    @property
    def is_ready(self) -> bool:
        """Whether the logic is there already."""
        return self.served.has_logic(self.postprocess, self.weights, self.exact)


class Question(NamedTuple):
    """A query, and what it says; or what is wrong with it. Others may wait for a cheap one."""

    query: str
    read: Expression | AndornotError
    is_cheap: bool = True

    @classmethod
    def of(cls, query: str, limits: Limits, *, exact: bool) -> Question:
        """A query that is read, if it can be."""
        try:
            expression, cost = priced(query, limits, exact=exact)
            return cls(query, expression, cost.is_small)
        except AndornotError as error:
            return cls(query, error)

    def checked(self, manner: Manner, limits: Limits) -> Question:
        """The same, if the categories that it names are none too large for its manner."""
        if not manner.exact or isinstance(self.read, AndornotError):
            return self
        try:
            check_named(manner.logic, self.read, limits)
        except AndornotError as error:
            return Question(self.query, error)
        return self


def answer_all(manner: Manner, questions: Sequence[Question]) -> list[Answer | AndornotError]:
    """An answer for each question, or what is wrong with it."""
    found = [each.read for each in questions]
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


def answer_together(manner: Manner, questions: Sequence[Question]) -> list[bytes | AndornotError]:
    """As `answer_all`, with answers as JSON.

    Errors stay what they are: looking for spellings takes long, and nobody else is to wait for it.
    """
    return [
        each if isinstance(each, AndornotError) else dumped(facts_of(question.query, each))
        for question, each in zip(questions, answer_all(manner, questions), strict=True)
    ]


def answer_one(manner: Manner, query: str, limits: Limits) -> bytes:
    """The answer to one query, which may take its time."""
    question = Question.of(query, limits, exact=manner.exact).checked(manner, limits)
    (answer,) = answer_together(manner, [question])
    if isinstance(answer, AndornotError):
        raise answer
    return answer


def batch(manner: Manner, queries: Sequence[str], limits: Limits) -> bytes:
    """All answers, and what is wrong with the queries that have none.

    Some at a time, to end when nobody waits any more.
    """
    answers: list[bytes] = []
    unknown = 0
    questions = (Question.of(query, limits, exact=manner.exact) for query in queries)
    for piece in _pieces(questions, _EXACT_AT_A_TIME if manner.exact else _AT_A_TIME):
        check_time()
        some = [question.checked(manner, limits) for question in piece]
        for (query, *_), each in zip(some, answer_all(manner, some), strict=True):
            if not isinstance(each, AndornotError):
                answers.append(dumped(facts_of(query, each)))
                continue
            unknown += isinstance(each, UnknownWordError)
            facts = facts_of(query, each) if unknown <= _SUGGESTIONS else _briefly(query, each)
            answers.append(dumped(facts | {"kind": kind_of(each)}))
            check_time()
    return listed("answers", answers)


def _pieces(questions: Iterable[Question], most: int) -> Iterator[list[Question]]:
    """Questions that are answered together: some that are cheap, or one that is not.

    >>> made = [Question.of(query, Limits(), exact=False) for query in ("a", "b", "!c", "d")]
    >>> [[question.query for question in piece] for piece in _pieces(made, 64)]
    [['a', 'b'], ['!c'], ['d']]
    """
    piece: list[Question] = []
    for question in questions:
        if piece and (len(piece) == most or not (question.is_cheap and piece[-1].is_cheap)):
            yield piece
            piece = []
        piece.append(question)
    yield piece


def _briefly(query: str, error: AndornotError) -> dict[str, Any]:
    """What is wrong with a query, without other spellings."""
    if not isinstance(error, UnknownWordError):
        return facts_of(query, error)
    facts: dict[str, Any] = {"query": query, "error": f"unknown word {error.word!r}"}
    column = column_of(query, error.word)
    return facts | {"word": error.word, "column": None if column is None else column + 1}


def concept_of(logic: Logic, query: str, limits: Limits) -> Concept:
    """The concept of a query."""
    expression = read(query, limits, exact=logic.exact)
    if logic.exact:
        check_named(logic, expression, limits)
    return logic.concept(expression)


def explained(logic: Logic, query: str, limits: Limits) -> bytes:
    """Why an answer is what it is; the exact numbers are computed to compare with."""
    has_exact = logic.space.context is not None
    expression = read(query, limits, exact=has_exact)
    if has_exact:
        check_named(logic, expression, limits)
    return dumped(explain(logic.concept(expression)).to_dict())


def encoded(logic: Logic, sentences: Sequence[str], weights: str) -> bytes:
    """A vector for each sentence."""
    vectors = encode(logic.space, sentences, weights=weights, mapped=logic.target)
    return listed("vectors", map(dumped, vectors.tolist()), dimension=logic.space.dim)


def proposed(logic: Logic, words: Sequence[str], size: int) -> bytes:
    """A category for words."""
    category = logic.propose_category(words, size)
    masses = logic.meaning.masses_of(category.ids).tolist()
    return dumped(
        {
            "words": list(category.words),
            "probabilities": [None if math.isnan(mass) else mass for mass in masses],
            "origin": category.origin,
        }
    )


def projected(
    served: Served,
    logic: Logic,
    words: Sequence[str],
    categories: Sequence[Sequence[str]],
    query: str | None,
    limits: Limits,
    axes_by: str,
) -> bytes:
    """A plane with words, origins and the vector of a query."""
    concept = None if query is None else concept_of(logic, query, limits)
    return dumped(project(served, logic, words, categories, concept, axes_by))
