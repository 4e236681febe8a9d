"""The share of rare and frequent words in the first places of AND, before and after centring.

Words are split by frequency rank into fifths, the most frequent first. Some rare words have short
vectors with a small component along the mean. Centring turns them into approximately minus the
mean, so that they become similar to each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.moments import unit_rows, weighted_mean
from andornot.experiments.centring import METHODS, centred
from andornot.experiments.report import Cell, Table
from andornot.frequency_bands import bands, cosine_with, mean_cosine, norm_ratio
from andornot.space import Space

BANDS = ("most frequent 20 %", "20 to 40 %", "40 to 60 %", "60 to 80 %", "rarest 20 %")
PLACES = 10
SHOWN = ("orig", "freq")
_BLOCK = 1 << 24  # cosines in memory at a time

Ids = npt.NDArray[np.int64]


class CrowdingBand(NamedTuple):
    """The figures of the words of a band; `cosine` and `share` by post-processing."""

    norm_ratio: float
    cosine_with_mean: float
    cosine: dict[str, float | None]
    share: dict[str, float]


def first_places(
    words: npt.NDArray[np.float32], asked: Sequence[Sequence[int]], k: int = PLACES
) -> Ids:
    """Return the k words nearest to each sum of words, by cosine, without these words themselves.

    Args:
        words: The vector of each word.
        asked: The word ids of each sum.
        k: Number of places; fewer if fewer words are left.

    >>> rows = np.array([[1, 0], [0, 1], [1, 1.5], [-1, 0]], dtype=np.float32)
    >>> first_places(rows, [(0, 1)], k=2).tolist()
    [[2, 3]]
    """
    k = min(k, len(words) - max(map(len, asked)))
    unit = unit_rows(words)
    queries = unit_rows(np.array([words[list(each)].sum(axis=0) for each in asked]))
    found = np.empty((len(asked), k), dtype=np.int64)
    step = max(1, _BLOCK // len(words))
    for start in range(0, len(asked), step):
        scores = queries[start : start + step] @ unit.T
        for row, operands in enumerate(asked[start : start + step]):
            scores[row, list(operands)] = -np.inf
        best = np.argpartition(-scores, k - 1, axis=1)[:, :k]
        order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1, kind="stable")
        found[start : start + step] = np.take_along_axis(best, order, axis=1)
    return found


def shares(places: Ids, split: Sequence[Ids]) -> list[float]:
    """Return the share of all places that the words of each band take.

    >>> shares(np.array([[0, 1], [0, 3]]), [np.array([0, 1]), np.array([2, 3])])
    [0.75, 0.25]
    """
    return [float(np.isin(places, ids).mean()) for ids in split]


def share_of_rare(places: Ids, counts: npt.NDArray[np.float64], least: float) -> float:
    """Return the share of all places that words with a count below `least` take.

    >>> share_of_rare(np.array([[0, 1], [0, 3]]), np.array([9.0, 9.0, 1.0, 1.0]), 5)
    0.25
    """
    return float((counts[places] < least).mean())


def by_band(space: Space, asked: Sequence[Sequence[int]]) -> list[CrowdingBand]:
    """Return the figures of each band, the most frequent words first.

    Args:
        space: The vectors as trained.
        asked: The word ids of each AND.
    """
    split = bands(space.counts, len(BANDS))
    mean = weighted_mean(space.target, np.asarray(space.probability))
    ratios = [norm_ratio(space.target, mean, ids) for ids in split]
    with_mean = [cosine_with(space.target, mean, ids) for ids in split]
    cosines: dict[str, list[float | None]] = {}
    taken: dict[str, list[float]] = {}
    for name in SHOWN:
        rows = centred(space, METHODS[name]).target
        cosines[name] = [mean_cosine(rows, ids) for ids in split]
        taken[name] = shares(first_places(rows, asked), split)
    return [
        CrowdingBand(
            ratios[i],
            with_mean[i],
            {name: cosines[name][i] for name in SHOWN},
            {name: taken[name][i] for name in SHOWN},
        )
        for i in range(len(split))
    ]


def band_table(found: dict[str, list[CrowdingBand]]) -> Table:
    """Return a table of the figures of each model by band."""
    rows: list[tuple[Cell, ...]] = []
    for model, each in found.items():
        for name, band in zip(BANDS, each, strict=True):
            figures = [*(band.cosine[m] for m in SHOWN), *(band.share[m] for m in SHOWN)]
            rows.append((f"{model}, {name}", band.norm_ratio, band.cosine_with_mean, *figures))
    header = (
        "",
        "length / length of the mean",
        "cosine with the mean",
        "mean cosine, orig",
        "mean cosine, freq",
        f"share of the first {PLACES}, orig",
        f"share of the first {PLACES}, freq",
    )
    title = "Words by frequency band: properties of the vectors, and share of AND's first places"
    return Table(title, header, tuple(rows))


def rarer_share(found: list[CrowdingBand], name: str) -> float:
    """Return the share of AND's first places beyond the first band, by post-processing."""
    return sum(band.share[name] for band in found[1:])
