"""Subwords as in fastText: a word's vector is the mean of those of its character n-grams."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError


@dataclass(frozen=True, eq=False)
class Subwords:
    """The vectors of hashed n-grams; composes a vector for any word, known or not.

    `matrix` has a row for each bucket; n-grams of `shortest` to `longest` characters of "<word>"
    fall into the buckets by their FNV-1a hash.
    """

    matrix: npt.NDArray[np.float32]
    shortest: int
    longest: int

    def __post_init__(self) -> None:
        if self.matrix.ndim != 2 or len(self.matrix) == 0:
            raise AndornotError(f"subwords of shape {self.matrix.shape}; give buckets x dimension")
        if not 1 <= self.shortest <= self.longest:
            raise AndornotError(
                f"subwords of {self.shortest} to {self.longest} characters; "
                "the shortest has at least one and is not longer than the longest"
            )
        matrix = self.matrix.view()
        matrix.flags.writeable = False
        object.__setattr__(self, "matrix", matrix)

    def compose(self, word: str) -> npt.NDArray[np.float32] | None:
        """The mean of the vectors of the word's n-grams, or None where it has none.

        >>> subwords = Subwords(np.ones((10, 2), dtype=np.float32), 3, 6)
        >>> subwords.compose("unheard").tolist()
        [1.0, 1.0]
        """
        from andornot.words.subword_kernels import hash_ngrams

        utf8 = np.frombuffer(word.encode("utf-8", "surrogatepass"), dtype=np.uint8)
        buckets = hash_ngrams(utf8, self.shortest, self.longest, len(self.matrix))
        if not len(buckets):
            return None
        mean: npt.NDArray[np.float32] = self.matrix[buckets].mean(axis=0, dtype=np.float32)
        return mean
