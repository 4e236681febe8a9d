"""x_max in proportion to the text."""

import numpy as np
import pytest
from errors import raises
from random_counts import random_counts

from andornot.base.errors import UsageError
from andornot.corpus import open_corpus
from andornot.training import Settings, train


@pytest.mark.parametrize("solver", ["sampled", "exact"])
def test_auto_is_the_number_that_the_rule_gives(solver, monkeypatch):
    counts = random_counts()
    tokens = counts.vocabulary.counts.values.sum()
    monkeypatch.setattr("andornot.training.settings.PAPERS_TOKENS", 10 * tokens)

    def trained(x_max):
        settings = Settings("glove", solver, dim=4, epochs=5, prior=0.0, x_max=x_max)
        return train(counts, settings, threads=1)

    auto, given, other = trained(None), trained(10.0), trained(100.0)
    assert auto.provenance.settings["x_max"] == 10.0
    np.testing.assert_array_equal(auto.target, given.target)
    assert not np.array_equal(auto.target, other.target)


def test_auto_for_a_text_counts_the_tokens_of_its_words(tmp_path, monkeypatch):
    path = tmp_path / "text.txt"
    path.write_text("a b c\n" * 50 + "rare")
    corpus = open_corpus([path], cache=tmp_path / "cache")
    monkeypatch.setattr("andornot.training.settings.PAPERS_TOKENS", 1500.0)
    settings = Settings("glove", "sampled", dim=2, epochs=2, x_max=None)
    assert train(corpus, settings, threads=1).provenance.settings["x_max"] == 10.0  # of 150


def test_a_small_text_has_the_least_x_max():
    settings = Settings("glove", "sampled", dim=2, epochs=2, x_max=None)
    assert train(random_counts(), settings, threads=1).provenance.settings["x_max"] == 1.0


def test_auto_needs_the_size_of_the_text():
    with raises(UsageError, "x_max", "auto", "number"):
        Settings("glove", "exact", x_max=None).resolved()
