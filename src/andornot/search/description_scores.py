"""Score all words for a description, as a reverse dictionary does.

Target and context vectors are whitened separately and concatenated; a description is the
weighted sum of its words, all of unit length. A word is scored by the cosine, together with its
inflected forms, with a penalty if it is such a form itself or rarer than the words of the
description.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.moments import parts
from andornot.base.progress import stage
from andornot.postprocessing.sentences import unigram_shares
from andornot.search.both_sides import BothSides
from andornot.space import Space
from andornot.words.inflections import base_forms

LEAST_KINSHIP = 0.1  # the minimum cosine of a word and its inflected form
Ids = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Adjustments:
    """Adjustments of the cosine with a description; `andornot reproduce people` compares them.

    Attributes:
        forms: The weight of an inflected form in the vector of its word; the word has 1.
        inflected: The penalty of a word that is an inflected form.
        rarity: The penalty of a word that is e times rarer than the description's words are on
            (geometric) average. For e^n times, it is n^2 times as large.
    """

    forms: float = 0.25
    inflected: float = 0.1
    rarity: float = 0.002


class _Kinship(NamedTuple):
    """The products x.f and |f|^2 of each word x that has forms, with f the sum of their vectors."""

    product: Scores
    square: Scores


class DescriptionScores:
    """Scores descriptions over a space, after one preparation. The vectors are not copied.

    Without context vectors, only target vectors are used. Without frequencies, vectors are
    centred and whitened with equal weights, and rare words have no penalty. Vectors that
    were post-processed already are used unchanged.

    >>> import andornot
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> scores = DescriptionScores(space).scores([space.vocabulary.index("royal")], [1.0])
    >>> scores.shape == (len(space),)
    True
    """

    def __init__(self, space: Space) -> None:
        self.space = space
        with stage("preparing descriptions") as report:
            self._sides = BothSides(space)
            report(0.5)
            self._bases = self._find_bases()
            forms = np.flatnonzero(self._bases != np.arange(len(space)))
            self._forms = forms[np.argsort(self._bases[forms], kind="stable")]  # by their word
            self._heads, self._starts = np.unique(self._bases[self._forms], return_index=True)
            self._kinship = self._find_kinship()
            self._log_shares = _log_shares(space)

    def scores(
        self, ids: Sequence[int], weights: npt.ArrayLike, adjustments: Adjustments | None = None
    ) -> Scores:
        """Return the score of every word; -inf for the description's words and their forms.

        Args:
            ids: The words of the description, without stop words.
            weights: Their weights.
            adjustments: The adjustments of the cosine; default: those of `andornot describe`.
        """
        return self.adjusted(self.cosines(ids, weights), ids, adjustments or Adjustments())

    def cosines(self, ids: Sequence[int], weights: npt.ArrayLike) -> Scores:
        """Return the cosine of every word with the sum of some words, all of unit length."""
        query = np.asarray(weights, dtype=np.float32) @ self._sides.unit_rows(ids)
        length = float(np.linalg.norm(query))
        return self._sides.products(query / length if length > 0 else query)

    def adjusted(self, cosines: Scores, ids: Sequence[int], how: Adjustments) -> Scores:
        """Return the adjusted scores from the cosines with a description of the words `ids`."""
        words, scores = np.asarray(ids, dtype=np.int64), cosines.copy()
        if len(self._forms):
            # a word and its forms together: (x.q + a f.q) / |x + a f|, f the sum of the forms
            heads, kin = self._heads, self._kinship
            of_forms = np.add.reduceat(cosines[self._forms], self._starts)
            squares = 1 + 2 * how.forms * kin.product + how.forms**2 * kin.square
            scores[heads] = (cosines[heads] + how.forms * of_forms) / np.sqrt(squares)
            scores[self._forms] -= np.float32(how.inflected)
        if self._log_shares is not None and how.rarity:
            rarer = self._log_shares[words].mean() - self._log_shares
            np.maximum(rarer, 0, out=rarer)
            rarer *= rarer
            rarer *= np.float32(how.rarity)
            scores -= rarer
        scores[~self._sides.has_direction] = -np.inf
        scores[self._with_forms(words)] = -np.inf
        return scores

    def _with_forms(self, words: Ids) -> Ids:
        """Return words, their base words, and all forms of these."""
        bases = np.unique(self._bases[words])
        first, last = (
            np.searchsorted(self._bases[self._forms], bases, side=side)
            for side in ("left", "right")
        )
        forms = [self._forms[a:b] for a, b in zip(first.tolist(), last.tolist(), strict=True)]
        return np.concatenate([bases, *forms])

    def _find_bases(self) -> Ids:
        """Return the base word of each word, or the word itself.

        Of several possible base forms, the one with the largest cosine is chosen.
        """
        vocabulary = self.space.vocabulary
        pairs = np.array(
            [
                (number, vocabulary.index(base))
                for number, word in enumerate(vocabulary.words)
                for base in base_forms(word)
                if base in vocabulary
            ],
            dtype=np.int64,
        ).reshape(-1, 2)
        cosines = np.empty(len(pairs))
        for part in parts(pairs):
            rows, others = (self._sides.unit_rows(pairs[part, side]) for side in (0, 1))
            cosines[part] = np.einsum("ij,ij->i", rows, others)
        found = np.arange(len(self.space))
        order = np.argsort(cosines, kind="stable")
        order = order[cosines[order] >= LEAST_KINSHIP]
        found[pairs[order, 0]] = pairs[order, 1]  # the last one assigned is the largest
        while not np.array_equal(found, found[found]):  # a form of a form
            found = found[found]
        return found

    def _find_kinship(self) -> _Kinship:
        """Return the products of each word that has forms with the sum of these."""
        forms, heads, starts = self._forms, self._heads, self._starts
        product, square = np.empty(len(heads), np.float32), np.empty(len(heads), np.float32)
        for part in parts(heads):
            first = starts[part.start]
            last = starts[part.stop] if part.stop < len(starts) else len(forms)
            rows = self._sides.unit_rows(forms[first:last])
            sums = np.add.reduceat(rows, starts[part] - first, axis=0)
            own = self._sides.unit_rows(heads[part])
            product[part] = np.einsum("ij,ij->i", own, sums)
            square[part] = np.einsum("ij,ij->i", sums, sums)
        return _Kinship(product, square)


def _log_shares(space: Space) -> npt.NDArray[np.float32] | None:
    """Return the log relative frequency of each word, or None without frequencies."""
    if not space.has_frequencies:
        return None
    shares = unigram_shares(space)
    least = shares[shares > 0].min()
    return np.asarray(np.log(np.maximum(shares, least)), dtype=np.float32)
