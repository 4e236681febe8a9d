"""Subwords as in fastText: a word's vector is the mean of its character n-gram vectors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError

_LONGEST = 255  # characters; composing a word takes memory and time for each of its n-grams


@dataclass(frozen=True, eq=False)
class Subwords:
    """Vectors of hashed n-grams, from which the vector of any word is composed.

    `matrix` has a row for each bucket. N-grams of `shortest` to `longest` characters of "<word>"
    are assigned to buckets by their FNV-1a hash.
    """

    matrix: npt.NDArray[np.float32]
    shortest: int
    longest: int

    def __post_init__(self) -> None:
        if self.matrix.ndim != 2 or len(self.matrix) == 0:
            raise AndornotError(
                f"subwords must have the shape (buckets, dimension), got {self.matrix.shape}"
            )
        if not 1 <= self.shortest <= self.longest:
            raise AndornotError(
                "the lengths of subwords must satisfy 1 <= shortest <= longest, got "
                f"{self.shortest} to {self.longest}"
            )
        if self.longest > _LONGEST:
            raise AndornotError(
                f"subwords must have at most {_LONGEST} characters, got {self.shortest} to "
                f"{self.longest}"
            )
        matrix = self.matrix.view()
        matrix.flags.writeable = False
        object.__setattr__(self, "matrix", matrix)

    def compose(self, word: str) -> npt.NDArray[np.float32] | None:
        """Return the mean of the vectors of the word's n-grams, or None if it has none.

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
