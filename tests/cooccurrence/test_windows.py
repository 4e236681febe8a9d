"""Subsampling: the exact expectation of the counts, by enumeration and without chunks."""

import itertools

import numpy as np
import pytest
from errors import raises
from slow_counting import WEIGHT, in_small_chunks, slow_counts
from texts import corpus_of, random_lines

from andornot import AndornotError
from andornot.cooccurrence import count
from andornot.cooccurrence.windows import keep_probabilities, plan_windows


def test_keep_probabilities_are_word2vecs():
    counts = np.array([1000.0, 30, 1])
    sample = 1e-2
    threshold = sample * counts.sum()
    from_c = (np.sqrt(counts / threshold) + 1) * threshold / counts
    assert np.allclose(keep_probabilities(counts, sample), np.minimum(1, from_c))


def expected_by_enumeration(lines, words, keep, window, weights):
    """The expectation over every way of dropping words, one by one."""
    matrix = np.zeros((len(words), len(words)))
    index = {word: i for i, word in enumerate(words)}
    for line in lines:
        ids = [index[word] for word in line]
        for kept in itertools.product([False, True], repeat=len(ids)):
            chance = np.prod(
                [keep[i] if k else 1 - keep[i] for i, k in zip(ids, kept, strict=True)]
            )
            left = [[words[i] for i, k in zip(ids, kept, strict=True) if k]]
            matrix += chance * slow_counts(left, words, window, weights)
    return matrix


@pytest.mark.parametrize("weights", sorted(WEIGHT))
def test_subsampling_gives_the_exact_expectation(tmp_path, weights):
    lines = [["a", "b", "a", "c", "a", "d", "b", "a", "e"], ["a", "a", "b", "c", "d"]]
    corpus = corpus_of(tmp_path, lines)
    counts = count(corpus, min_count=1, window=3, weights=weights, sample=0.1)
    words = counts.vocabulary.words
    keep = keep_probabilities(counts.vocabulary.counts.values, 0.1)
    assert keep.min() < 0.8
    expected = expected_by_enumeration(lines, words, keep, 3, weights)
    assert np.allclose(counts.matrix().toarray(), expected, rtol=1e-6)


def test_subsampling_reaches_as_far_as_it_must(tmp_path, monkeypatch):
    rng = np.random.default_rng(2)
    corpus = corpus_of(tmp_path, [[f"w{n}" for n in rng.integers(0, 20, size=4000)]])
    counts = count(corpus, min_count=1, sample=2e-5)
    monkeypatch.setattr("andornot.cooccurrence.windows.reach_of", lambda *_: 4000)
    unbounded = count(corpus, min_count=1, sample=2e-5)
    assert np.allclose(counts.marginal, unbounded.marginal, rtol=1e-6)
    monkeypatch.undo()
    with raises(AndornotError, "sampling threshold", "raise"):
        count(corpus, min_count=1, sample=1e-50)


def test_subsampling_does_not_depend_on_chunks(tmp_path, monkeypatch):
    corpus = corpus_of(tmp_path, random_lines(5, lines=100, types=30))
    whole = count(corpus, min_count=1, sample=1e-2)
    in_small_chunks(monkeypatch)
    parts = count(corpus, min_count=1, sample=1e-2)
    assert np.array_equal(parts.columns, whole.columns)
    assert np.array_equal(parts.values, whole.values)
    assert np.array_equal(parts.marginal, whole.marginal)


def test_sums_never_leave_64_bits():
    for window, weights, sample in [(5, "linear", None), (20, "harmonic", None), (5, "flat", 0.5)]:
        occurrences = np.array([5e10, 1.0])  # "the" in 840 billion tokens
        plan = plan_windows(window, weights, sample, occurrences)
        kept = occurrences * (plan.keep if len(plan.keep) else 1)
        assert 2 * kept.max() * plan.weights.sum() < 2.0**63
        natural = plan.weights * plan.unit
        expected = [WEIGHT[weights](t, window) for t in range(1, window + 1)]
        assert np.allclose(natural, expected, rtol=1e-4)
