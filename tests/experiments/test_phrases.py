"""Phrases as AND of their words."""

from dataclasses import replace

import numpy as np
from random_spaces import made_space

from andornot.experiments import centring, phrases
from andornot.experiments.frequent import most_frequent


def test_phrases_that_are_planted():
    rng = np.random.default_rng(8)
    words = ["card", "game", "card_game", "hot", "dog", "hot_dog", *(f"w{i}" for i in range(40))]
    space = made_space(words, rng, dim=30)
    target = np.array(space.target)
    target[2] = target[0] + target[1]
    space = replace(space, target=target.astype(np.float32))
    assert [phrases.is_known(p, space) for p in ("card game", "hot dog", "hot game")] == [
        True,
        True,
        False,
    ]
    with_operands = phrases.phrase_ranks(space, ["card game", "hot dog"])
    without = phrases.phrase_ranks(space, ["card game", "hot dog"], operands=False)
    assert with_operands["orig"][0] == 1
    query = target[3] + target[4]
    cosines = target @ query / np.linalg.norm(target, axis=1)
    assert with_operands["orig"][1] == np.sum(cosines >= cosines[5] - 1e-6)
    assert without["orig"][1] == with_operands["orig"][1] - 2  # hot and dog are nearer
    assert with_operands.keys() == centring.METHODS.keys()
    trained = replace(space, marginal=np.ones(len(words)))  # met as often as each other
    p = space.probability
    moved = centring.centred(trained, centring.TEXT_FREQUENCY).target
    np.testing.assert_allclose(moved, space.target - p @ space.target, atol=1e-5)
    even = centring.centred(trained, "frequency").target
    np.testing.assert_allclose(even, space.target - space.target.mean(0), atol=1e-5)
    assert phrases._gain({"orig": np.array([20, 30]), "freq": np.array([1, 2])}, 10) is None
    assert phrases._gain({"orig": np.array([2, 30]), "freq": np.array([1, 2])}, 10) == 2
    named = ["card", "game", "card_game"]
    few = most_frequent(space, 5, named)  # the last five come most often
    assert set(few.words) == {"card", "game", "card_game", *(f"w{i}" for i in range(35, 40))}
    assert phrases.phrase_ranks(few, ["card game"], ["orig"]).keys() == {"orig"}


def test_what_is_said_of_gains():
    said = phrases._verdict({"SGNS": 1.8, "GloVe": 2.0})
    assert "SGNS 1.80 times" in said
    assert "first 10 (paper: 1.7 times)" in said
    assert "not reached for GloVe" in said
    assert "is reached for SGNS" in said
    unknown = phrases._verdict({"GloVe": None})  # there were none before
    assert "GloVe some" in unknown
    assert "reached" not in unknown
