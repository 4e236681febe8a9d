"""The error of PMI = v.u over pairs of words, summed for each word.

Pairs are weighted equally or by their counts. Only the sums of each word are kept of millions of
pairs; means, root mean squares and the bootstrap over words are computed from these sums.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.progress import stage
from andornot.cooccurrence import Cooccurrence
from andornot.cooccurrence.pmi import pmi_blocks
from andornot.experiments.centring import ORIGINS
from andornot.experiments.intervals import Interval, interval
from andornot.model_pmi import ModelPmi, model_pmi
from andornot.postprocessing import postprocess
from andornot.space import Space

Vector = npt.NDArray[np.float64]
KNOWN = "known shift"
"""PMI minus the prediction of eq. 5 or 6: v.u plus constants of the word and the context.

The loss is minimal if this error is 0.
"""

ORIGIN = "known origin"
"""The best centring: the origins v0 and u0 for which (v - v0).(u - u0) is nearest to eq. 5 or 6."""

METHODS = ("PMI", *ORIGINS, ORIGIN, KNOWN)
WEIGHTINGS = ("each pair once", "each pair by its count")
EDGES = np.linspace(-8, 8, 161)
BANDS = {"2 or 3 times": (2, 3), "4 to 9 times": (4, 9), "10 times or more": (10, np.inf)}
_PAIRS = 1 << 14  # pairs whose vectors are in memory at a time


class Block(NamedTuple):
    """Some pairs: their words, number of occurrences, counts, and error by method."""

    rows: npt.NDArray[np.int32]
    seen: Vector
    counts: Vector
    errors: dict[str, Vector]


@dataclass(frozen=True)
class Errors:
    """Sums over the pairs of each word.

    Attributes:
        weights: Sums of the pairs' weights, by weighting.
        sums: Sums of weight times error, by method and weighting.
        squares: Sums of weight times squared error, by method and weighting.
        histograms: Sums of weights between `EDGES`, by method and weighting.
        by_band: Mean error of the known shift by the number of occurrences of a pair.
    """

    weights: dict[str, Vector]
    sums: dict[tuple[str, str], Vector]
    squares: dict[tuple[str, str], Vector]
    histograms: dict[tuple[str, str], Vector]
    by_band: dict[str, dict[str, float | None]]

    def mean(self, method: str, weighting: str) -> float:
        """Return the mean error."""
        return float(self.sums[method, weighting].sum() / self.weights[weighting].sum())

    def rms(self, method: str, weighting: str) -> float:
        """Return the root mean square of the error."""
        squares = self.squares[method, weighting].sum()
        return float(np.sqrt(squares / self.weights[weighting].sum()))

    def difference(self, method: str, other: str, weighting: str) -> Interval:
        """Return the rms of a method minus that of another, with a bootstrap over words.

        All pairs of a word are drawn together, because they share its vector.
        """
        columns = (
            self.squares[method, weighting],
            self.squares[other, weighting],
            self.weights[weighting],
        )
        table = np.column_stack(columns)

        def statistic(ids: npt.NDArray[np.int64]) -> float:
            first, second, mass = table[ids].sum(axis=0)
            return float(np.sqrt(first / mass) - np.sqrt(second / mass)) if mass else np.nan

        return interval(statistic, len(table))


def error_blocks(
    space: Space, counts: Cooccurrence, flat: npt.NDArray[np.float32]
) -> Iterator[Block]:
    """Yield the pairs with more than one occurrence, with the error of each method.

    Args:
        space: The model, with context vectors.
        counts: Counts with the weights of the model's window.
        flat: Number of occurrences of each of these pairs, at any distance.
    """
    assert space.context is not None
    shifts = _shifts(space, float(np.log(counts.total)))
    first = 0
    with stage("errors of PMI") as report:
        for block in pmi_blocks(counts, _PAIRS):
            seen = flat[first : first + len(block.pmi)]
            first += len(block.pmi)
            met = seen > 1
            rows, columns, pmi = block.rows[met], block.columns[met], block.pmi[met]
            left = pmi - np.einsum("ij,ij->i", space.target[rows], space.context[columns])
            errors = {"PMI": pmi} | {
                name: left - shift.of_words[rows] - shift.of_contexts[columns] - shift.constant
                for name, shift in shifts.items()
            }
            weight = block.counts[met].astype(np.float64)
            yield Block(rows, seen[met].astype(np.float64), weight, errors)
            report(first / len(flat))


def _shifts(space: Space, log_total: float) -> dict[str, ModelPmi]:
    """Return the terms that each method adds to v.u: (v - m).(u - n) = v.u - v.n - m.u + m.n."""
    known = model_pmi(space, log_total)
    origins = {ORIGIN: known_origin(space, known)}
    for name, method in ORIGINS.items():
        centred, zero = postprocess(space, method), np.zeros(space.dim)
        m = zero if centred.target_mean is None else centred.target_mean
        n = zero if centred.context_mean is None else centred.context_mean
        origins[name] = m, n
    assert space.context is not None
    found = {
        name: ModelPmi(-(space.target @ n), -(space.context @ m), float(m @ n))
        for name, (m, n) in origins.items()
    }
    return found | {KNOWN: known}


def known_origin(space: Space, known: ModelPmi) -> tuple[Vector, Vector]:
    """Return the origins v0 and u0 that come nearest to the terms of a model's PMI.

    v0 minimises sum_c p(c) (v0.u_c + s_c)^2, where s_c are the terms of the contexts. Words of
    SGNS have no terms, so u0 is 0. For GloVe, u0 is fitted to the terms of the words likewise.
    """
    assert space.context is not None
    p = space.probability
    level = float(p @ known.of_words)
    v0 = _fitted(space.context, p, -(known.of_contexts + known.constant + level))
    u0 = _fitted(space.target - v0, p, level - known.of_words)
    return v0, u0


def _fitted(rows: npt.NDArray[np.floating], p: Vector, scores: Vector) -> Vector:
    """Return the vector whose products with the rows are nearest to the scores, weighted by p."""
    root = np.sqrt(p)
    found = np.linalg.lstsq(rows * root[:, None], scores * root, rcond=None)[0]
    return np.asarray(found, dtype=np.float64)


def measure(space: Space, counts: Cooccurrence, flat: npt.NDArray[np.float32]) -> Errors:
    """Sum the errors of all pairs that `error_blocks` yields for the same arguments."""
    size = len(counts.vocabulary)
    weights = {weighting: np.zeros(size) for weighting in WEIGHTINGS}
    keys = [(method, weighting) for method in METHODS for weighting in WEIGHTINGS]
    sums, squares = ({key: np.zeros(size) for key in keys} for _ in range(2))
    histograms = {key: np.zeros(len(EDGES) - 1) for key in keys}
    bands = {band: np.zeros(3) for band in BANDS}  # sums: pairs, counts, errors of KNOWN

    def by_word(rows: npt.NDArray[np.int32], values: Vector) -> Vector:
        return np.asarray(np.bincount(rows, weights=values, minlength=size), dtype=np.float64)

    for rows, seen, own, errors in error_blocks(space, counts, flat):
        for weighting, weight in zip(WEIGHTINGS, (np.ones_like(own), own), strict=True):
            weights[weighting] += by_word(rows, weight)
            for method, error in errors.items():
                sums[method, weighting] += by_word(rows, weight * error)
                squares[method, weighting] += by_word(rows, weight * error**2)
                histograms[method, weighting] += np.histogram(error, EDGES, weights=weight)[0]
        for band, (least, most) in BANDS.items():
            inside = (seen >= least) & (seen <= most)
            bands[band] += inside.sum(), own[inside].sum(), errors[KNOWN][inside].sum()
    every = np.sum(list(bands.values()), axis=0)
    by_band = {
        band: {
            "part of the pairs": float(pairs / every[0]),
            "part of the counts": float(mass / every[1]),
            "mean error": float(error / pairs) if pairs else None,
        }
        for band, (pairs, mass, error) in bands.items()
    }
    return Errors(weights, sums, squares, histograms, by_band)
