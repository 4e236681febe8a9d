"""Logic: the algebra of words over a space, asked in Python or in the query language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.algebra.arithmetic import Exact, FirstOrder
from andornot.algebra.categories import Category, category_of, find_named
from andornot.algebra.expression import (
    Expression,
    Given,
    Members,
    Named,
    Not,
    Or,
    Word,
    conjunction,
    union,
    words_of,
)
from andornot.algebra.meaning import Meaning, Value
from andornot.algebra.parser import parse
from andornot.choices import Measure, OrWeights, Postprocess
from andornot.datasets.wordnet import wordnet, wordnet_folder
from andornot.errors import AndornotError
from andornot.postprocessing.affine import Affine
from andornot.postprocessing.spaces import check_once, fit_context, fit_target
from andornot.search import Search
from andornot.space import Space

_PROPOSED = 10  # neighbours that make up a proposed category


@dataclass(frozen=True)
class Hit:
    """A word that was found, and its score."""

    word: str
    score: float


@dataclass(frozen=True, eq=False)
class Answer:
    """The words found for a concept, the best first, and what should be known about them.

    `among` is the category whose members were ranked, or None for the whole vocabulary.
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
        return self.concept.value.notes


@dataclass(frozen=True, eq=False)
class Concept:
    """An expression over a space: its vector, its probability, its frame and its formula.

    Concepts combine by `&`, `|`, `~`, `.given(A)`, and by numbers as weights of an OR:
    `0.7 * logic["box"] | 0.3 * logic["instance"]`. `outside` is one brought out of its category.
    """

    logic: Logic
    formula: Expression
    weight: float | None = None
    outside: bool = False

    @cached_property
    def value(self) -> Value:
        """The meaning in the arithmetic of the logic."""
        value = self.logic.meaning.of(self.formula)
        return self.logic.meaning.to_global(value) if self.outside else value

    @cached_property
    def vector(self) -> npt.NDArray[np.float64]:
        """The vector: post-processed, and within its frame where it has one."""
        return self.logic.arithmetic.vector(self.value.row, self.value.frame is not None)

    @property
    def probability(self) -> float:
        """p, within the frame where there is one."""
        return self.value.probability

    @property
    def frame(self) -> Category | None:
        """The category it is conditioned on, if any."""
        return self.value.frame

    @property
    def in_global_frame(self) -> Concept:
        """The same outside its category: v_A + v, with the probability p(A) p."""
        return replace(self, outside=True)

    def __and__(self, other: Concept) -> Concept:
        parts = [self._unweighted("AND"), self._same(other)._unweighted("AND")]
        return Concept(self.logic, conjunction(parts))

    def __or__(self, other: Concept) -> Concept:
        left, right = self.formula, self._same(other).formula
        if isinstance(left, Or) and left.weights is not None and self.weight is None:
            # 0.5*a | 0.3*b | 0.2*c: the first two are an Or with weights already
            whole = union([*left.parts, right], [*left.weights, other.weight])
        else:
            whole = union([left, right], [self.weight, other.weight])
        return Concept(self.logic, whole)

    def __invert__(self) -> Concept:
        return Concept(self.logic, Not(self._unweighted("NOT")))

    def __rmul__(self, weight: float) -> Concept:
        if not 0 <= weight < float("inf"):
            raise AndornotError(f"the weight {weight}; weights are 0 or more")
        return replace(self, weight=float(weight))

    def given(self, category: Sequence[str] | str) -> Concept:
        """As seen within a category: its words, or its name."""
        if isinstance(self.formula, Given):
            raise AndornotError("a second category; something is seen within one")
        where = Named(category) if isinstance(category, str) else Members(tuple(category))
        return Concept(self.logic, Given(self._unweighted("given"), where))

    def __repr__(self) -> str:
        return f"Concept({self.formula})"

    def _unweighted(self, operation: str) -> Expression:
        if self.weight is not None:
            raise AndornotError(f"a weight belongs to an operand of |, not of {operation}")
        return self.formula

    def _same(self, other: Concept) -> Concept:
        if not isinstance(other, Concept) or other.logic is not self.logic:
            raise AndornotError("concepts combine with concepts of the same logic")
        return other


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
        self.target: Affine = fit_target(space, postprocess)
        context = fit_context(space, postprocess, None, self.target)
        self.search = Search(space, self.target, context, threads)
        self.arithmetic = self.exact_arithmetic if exact else FirstOrder(space, self.target)
        self.meaning = self.meaning_in(self.arithmetic)

    @cached_property
    def exact_arithmetic(self) -> Exact:
        """The exact arithmetic, whichever this logic uses; needs context vectors."""
        return Exact(self.space, self.target)

    def meaning_in(self, arithmetic: Exact | FirstOrder) -> Meaning:
        """The meanings of expressions in some arithmetic."""
        return Meaning(
            self.space.vocabulary,
            arithmetic,
            self.space.probability,
            self.weights == OrWeights.FREQUENCY,
            self.category,
            self.propose_category,
        )

    def __getitem__(self, word: str) -> Concept:
        self.space.vocabulary.index(word)  # an unknown word is said at once, with suggestions
        return Concept(self, Word(word))

    def concept(self, query: str | Expression) -> Concept:
        """The concept of a query."""
        return Concept(self, parse(query) if isinstance(query, str) else query)

    # --- categories ------------------------------------------------------------------------

    def category(self, where: Members | Named) -> Category:
        """A category that is written out, or named."""
        if isinstance(where, Members):
            return category_of(self.space.vocabulary, where.words, "written out")
        return find_named(where.name, self.categories, self.space.vocabulary)[0]

    def propose_category(self, words: str | Sequence[str], size: int = _PROPOSED) -> Category:
        """A category for words that have none, from what is there.

        Where WordNet is (see ANDORNOT_DATA), the words that stand beside the first in it, the
        nearest of them to it; else its nearest neighbours.
        """
        own = [words] if isinstance(words, str) else list(words)
        numbers = [self.space.vocabulary.index(word) for word in own]
        row = self.target.of_block(self.space.target[numbers[:1]])
        beside = self._beside(own[0])
        near = self.search.nearest(row, size, leave_out=[numbers], among=beside)
        others = [self.space.vocabulary.word(int(i)) for i in near.ids[0] if i >= 0]
        origin = f"nearest words of {own[0]}"
        if beside is not None:
            origin = f"words beside {own[0]} in WordNet, the nearest"
        return category_of(self.space.vocabulary, [*own, *others], origin)

    def _beside(self, word: str) -> npt.NDArray[np.int64] | None:
        """Words that WordNet has beside a word, as noun, adjective or verb; None without any."""
        if wordnet_folder() is None:
            return None
        options = [wordnet(part).beside(word) for part in "nav"]
        known = [
            [name for name in map(str.lower, names) if name in self.space and name != word]
            for names in options
        ]
        best = max(known, key=len)
        if len(best) < 2:
            return None
        return np.array([self.space.vocabulary.index(name) for name in dict.fromkeys(best)])

    # --- asking ----------------------------------------------------------------------------

    def ask(self, query: str | Expression | Concept, **options: Any) -> Answer:
        """Answer one query; see `ask_many` for the options."""
        return self.ask_many([query], **options)[0]

    def ask_many(
        self,
        queries: Sequence[str | Expression | Concept],
        *,
        k: int = 10,
        measure: str = Measure.COSINE,
        everywhere: bool = False,
        keep_operands: bool = False,
    ) -> list[Answer]:
        """Answer queries together, with the k nearest words to each.

        What is seen within a category (NOT, given) ranks its members by the angle to them from its
        origin; with `everywhere`, the vocabulary, outside of the frame. The words of a query are no
        answers to it unless `keep_operands` is said.
        """
        concepts = [each if isinstance(each, Concept) else self.concept(each) for each in queries]
        answers: list[Answer | None] = [None] * len(concepts)
        open_ones = []
        for number, concept in enumerate(concepts):
            if concept.frame is not None and not everywhere and measure == Measure.COSINE:
                answers[number] = self._within(concept, k, keep_operands)
            else:
                open_ones.append(number)
        if open_ones:
            outside = [concepts[number].in_global_frame for number in open_ones]
            vectors = np.stack([self._directed(concept) for concept in outside])
            found = self.search.nearest(
                vectors.astype(np.float32),
                k,
                leave_out=[[] if keep_operands else self._operands(c) for c in outside],
                measure=measure,
            )
            for place, number in enumerate(open_ones):
                answers[number] = Answer(
                    concepts[number],
                    self._hits(found.ids[place], found.scores[place]),
                    measure,
                    None,
                )
        return [answer for answer in answers if answer is not None]

    def _within(self, concept: Concept, k: int, keep_operands: bool) -> Answer:
        """The members of the frame, by the angle between v_x - v_A and the concept."""
        frame = concept.frame
        assert frame is not None
        left_out = set() if keep_operands else set(self._operands(concept))
        ids = np.array([i for i in frame.ids.tolist() if i not in left_out], dtype=np.int64)
        rows = self.target.of_block(self.space.target[ids].astype(np.float64))
        origin = self.arithmetic.vector(self.meaning.origin(frame), False)
        goal = self._directed(concept)
        rows = rows - origin
        lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(goal)
        scores = rows @ goal / np.where(lengths > 0, lengths, np.nan)
        order = np.argsort(-scores, kind="stable")[:k]
        order = order[~np.isnan(scores[order])]
        return Answer(concept, self._hits(ids[order], scores[order]), Measure.COSINE, frame)

    def _operands(self, concept: Concept) -> list[int]:
        words = dict.fromkeys(words_of(concept.formula))
        return [self.space.vocabulary.index(word) for word in words]

    def _directed(self, concept: Concept) -> npt.NDArray[np.float64]:
        """The vector of a concept, which must have a direction."""
        vector = concept.vector
        if not np.isfinite(vector).all() or not np.linalg.norm(vector) > 0:
            raise AndornotError(f"the vector of {concept.formula} is zero: it has no direction")
        return vector

    def _hits(self, ids: npt.NDArray[Any], scores: npt.NDArray[Any]) -> tuple[Hit, ...]:
        word = self.space.vocabulary.word
        return tuple(
            Hit(word(int(i)), float(score)) for i, score in zip(ids, scores, strict=True) if i >= 0
        )
