"""OR words compared with the OR formula: the cosine and the rank of each, and their means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from andornot.algebra import Logic
from andornot.algebra.expression import Or, Term
from andornot.base.moments import unit_rows
from andornot.experiments.intervals import Interval, mean_interval
from andornot.experiments.ranks import ranks
from andornot.space import Space

Pairs = list[tuple[str, str]]


class Compared(NamedTuple):
    """For each OR word: its cosine with the formula, its rank, and the number of its text."""

    cosines: npt.NDArray[np.float64]
    ranks: npt.NDArray[np.int64]
    texts: npt.NDArray[np.int64]

    @property
    def cosine(self) -> Interval:
        """The mean cosine; the OR words of one of several texts are drawn together."""
        return self.mean(self.cosines)

    @property
    def rank(self) -> Interval:
        """The mean rank."""
        return self.mean(self.ranks)

    def mean(self, values: npt.NDArray[Any]) -> Interval:
        """Return the mean of a figure over OR words."""
        several = len(set(self.texts.tolist())) > 1
        return mean_interval(values, clusters=self.texts.tolist() if several else None)

    def __str__(self) -> str:
        """Show the mean cosine and the mean rank.

        >>> print(Compared(np.array([0.9, 0.8]), np.array([1, 2]), np.array([0, 0])))
        0.850 (1.500)
        """
        return f"{self.cosines.mean():.3f} ({self.ranks.mean():.3f})"


def compared(
    space: Space,
    method: str,
    exact: bool,
    pairs: Pairs,
    merged: npt.NDArray[np.float64] | None = None,
) -> Compared:
    """Compare a_OR_b with the OR of a and b, and rank it among all words except these two.

    Args:
        space: The model; its words include the OR words unless `merged` is given.
        method: The post-processing.
        exact: Compute OR exactly instead of to first order.
        pairs: The words of each OR.
        merged: The vectors of the OR words before centring, if the space doesn't have them.
    """
    logic = Logic(space, postprocess=method, weights="frequency", exact=exact)
    index = space.vocabulary.index
    rows = logic.target(space.target)
    if merged is None:
        goals = [index(f"{a}_OR_{b}") for a, b in pairs]
    else:
        goals = list(range(len(space), len(space) + len(pairs)))
        rows = np.concatenate([rows, logic.target(merged.astype(np.float32))])
    words = unit_rows(rows)
    with threadpool_limits(1, "blas"):  # each vector takes small products, where threads wait
        unions = np.array([logic.concept(Or((Term(a), Term(b)))).vector for a, b in pairs])
    operands = [(index(a), index(b)) for a, b in pairs]
    cosines = (unit_rows(unions) * words[goals]).sum(1).astype(np.float64)
    return Compared(cosines, ranks(words, unions, goals, operands), np.zeros(len(pairs), np.int64))


def together(texts: Sequence[Compared]) -> Compared:
    """Return the OR words of several texts together.

    >>> one = Compared(np.array([0.9]), np.array([1]), np.array([0]))
    >>> together([one, one]).texts.tolist()
    [0, 1]
    """
    return Compared(
        np.concatenate([each.cosines for each in texts]),
        np.concatenate([each.ranks for each in texts]),
        np.repeat(np.arange(len(texts)), [len(each.ranks) for each in texts]),
    )


Found = dict[str, dict[str, Compared]]
"""The comparisons by the name of a case, then by centring and order."""
