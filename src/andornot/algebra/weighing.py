"""The weights and the probability of the words of an OR or of a category."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from andornot.algebra.categories import Category
from andornot.algebra.expression import Expression, Term, union
from andornot.algebra.nodes import Frame, Ids, Node, Union, Within
from andornot.base.choices import OrWeights
from andornot.base.errors import AndornotError, MissingCountsError
from andornot.base.moments import Vector
from andornot.base.remedies import option
from andornot.words.vocabulary import Vocabulary

ONE = np.ones(1)
"""The weight of a single word."""

ONE.flags.writeable = False


class Weigher:
    """Weighs words of a vocabulary.

    Attributes:
        vocabulary: The words.
        p: The probability of each word. All are NaN if the space has no frequencies.
        by_frequency: True if words are weighted by p, False for equal weights.
    """

    def __init__(self, vocabulary: Vocabulary, p: Vector, weights: str) -> None:
        self.vocabulary = vocabulary
        self.p = p
        self.by_frequency = weights == OrWeights.FREQUENCY

    def weights(self, ids: Ids) -> Vector:
        """Return the OR weights of words; a single word needs no frequency."""
        if len(ids) == 1:
            return ONE
        weights = self.p[ids] if self.by_frequency else np.ones(len(ids))
        if np.isnan(weights).any():
            raise MissingCountsError("weighing by frequency")
        if not weights.sum() > 0:
            raise AndornotError(
                "these words have the frequency 0, which OR uses as weight; choose other words, or "
                f"uniform weights ({option('weights', 'uniform')})"
            )
        return np.asarray(weights, dtype=np.float64)

    def probability(self, ids: Ids, frame: Frame | None) -> float:
        """Return p of the union of words, or its share of p(A)."""
        mass = float(self.p[ids].sum())
        if frame is None:
            return mass
        if len(ids) == len(frame.category):
            return np.nan if math.isnan(mass) else 1.0
        return mass / frame.probability

    def frame(self, category: Category) -> Frame:
        """Return a category with the weights of its words and with p(A)."""
        mass = float(self.p[category.ids].sum())
        return Frame(category, self.weights(category.ids), mass if mass > 0 else np.nan)

    def words(self, ids: Ids, weights: Vector) -> Union:
        """Return the union of words with these weights; its formula keeps their order."""
        names = [Term(self.vocabulary.word(number)) for number in ids.tolist()]
        order = np.argsort(ids)
        ids, weights = ids[order], weights[order]
        return Union(
            formula=union(names, [None] * len(names)),
            probability=self.probability(ids, None),
            ids=ids,
            weights=weights,
        )

    def union(self, members: Iterable[int]) -> Union:
        """Return the union of words, with the weights that an OR gives them."""
        ids = np.array(sorted(members), dtype=np.int64)
        return self.words(ids, self.weights(ids))

    def seen_within(
        self, part: Node, frame: Frame, formula: Expression, notes: tuple[str, ...] = ()
    ) -> Within:
        """Return a union of words of a category, conditioned on it."""
        assert part.ids is not None
        return Within(
            formula=formula,
            probability=self.probability(part.ids, frame),
            ids=part.ids,
            weights=part.weights,
            frame=frame,
            notes=notes,
            part=part,
        )

    def shares(self, sets: Sequence[frozenset[int]], whole: frozenset[int]) -> Vector:
        """Return the shares of some sets of words in the weight of their union."""
        ids = np.array(sorted(whole), dtype=np.int64)
        weights = self.weights(ids)
        shares = np.array(
            [weights[[number in each for number in ids.tolist()]].sum() for each in sets]
        )
        return np.asarray(shares / shares.sum(), dtype=np.float64)

    def masses(self, parts: Sequence[Node]) -> Vector:
        """Return the weights of the composite operands of an OR without explicit weights.

        If a probability is unknown, such as that of a text, all operands have the same weight.
        """
        if not self.by_frequency:
            return np.ones(len(parts))
        masses = np.array([part.probability for part in parts])
        if np.isnan(self.p).any():
            raise MissingCountsError("weighing by frequency")
        if np.isnan(masses).any():
            return np.ones(len(parts))
        if not masses.sum() > 0:
            raise AndornotError("the operands of | have the frequency 0; give them weights")
        return masses
