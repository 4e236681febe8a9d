"""The quality of a ranking, and scores that can be added: z-scores and percentiles."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Relevant = npt.NDArray[np.bool_]


def average_precision(scores: npt.NDArray[Any], relevant: Relevant) -> float:
    """Return the mean of the precision at each relevant item.

    Items with equal scores share the last of their ranks, as in scikit-learn. At least one item
    must be relevant.

    >>> round(average_precision(np.array([0.9, 0.8, 0.7]), np.array([True, False, True])), 3)
    0.833
    """
    every, found = np.sort(scores), np.sort(scores[relevant])
    ranks = len(every) - np.searchsorted(every, found)
    return float(np.mean((len(found) - np.searchsorted(found, found)) / ranks))


def standardised(scores: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return z-scores, with mean 0 and standard deviation 1; equal scores become 0.

    >>> standardised(np.array([1.0, 3.0])).tolist(), standardised(np.array([2.0, 2.0])).tolist()
    ([-1.0, 1.0], [0.0, 0.0])
    """
    centred = np.asarray(scores, dtype=np.float64) - np.mean(scores, dtype=np.float64)
    deviation = centred.std()
    return centred / deviation if deviation > 0 else centred


def percentiles(scores: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return the percentile of each item, as a fraction; ties are broken by their order.

    >>> percentiles(np.array([0.5, 0.1, 0.3, 0.9])).tolist()
    [0.75, 0.25, 0.5, 1.0]
    """
    places = np.empty(len(scores))
    places[np.argsort(scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return places / len(scores)
