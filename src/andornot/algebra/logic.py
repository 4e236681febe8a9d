"""Logic: the algebra of words over a space, asked in Python or in the query language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.algebra.arithmetic import Exact, FirstOrder
from andornot.algebra.categories import WRITTEN_OUT, Category, category_of, find_named
from andornot.algebra.concept import Concept
from andornot.algebra.expression import (
    Expression,
    Members,
    Named,
    Word,
    check_depth,
    conjunction,
    replace_words,
    words_of,
)
from andornot.algebra.meaning import Meaning
from andornot.algebra.parser import parse
from andornot.caching import cached_property
from andornot.choices import Measure, OrWeights, Postprocess
from andornot.counts import CountsOrigin
from andornot.datasets.wordnet import beside_in_wordnet
from andornot.errors import AndornotError
from andornot.postprocessing.affine import Affine
from andornot.postprocessing.spaces import check_once, fit_context, fit_target
from andornot.search import Search, check_k
from andornot.space import Space

_PROPOSED = 10  # neighbours that make up a proposed category
_NEIGHBOURHOOD = 200  # among which WordNet chooses
_FEWEST_KIN = 3  # words of WordNet's choice that make a category
_TINY = 1e-5  # of the length of the words: what is left of a vector when all of it cancels


class Hit(NamedTuple):
    """A word that was found, and its score."""

    word: str
    score: float


@dataclass(frozen=True, eq=False)
class Answer:
    """The words found for a concept, the best first, and what should be known about them.

    `among` are the words that were ranked, the category of the query or what was asked for, or None
    for the whole vocabulary.
    """

    concept: Concept
    hits: tuple[Hit, ...]
    measure: str
    among: Category | None

    @property
    def words(self) -> tuple[str, ...]:
        """The words alone."""
        return tuple(hit.word for hit in self.hits)

    @property
    def notes(self) -> tuple[str, ...]:
        """What should be known: proposed categories, faint operands, words not in the space."""
        empty: tuple[str, ...] = ()
        if not self.hits:
            empty = (
                "no word is left to be found: those of the query are no answers to it, unless "
                "operands are kept (--keep-operands)",
            )
        return (*self.concept.value.notes, *self.concept.logic.notes, *empty)


class Logic:
    """AND, OR and NOT over a space.

    `postprocess` is done to the vectors first (the paper: frequency); `weights` says how OR weighs
    its operands, by frequency or uniformly; `exact` computes OR, given and NOT from PMI itself
    instead of to first order; `categories` are named ones. The vectors are not copied.

    >>> import andornot
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> logic = Logic(space)
    >>> logic.ask("royal & woman", k=1).words
    ('queen',)
    >>> (logic["royal"] & logic["woman"]).vector.shape
    (3,)
    """

    def __init__(
        self,
        space: Space,
        *,
        postprocess: str = Postprocess.FREQUENCY,
        weights: str = OrWeights.FREQUENCY,
        exact: bool = False,
        categories: Mapping[str, Sequence[str]] | None = None,
        threads: int | None = None,
    ) -> None:
        if not isinstance(space, Space):
            raise AndornotError(f"a logic is over a Space, not {type(space).__name__}; load one")
        if weights not in tuple(OrWeights):
            raise AndornotError(f"unknown weights {weights!r}; choose {' or '.join(OrWeights)}")
        if space.provenance.postprocess == postprocess:
            postprocess = Postprocess.NONE  # it has been done
        check_once(space, postprocess)
        self.space = space
        self.postprocess = postprocess
        self.exact = exact
        self.weights = weights
        self.categories = dict(categories or {})
        for name, words in self.categories.items():
            if isinstance(words, str) or not isinstance(words, Iterable):
                raise AndornotError(f"the category {name!r} is no list; give a list of its words")
        self.target: Affine = fit_target(space, postprocess)
        self.context: Affine | None = fit_context(space, postprocess, None, self.target)
        self.search = Search(space, self.target, self.context, threads)
        self.arithmetic = self.exact_arithmetic if exact else FirstOrder(space, self.target)
        self.meaning = self.meaning_in(self.arithmetic)

    @cached_property
    def exact_arithmetic(self) -> Exact:
        """The exact arithmetic, whichever this logic uses; needs context vectors."""
        return Exact(self.space, self.target)

    @cached_property
    def exact_meaning(self) -> Meaning:
        """The meanings of expressions in exact arithmetic, whichever this logic uses."""
        return self.meaning if self.exact else self.meaning_in(self.exact_arithmetic)

    @cached_property
    def centred_meaning(self) -> Meaning:
        """Those to first order, of vectors that are centred and nothing else."""
        return self.meaning_in(FirstOrder(self.space, Affine(self.target.mean)))

    @property
    def notes(self) -> tuple[str, ...]:
        """What holds for every answer: frequencies that are only estimated."""
        counts = self.space.vocabulary.counts
        estimated = counts is not None and counts.origin == CountsOrigin.RANK
        return ("the frequencies are estimated from rank",) if estimated else ()

    @cached_property
    def _probability(self) -> npt.NDArray[np.float64]:
        """p(w), or NaN for all: uniform weights and centring do without."""
        if not self.space.has_frequencies:
            return np.full(len(self.space), np.nan)
        return self.space.probability

    def meaning_in(self, arithmetic: Exact | FirstOrder) -> Meaning:
        """The meanings of expressions in some arithmetic."""
        return Meaning(
            self.space.vocabulary,
            arithmetic,
            self._probability,
            self.weights == OrWeights.FREQUENCY,
            self.category,
            self.propose_category,
        )

    def __getitem__(self, word: str) -> Concept:
        found = self._in_pieces(Word(word))
        if isinstance(found, Word):
            self.space.vocabulary.index(found.text)  # an unknown word is said at once
        return Concept(self, found)

    def concept(self, query: str | Expression) -> Concept:
        """The concept of a query."""
        if not isinstance(query, str | Expression):
            raise AndornotError(f"a query is a text or an expression, not {type(query).__name__}")
        formula = parse(query) if isinstance(query, str) else query
        return Concept(self, self._in_pieces(formula))

    def _in_pieces(self, formula: Expression) -> Expression:
        """The formula with the AND of its pieces for each word that the tokenizer must cut."""
        if self.space.pieces is None:
            return formula

        check_depth(formula)

        def cut(word: Word) -> Expression:
            found = self.space.pieces_of(word.text)
            return word if found is None else conjunction([Word(piece) for piece in found])

        return replace_words(formula, cut)

    # --- categories ------------------------------------------------------------------------

    def category(self, where: Members | Named) -> Category:
        """A category that is written out, or named."""
        if isinstance(where, Members):
            words = [self._whole(word) for word in where.words]
            return category_of(self.space.vocabulary, words, WRITTEN_OUT)
        return find_named(where.name, self.categories, self.space.vocabulary)

    def _whole(self, word: str) -> str:
        """A member of a category as the vocabulary spells it; it can't be one of several pieces."""
        pieces = self.space.pieces_of(word)
        if pieces is None:
            return word
        if len(pieces) > 1:
            raise AndornotError(
                f"{word!r} is cut into {' '.join(pieces)}, and a category holds whole words of "
                "the vocabulary; leave it out"
            )
        return pieces[0]

    def propose_category(self, words: str | Sequence[str], size: int = _PROPOSED) -> Category:
        """A category for words that have none, from what is there.

        The nearest neighbours of the first; where WordNet is (see ANDORNOT_DATA), those of them
        that stand beside it there, if there are some.
        """
        own = [words] if isinstance(words, str) else list(words)
        if not own or size < 1:
            raise AndornotError(
                "a category is proposed for a word, with one word beside it at least"
            )
        numbers = [self.space.vocabulary.index(word) for word in own]
        row = self.target.of_block(self.space.target[numbers[:1]])
        near = self.search.nearest(row, max(size, _NEIGHBOURHOOD), leave_out=[numbers])
        others = [self.space.vocabulary.word(int(i)) for i in near.ids[0] if i >= 0]
        beside = beside_in_wordnet(own[0])
        kin = [word for word in others if word.lower() in beside]
        if len(kin) >= _FEWEST_KIN:
            origin = f"neighbours of {own[0]} that are beside it in WordNet"
            return category_of(self.space.vocabulary, [*own, *kin[:size]], origin)
        origin = f"nearest words of {own[0]}"
        return category_of(self.space.vocabulary, [*own, *others[:size]], origin)

    # --- asking ----------------------------------------------------------------------------

    def ask(
        self,
        query: str | Expression | Concept,
        *,
        k: int = 10,
        measure: str = Measure.COSINE,
        everywhere: bool = False,
        keep_operands: bool = False,
        among: Iterable[str] | str | None = None,
    ) -> Answer:
        """Answer one query with its k nearest words.

        What is seen within a category (NOT, given) ranks its members by the angle to them from its
        origin; with `everywhere`, the vocabulary, outside of the frame. `among` names the words, or
        the category, to rank instead. The words of a query are no answers to it unless
        `keep_operands` is said.
        """
        (answer,) = self.ask_many(
            [query],
            k=k,
            measure=measure,
            everywhere=everywhere,
            keep_operands=keep_operands,
            among=among,
        )
        return answer

    def ask_many(
        self, queries: Sequence[str | Expression | Concept], **options: Any
    ) -> list[Answer]:
        """Answer queries together; the options are those of `ask`."""
        answers = []
        for each in self.answer_all(queries, **options):
            if isinstance(each, AndornotError):
                raise each
            answers.append(each)
        return answers

    def answer_all(
        self,
        queries: Sequence[str | Expression | Concept],
        *,
        k: int = 10,
        measure: str = Measure.COSINE,
        everywhere: bool = False,
        keep_operands: bool = False,
        among: Iterable[str] | str | None = None,
    ) -> list[Answer | AndornotError]:
        """As `ask_many`; a query that can't be answered spoils no other, its error is returned."""
        if isinstance(queries, str):
            raise AndornotError("several queries are a list; ask one with ask")
        candidates = None if among is None else self._candidates(among)
        answers: list[Answer | AndornotError] = []
        waiting: list[tuple[int, Concept]] = []
        for number, query in enumerate(queries):
            try:
                concept = self._own(query)
                within = concept.frame is not None and not everywhere
                if within and measure == Measure.COSINE:
                    answers.append(self._within(concept, k, keep_operands, candidates))
                    continue
                outside = concept if concept.frame is None else concept.in_global_frame
                _ = outside.vector  # what is wrong with it is said here
                waiting.append((number, outside))
                answers.append(AndornotError("not answered yet"))
            except AndornotError as error:
                answers.append(error)
        if not waiting:
            return answers
        vectors = np.stack([concept.vector for _, concept in waiting])
        operands = [self._operands(concept) for _, concept in waiting]
        found = self.search.nearest(
            vectors.astype(np.float32),
            k,
            leave_out=None if keep_operands else operands,
            among=None if candidates is None else candidates.ids,
            measure=measure,
        )
        sizes = self._longest(operands)
        ids, scores = found.ids.tolist(), found.scores.tolist()
        has_direction = np.linalg.norm(vectors, axis=1) > _TINY * sizes
        for place, (number, concept) in enumerate(waiting):
            if has_direction[place]:
                hits = self._hits(ids[place], scores[place])
                answers[number] = Answer(concept, hits, measure, candidates)
            else:
                answers[number] = _no_direction(concept)
        return answers

    def _own(self, query: str | Expression | Concept) -> Concept:
        if not isinstance(query, Concept):
            return self.concept(query)
        if query.weight is not None:
            raise AndornotError("a weight belongs to an operand of |")
        if query.logic is not self:
            raise AndornotError("a concept is asked of the logic that it belongs to")
        return query

    def _candidates(self, among: Iterable[str] | str) -> Category:
        """The words to be ranked, by their category's name or one by one."""
        if isinstance(among, str) and among in self.space and among not in self.categories:
            among = [among]
        if isinstance(among, str):
            return find_named(among, self.categories, self.space.vocabulary)
        words = tuple(dict.fromkeys(among))
        if not words:
            raise AndornotError("no words to be ranked; name some, or leave `among` off")
        ids = np.array([self.space.vocabulary.index(word) for word in words], dtype=np.int64)
        return Category(ids, words, "the words that were asked for")

    def _within(
        self, concept: Concept, k: int, keep_operands: bool, candidates: Category | None
    ) -> Answer:
        """The members of the frame, by the angle between v_x - v_A and the concept."""
        check_k(k)
        frame = concept.frame
        assert frame is not None
        ranked = candidates or frame
        left_out = set() if keep_operands else set(self._operands(concept))
        ids = np.array([i for i in ranked.ids.tolist() if i not in left_out], dtype=np.int64)
        self._check_direction(concept)
        rows = self.target.of_block(self.space.target[ids].astype(np.float64))
        rows -= self.arithmetic.vector(self.meaning.origin(frame), False)
        lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(concept.vector)
        scores = rows @ concept.vector / np.where(lengths > 0, lengths, np.nan)
        order = np.argsort(-scores, kind="stable")[:k]
        order = order[~np.isnan(scores[order])]
        hits = self._hits(ids[order].tolist(), scores[order].tolist())
        return Answer(concept, hits, Measure.COSINE, ranked)

    def _operands(self, concept: Concept) -> list[int]:
        words = dict.fromkeys(words_of(concept.formula))
        return [self.space.vocabulary.index(word) for word in words]

    def _check_direction(self, concept: Concept) -> None:
        """Refuse a concept whose vector has cancelled out."""
        ids = self._operands(concept)
        if concept.frame is not None:
            ids = [*ids, *concept.frame.ids.tolist()]
        if not np.linalg.norm(concept.vector) > _TINY * self._longest([ids])[0]:
            raise _no_direction(concept)

    def _longest(self, groups: Sequence[Sequence[int]]) -> npt.NDArray[np.float32]:
        """The length of the longest vector among each group of words, all found at once."""
        ids = [number for group in groups for number in group]
        starts = np.cumsum([0, *(len(group) for group in groups)])[:-1]
        lengths = self.target.lengths(self.space.target[ids])
        return np.asarray(np.maximum.reduceat(lengths, starts), dtype=np.float32)

    def _hits(self, ids: Iterable[int], scores: Iterable[float]) -> tuple[Hit, ...]:
        word = self.space.vocabulary.word
        return tuple(Hit(word(i), score) for i, score in zip(ids, scores, strict=True) if i >= 0)


def _no_direction(concept: Concept) -> AndornotError:
    return AndornotError(f"the vector of {concept.formula} is zero: it has no direction")
