"""Ranks as in the paper: the number of words whose cosine is at least that of the right word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.moments import unit_rows

_BLOCK = 1 << 24  # cosines in memory at a time


def ranks(
    words: npt.NDArray[np.float32],
    queries: npt.NDArray[Any],
    goals: Sequence[int],
    left_out: Sequence[Sequence[int]] | None = None,
) -> npt.NDArray[np.int64]:
    """Return the rank of each goal for its query.

    Args:
        words: The vectors of all words, unit rows.
        queries: The query vectors.
        goals: The id of the right word of each query.
        left_out: Ids of words that are not ranked, for each query.

    >>> words = np.eye(3, dtype=np.float32)
    >>> ranks(words, np.array([[3.0, 2.0, 1.0]]), [1]).tolist()
    [2]
    """
    found = np.empty(len(goals), dtype=np.int64)
    asked = unit_rows(queries).astype(np.float32, copy=False)
    step = max(1, _BLOCK // len(words))
    for start in range(0, len(asked), step):
        scores = asked[start : start + step] @ words.T
        for row, score in enumerate(scores):
            number = start + row
            least = score[goals[number]]
            above = np.count_nonzero(score >= least)
            for word in left_out[number] if left_out is not None else ():
                above -= bool(score[word] >= least)
            found[number] = above
    return found
