"""The two halves of a job, beside the rule written out item by item."""

import hashlib

import numpy as np
import pytest
from errors import raises

from andornot.base.errors import AndornotError
from andornot.experiments.jobs.halves import choose, is_reported

KEYS = [f"word {i}" for i in range(40)]


def by_hand(scores, keys):
    """For each item, the score of the setting whose sum over the other half is the largest."""
    found = []
    odd = [int(hashlib.sha256(key.encode()).hexdigest()[:2], 16) % 2 for key in keys]
    for item in range(len(keys)):
        other = [i for i in range(len(keys)) if odd[i] != odd[item]]
        best, most = None, -float("inf")
        for name, values in scores.items():
            total = sum(values[i] for i in other)
            if total > most:
                best, most = name, total
        found.append(scores[best][item])
    return found


@pytest.mark.parametrize("seed", range(20))
def test_every_item_is_scored_by_the_setting_chosen_on_the_other_half(seed):
    rng = np.random.default_rng(seed)
    # whole numbers, so that settings tie
    scores = {name: rng.integers(0, 2, len(KEYS)).astype(float) for name in "abcdef"}
    choice = choose(scores, KEYS)
    assert choice.of(scores).tolist() == by_hand(scores, KEYS)
    ranks = {name: rng.normal(size=len(KEYS)) for name in scores}
    expected = [
        ranks[choice.for_reported if is_reported(key) else choice.for_tuning][i]
        for i, key in enumerate(KEYS)
    ]
    assert choice.of(ranks).tolist() == expected


def test_a_setting_is_never_chosen_by_what_it_is_reported_on():
    reported = np.array([is_reported(key) for key in KEYS], dtype=float)
    peeking = {"good where reported": reported, "good where tuned": 1 - reported}
    assert choose(peeking, KEYS).of(peeking).tolist() == [0.0] * len(KEYS)


def test_equal_settings_give_the_first():
    assert str(choose({"b": [1] * 40, "a": [1] * 40}, KEYS)) == "b"


def test_a_half_without_items_is_refused():
    keys = [key for key in KEYS if is_reported(key)]
    with raises(AndornotError, f"{len(keys)} reported of {len(keys)}", "whole dataset"):
        choose({"a": np.ones(len(keys))}, keys)
