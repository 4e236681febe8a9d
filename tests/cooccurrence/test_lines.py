"""A window over the whole line: every pair of a basket, and the rule for long lines."""

import itertools
import time
from collections import Counter

import numpy as np
import pytest
from errors import raises
from hypothesis import given
from hypothesis import strategies as st
from slow_counting import in_small_chunks
from texts import random_lines

from andornot.base.errors import UsageError
from andornot.cooccurrence import count, windows
from andornot.training import Settings, train


def slow_pairs(baskets, words, furthest):
    """Every ordered pair of places of a basket that are not too far apart."""
    pairs = Counter(
        (line[i], line[j])
        for line in ([item for item in basket if item in words] for basket in baskets)
        for i, j in itertools.permutations(range(len(line)), 2)
        if abs(i - j) <= furthest
    )
    return np.array([[pairs[first, second] for second in words] for first in words], float)


@given(st.integers(0, 1000), st.integers(1, 3), st.booleans(), st.sampled_from([4, 1000]))
def test_counts_agree_with_brute_force(seed, min_count, small, furthest):
    baskets = [line for line in random_lines(seed, lines=20) if line]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(windows, "LONGEST_PAIR", furthest)
        if small:
            in_small_chunks(patch)
        counts = count(baskets, window="line", min_count=min_count)
    expected = slow_pairs(baskets, counts.vocabulary.words, furthest)
    assert np.array_equal(counts.matrix().toarray(), expected)


def test_the_order_of_a_basket_changes_nothing():
    baskets = [line for line in random_lines(3) if line]
    turned = [sorted(basket) for basket in baskets]
    one, other = (count(each, window="line", min_count=1) for each in (baskets, turned))
    assert (one.matrix() != other.matrix()).nnz == 0


def test_items_over_a_thousand_apart_are_no_pair():
    line = [f"item {number}" for number in range(1_500)]
    counts = count([line], window="line", min_count=1)
    places = np.array([int(name.split()[1]) for name in counts.vocabulary.words])
    apart = np.abs(places[:, None] - places)
    assert np.array_equal(counts.matrix().toarray(), (apart > 0) & (apart <= 1_000))


def test_an_endless_line_ends():
    rng = np.random.default_rng(0)
    line = [f"w{number}" for number in rng.integers(0, 300, size=100_000)]
    began = time.perf_counter()
    counts = count([line], window="line", min_count=1)
    assert counts.total == 2 * (1_000 * 100_000 - 1_000 * 1_001 / 2)
    assert time.perf_counter() - began < 60  # n (n - 1) pairs would be a hundred times as many


def test_baskets_are_trained_exactly():
    baskets = [basket for basket in random_lines(4, lines=200) if basket]
    space = train(baskets, Settings(dim=4, window="line"), min_count=2, threads=1)
    counts = count(baskets, window="line", min_count=2)
    assert (space.provenance.window, space.provenance.weighting) == ("line", "flat")
    assert np.allclose(space.marginal, counts.marginal)
    again = train(counts, Settings(dim=4), threads=1)
    assert np.array_equal(again.target, space.target)
    glove = train(baskets, Settings(model="glove", dim=4, window="line"), min_count=2, threads=1)
    assert glove.provenance.weighting == "flat"


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"weights": "linear"}, ["weights", "linear"]),
        ({"sample": 1e-3}, ["sample", "line"]),
        ({"window": "lines"}, ["window", "'lines'", "'line'"]),
        ({"window": True}, ["window", "True"]),
        ({"window": 2.5}, ["window", "2.5"]),
    ],
    ids=str,
)
def test_what_does_not_go_with_a_line(options, named):
    with raises(UsageError, *named):
        count([["a", "b"]], **({"window": "line", "min_count": 1} | options))


def test_the_sampled_window_shrinks():
    with raises(UsageError, "linear", "flat", "solver='exact'"):
        train([["a", "b"]], Settings(dim=1, window="line", solver="sampled"), min_count=1)
