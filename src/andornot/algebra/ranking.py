"""Rank words for resolved queries: of the vocabulary, of a category, or among given words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from andornot.algebra.ask_options import AskOptions
from andornot.algebra.categories import Category
from andornot.algebra.concept import Concept
from andornot.algebra.detached import detached
from andornot.algebra.expression import Analogy, stop_words_of, words_of
from andornot.algebra.filters import WordFilter
from andornot.algebra.finding_categories import find_among
from andornot.algebra.nodes import Ids, SignedSum
from andornot.algebra.notes import words_of_category
from andornot.base.choices import Measure
from andornot.base.errors import AndornotError, MissingContextError
from andornot.base.html import lines, table
from andornot.base.remedies import option

if TYPE_CHECKING:
    from pandas import DataFrame

    from andornot.algebra.logic import Logic

_SHOWN = 3  # hits shown in the repr of an answer
_TINY = 1e-5  # length relative to the longest operand below which a vector has cancelled


@dataclass(frozen=True, slots=True)
class Hit:
    """A word and its score. It unpacks and is indexed like a pair.

    >>> word, score = Hit("queen", 0.6)
    >>> Hit("queen", 0.6)[0]
    'queen'
    """

    word: str
    score: float

    def __iter__(self) -> Iterator[str | float]:
        return iter((self.word, self.score))

    def __getitem__(self, place: int) -> str | float:
        return (self.word, self.score)[place]

    def __len__(self) -> int:
        return 2


@dataclass(frozen=True, eq=False, repr=False)
class Answer(Sequence[Hit]):
    """The answer to a query: a sequence of hits, best first.

    >>> import andornot
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> answer = andornot.Logic(space).ask("royal & woman", k=2)
    >>> answer
    Answer('royal & woman': queen 0.989, princess 0.988)
    >>> len(answer), answer[0].word, [word for word, score in answer][0]
    (2, 'queen', 'queen')

    Answers are equal if their formulas, words, scores and options are. A pickled answer is small:
    it keeps the vector, the notes and the probability of its concept, but not the logic and the
    space. So it can't be explained, drawn or combined any more.

    Attributes:
        concept: What was ranked.
        hits: The words and their scores.
        measure: "cosine" or "pmi"; "description" for the adjusted cosine of `Logic.describe`.
        among: The words that were ranked, or None for the whole vocabulary.
        filter: What the ranked words had to pass, or None.
        remarks: Notes on the way that they were ranked.
    """

    concept: Concept
    hits: tuple[Hit, ...]
    measure: str
    among: Category | None
    filter: WordFilter | None = None
    remarks: tuple[str, ...] = ()

    @overload
    def __getitem__(self, place: int) -> Hit: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Hit, ...]: ...

    def __getitem__(self, place: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[place]

    def __len__(self) -> int:
        return len(self.hits)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Answer) and self._compared == other._compared

    def __hash__(self) -> int:
        return hash(self.hits)

    @property
    def _compared(self) -> tuple[object, ...]:
        formula = self.concept.formula
        return formula, self.hits, self.measure, self.among, self.filter, self.remarks

    def __getstate__(self) -> dict[str, object]:
        return vars(self) | {"concept": detached(self.concept)}

    def __deepcopy__(self, memo: dict[int, object]) -> Answer:
        return self  # immutable; a copy would lose its logic, as a pickled answer does

    def __copy__(self) -> Answer:
        return self

    def __repr__(self) -> str:
        shown = [f"{hit.word} {hit.score:.3f}" for hit in self.hits[:_SHOWN]]
        shown += ["..."] if len(self) > _SHOWN else []
        return f"Answer({str(self.concept.formula)!r}: {', '.join(shown) or 'no words'})"

    def _repr_html_(self) -> str:
        rows = [[rank, hit.word, f"{hit.score:.3f}"] for rank, hit in enumerate(self.hits, 1)]
        found = table(rows, ["", "word", self.measure], str(self.concept.formula))
        read = [f"read: {reading}" for reading in self.readings]
        return found + lines([*read, *(f"note: {note}" for note in self.notes)])

    def to_pandas(self) -> DataFrame:
        """Return the hits as a table of pandas with the columns word and score.

        >>> import andornot
        >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
        >>> andornot.Logic(space).ask("royal & woman", k=1).to_pandas().word[0]
        'queen'
        """
        try:
            from pandas import DataFrame
        except ImportError as error:
            raise AndornotError("pandas is not installed; pip install pandas") from error
        return DataFrame({"word": self.words, "score": [hit.score for hit in self.hits]})

    @property
    def words(self) -> tuple[str, ...]:
        """The words without their scores."""
        return tuple(hit.word for hit in self.hits)

    @property
    def readings(self) -> tuple[str, ...]:
        """The interpretation of each NOT that has no category, as sentences."""
        return self.concept.readings

    @property
    def notes(self) -> tuple[str, ...]:
        """Warnings: operands with negligible weight, missing words."""
        notes = [*self.concept.notes, *self.concept.logic.notes, *self.remarks]
        if self.among is not None:
            notes += words_of_category(self.among)
        if not self.hits:
            notes.append(
                "no word is left to rank: query words are excluded from the results; add "
                f"{option('keep_operands', True)} to include them"
            )
        elif self.hits[0].score < 0:
            notes.append("no word is near the query: the best score is below 0")
        return tuple(dict.fromkeys(notes))


class Candidates(NamedTuple):
    """The words that answers rank.

    Attributes:
        among: The given words that pass the filter, or None for the vocabulary or the
            category of a query.
        passed: All words that pass the filter, or None without one or with `among`.
    """

    among: Category | None
    passed: Ids | None


def prepare(concept: Concept, options: AskOptions) -> Concept:
    """Resolve and compute the concept to rank, so that its errors are raised here."""
    if options.measure != Measure.COSINE and isinstance(concept.formula, Analogy):
        raise AndornotError(
            "an analogy can only be ranked by cosine, because its vectors have unit "
            f"length; choose {option('measure', 'cosine')}"
        )
    ranked = options.ranked(concept)
    _ = ranked.computed
    return ranked


def rank(
    logic: Logic,
    concepts: Sequence[Concept | AndornotError],
    options: AskOptions,
    candidates: Candidates,
) -> list[Answer | AndornotError]:
    """Rank words for concepts of a logic, with one search for all concepts.

    Args:
        logic: The logic that the concepts belong to.
        concepts: Concepts that were prepared with the same options. An error instead of one
            is returned instead of its answer.
        options: The options of the queries.
        candidates: The words to rank, as `candidates_of` returns them.

    Returns:
        An answer or an error for each concept.
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
    logic: Logic, concepts: Sequence[Concept], options: AskOptions, candidates: Candidates
) -> list[Answer | AndornotError]:
    """Rank the vocabulary, or the candidates, for all concepts together."""
    vectors = np.stack([concept.vector for concept in concepts])
    operands = [operand_ids(concept) for concept in concepts]
    among = candidates.among
    found = logic.search.nearest(
        vectors.astype(np.float32),
        options.k,
        leave_out=None if options.keep_operands else operands,
        among=candidates.passed if among is None else among.ids,
        measure=options.measure,
    )
    ids, scores = found.ids.tolist(), found.scores.tolist()
    has_unit_parts = [isinstance(concept.node, SignedSum) for concept in concepts]
    longest = np.where(has_unit_parts, 1, _longest(logic, operands))
    has_direction = np.linalg.norm(vectors, axis=1) > _TINY * longest
    return [
        Answer(
            concept, hits_of(logic, ids[row], scores[row]), options.measure, among, options.filter
        )
        if has_direction[row]
        else _no_direction(concept)
        for row, concept in enumerate(concepts)
    ]


def _rank_members(
    concept: Concept, options: AskOptions, candidates: Candidates
) -> Answer | AndornotError:
    """Rank the words of a category A by the angle between v(x) - v(A) and the concept."""
    logic, frame = concept.logic, concept.frame
    vector, origin, _ = concept.computed
    assert frame is not None
    assert origin is not None
    ranked = candidates.among or frame
    if candidates.passed is not None:
        passed = frame.ids[np.isin(frame.ids, candidates.passed)]
        try:
            ranked = _filtered(frame, passed, options)
        except AndornotError as error:
            return error
    operands = operand_ids(concept)
    if not np.linalg.norm(vector) > _TINY * _longest(logic, [[*operands, *frame.ids.tolist()]])[0]:
        return _no_direction(concept)
    left_out = set() if options.keep_operands else set(operands)
    ids = np.array([i for i in ranked.ids.tolist() if i not in left_out], dtype=np.int64)
    rows = logic.target.of_block(logic.space.target[ids].astype(np.float64)) - origin
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(vector)
    scores = rows @ vector / np.where(lengths > 0, lengths, np.nan)
    order = np.argsort(-scores, kind="stable")[: options.k]
    order = order[~np.isnan(scores[order])]
    hits = hits_of(logic, ids[order].tolist(), scores[order].tolist())
    return Answer(concept, hits, Measure.COSINE, ranked, options.filter)


def direction_of(concept: Concept) -> npt.NDArray[np.float64]:
    """Return the vector of a concept outside of categories, at unit length.

    Raises:
        AndornotError: If the operands cancel out.
    """
    length = float(np.linalg.norm(concept.vector))
    longest = 1.0
    if not isinstance(concept.node, SignedSum):
        longest = float(_longest(concept.logic, [operand_ids(concept)])[0])
    if not length > _TINY * longest:
        raise _no_direction(concept)
    return np.asarray(concept.vector / length, dtype=np.float64)


def candidates_of(logic: Logic, options: AskOptions) -> Candidates:
    """Check the options against a logic, and return the words to rank.

    Raises:
        AndornotError: If a word or a category to rank is unknown, no word passes the filter, or
            the space lacks what the measure or the filter needs, so that no query can be answered
            with these options.
    """
    if options.measure == Measure.PMI and logic.space.context is None:
        raise MissingContextError("the PMI score")
    among = None if options.among is None else find_among(logic, options.among)
    if options.filter is None:
        return Candidates(among, None)
    if among is not None:
        passed = options.filter.passed(logic.space, among.ids)
        return Candidates(_filtered(among, passed, options), None)
    passed = options.filter.passed(logic.space)
    if not len(passed):
        raise _nothing_passes("the vocabulary", options)
    return Candidates(None, passed)


def _filtered(category: Category, passed: Ids, options: AskOptions) -> Category:
    """Return the words of a category that pass the filter."""
    if not len(passed):
        raise _nothing_passes(category.brief, options)
    words = dict(zip(category.ids.tolist(), category.words, strict=True))
    return replace(category, ids=passed, words=tuple(words[i] for i in passed.tolist()))


def _nothing_passes(where: str, options: AskOptions) -> AndornotError:
    return AndornotError(
        f"no word of {where} matches {options.filter}; change the filter or leave it off"
    )


def operand_ids(concept: Concept) -> list[int]:
    """Return the ids of the query words outside of categories."""
    words = dict.fromkeys([*words_of(concept.formula), *stop_words_of(concept.formula)])
    return [concept.logic.space.vocabulary.index(word) for word in words]


def _longest(logic: Logic, groups: Sequence[Sequence[int]]) -> npt.NDArray[np.float32]:
    """Return the length of the longest vector in each group of words; 0 for a group of none."""
    found = np.zeros(len(groups), dtype=np.float32)
    words = [row for row, group in enumerate(groups) if group]
    if not words:
        return found
    ids = [number for group in groups for number in group]
    starts = np.cumsum([0, *(len(groups[row]) for row in words)])[:-1]
    lengths = logic.target.lengths(logic.space.target[ids])
    found[words] = np.maximum.reduceat(lengths, starts)
    return found


def hits_of(logic: Logic, ids: Iterable[int], scores: Iterable[float]) -> tuple[Hit, ...]:
    """Return words by their ids, with scores; ids below 0 are skipped."""
    word = logic.space.vocabulary.word
    return tuple(Hit(word(i), score) for i, score in zip(ids, scores, strict=True) if i >= 0)


def _no_direction(concept: Concept) -> AndornotError:
    return AndornotError(
        f"the vector of {str(concept.formula)!r} is zero or not finite: it has no direction; "
        "use other words"
    )
