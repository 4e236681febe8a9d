"""Score all words of a space by examples and counter-examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError
from andornot.datasets.wordnet import wordnet_folder
from andornot.growing.logistic import fit_logistic
from andornot.search.both_sides import BothSides
from andornot.space import Space

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# Chosen with `andornot reproduce people`, which compares alternatives; see docs/grow.md.
STRENGTH = 0.5  # strength of whitening
C = 3.0  # weight of an example against the penalty
WORDNET_WEIGHT = 0.4  # weight of a product of hypernyms; that of vectors is 1
PRIOR = 0.05  # bonus of a word that is e times more frequent
BACKGROUND = 500  # random words that serve as further counter-examples
_SEED = 0
Ids = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float32]


class Grower:
    """Scores all words by examples and counter-examples. The vectors are not copied.

    A logistic regression separates examples from counter-examples and from 500 random words,
    by target and context vectors and, if WordNet is installed, by the hypernyms of nouns.
    Frequent words have a small advantage.

    >>> import andornot
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> grower = Grower(space, wordnet=False)
    >>> scores = grower.scores([space.vocabulary.index(word) for word in ("king", "queen")])
    >>> space.words[int(scores.argmax())] in ("king", "queen", "royal")
    True
    """

    def __init__(
        self, space: Space, *, wordnet: bool | None = None, weight: float = WORDNET_WEIGHT
    ) -> None:
        """Prepare a space.

        Args:
            space: The vectors. Without context vectors only target vectors are compared; without
                frequencies all words have the same weight in whitening.
            wordnet: Use WordNet's hypernyms. Default: use them if WordNet is installed.
            weight: The weight of a product of hypernyms; that of vectors is 1.

        Raises:
            AndornotError: If `wordnet` is True and WordNet is not installed.
        """
        self.space = space
        self._sides = BothSides(space, STRENGTH)
        self._weight = weight
        self._hypernyms: csr_matrix | None = None
        if wordnet or (wordnet is None and wordnet_folder() is not None):
            from andornot.datasets.hypernyms import hypernym_rows

            self._hypernyms = hypernym_rows(space.words)
        self._log_frequencies = _log_frequencies(space)
        size = len(space)
        drawn = np.random.default_rng(_SEED).choice(size, min(BACKGROUND, size), replace=False)
        self._background: Ids = np.sort(drawn)
        self._products = self._products_of(self._background, self._background)

    @property
    def uses_wordnet(self) -> bool:
        """True if WordNet's hypernyms are used."""
        return self._hypernyms is not None

    def scores(
        self,
        yes: Sequence[int],
        no: Sequence[int] = (),
        *,
        c: float = C,
        prior: float = PRIOR,
    ) -> Scores:
        """Return the score of every word: roughly the log-odds that it belongs to the list.

        The odds refer to the training words, so they rise with the number of
        examples. A word without a direction has -inf.

        Args:
            yes: Ids of examples, at least one.
            no: Ids of counter-examples.
            c: The weight of an example against the penalty on the weights.
            prior: The bonus of a word that is e times more frequent; ignored without frequencies.

        Raises:
            AndornotError: If there are no examples, or no other words.
        """
        labelled = np.array([*yes, *no], dtype=np.int64)
        if not len(yes):
            raise AndornotError("a list needs at least one word; name one")
        kept = ~np.isin(self._background, labelled)
        others = self._background[kept]
        across = self._products_of(labelled, others)
        products = np.block(
            [
                [self._products_of(labelled, labelled), across],
                [across.T, self._products[np.ix_(kept, kept)]],
            ]
        )
        is_positive = np.arange(len(products)) < len(yes)
        weights, intercept = fit_logistic(products, is_positive, c)
        ids = np.concatenate([labelled, others])
        scores = self._sides.products(weights @ self._sides.unit_rows(ids))
        if self._hypernyms is not None:
            synsets = self._hypernyms[ids].T @ (self._weight * weights)
            scores += self._hypernyms @ np.asarray(synsets, dtype=np.float32)
        scores += np.float32(intercept)
        if self._log_frequencies is not None:
            scores += np.float32(prior) * self._log_frequencies
        scores[~self._sides.has_direction] = -np.inf
        return scores

    def nearest(self, ids: Ids, seeds: Ids) -> Ids:
        """Return the seed with the largest cosine for each word; of equal ones the first."""
        rows = self._sides.unit_rows(ids) @ self._sides.unit_rows(seeds).T
        return np.asarray(seeds[rows.argmax(axis=1)])

    def _products_of(self, left: Ids, right: Ids) -> npt.NDArray[np.float64]:
        rows = self._sides.unit_rows(left)
        others = rows if right is left else self._sides.unit_rows(right)
        found = rows.astype(np.float64) @ others.T.astype(np.float64)
        if self._hypernyms is not None:
            shared = self._hypernyms[left] @ self._hypernyms[right].T
            found += self._weight * shared.toarray()
        return found


def _log_frequencies(space: Space) -> Scores | None:
    """Return the logarithm of p(w), centred over the words, or None if p is unknown."""
    if not space.has_frequencies:
        return None
    p = space.probability
    logs = np.log(np.maximum(p, p[p > 0].min()))
    return np.asarray(logs - logs.mean(), dtype=np.float32)
