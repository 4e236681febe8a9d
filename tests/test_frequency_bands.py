"""Figures by frequency band against brute force."""

from itertools import pairwise

import numpy as np
import pytest

from andornot.base.errors import UsageError
from andornot.frequency_bands import bands, cosine_with, mean_cosine, norm_ratio


def test_bands_hold_every_word_once_from_frequent_to_rare():
    counts = np.random.default_rng(1).permutation(23).astype(float)
    found = bands(counts, 5)
    assert sorted(np.concatenate(found).tolist()) == list(range(23))
    assert {len(band) for band in found} == {4, 5}
    for before, after in pairwise(found):
        assert counts[before].min() > counts[after].max()


@pytest.mark.parametrize("n", [0, 4])
def test_bands_that_would_be_empty(n):
    with pytest.raises(UsageError, match=str(n)):
        bands([1.0, 2.0, 3.0], n)


def test_figures_against_brute_force():
    rng = np.random.default_rng(2)
    vectors = rng.normal(size=(50, 4)).astype(np.float32)
    vectors[7] = 0
    ids = np.arange(5, 45)
    mean = vectors.mean(axis=0)
    lengths = [np.linalg.norm(vectors[i]) for i in ids]
    assert norm_ratio(vectors, mean, ids) == pytest.approx(np.mean(lengths) / np.linalg.norm(mean))
    cosines = [
        vectors[i] @ vectors[j] / np.linalg.norm(vectors[i]) / np.linalg.norm(vectors[j])
        for i in ids
        for j in ids
        if i != j and 7 not in (i, j)
    ]
    assert mean_cosine(vectors, ids) == pytest.approx(np.mean(cosines), abs=1e-6)
    assert mean_cosine(vectors, np.array([7, 8])) is None


def test_the_direction_decides_whether_words_collapse():
    """Words as long as the mean: along it they keep their own part, across it they collapse."""
    rng = np.random.default_rng(3)
    every, noise = np.arange(200), 0.5 * rng.normal(size=(200, 100))
    mean = np.zeros(100)
    mean[0] = 5.0
    along, across = mean + noise, noise.copy()
    across[:, 0] = 0
    for rare, cosine, collapsed in ((along, 0.7, 0.0), (across, 0.0, 0.5)):
        assert norm_ratio(rare, mean, every) == pytest.approx(1.2, abs=0.25)
        assert cosine_with(rare, mean, every) == pytest.approx(cosine, abs=0.05)
        assert mean_cosine(rare - mean, every) == pytest.approx(collapsed, abs=0.05)
