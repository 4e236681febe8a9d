"""Methods for use with other tools: gensim's most_similar and others, vectors for an index."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.algebra.concept import Concept
from andornot.algebra.expression import Analogy, Expression
from andornot.algebra.ranking import Answer, direction_of
from andornot.base import defaults
from andornot.base.arguments import shown
from andornot.base.errors import UsageError
from andornot.base.moments import unit_rows
from andornot.postprocessing.affine import Affine


class Interop(ABC):
    """Methods of a Logic for compatibility with other tools."""

    target: Affine

    @abstractmethod
    def __getitem__(self, word: str) -> Concept:
        """Return the concept of a word."""

    @abstractmethod
    def asked(self, query: str | Expression | Concept) -> Concept:
        """Return the concept of a query."""

    @abstractmethod
    def ask_many(
        self, queries: Sequence[str | Expression | Concept], **options: Any
    ) -> list[Answer]:
        """Answer queries."""

    # --- as in gensim ----------------------------------------------------------------------

    def most_similar(
        self,
        positive: str | Sequence[str],
        negative: str | Sequence[str] = (),
        topn: int = defaults.K,
    ) -> Answer:
        """Return the words nearest to some and far from others, as gensim does (3CosAdd).

        The vectors are post-processed and normalised to unit length. The given words are excluded
        from the results.

        Args:
            positive: The word or words to add; at least one.
            negative: The word or words to subtract.
            topn: Number of words.

        >>> import andornot
        >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
        >>> logic = andornot.Logic(space)
        >>> logic.most_similar(positive=["king", "woman"], negative=["man"], topn=1).words
        ('queen',)
        >>> logic.most_similar("king", topn=1).words == logic.ask("king", k=1).words
        True
        """
        added, subtracted = _word_list(positive, "positive"), _word_list(negative, "negative")
        if not added:
            raise UsageError("positive must have at least one word, got none")
        parts = [self[word].formula for word in (*added, *subtracted)]
        signs = (1,) * len(added) + (-1,) * len(subtracted)
        query = parts[0] if len(parts) == 1 else Analogy(tuple(parts), signs)
        (answer,) = self.ask_many([query], k=topn)
        return answer

    def similarity(self, first: str, second: str) -> float:
        """Return the cosine between two words, after post-processing.

        >>> import andornot
        >>> logic = andornot.Logic(andornot.load("examples/royal.vec"), postprocess="none")
        >>> round(logic.similarity("king", "queen"), 3)
        0.664
        """
        one, other = unit_rows(np.stack([self[first].vector, self[second].vector]))
        return float(one @ other)

    def doesnt_match(self, words: Sequence[str]) -> str:
        """Return the word that is furthest from the mean of the words, after post-processing.

        The mean is taken over vectors of unit length.

        >>> import andornot
        >>> logic = andornot.Logic(andornot.load("examples/royal.vec"), postprocess="none")
        >>> logic.doesnt_match(["queen", "princess", "man"])
        'man'
        """
        if isinstance(words, str) or len(words) < 2:
            raise UsageError(f"words must be a list of at least two words, got {shown(words)}")
        unit = unit_rows(np.stack([self[word].vector for word in words]))
        scores = unit @ unit.mean(axis=0)
        return min(zip(scores.tolist(), words, strict=True))[1]

    # --- with an index of the vectors ------------------------------------------------------

    def query_vector(self, query: str | Expression | Concept) -> npt.NDArray[np.float32]:
        """Return the vector of a query for an index of the original vectors.

        The product of this vector with a row of `space.target` is the cosine that ranks it here,
        times the length of the row after post-processing, plus a constant. An index by cosine
        therefore ranks nearly as `ask` does, one by inner product roughly; `rerank` sorts its
        candidates exactly. A query within a category is lifted out of it.

        Args:
            query: The query.

        >>> import andornot
        >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
        >>> logic = andornot.Logic(space)
        >>> products = space.target @ logic.query_vector("royal & woman")
        >>> space.words[products.argmax()]
        'queen'
        """
        direction = direction_of(self.asked(query).in_global_frame)
        turned, _ = self.target.back(direction[None])
        return np.asarray(turned[0], dtype=np.float32)

    def rerank(
        self, query: str | Expression | Concept, names: Iterable[str], k: int | None = None
    ) -> Answer:
        """Rank the candidates that an index returned for a query, as `ask` ranks all words.

        Args:
            query: The query.
            names: The words to rank; query words are excluded.
            k: Number of words. Default: all.

        >>> import andornot
        >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
        >>> andornot.Logic(space).rerank("royal & woman", ["king", "man", "queen", "woman"]).words
        ('queen', 'king', 'man')
        """
        candidates = _word_list(names, "names")
        if not candidates:
            raise UsageError("names must have at least one word, got none")
        number = len(candidates) if k is None else k
        (answer,) = self.ask_many([query], among=candidates, k=number)
        return answer


def _word_list(words: str | Iterable[str], argument: str) -> list[str]:
    """Return one word or several as a list."""
    found = [words] if isinstance(words, str) else list(words)
    for row, word in enumerate(found):
        if not isinstance(word, str):
            raise UsageError(f"{argument}[{row}] must be a word, got {shown(word)}")
    return found
