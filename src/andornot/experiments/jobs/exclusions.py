"""Ways to ask for "A and not B": what people do today, the paper's way, and ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.experiments.jobs.measures import standardised

Row = npt.NDArray[np.float32]
IGNORING = "ignoring B"
PAPER = "A & v(N\\B), the paper's"
RERANKING = "re-ranking"
OURS = RERANKING
_PAPERS_WORDS = 20
_SIZES, _WEIGHTS = (30, 100), (0.2, 0.5, 1.0)


class Neighbourhood(NamedTuple):
    """The words nearest to A, nearest first, without those of B: unit rows, and p(w)."""

    rows: npt.NDArray[np.float32]
    probabilities: npt.NDArray[np.float64]


def orthogonal(a: Row, b: Row) -> Row:
    """Return what is left of `a` without its part along `b`.

    >>> orthogonal(np.array([1.0, 1.0]), np.array([0.0, 2.0])).tolist()
    [1.0, 0.0]
    """
    return np.asarray(a - (a @ b) / (b @ b) * b, dtype=a.dtype)


def _with_rest(a: Row, near: Neighbourhood) -> Row:
    """Add the OR by frequency of the 20 words nearest to A, without those of B."""
    rows, p = near.rows[:_PAPERS_WORDS], near.probabilities[:_PAPERS_WORDS]
    return np.asarray(a + p @ rows / p.sum(), dtype=a.dtype)


VECTORS: dict[str, Callable[[Row, Row, Neighbourhood], Row]] = {
    IGNORING: lambda a, b, near: a,
    "A - B": lambda a, b, near: a - b,
    "2A - B": lambda a, b, near: 2 * a - b,
    "orthogonal": lambda a, b, near: orthogonal(a, b),
    PAPER: lambda a, b, near: _with_rest(a, near),
}
"""Query vectors from the unit vectors of A and B and the neighbourhood of A."""


def rerank(
    of_a: npt.NDArray[Any], of_b: npt.NDArray[Any], size: int, weight: float
) -> npt.NDArray[np.float64]:
    """Return scores that re-rank the best of A by z(A) - weight z(B), both among these.

    Args:
        of_a: The similarity of each item to A.
        of_b: The similarity of each item to B.
        size: How many items are re-ranked; the others stay below them, in their order.
        weight: What a standard deviation of B counts.

    >>> rerank(np.array([0.9, 0.8, 0.1]), np.array([0.9, 0.0, 0.0]), 2, 2.0).argsort().tolist()
    [2, 0, 1]
    """
    best = np.argsort(-of_a, kind="stable")[:size]
    again = standardised(of_a[best]) - weight * standardised(of_b[best])
    scores = np.asarray(of_a - of_a.max(), dtype=np.float64)  # at most 0
    scores[best] = 1 + again - again.min()
    return scores


def scores_without(
    items: npt.NDArray[np.float32], a: Row, b: Row, near: Neighbourhood
) -> dict[str, npt.NDArray[Any]]:
    """Return the scores of the items, unit rows, for "A and not B", by every way.

    For example `scores_without(rows, a, b, near)["A - B"]`. Several settings of one way have names
    that begin alike; `way_of` returns the beginning.
    """
    found = {name: items @ vector(a, b, near) for name, vector in VECTORS.items()}
    of_a, of_b = items @ a, items @ b
    for size in _SIZES:
        for weight in _WEIGHTS:
            found[f"{RERANKING}, {size}, {weight:g}"] = rerank(of_a, of_b, size, weight)
    return found


def way_of(name: str) -> str:
    """Return the way of a setting.

    >>> way_of("re-ranking, 30, 0.5")
    're-ranking'
    """
    return RERANKING if name.startswith(RERANKING) else name
