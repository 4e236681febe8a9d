"""Means of contextual token vectors over occurrences and over types, and their covariance.

The frequency-weighted mean of the paper is the mean over the occurrences of tokens in a text; the
uniform mean is the mean over types of each type's mean. Both need one pass, and memory that
grows with the number of types, not with the text.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from andornot.base.choices import Postprocess
from andornot.base.errors import AndornotError, UsageError
from andornot.postprocessing.affine import Affine, whitening


class TokenMoments:
    """Sums over the occurrences of tokens, updated batch by batch.

    >>> moments = TokenMoments(1)
    >>> moments.add(np.array([7, 7, 3]), np.array([[1.0], [3.0], [5.0]]))
    >>> moments.mean.tolist(), moments.uniform_mean.tolist(), moments.types
    ([3.0], [3.5], 2)
    """

    def __init__(self, dim: int) -> None:
        self.tokens = 0
        self._index_of: dict[int, int] = {}
        self._sums = np.zeros((0, dim))
        self._counts = np.zeros(0)
        self._second = np.zeros((dim, dim))

    @property
    def types(self) -> int:
        """The number of different tokens."""
        return len(self._index_of)

    def add(self, numbers: npt.NDArray[np.integer], vectors: npt.NDArray[np.floating]) -> None:
        """Add the vectors of occurrences of the tokens with these ids."""
        if not len(numbers):
            return
        rows = np.asarray(vectors, dtype=np.float64)
        found, inverse = np.unique(numbers, return_inverse=True)
        indices = [self._index_of.setdefault(t, len(self._index_of)) for t in found.tolist()]
        if len(self._index_of) > len(self._sums):
            spare = max(1024, len(self._index_of))
            self._sums = np.pad(self._sums, ((0, spare), (0, 0)))
            self._counts = np.pad(self._counts, (0, spare))
        order = np.argsort(inverse, kind="stable")
        starts = np.searchsorted(inverse[order], np.arange(len(found)))
        self._sums[indices] += np.add.reduceat(rows[order], starts, axis=0)
        self._counts[indices] += np.bincount(inverse)
        self._second += rows.T @ rows
        self.tokens += len(rows)

    @property
    def mean(self) -> npt.NDArray[np.float64]:
        """The mean over occurrences: the frequency-weighted mean."""
        self._check()
        return np.asarray(self._sums.sum(axis=0) / self.tokens)

    @property
    def uniform_mean(self) -> npt.NDArray[np.float64]:
        """The mean over types of each type's mean."""
        self._check()
        counts = self._counts[: self.types, None]
        return np.asarray((self._sums[: self.types] / counts).mean(axis=0))

    @property
    def covariance(self) -> npt.NDArray[np.float64]:
        """The covariance over occurrences."""
        return np.asarray(self._second / self.tokens - np.outer(self.mean, self.mean))

    def fit(self, method: str) -> Affine:
        """Fit the map of a post-processing: none, uniform, frequency or zipfian-whitening.

        >>> moments = TokenMoments(1)
        >>> moments.add(np.array([0, 0, 0, 1]), np.array([[0.0], [0.0], [0.0], [4.0]]))
        >>> moments.fit("frequency").mean.tolist(), moments.fit("uniform").mean.tolist()
        ([1.0], [2.0])
        """
        if not np.isfinite(self._second).all():
            raise AndornotError(
                "the model gives vectors that are not finite; get its weights again"
            )
        if method == Postprocess.NONE:
            return Affine(np.zeros(len(self._second)))
        if method == Postprocess.UNIFORM:
            return Affine(self.uniform_mean)
        if method == Postprocess.FREQUENCY:
            return Affine(self.mean)
        if method == Postprocess.ZIPFIAN_WHITENING:
            check_enough(self.tokens, len(self._second))
            return Affine(self.mean, whitening(self.covariance))
        raise UsageError(
            f"{method} is not available for contextual vectors; choose none, uniform, frequency or "
            "zipfian-whitening"
        )

    def _check(self) -> None:
        if not self.tokens:
            raise AndornotError(
                "the text has no tokens to compute the mean from; name another text"
            )


def check_enough(vectors: int, dim: int) -> None:
    """Raise AndornotError if there are too few vectors to estimate the covariance."""
    if vectors <= dim:
        raise AndornotError(
            f"{vectors:,} vectors are too few to whiten {dim:,} dimensions; name a "
            "longer text, or sample more lines"
        )
