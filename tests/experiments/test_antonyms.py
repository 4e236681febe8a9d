"""Ways to negate, and antonyms found by them."""

from dataclasses import replace

import numpy as np
import pytest
from random_spaces import made_space

from andornot.experiments import antonyms


def test_ways_to_negate_against_their_definitions():
    rng = np.random.default_rng(10)
    rows, weights = rng.normal(size=(5, 4)), rng.uniform(1, 2, size=5)
    found = antonyms.ways(rows, weights)
    centre = weights @ rows / weights.sum()
    for place, row in enumerate(rows[1:]):
        goal = centre - rows[0]
        away = row - centre
        assert found["NOT"][place] == pytest.approx(away @ goal / np.linalg.norm(away), abs=1e-5)
        cosine = row @ rows[0] / np.linalg.norm(row)
        assert found["cosine"][place] == pytest.approx(cosine, abs=1e-5)
        assert found["-v"][place] == pytest.approx(-cosine, abs=1e-5)
    # the opposite along the main axis of a line is its other end
    line = np.outer([-2.0, -1.0, 0.5, 3.0], [1.0, 2.0, 0.0])
    assert antonyms.ways(line, np.ones(4))["main axis"].argmax() == 2


def test_ways_of_poles_against_their_definitions():
    rng = np.random.default_rng(12)
    axis = rng.normal(size=6)
    kinds = rng.normal(size=(3, 6))  # each kind has a word at either end of the axis
    rows = np.concatenate([5 * kinds + axis, 5 * kinds - axis])
    alike = np.arange(6) < 3
    weights = rng.uniform(1, 2, size=6)
    found = antonyms.ways_of_poles(rows, weights, alike)
    # on the other side the word of the same kind is the nearest, and so it is in the mirror
    for way in (
        "other side, by cosine",
        "mirrored in the axis of the poles",
        "known to be far, by cosine",
    ):
        assert found[way].argmax() == 2
    assert found["known to be far, most frequent"].argmax() == 2 + weights[3:].argmax()
    centre = weights @ rows / weights.sum()
    rest = weights[3:] @ rows[3:] / weights[3:].sum()
    for place, row in enumerate(rows[1:]):  # NOT of the pole is the OR of the rest, seen from A
        away, goal = row - centre, rest - centre
        share = weights[:3].sum() / weights[3:].sum()
        score = away @ goal / np.linalg.norm(away) / share
        assert found["NOT of its pole"][place] == pytest.approx(score, rel=1e-5)


def test_antonyms_are_retrieved_in_their_category(monkeypatch):
    rng = np.random.default_rng(11)
    space = made_space(["hot", "cold", "warm", "cool", *(f"w{i}" for i in range(30))], rng)
    target = np.array(space.target)
    axis = rng.normal(size=8)
    target[:4] = 5 + np.outer([2.0, -2.0, 1.0, -1.0], axis)
    space = replace(space, target=target.astype(np.float32))

    def category(logic, word):
        words = ["hot", "warm", "cool", "cold"]
        return antonyms.NegationCategory(words, np.array([True, True, False, False]))

    found = antonyms.retrieval(space, [("hot", "cold"), ("hot", "w1")], category)
    scores, count, lead, above_chance = found
    assert count == 1
    assert lead.value == pytest.approx(scores["NOT"] - scores["cosine"])
    assert above_chance.value == pytest.approx(scores["NOT"] - scores["chance"])
    assert scores["NOT of its pole"] == 1
    assert scores["main axis"] == 1
    assert scores["chance"] == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    assert scores["cosine"] == pytest.approx(1 / 3)
