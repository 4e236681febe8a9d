"""OR words that are put into a text."""

from dataclasses import replace

import numpy as np
import pytest
from errors import assert_names
from random_spaces import made_space

from andornot.experiments.or_artificial import PartOfPairs, _said_of_texts, compared


def test_artificial_or_words_that_are_planted():
    rng = np.random.default_rng(5)
    words = ["a", "b", "c", "d", "a_OR_b", "c_OR_d", *(f"w{i}" for i in range(30))]
    space = made_space(words, rng)
    p, target = space.probability, np.array(space.target)
    target[4] = (p[0] * target[0] + p[1] * target[1]) / (p[0] + p[1])
    target[5] = (p[2] * target[2] + p[3] * target[3]) / (p[2] + p[3])
    planted = replace(space, target=target.astype(np.float32))
    pairs = [("a", "b"), ("c", "d")]
    for method in ("none", "uniform", "frequency"):
        cosine, rank = compared(planted, method, False, pairs)
        assert cosine == pytest.approx(1, abs=1e-5)
        assert rank == 1
    cosine, rank = compared(space, "none", False, pairs)
    assert cosine < 0.9
    assert rank > 1


def test_what_is_said_of_several_texts():
    parts = [PartOfPairs(0.01, "by", 0.97, 1.0), PartOfPairs(0.04, "a", 0.8, 2.5)]
    said = _said_of_texts("SGNS", (0.885, 1.75), parts)
    assert_names(said, "SGNS", "2 texts", "0.885 (1.750); 1 of them", "worst is 0.800 (2.500)")
    assert_names(said, "'a'", "4.0%")
    assert "worst" not in _said_of_texts("SGNS", (0.97, 1.0), parts[:1])
