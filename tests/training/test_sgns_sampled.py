"""Sampled SGNS: its windows, its subsampling, and steps that stay bounded."""

from dataclasses import replace

import numpy as np
import pytest
from errors import raises

from andornot.base.errors import AndornotError
from andornot.cooccurrence import count
from andornot.corpus import open_corpus
from andornot.training import Settings, sgns_loss, train


def test_subsampling_thins_out_the_frequent(tmp_path):
    pairs = np.random.default_rng(5).zipf(1.3, size=(100_000, 2)) % 30
    (tmp_path / "pairs.txt").write_text("\n".join(f"w{a:02} w{b:02}" for a, b in pairs))
    corpus = open_corpus([tmp_path / "pairs.txt"], cache=tmp_path / "cache")
    settings = Settings(solver="sampled", dim=6, window=1, epochs=1)
    plain = train(corpus, settings, threads=1)
    thin = train(corpus, replace(settings, sample=0.01), threads=1)
    assert thin.probability[0] < 0.8 * plain.probability[0]
    expected = count(corpus, window=1, sample=0.01)
    np.testing.assert_allclose(thin.probability, expected.probability, atol=0.004)
    assert thin.provenance.subsample == 0.01


def test_subsampling_that_leaves_nothing(tmp_path):
    (tmp_path / "text.txt").write_text("a b c d e f " * 20)
    corpus = open_corpus([tmp_path / "text.txt"], cache=tmp_path / "cache")
    with raises(AndornotError, "raise sample"):
        train(corpus, Settings(solver="sampled", dim=2, sample=1e-12))


def test_words_may_meet_late_in_the_text(tmp_path, monkeypatch):
    monkeypatch.setattr("andornot.training.sgns_sampled.ROUND", 64)
    rare = " ".join(f"rare{number}" for number in range(300))
    settings = Settings(solver="sampled", dim=2, window=1, epochs=1, held_out=0)
    for name, text in (("late", "a b\n" * 100), ("never", "a\nb\n" * 100)):
        path = tmp_path / f"{name}.txt"
        path.write_text(f"{rare}\n{text}")
        corpus = open_corpus([path], cache=tmp_path / "cache")
        if name == "late":
            space = train(corpus, settings, threads=1)
            np.testing.assert_allclose(space.probability, [0.5, 0.5])
        else:
            with raises(AndornotError, "near each other"):
                train(corpus, settings, threads=1)


@pytest.mark.parametrize(
    "change", [{"window": 20}, {"window": 50}, {"negative": 200}, {"rate": 0.2}]
)
@pytest.mark.parametrize("part", [0.05, 0.6, 0.95])
def test_sampled_steps_stay_bounded(change, part, tmp_path):
    """Wide windows, many negatives, high rates; a word that is a large part of the text."""
    rng = np.random.default_rng(0)
    numbers = np.where(rng.random(4000) < part, 0, rng.integers(1, 60, 4000))
    (tmp_path / "text.txt").write_text(" ".join(f"w{number}" for number in numbers))
    corpus = open_corpus([tmp_path / "text.txt"], cache=tmp_path / "cache")
    settings = replace(Settings(solver="sampled", dim=10, epochs=2), **change)
    space = train(corpus, settings, threads=1, min_count=1)
    zero = (settings.negative + 1) * np.log(2)
    counts = count(corpus, window=settings.window or 5, min_count=1)
    assert np.abs(space.target).max() < 10
    assert sgns_loss(space, counts) < 0.6 * zero


def test_a_window_shrinks_as_word2vecs(tmp_path):
    rng = np.random.default_rng(0)
    (tmp_path / "text.txt").write_text(
        " ".join(f"w{number}" for number in rng.integers(9, size=40_000))
    )
    corpus = open_corpus([tmp_path / "text.txt"], cache=tmp_path / "cache")
    space = train(corpus, Settings(solver="sampled", dim=3, window=4, epochs=1), threads=1)
    expected = count(corpus, window=4, weights="linear").marginal
    np.testing.assert_allclose(space.marginal, expected, rtol=0.02)
