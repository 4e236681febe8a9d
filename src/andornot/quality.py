"""Measure the quality of a space by frequency band: lengths, cosines, the model's PMI.

All figures come from a sample with a fixed seed, so that large files stay on disk and the time is
bounded. `andornot info` prints them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError
from andornot.base.formatting import known
from andornot.base.moments import Vector, parts, weighted_mean
from andornot.base.remedies import option, remedy
from andornot.frequency_bands import Ids, bands, cosine_with, mean_cosine, norm_ratio
from andornot.model_pmi import ModelPmi, WordSample, model_pmi, sample_by
from andornot.space import Space

Figures = tuple[float | None, ...]

BANDS = 5
WORDS = 200
"""Words per band for lengths and cosines."""
PMI_WORDS = 100
"""Words per band for the PMI with the contexts."""
MOST_ROWS = 100_000
"""Rows that represent the whole vocabulary in means and in sums over contexts."""
COLLAPSED_COSINE, COLLAPSED_RISE = 0.3, 0.2
"""Rare words have collapsed if their mean cosine after centring is above the first, and above that
of the most frequent band by more than the second. docs/training.md shows what models have."""
_FEWEST_WORDS = 30  # words per band; the mean cosine of fewer words says little
_CONTEXTS = 4096  # contexts per block, whose PMI with all sampled words fits the cache
_SEED = 1


@dataclass(frozen=True)
class Band:
    """The figures of the words between two ranks of frequency.

    Attributes:
        first: The rank of the band's most frequent word, from 1.
        last: The rank of the band's rarest word.
        norm_ratio: The mean |v|, divided by the length of the mean vector; None if that is 0.
        cosine_with_mean: The mean cosine of a word with the mean vector; None if that is 0.
        cosine: The mean cosine of two random words; None for fewer than two words.
        centred_cosine: The same after the mean vector was subtracted.
        normaliser: The median of sum_c p(c) exp(PMI(w,c)) by the model's PMI. It is 1 for true
            PMI, because the sum of p(c|w) is 1.
        error_term: The median of Theorem 1's eps_w by the model's PMI.
        largest_pmi: The largest |PMI(w,c)| by the model's PMI.
    """

    first: int
    last: int
    norm_ratio: float | None
    cosine_with_mean: float | None
    cosine: float | None
    centred_cosine: float | None
    normaliser: float | None
    error_term: float | None
    largest_pmi: float | None


@dataclass(frozen=True)
class Quality:
    """The figures of a space, by frequency band and as a whole.

    Attributes:
        has_frequencies: True if bands and means use frequencies. Otherwise the bands are in file
            order, and means are unweighted.
        bands: The bands, the most frequent words first.
        contexts: The number of contexts in the sums; a sample of a large vocabulary.
        error_term: Theorem 1's eps_bar by the model's PMI.
        largest_pmi: Delta, the largest |PMI| by the model's PMI, of the words that were sampled.
        inapplicable: The reason why figures of the model's PMI are missing, or None.
    """

    has_frequencies: bool
    bands: tuple[Band, ...]
    contexts: int
    error_term: float | None
    largest_pmi: float | None
    inapplicable: str | None

    @property
    def warning(self) -> str | None:
        """A warning with advice if centring makes the rarest words alike; otherwise None."""
        few = self.bands[-1].last - self.bands[-1].first + 1 < _FEWEST_WORDS
        frequent, rare = self.bands[0].centred_cosine, self.bands[-1].centred_cosine
        if few or frequent is None or rare is None:
            return None
        if rare <= max(COLLAPSED_COSINE, frequent + COLLAPSED_RISE):
            return None
        return (
            "rare words have collapsed: after centring, the mean cosine of random words is "
            f"{rare:.2f} in the rarest band and {frequent:.2f} in the most frequent, so "
            "they crowd answers together; use more text, train SGNS in the place of GloVe, or "
            f"GloVe with a smaller {option('x_max')} or {option('prior')}, raise "
            f"{option('min_count')}, or keep only the frequent words ("
            + remedy(python="space.top(n)", command="`andornot convert --top`")
            + ")"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain data, ready for JSON."""
        return {**asdict(self), "warning": self.warning}


class _PmiFigures(NamedTuple):
    """Figures of the model's PMI, for each of some words."""

    normalisers: Vector
    error_terms: Vector
    largest: Vector

    def summary(self, words: slice) -> Figures:
        """Return the median normaliser and error term, and the largest |PMI|, of these words."""
        if not len(self.largest[words]):
            return None, None, None
        return (
            known(float(np.median(self.normalisers[words]))),
            known(float(np.median(self.error_terms[words]))),
            known(float(self.largest[words].max())),
        )


def quality_of(space: Space) -> Quality:
    """Compute the quality of a space, from a sample of each frequency band.

    >>> import andornot
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> found = quality_of(space)
    >>> [(band.first, band.last) for band in found.bands]
    [(1, 2), (3, 4), (5, 6), (7, 7), (8, 8)]
    >>> found.inapplicable
    'the PMI of a model needs context vectors, and this space has none; ...
    """
    rng = np.random.default_rng(_SEED)
    size = len(space)
    p = space.probability if space.has_frequencies else np.full(size, 1 / size)
    split = bands(_frequencies(space), min(BANDS, size))
    samples = [rng.choice(band, min(WORDS, len(band)), replace=False) for band in split]
    everything = sample_by(p, MOST_ROWS, rng)
    mean = weighted_mean(space.target[everything.ids], everything.weights)
    of_vectors = [_vector_figures(space, mean, sample) for sample in samples]
    of_pmi: list[Figures] = [(None, None, None)] * len(split)
    error_term, inapplicable = None, None
    try:
        model = _model_pmi(space)
    except AndornotError as error:
        inapplicable = str(error)
    else:
        error_term = _mean_error(space, model, mean, everything)
        of_pmi = _pmi_of_bands(
            space, model, [sample[p[sample] > 0] for sample in samples], everything
        )
    lasts = np.cumsum([len(band) for band in split]).tolist()
    found = tuple(
        Band(last - len(band) + 1, last, *vectors, *pmi)
        for band, last, vectors, pmi in zip(split, lasts, of_vectors, of_pmi, strict=True)
    )
    return Quality(
        has_frequencies=space.has_frequencies,
        bands=found,
        contexts=len(everything.ids),
        error_term=error_term,
        largest_pmi=max((each.largest_pmi for each in found if each.largest_pmi), default=None),
        inapplicable=inapplicable,
    )


def _frequencies(space: Space) -> npt.NDArray[Any]:
    """Return the values that order the words: counts, the marginal, or the file order."""
    if space.vocabulary.counts is not None:
        return space.vocabulary.counts.values
    return -np.arange(len(space)) if space.marginal is None else space.marginal


def _vector_figures(space: Space, mean: Vector, sample: Ids) -> Figures:
    """Return the ratio of lengths, and the cosines with the mean and before and after centring."""
    rows = space.target[sample]
    every = np.arange(len(sample))
    is_centred = space.provenance.postprocess is not None or not mean.any()
    found = (
        None if is_centred else norm_ratio(rows, mean, every),
        None if is_centred else cosine_with(rows, mean, every),
        mean_cosine(rows, every),
        mean_cosine(rows - mean, every),
    )
    return tuple(None if each is None else known(each) for each in found)


def _model_pmi(space: Space) -> ModelPmi:
    """Return the difference of the model's PMI and v.u."""
    done = space.provenance.postprocess
    if done is not None:
        raise AndornotError(
            f"the vectors were post-processed ({done}), so v.u differs from the trained model"
        )
    return model_pmi(space)


def _pmi_figures(space: Space, model: ModelPmi, words: Ids, everything: WordSample) -> _PmiFigures:
    """Compute the figures of the model's PMI, over blocks of contexts."""
    assert space.context is not None
    rows = space.target[words]
    figures = _PmiFigures(*np.zeros((3, len(words))))
    for part in parts(everything.ids, _CONTEXTS):
        contexts, weights = everything.ids[part], everything.weights[part]
        pmi = (rows @ space.context[contexts].T).astype(np.float64)
        pmi += model.of_words[words, None]
        pmi += model.of_contexts[contexts] + model.constant
        np.maximum(figures.largest, np.abs(pmi).max(axis=1), out=figures.largest)
        figures.error_terms[:] -= pmi @ weights
        with np.errstate(over="ignore"):  # the training may have diverged
            figures.normalisers[:] += np.exp(pmi, out=pmi) @ weights
    return figures


def _pmi_of_bands(
    space: Space, model: ModelPmi, samples: list[Ids], everything: WordSample
) -> list[Figures]:
    """Return the median normaliser and error term, and the largest |PMI|, of each sample."""
    words = [sample[:PMI_WORDS] for sample in samples]
    figures = _pmi_figures(space, model, np.concatenate(words), everything)
    ends = np.cumsum([len(each) for each in words]).tolist()
    return [
        figures.summary(slice(end - len(each), end)) for each, end in zip(words, ends, strict=True)
    ]


def _mean_error(
    space: Space, model: ModelPmi, mean: Vector, everything: WordSample
) -> float | None:
    """Return eps_bar, minus the mean of PMI under p(w) p(c), which is linear in v and in u."""
    assert space.context is not None
    ids, weights = everything
    of_both = weights @ (model.of_words[ids] + model.of_contexts[ids])
    mean_context = weighted_mean(space.context[ids], weights)
    return known(-float(mean @ mean_context + of_both + model.constant))
