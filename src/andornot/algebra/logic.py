"""Logic: the algebra of words over a space, asked in Python or in the query language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from andornot.algebra.ask_options import AskOptions
from andornot.algebra.categories import Category
from andornot.algebra.compute import Arithmetic
from andornot.algebra.concept import Concept
from andornot.algebra.describing import describe
from andornot.algebra.exact_mode import Exact
from andornot.algebra.expression import (
    Expression,
    Members,
    Named,
    Term,
    VectorTerm,
    check_depth,
)
from andornot.algebra.finding_categories import (
    find_category,
    propose_category,
    words_to_rank,
)
from andornot.algebra.first_order import FirstOrder
from andornot.algebra.interop import Interop
from andornot.algebra.nodes import Node
from andornot.algebra.parser import parse
from andornot.algebra.query_words import read_words
from andornot.algebra.ranking import (
    Answer,
    candidates_of,
    prepare,
    rank,
)
from andornot.algebra.resolve import Find, Propose, resolve
from andornot.base import defaults
from andornot.base.arguments import check_matrix
from andornot.base.caching import cached_property
from andornot.base.choices import OrWeights, Postprocess
from andornot.base.defaults import default_postprocess
from andornot.base.errors import AndornotError, UsageError
from andornot.postprocessing.affine import Affine
from andornot.postprocessing.spaces import check_once, fit_context, fit_target
from andornot.search import Search
from andornot.space import Space
from andornot.words.counts import CountsOrigin

if TYPE_CHECKING:
    from andornot.algebra.explanation import Explanation
    from andornot.algebra.plot import Plot
    from andornot.cooccurrence import Cooccurrence
    from andornot.search.description_scores import DescriptionScores


class Logic(Interop):
    """AND, OR and NOT over a space. The vectors are not copied.

    >>> import andornot
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> logic = Logic(space)
    >>> logic
    Logic(Space(8 words x 3, counts: file, ...), postprocess='frequency', weights='uniform')
    >>> logic.ask("royal & woman", k=1).words
    ('queen',)
    >>> (logic["royal"] & logic["woman"]).vector.shape
    (3,)
    """

    def __init__(
        self,
        space: Space,
        *,
        postprocess: str | None = None,
        weights: str = defaults.OR_WEIGHTS,
        exact: bool = False,
        categories: Mapping[str, Sequence[str]] | None = None,
        threads: int | None = None,
    ) -> None:
        """Prepare a space for queries.

        Args:
            space: The vectors.
            postprocess: The post-processing that is done first. Default: frequency centring, as
                in the paper; uniform centring if the space has no frequencies; none if it was
                post-processed already.
            weights: How the words of an OR and of a category weigh, "uniform" or "frequency", as
                in the paper. Uniform weights find more: see docs/algebra.md.
            exact: Compute AND, OR, given and NOT from the model's PMI itself, not to first order.
            categories: Named categories: the words of each.
            threads: Threads of the search; default: all cores.

        Raises:
            AndornotError: If the space lacks what the options need.
            UsageError: If the weights or the post-processing are unknown.
        """
        if not isinstance(space, Space):
            raise AndornotError(f"a logic is over a Space, not {type(space).__name__}; load one")
        postprocess = default_postprocess(space) if postprocess is None else postprocess
        if weights not in tuple(OrWeights):
            raise UsageError(f"unknown weights {weights!r}; choose {' or '.join(OrWeights)}")
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
                raise AndornotError(f"the category {name!r} must be a list of words")
        self.target: Affine = fit_target(space, postprocess)
        self.search = Search(space, self.target, self._context_map, threads)
        self.arithmetic: Arithmetic = (
            self.exact_arithmetic if exact else FirstOrder(space, self.target)
        )

    @cached_property
    def context(self) -> Affine | None:
        """The post-processing of the context vectors, or None if there are none."""
        return fit_context(self.space, self.postprocess, None, self.target)

    def _context_map(self) -> Affine | None:
        return self.context  # a method, because a Logic that holds a lambda can't be pickled

    @cached_property
    def exact_arithmetic(self) -> Exact:
        """The exact arithmetic, whichever this logic uses; needs context vectors."""
        return Exact(self.space, self.target)

    @property
    def notes(self) -> tuple[str, ...]:
        """Warnings that hold for every answer: frequencies that are only estimated."""
        counts = self.space.vocabulary.counts
        estimated = counts is not None and counts.origin == CountsOrigin.RANK
        return ("the frequencies are estimated from rank",) if estimated else ()

    @cached_property
    def probabilities(self) -> npt.NDArray[np.float64]:
        """p(w) of every word, or NaN for all: uniform weights and centring do without."""
        if not self.space.has_frequencies:
            return np.full(len(self.space), np.nan)
        return self.space.probability

    # --- concepts --------------------------------------------------------------------------

    def __contains__(self, word: object) -> bool:
        """Return whether `logic[word]` is a concept."""
        try:
            self[word]  # type: ignore[index]
        except AndornotError:
            return False
        return True

    def __getitem__(self, word: str) -> Concept:
        if not isinstance(word, str):
            raise UsageError(
                f"a word must be a text, got {type(word).__name__}; take logic['king'], or "
                "logic.vector(values) for a vector"
            )
        concept = self.concept(Term(word))
        if isinstance(concept.formula, Term):
            self.space.vocabulary.index(concept.formula.text)  # raises if it is unknown
        return concept

    def concept(self, query: str | Expression) -> Concept:
        """Return the concept of a query, over words of the vocabulary; see `read_words`."""
        if not isinstance(query, str | Expression):
            raise AndornotError(f"a query is a text or an expression, not {type(query).__name__}")
        formula = parse(query) if isinstance(query, str) else query
        check_depth(formula)
        return Concept(self, read_words(formula, self.space))

    def vector(self, values: npt.ArrayLike, name: str | None = None) -> Concept:
        """Return a vector as a concept, to combine with others or to ask for what is near it.

        It has no probability: an OR with it weighs its operands alike, unless they have weights.

        Args:
            values: The vector, in the frame of the vectors as they were given, such as a row of
                `space.target`, or the vector of a text by the encoder of the space's documents.
            name: What it is called in formulas. Default: a digest of its values.

        >>> import andornot
        >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
        >>> logic = Logic(space)
        >>> concept = logic.vector(space["royal"], name="mine") & logic["woman"]
        >>> concept, logic.ask(concept, k=2).words
        (Concept(<mine> & woman), ('queen', 'princess'))
        """
        row = check_matrix([values], "values")[0]
        if len(row) != self.space.dim:
            raise UsageError(
                f"values must be {self.space.dim} numbers, as the vectors of the space are, got "
                f"{len(row)}"
            )
        term = np.array(values, dtype=np.float64)
        term.flags.writeable = False
        return Concept(self, VectorTerm(term, name))

    def resolve(
        self, formula: Expression, *, find: Find | None = None, propose: Propose | None = None
    ) -> Node:
        """Resolve an expression into nodes.

        Args:
            formula: The expression, with words that are cut into pieces as these.
            find: Return the category of a set of words or of a name; default: `category`.
            propose: Return a category for words that are negated without one; default:
                `propose_category`.
        """
        return resolve(
            formula,
            self.space.vocabulary,
            self.probabilities,
            self.weights,
            find or self.category,
            propose or self.propose_category,
        )

    # --- categories ------------------------------------------------------------------------

    def category(self, where: Members | Named) -> Category:
        """Return a category that is written out, or named."""
        return find_category(where, self.categories, self.space)

    def words_to_rank(self, words: Iterable[str]) -> Category:
        """Return the category of words that an answer ranks; one word is enough."""
        return words_to_rank(words, self.space)

    def propose_category(
        self, words: str | Sequence[str], size: int = defaults.CATEGORY_SIZE
    ) -> Category:
        """Propose a category for words: WordNet siblings if installed, else nearest neighbours.

        Args:
            words: The words that it is for. Neighbours are those of the first; if WordNet is
                installed (see ANDORNOT_DATA), those of them that are its siblings there.
            size: Number of words beside them.
        """
        return propose_category(self, words, size)

    def __repr__(self) -> str:
        exact = ", exact=True" if self.exact else ""
        return (
            f"Logic({self.space!r}, postprocess={str(self.postprocess)!r}, "
            f"weights={str(self.weights)!r}{exact})"
        )

    # --- asking ----------------------------------------------------------------------------

    def explain(
        self, query: str | Expression | Concept | Answer, counts: Cooccurrence | None = None
    ) -> Explanation:
        """Explain a query or its answer: every step, and how far it can be trusted.

        Args:
            query: The query, a concept, or an answer, whose warnings are then included.
            counts: Co-occurrence counts; the model's PMI is compared with the counted PMI.

        >>> import andornot
        >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
        >>> print(Logic(space).explain("royal & woman").parts[0].vector)
        v(royal) + v(woman)
        """
        from andornot.algebra.explanation import explain

        return explain(query if isinstance(query, Answer) else self.asked(query), counts)

    def ask(
        self,
        query: str | Expression | Concept,
        *,
        k: int = defaults.K,
        measure: str = defaults.MEASURE,
        everywhere: bool = False,
        keep_operands: bool = False,
        among: Iterable[str] | str | None = None,
        pattern: str | None = None,
        length: int | str | None = None,
        frequency: str = defaults.FREQUENCY,
    ) -> Answer:
        """Answer one query with its k nearest words.

        A query that is seen within a category (NOT, given) ranks its members, by the angle to
        them from its origin. Other queries rank the vocabulary.

        Args:
            query: The query.
            k: Number of words; fewer are returned if fewer are left.
            measure: "cosine", or "pmi" (needs context vectors; ranks outside of categories).
            everywhere: Rank the whole vocabulary, outside of the category of the query.
            keep_operands: Let words of the query be answers to it.
            among: The words to rank, or the name of a category.
            pattern: Rank words that are spelled like this, where * stands for any characters and
                ? for one; case is ignored.
            length: Rank words of so many characters, N or "N-M".
            frequency: Rank "common" words (the 10,000 most frequent), "rare" words (beyond the
                30,000 most frequent), or "any".

        Raises:
            AndornotError: If the query cannot be read or answered.
        """
        (answer,) = self.ask_many(
            [query],
            k=k,
            measure=measure,
            everywhere=everywhere,
            keep_operands=keep_operands,
            among=among,
            pattern=pattern,
            length=length,
            frequency=frequency,
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
        self, queries: Sequence[str | Expression | Concept], **options: Any
    ) -> list[Answer | AndornotError]:
        """Answer queries together; return the error of a query in the place of its answer.

        The options are those of `ask`.
        """
        if isinstance(queries, str):
            raise AndornotError("several queries are a list; ask one with ask")
        how = AskOptions(**options)
        candidates = candidates_of(self, how)
        concepts: list[Concept | AndornotError] = []
        for query in queries:
            try:
                concepts.append(prepare(self.asked(query), how))
            except AndornotError as error:
                concepts.append(error)
        return rank(self, concepts, how, candidates)

    def plot(
        self, query: str | Expression | Concept, *, width: int | None = None, **options: Any
    ) -> Plot:
        """Answer one query and draw the answer: the height of a word is its score.

        Args:
            query: The query.
            width: The width of the drawing in pixels, from 360 to 2000. Default: 1000.
            **options: Those of `ask`.

        Raises:
            AndornotError: If the query cannot be answered, or its scores are not cosines.

        >>> import andornot
        >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
        >>> plot = Logic(space).plot("royal & woman", k=3)
        >>> plot.picture.axis.left, plot.picture.hits[0].name
        ('more like royal', 'queen')
        """
        from andornot.algebra.picture_svg import WIDTH
        from andornot.algebra.plot import plot_of

        return plot_of(self.ask(query, **options), WIDTH if width is None else width)

    def describe(
        self,
        text: str,
        *,
        k: int = defaults.K,
        pattern: str | None = None,
        length: int | str | None = None,
        frequency: str = defaults.FREQUENCY,
    ) -> Answer:
        """Return the k words that best fit a description, as a reverse dictionary does.

        The post-processing and the weights are those of descriptions, whatever this logic has:
        see `DescriptionScores`. Words of the text and their inflected forms are not returned.

        Args:
            text: The description, such as "a person who studies stars". Stop words and unknown
                words are left out; the answer names the unknown ones.
            k: Number of words; fewer are returned if fewer are left.
            pattern: Rank words that are spelled like this, as in `ask`.
            length: Rank words of so many characters, as in `ask`.
            frequency: Rank "common" words, "rare" words or "any", as in `ask`.

        Raises:
            AndornotError: If no word of the text is known, or no word passes the filters.

        >>> import andornot
        >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
        >>> "queen" in Logic(space).describe("a royal woman", k=3).words
        True
        """
        options = AskOptions(k=k, pattern=pattern, length=length, frequency=frequency)
        return describe(self, text, options)

    @cached_property
    def descriptions(self) -> DescriptionScores:
        """The scores of descriptions. They are prepared when the first text is described."""
        from andornot.search.description_scores import DescriptionScores

        return DescriptionScores(self.space)

    def asked(self, query: str | Expression | Concept) -> Concept:
        """Return the concept of a query, or a concept of this logic that can be asked."""
        if not isinstance(query, Concept):
            return self.concept(query)
        if query.weight is not None:
            raise AndornotError("a weight belongs to an operand of |")
        if query.logic is not self:
            raise AndornotError("a concept is asked of the logic that it belongs to")
        return query
