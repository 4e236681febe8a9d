"""What can be trained on, and what is refused before any training."""

from dataclasses import replace

import numpy as np
import pytest
from errors import raises

from andornot import Vocabulary
from andornot.base.errors import AndornotError, FileError, UsageError
from andornot.cooccurrence import count
from andornot.corpus import open_corpus
from andornot.training import Settings, train


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Sentences of two words out of thirty."""
    folder = tmp_path_factory.mktemp("pairs")
    pairs = np.random.default_rng(5).zipf(1.3, size=(3000, 2)) % 30
    (folder / "pairs.txt").write_text("\n".join(f"w{a:02} w{b:02}" for a, b in pairs))
    return open_corpus([folder / "pairs.txt"], cache=folder / "cache")


def test_counts_give_the_space_that_the_corpus_gives(corpus):
    counts = count(corpus, window=1)
    settings = Settings(solver="exact", dim=6, window=1, epochs=3)
    from_counts = train(counts, replace(settings, window=None, solver="auto"), threads=1)
    from_corpus = train(corpus, settings, threads=1)
    np.testing.assert_array_equal(from_counts.target, from_corpus.target)
    assert from_counts.provenance.window == 1


def test_a_vocabulary_of_ones_own_is_counted_in_the_corpus(corpus):
    words = Vocabulary(["w03", "w01"])
    for solver in ("sampled", "exact"):
        settings = Settings(solver=solver, dim=2, window=1, epochs=1)
        space = train(corpus, settings, vocabulary=words, threads=1)
        assert space.words == words.words
        own = dict(zip(corpus.vocabulary.words, corpus.vocabulary.counts.values, strict=True))
        assert space.counts.tolist() == [own["w03"], own["w01"]]


@pytest.mark.parametrize("model", ["sgns", "glove"])
def test_more_dimensions_than_words(model, corpus):
    with raises(AndornotError, "dim", 31, "30 words"):
        train(corpus, Settings(model=model, solver="exact", dim=31, window=1))


def test_fewer_tokens_than_a_window(tmp_path):
    (tmp_path / "short.txt").write_text("a b a b")
    corpus = open_corpus([tmp_path / "short.txt"], cache=tmp_path / "cache")
    with raises(AndornotError, "4 tokens", "window of 5"):
        train(corpus, Settings(dim=2), min_count=1)


@pytest.mark.parametrize("solver", ["sampled", "exact"])
@pytest.mark.parametrize("model", ["sgns", "glove"])
def test_text_in_which_no_words_meet(model, solver, tmp_path):
    (tmp_path / "lonely.txt").write_text("a\nb\n" * 20)
    corpus = open_corpus([tmp_path / "lonely.txt"], cache=tmp_path / "cache")
    with raises(AndornotError, "no two words"):
        train(corpus, Settings(model=model, solver=solver, dim=2), min_count=1)


def test_sampled_sgns_needs_the_text(corpus):
    with raises(UsageError, "sampled", "counts", "solver='exact'"):
        train(count(corpus, window=1), Settings(solver="sampled", dim=4))


def test_counts_of_another_window_or_weighting(corpus):
    counts = count(corpus, window=1)
    with raises(UsageError, "window is 5", "window 1"):
        train(counts, Settings(dim=4, window=5))
    with raises(UsageError, "weights is harmonic", "weights linear"):
        train(counts, Settings(dim=4), weights="harmonic")
    with raises(UsageError, "flat", "linear", "solver='exact'"):
        train(corpus, Settings(dim=4, solver="sampled"), weights="flat")


def test_a_place_that_is_taken_is_refused_before_any_training(corpus, tmp_path):
    old = tmp_path / "old.safetensors"
    old.write_text("mine")
    steps = []
    with raises(FileError, old, "force=True"):
        train(corpus, Settings(dim=4), output=old, watch=steps.append)
    assert steps == []
    assert old.read_text() == "mine"
