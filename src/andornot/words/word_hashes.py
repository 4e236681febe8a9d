"""Find out whether words in UTF-8 may be repeated, without decoding them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from andornot.base.kernels import kernel


def may_repeat(utf8: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]) -> bool:
    """Return False if all words differ; if True, two of them have the same 64-bit hash.

    >>> may_repeat(np.frombuffer(b"abab", dtype=np.uint8), np.array([0, 2, 4]))
    True
    >>> may_repeat(np.frombuffer(b"abab", dtype=np.uint8), np.array([0, 1, 4]))
    False
    """
    hashes = np.sort(_hash_words(utf8, offsets))
    return bool((hashes[1:] == hashes[:-1]).any())


@kernel
def _hash_words(
    utf8: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]
) -> npt.NDArray[np.uint64]:
    """Return the FNV-1a hash of each word."""
    hashes = np.empty(len(offsets) - 1, dtype=np.uint64)
    for i in range(len(hashes)):
        state = np.uint64(14695981039346656037)
        for j in range(offsets[i], offsets[i + 1]):
            state = (state ^ np.uint64(utf8[j])) * np.uint64(1099511628211)
        hashes[i] = state
    return hashes
