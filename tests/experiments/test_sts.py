"""Sentence similarity against brute force."""

import numpy as np
import pytest
from random_spaces import made_space

from andornot.datasets.sentence_pairs import SentencePair
from andornot.experiments import sts


def test_sentences_against_brute_force():
    rng = np.random.default_rng(7)
    words = [f"w{i}" for i in range(20)]
    space = made_space(words, rng)

    def sentence():
        return " ".join(rng.choice([*words, "unknown"], size=5))

    pairs = [SentencePair(sentence(), sentence(), float(rng.uniform(0, 5))) for _ in range(30)]
    pairs.append(SentencePair("unknown", "w1", 1.0))
    sets = {"STS12": {"one": pairs[:12], "two": pairs[12:]}}
    found = sts.scores(space, sets)["STS12"]

    def cosine(pair, v):
        left, right = (
            sum((v[int(word[1:])] for word in side.split() if word != "unknown"), np.zeros(8))
            for side in pair[:2]
        )
        lengths = np.linalg.norm(left) * np.linalg.norm(right)
        return left @ right / lengths if lengths else 0.0

    for name, v in {
        "orig": space.target,
        "freq": space.target - space.probability @ space.target,
    }.items():
        each = [
            np.corrcoef([cosine(p, v) for p in some], [p.rating for p in some])[0, 1]
            for some in (pairs[:12], pairs[12:], pairs)
        ]
        assert found[name] == pytest.approx((np.mean(each[:2]), each[2]), abs=1e-5)
