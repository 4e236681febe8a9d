"""The first places of AND by frequency band, against brute force and on planted words."""

from dataclasses import replace

import numpy as np
import pytest
from random_spaces import made_space

from andornot.experiments.crowding import (
    BANDS,
    CrowdingBand,
    band_table,
    by_band,
    first_places,
    rarer_share,
    share_of_rare,
    shares,
)


def test_first_places_against_brute_force(monkeypatch):
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(60, 5)).astype(np.float32)
    asked = [(0, 1), (5, 7), (8, 9)]
    found = first_places(rows, asked, k=4)
    for operands, places in zip(asked, found, strict=True):
        query = rows[list(operands)].sum(axis=0)
        cosines = rows @ query / np.linalg.norm(rows, axis=1)
        order = [i for i in np.argsort(-cosines) if i not in operands]
        assert places.tolist() == order[:4]
    monkeypatch.setattr("andornot.experiments.crowding._BLOCK", 60)  # one query at a time
    np.testing.assert_array_equal(first_places(rows, asked, k=4), found)
    assert first_places(rows[:5], [(0, 1)], k=10).shape == (1, 3)  # all that are left


def test_shares_add_up():
    places = np.array([[0, 1, 2], [2, 3, 4]])
    assert shares(places, [np.array([0, 1]), np.array([2, 3, 4])]) == pytest.approx([1 / 3, 2 / 3])
    counts = np.array([50.0, 40.0, 20.0, 19.0, 1.0])
    assert share_of_rare(places, counts, 20) == pytest.approx(2 / 6)


def test_rare_words_without_the_mean_collapse():
    rng = np.random.default_rng(2)
    words = [f"w{i}" for i in range(200)]
    space = made_space(words, rng, dim=20)  # the last words are the most frequent ones
    mean = np.zeros(20)
    mean[0] = 3.0
    target = np.asarray(space.target, dtype=np.float64) / np.sqrt(20) * 3 + mean
    target[:40] = 0.2 * rng.normal(size=(40, 20))  # learned next to nothing
    space = replace(space, target=target.astype(np.float32), marginal=None)
    asked = [(100 + i, 150 + i) for i in range(20)]
    found = by_band(space, asked)
    assert len(found) == len(BANDS)
    for name in ("orig", "freq"):
        assert sum(band.share[name] for band in found) == pytest.approx(1)
    rare, frequent = found[-1], found[0]
    assert rare.norm_ratio < 0.5 < frequent.norm_ratio
    assert abs(rare.cosine_with_mean) < 0.2 < frequent.cosine_with_mean
    assert rare.cosine["freq"] > 0.5 > abs(rare.cosine["orig"])  # they collapse
    table = band_table({"SGNS": found})
    assert [row[0] for row in table.rows] == [f"SGNS, {name}" for name in BANDS]
    figures = (rare.norm_ratio, rare.cosine_with_mean)
    assert table.rows[-1][1:] == (*figures, *rare.cosine.values(), *rare.share.values())


def test_the_share_beyond_the_most_frequent():
    parts = [CrowdingBand(1.0, 0.0, {}, {"orig": share}) for share in (0.5, 0.2, 0.1, 0.15, 0.05)]
    assert rarer_share(parts, "orig") == pytest.approx(0.5)
