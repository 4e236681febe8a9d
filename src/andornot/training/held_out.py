"""A quick estimate of the SGNS loss on held-out counts, for trainers that show it at every step."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from andornot.cooccurrence import Cooccurrence

_PAIRS = 20_000
_NEGATIVES = 512


class HeldOutSample:
    """Pairs drawn in proportion to their held-out counts, and a fixed draw of negatives.

    `noise` are the weights of the negatives. The mean over the pairs estimates L/N, the loss of
    SGNS for each pair.
    """

    def __init__(
        self, counts: Cooccurrence, noise: npt.NDArray[np.float64], rng: np.random.Generator
    ) -> None:
        drawn = _draw(counts.values.astype(np.float64), _PAIRS, rng)
        centres = np.searchsorted(counts.row_starts, drawn, side="right") - 1
        self._centres = centres
        self._words, self._word_of_pair = np.unique(centres, return_inverse=True)
        self._contexts = counts.columns[drawn]
        self._negatives = _draw(noise, _NEGATIVES, rng)

    def loss(
        self,
        target: npt.NDArray[np.float32],
        context: npt.NDArray[np.float32],
        negative: int,
    ) -> float:
        """Return the mean loss of a pair with its k negatives."""
        scores = np.einsum("ij,ij->i", target[self._centres], context[self._contexts])
        noise = np.logaddexp(np.float32(0), target[self._words] @ context[self._negatives].T)
        losses = np.logaddexp(0, -scores) + negative * noise.mean(axis=1)[self._word_of_pair]
        return float(losses.mean())


def _draw(
    weights: npt.NDArray[np.float64], size: int, rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Draw indices in proportion to their weights."""
    total = np.cumsum(weights)
    drawn: npt.NDArray[np.int64] = np.searchsorted(total, rng.random(size) * total[-1], "right")
    return drawn
