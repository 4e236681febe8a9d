"""The work of a request, done in a thread: from plain values to JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from andornot.algebra import Answer, AskOptions, Logic, explain
from andornot.algebra.categories import Category
from andornot.algebra.concept import Concept
from andornot.algebra.describing import describe
from andornot.algebra.expression import Expression, Given, Members, Named, every_part
from andornot.algebra.facts import facts_of
from andornot.algebra.parser import column_of
from andornot.algebra.picture import picture_facts, picture_of
from andornot.algebra.picture_svg import svg_of
from andornot.algebra.ranking import candidates_of, prepare, rank
from andornot.algebra.texts import most_words
from andornot.base.errors import AndornotError, UnknownWordError
from andornot.base.formatting import known
from andornot.growing import WordList
from andornot.growing.word_list import list_facts
from andornot.postprocessing.sentences import encode
from andornot.server.costs import (
    Cost,
    check_exact_members,
    check_examples,
    check_words,
    priced,
)
from andornot.server.deadline import check_deadline
from andornot.server.failures import encode_json, encode_json_list, error_kind
from andornot.server.limits import Limits
from andornot.server.served_spaces import ServedSpace

_AT_A_TIME = 64  # queries of a batch
_EXACT_AT_A_TIME = 4
_SUGGESTIONS = 10  # errors of a batch for which spellings are looked for: that takes long


class LogicChoice(NamedTuple):
    """The logic that a request wants."""

    served: ServedSpace
    postprocess: str
    weights: str
    exact: bool

    @property
    def logic(self) -> Logic:
        """The logic; it is made when it is first wanted."""
        return self.served.logic(self.postprocess, self.weights, self.exact)

    @property
    def is_ready(self) -> bool:
        """True if the logic has been made."""
        return self.served.has_logic(self.postprocess, self.weights, self.exact)


class BatchKey(NamedTuple):
    """The settings of an answer; queries with equal settings can be answered together."""

    choice: LogicChoice
    options: AskOptions
    draws: bool = False  # whether the answers have pictures


class ParsedQuery(NamedTuple):
    """A query with its expression and its cost, or with what is wrong with it."""

    query: str
    expression: Expression | AndornotError
    cost: Cost | None = None

    @classmethod
    def of(cls, query: str, limits: Limits, *, exact: bool) -> ParsedQuery:
        """Parse and price a query, once."""
        try:
            expression, cost = priced(query, limits, exact=exact)
        except AndornotError as error:
            return cls(query, error)
        return cls(query, expression, cost)

    @property
    def is_cheap(self) -> bool:
        """Return True if other queries may wait for it."""
        return self.cost is None or self.cost.is_small

    def is_drawn_quickly(self, k: int) -> bool:
        """Return True if other queries may wait for its picture of k words."""
        return self.cost is None or self.cost.is_drawn_quickly(k)


def concept_of(logic: Logic, expression: Expression, limits: Limits, *, exact: bool) -> Concept:
    """Resolve an expression within the limits and the time of the request.

    Args:
        logic: The logic that answers.
        expression: The query, which has been priced.
        limits: What a request may cost.
        exact: Whether exact numbers are computed, so that named categories must be small.

    Raises:
        LimitError: If named categories have too many words.
        ServiceError: If the time of the request is over before a category is proposed.
    """
    found: dict[Members | Named, Category] = {}

    def find(where: Members | Named) -> Category:
        if where not in found:
            found[where] = logic.category(where)
        return found[where]

    if exact:  # before anything is searched
        parts = (part for part in every_part(expression) if isinstance(part, Given))
        named = [part.category for part in parts if isinstance(part.category, Named)]
        check_exact_members(sum(len(find(each)) for each in named), "named categories", limits)

    def propose(words: Sequence[str]) -> Category:
        check_deadline()
        return logic.propose_category(words)

    concept = logic.concept(expression)
    return replace(concept, resolved=logic.resolve(concept.formula, find=find, propose=propose))


def answer_all(
    key: BatchKey, queries: Sequence[ParsedQuery], limits: Limits, *, exact: bool = False
) -> list[Answer | AndornotError]:
    """Return an answer for each query, or what is wrong with it.

    Args:
        key: How they are answered.
        queries: The queries.
        limits: What a request may cost.
        exact: Whether exact numbers are computed for another reason than the logic's own.
    """
    logic = key.choice.logic
    concepts: list[Concept | AndornotError] = []
    try:
        candidates = candidates_of(logic, key.options)
    except AndornotError as error:  # no query can be answered with these options
        return [error] * len(queries)
    for each in queries:
        if isinstance(each.expression, AndornotError):
            concepts.append(each.expression)
            continue
        try:
            concept = concept_of(logic, each.expression, limits, exact=exact or logic.exact)
            concepts.append(prepare(concept, key.options))
        except AndornotError as error:
            concepts.append(error)
    return rank(logic, concepts, key.options, candidates)


def answer_together(
    key: BatchKey, queries: Sequence[ParsedQuery], limits: Limits
) -> list[bytes | AndornotError]:
    """Return the answers as JSON; errors stay errors.

    Spellings for an unknown word take long to find, and no other request is to wait for them.
    """
    return [
        each if isinstance(each, AndornotError) else encode_json(_facts(key, parsed.query, each))
        for parsed, each in zip(queries, answer_all(key, queries, limits), strict=True)
    ]


def _facts(key: BatchKey, query: str, answer: Answer) -> dict[str, Any]:
    """Return an answer as data, with its picture if it is wanted."""
    return facts_of(query, answer) | {"picture": picture_facts(answer) if key.draws else None}


def draw_query(key: BatchKey, query: str, limits: Limits) -> bytes:
    """Return the picture of an answer as a file."""
    parsed = ParsedQuery.of(query, limits, exact=key.choice.exact)
    (answer,) = answer_all(key, [parsed], limits)
    if isinstance(answer, AndornotError):
        raise answer
    return svg_of(picture_of(answer)).encode()


def answer_one(key: BatchKey, query: str, parsed: ParsedQuery | None, limits: Limits) -> bytes:
    """Return the answer to one query; it is parsed here if it hasn't been."""
    parsed = parsed or ParsedQuery.of(query, limits, exact=key.choice.exact)
    (answer,) = answer_together(key, [parsed], limits)
    if isinstance(answer, AndornotError):
        raise answer
    return answer


def answer_batch(key: BatchKey, queries: Sequence[str], limits: Limits) -> bytes:
    """Return all answers, and what is wrong with the queries that have none.

    They are computed some at a time, so that the work ends when the request is given up.
    """
    answers: list[bytes] = []
    unknown = 0
    exact = key.choice.exact
    parsed = (ParsedQuery.of(query, limits, exact=exact) for query in queries)
    for group in _groups(parsed, _EXACT_AT_A_TIME if exact else _AT_A_TIME):
        check_deadline()
        for (query, *_), each in zip(group, answer_all(key, group, limits), strict=True):
            if not isinstance(each, AndornotError):
                answers.append(encode_json(facts_of(query, each)))
                continue
            unknown += isinstance(each, UnknownWordError)
            describe = facts_of if unknown <= _SUGGESTIONS else _without_suggestions
            facts = describe(query, each)
            answers.append(encode_json(facts | {"kind": error_kind(each)}))
            check_deadline()
    return encode_json_list("answers", answers)


def _groups(queries: Iterable[ParsedQuery], most: int) -> Iterator[list[ParsedQuery]]:
    """Iterate over queries that are answered together: several cheap ones, or one that is not.

    >>> made = [ParsedQuery.of(query, Limits(), exact=False) for query in ("a", "b", "!c", "d")]
    >>> [[parsed.query for parsed in group] for group in _groups(made, 64)]
    [['a', 'b'], ['!c'], ['d']]
    """
    group: list[ParsedQuery] = []
    for parsed in queries:
        if group and (len(group) == most or not (parsed.is_cheap and group[-1].is_cheap)):
            yield group
            group = []
        group.append(parsed)
    yield group


def _without_suggestions(query: str, error: AndornotError) -> dict[str, Any]:
    """Return what is wrong with a query, without other spellings."""
    if not isinstance(error, UnknownWordError):
        return facts_of(query, error)
    facts: dict[str, Any] = {"query": query, "error": error.problem}
    column = column_of(query, error.word)
    return facts | {"word": error.word, "column": None if column is None else column + 1}


def explain_query(key: BatchKey, query: str, limits: Limits) -> bytes:
    """Explain the answer to a query; exact numbers are computed to compare with."""
    exact = key.choice.logic.space.has_context
    (answer,) = answer_all(key, [ParsedQuery.of(query, limits, exact=exact)], limits, exact=exact)
    if isinstance(answer, AndornotError):
        raise answer
    return encode_json(explain(answer).to_dict())


def describe_text(served: ServedSpace, text: str, options: AskOptions, limits: Limits) -> bytes:
    """Return the words that fit a description."""
    check_words(most_words(text), "a description", limits)
    return encode_json(facts_of(text, describe(served.describing, text, options)))


def grow_list(
    served: ServedSpace,
    yes: Sequence[str],
    no: Sequence[str],
    k: int,
    filters: dict[str, Any],
    limits: Limits,
) -> bytes:
    """Return the next words of a list.

    Args:
        served: The space.
        yes: The accepted words.
        no: The rejected words.
        k: The number of words.
        filters: The filters of the words, as in `WordList.propose`.
        limits: The limits of a request.
    """
    check_examples(len(yes) + len(no), limits)
    words = WordList(served.grower, yes, rejected=no)
    return encode_json(list_facts(words, words.propose(k, **filters)))


def encode_sentences(logic: Logic, sentences: Sequence[str], weights: str) -> bytes:
    """Return a vector for each sentence."""
    vectors = encode(logic.space, sentences, weights=weights, mapped=logic.target)
    return encode_json_list(
        "vectors", map(encode_json, vectors.tolist()), dimension=logic.space.dim
    )


def propose(logic: Logic, words: Sequence[str], size: int) -> bytes:
    """Return a category for words."""
    category = logic.propose_category(words, size)
    return encode_json(
        {
            "words": list(category.words),
            "probabilities": [known(p) for p in logic.probabilities[category.ids].tolist()],
            "origin": category.origin,
        }
    )
