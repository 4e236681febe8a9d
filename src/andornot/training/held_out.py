"""The loss of SGNS on pairs that no training step sees."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from andornot.cooccurrence.windows import weights_by_distance

_NEGATIVES = 512
_MOST_PLACES = 4_000


class HeldOutText:
    """The pairs of a piece of text, weighted as in training, and a fixed draw of negatives.

    `tokens` are numbers of the vocabulary with -1 at the end of a sentence; `noise` are the
    weights of the negatives. The mean over pairs estimates L/N, the loss of SGNS over its pairs.

    >>> tokens = np.array([0, 1, -1, 1], dtype=np.int32)
    >>> HeldOutText(tokens, 5, np.ones(2), np.random.default_rng(1)).pairs
    2
    """

    def __init__(
        self,
        tokens: npt.NDArray[np.int32],
        window: int,
        noise: npt.NDArray[np.float64],
        rng: np.random.Generator,
    ) -> None:
        centres, contexts, weights = neighbours(tokens[:_MOST_PLACES], window)
        self._centres, self._contexts, self._weights = centres, contexts, weights
        self._negatives = rng.choice(len(noise), size=_NEGATIVES, p=noise / noise.sum())
        self.pairs = len(self._centres)

    def loss(
        self,
        target: npt.NDArray[np.float32],
        context: npt.NDArray[np.float32],
        negative: int,
    ) -> float:
        """The mean loss of a pair with its k negatives; NaN where there are no pairs."""
        if not self.pairs:
            return float("nan")
        words, inverse = np.unique(self._centres, return_inverse=True)
        scores = np.einsum("ij,ij->i", target[self._centres], context[self._contexts])
        noise = np.logaddexp(np.float32(0), target[words] @ context[self._negatives].T)
        losses = np.logaddexp(0, -scores) + negative * noise.mean(axis=1)[inverse]
        return float(np.average(losses, weights=self._weights))


def neighbours(
    tokens: npt.NDArray[np.int32], window: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    """All pairs of a piece of text, both ways round, with their weights in a shrinking window.

    >>> neighbours(np.array([7, 8, 9], dtype=np.int32), 2)[2].tolist()
    [1.0, 1.0, 1.0, 1.0, 0.5, 0.5]
    """
    sentence = np.cumsum(tokens < 0)
    weighting, unit = weights_by_distance("linear", window)
    centres, contexts, weights = [], [], []
    for distance, weight in enumerate(weighting, start=1):
        left, right = tokens[:-distance], tokens[distance:]
        near = (left >= 0) & (right >= 0) & (sentence[:-distance] == sentence[distance:])
        centres += [left[near], right[near]]
        contexts += [right[near], left[near]]
        weights += [np.full(2 * np.count_nonzero(near), weight * unit)]
    return np.concatenate(centres), np.concatenate(contexts), np.concatenate(weights)
