"""The words nearest to resolved queries: in the vocabulary, in a category, or among some words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from andornot.algebra.categories import Category
from andornot.algebra.concept import Concept
from andornot.algebra.expression import Named, stop_words_of, words_of
from andornot.base import defaults
from andornot.base.choices import Measure
from andornot.base.errors import AndornotError, MissingContextError, UsageError
from andornot.search import check_k

if TYPE_CHECKING:
    from andornot.algebra.logic import Logic

_TINY = 1e-5  # of the longest operand: the length below which a vector has cancelled out


@dataclass(frozen=True)
class AskOptions:
    """The options of a query.

    Attributes:
        k: Number of words; fewer are returned if fewer are left.
        measure: "cosine", or "pmi" (needs context vectors).
        everywhere: Rank the whole vocabulary for a query that is seen within a category.
        keep_operands: Let words of the query be answers to it.
        among: The words to rank, or the name of a category; default: the vocabulary, or the
            category of the query.
    """

    k: int = defaults.K
    measure: str = defaults.MEASURE
    everywhere: bool = False
    keep_operands: bool = False
    among: Iterable[str] | str | None = None

    def __post_init__(self) -> None:
        check_k(self.k)
        if self.measure not in tuple(Measure):
            raise UsageError(
                f"unknown measure {self.measure!r}; choose one of {', '.join(Measure)}"
            )
        if isinstance(self.among, str) or self.among is None:
            return
        if not isinstance(self.among, Iterable):
            raise UsageError("among must be a list of words, or the name of a category")
        object.__setattr__(self, "among", tuple(self.among))

    def ranked(self, concept: Concept) -> Concept:
        """Return the concept that is ranked: outside of its category if the options say so."""
        if self.everywhere or self.measure != Measure.COSINE:
            return concept.in_global_frame
        return concept


@dataclass(frozen=True, slots=True)
class Hit:
    """A word that was found, and its score. It unpacks like a pair."""

    word: str
    score: float

    def __iter__(self) -> Iterator[str | float]:
        return iter((self.word, self.score))


@dataclass(frozen=True, eq=False)
class Answer:
    """The words found for a concept, best first.

    Attributes:
        concept: What was ranked.
        hits: The words and their scores.
        measure: "cosine" or "pmi".
        among: The words that were ranked, or None for the whole vocabulary.
    """

    concept: Concept
    hits: tuple[Hit, ...]
    measure: str
    among: Category | None

    @property
    def words(self) -> tuple[str, ...]:
        """The words without their scores."""
        return tuple(hit.word for hit in self.hits)

    @property
    def notes(self) -> tuple[str, ...]:
        """Warnings: proposed categories, operands with negligible weight, missing words."""
        empty: tuple[str, ...] = ()
        if not self.hits:
            empty = (
                "no word is left to be found: query words are excluded from the results, unless "
                "operands are kept (--keep-operands)",
            )
        return (*self.concept.notes, *self.concept.logic.notes, *empty)


def prepare(concept: Concept, options: AskOptions) -> Concept:
    """Return the concept that is ranked, resolved and computed, so that it has no error left."""
    ranked = options.ranked(concept)
    _ = ranked.computed
    return ranked


def rank(
    logic: Logic,
    concepts: Sequence[Concept | AndornotError],
    options: AskOptions,
    candidates: Category | None,
) -> list[Answer | AndornotError]:
    """Rank words for concepts of a logic, with one search for all that rank the vocabulary.

    Args:
        logic: The logic that the concepts belong to.
        concepts: Concepts that were prepared with the same options. An error in the place of one
            is returned in the place of its answer.
        options: How they are answered.
        candidates: The words to rank, as `candidates_of` returns them, or None for all.

    Returns:
        An answer for each concept, or the error that it has.
    """
    searched = [each for each in concepts if isinstance(each, Concept) and each.frame is None]
    found = iter(_rank_words(logic, searched, options, candidates) if searched else [])
    answers: list[Answer | AndornotError] = []
    for each in concepts:
        if isinstance(each, AndornotError):
            answers.append(each)
        elif each.frame is None:
            answers.append(next(found))
        else:
            answers.append(_rank_members(each, options, candidates))
    return answers


def _rank_words(
    logic: Logic, concepts: Sequence[Concept], options: AskOptions, candidates: Category | None
) -> list[Answer | AndornotError]:
    """Rank the vocabulary, or the candidates, for all concepts together."""
    vectors = np.stack([concept.vector for concept in concepts])
    operands = [_operands(concept) for concept in concepts]
    found = logic.search.nearest(
        vectors.astype(np.float32),
        options.k,
        leave_out=None if options.keep_operands else operands,
        among=None if candidates is None else candidates.ids,
        measure=options.measure,
    )
    ids, scores = found.ids.tolist(), found.scores.tolist()
    has_direction = np.linalg.norm(vectors, axis=1) > _TINY * _longest(logic, operands)
    return [
        Answer(concept, _hits(logic, ids[row], scores[row]), options.measure, candidates)
        if has_direction[row]
        else _no_direction(concept)
        for row, concept in enumerate(concepts)
    ]


def _rank_members(
    concept: Concept, options: AskOptions, candidates: Category | None
) -> Answer | AndornotError:
    """Rank the words of a category A by the angle between v(x) - v(A) and the concept."""
    logic, frame, (vector, origin) = concept.logic, concept.frame, concept.computed
    assert frame is not None
    assert origin is not None
    ranked = candidates or frame
    operands = _operands(concept)
    if not np.linalg.norm(vector) > _TINY * _longest(logic, [[*operands, *frame.ids.tolist()]])[0]:
        return _no_direction(concept)
    left_out = set() if options.keep_operands else set(operands)
    ids = np.array([i for i in ranked.ids.tolist() if i not in left_out], dtype=np.int64)
    rows = logic.target.of_block(logic.space.target[ids].astype(np.float64)) - origin
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(vector)
    scores = rows @ vector / np.where(lengths > 0, lengths, np.nan)
    order = np.argsort(-scores, kind="stable")[: options.k]
    order = order[~np.isnan(scores[order])]
    hits = _hits(logic, ids[order].tolist(), scores[order].tolist())
    return Answer(concept, hits, Measure.COSINE, ranked)


def candidates_of(logic: Logic, options: AskOptions) -> Category | None:
    """Check the options against a logic, and return the words to rank; None for all.

    Raises:
        AndornotError: If a word or a category to rank is unknown, or the space lacks what the
            measure needs, so that no query can be answered with these options.
    """
    if options.measure == Measure.PMI and logic.space.context is None:
        raise MissingContextError("the PMI score")
    among, vocabulary = options.among, logic.space.vocabulary
    if among is None:
        return None
    if isinstance(among, str) and (among in logic.categories or among not in vocabulary):
        return logic.category(Named(among))
    words = logic.whole_words([among] if isinstance(among, str) else among)
    if not words:
        raise AndornotError("no words to be ranked; name some, or leave `among` off")
    ids = np.array([vocabulary.index(word) for word in words], dtype=np.int64)
    return Category(ids, words, "the words that were asked for")


def _operands(concept: Concept) -> list[int]:
    """Return the ids of the words that a query names outside of its categories."""
    words = dict.fromkeys([*words_of(concept.formula), *stop_words_of(concept.formula)])
    return [concept.logic.space.vocabulary.index(word) for word in words]


def _longest(logic: Logic, groups: Sequence[Sequence[int]]) -> npt.NDArray[np.float32]:
    """Return the length of the longest vector in each group of words."""
    ids = [number for group in groups for number in group]
    starts = np.cumsum([0, *(len(group) for group in groups)])[:-1]
    lengths = logic.target.lengths(logic.space.target[ids])
    return np.asarray(np.maximum.reduceat(lengths, starts), dtype=np.float32)


def _hits(logic: Logic, ids: Iterable[int], scores: Iterable[float]) -> tuple[Hit, ...]:
    word = logic.space.vocabulary.word
    return tuple(Hit(word(i), score) for i, score in zip(ids, scores, strict=True) if i >= 0)


def _no_direction(concept: Concept) -> AndornotError:
    return AndornotError(f"the vector of {concept.formula} is zero: it has no direction")
