"""Phrases as AND of their words."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from errors import assert_names
from random_spaces import made_space

from andornot.experiments import Lab, centring, phrase_scores, phrases
from andornot.experiments.frequent import most_frequent
from andornot.experiments.glove_6b import NAME as GLOVE_6B
from andornot.experiments.phrase_ranks import gain, is_known, phrase_ranks
from andornot.experiments.report import Verdict
from andornot.experiments.variants import GLOVE_AUTO


def test_phrases_that_are_planted():
    rng = np.random.default_rng(8)
    words = ["card", "game", "card_game", "hot", "dog", "hot_dog", *(f"w{i}" for i in range(40))]
    space = made_space(words, rng, dim=30)
    target = np.array(space.target)
    target[2] = target[0] + target[1]
    space = replace(space, target=target.astype(np.float32))
    assert [is_known(p, space) for p in ("card game", "hot dog", "hot game")] == [
        True,
        True,
        False,
    ]
    with_operands = phrase_ranks(space, ["card game", "hot dog"])
    without = phrase_ranks(space, ["card game", "hot dog"], operands=False)
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
    named = ["card", "game", "card_game"]
    few = most_frequent(space, 5, named)  # the last five come most often
    assert set(few.words) == {"card", "game", "card_game", *(f"w{i}" for i in range(35, 40))}
    assert phrase_ranks(few, ["card game"], ["orig"]).keys() == {"orig"}


def test_gains_against_their_definitions():
    rng = np.random.default_rng(1)
    orig = rng.permutation(400)
    freq = np.where(rng.random(400) < 0.3, 1, orig)
    found = gain({"orig": orig, "freq": freq}, 100)
    a, b = np.mean(orig <= 100), np.mean(freq <= 100)
    assert (found.before, found.after) == (a, b)
    assert found.difference.value == pytest.approx(b - a)
    assert found.ratio.value == pytest.approx(b / a)
    assert found.odds.value == pytest.approx(b / (1 - b) / (a / (1 - a)))
    draws = rng.integers(400, size=(4000, 400))
    for each, figures in {
        found.difference: (freq <= 100)[draws].mean(1) - (orig <= 100)[draws].mean(1),
        found.ratio: (freq <= 100)[draws].mean(1) / (orig <= 100)[draws].mean(1),
    }.items():
        low, high = np.quantile(figures, (0.025, 0.975))
        assert (each.low, each.high) == pytest.approx((low, high), abs=0.15 * (high - low))


def test_gains_that_have_no_ratio():
    none, every = np.array([20, 30]), np.array([1, 2])
    assert gain({"orig": none, "freq": every}, 10)[3:] == (None, None)
    some = np.array([1, 30])
    found = gain({"orig": some, "freq": every}, 10)
    assert found.ratio.value == 2
    assert found.odds is None  # freq finds everything


def found_of(n, before, after, size=400):
    """A model that finds these shares of its phrases in the first n."""
    place = np.arange(size) / size
    methods = {"orig": before, "unif": before, "freq": after}
    ranks = {name: np.where(place < share, 1, 10**6) for name, share in methods.items()}
    each = gain(ranks, n)
    few = [phrase_scores.GainAmong(5000, each), phrase_scores.GainAmong(9000, each)]
    names = [f"phrase {i}" for i in range(size)]
    return phrase_scores.PhraseScores(
        n, names, ranks, ranks, each, each, size // 2, {"orig": 0, "freq": 0}, few, []
    )


def test_the_model_with_the_papers_minimal_count_is_judged():
    models = {
        "SGNS": found_of(10, 0.57, 0.57),
        "SGNS, minimal count of 5": found_of(10, 0.4, 0.5),
        "SGNS, minimal count of 2": found_of(10, 0.3, 0.6),
    }
    claim = phrases._claim("SGNS", models)
    assert claim.verdict == Verdict.IN_PART
    assert_names(claim.figure, "minimal count of 5", "0.500 instead of 0.400")
    assert_names(claim.cause, "minimal count of 2", "2.000 [")
    assert "for SGNS, minimal count of 5." in phrases._agreement(models)


def test_claims_follow_the_intervals():
    verdicts = {
        phrases._claim("SGNS", {"SGNS": found_of(10, 0.3, after)}).verdict: after
        for after in (0.5, 0.36, 0.3)
    }
    assert verdicts == {Verdict.REPRODUCED: 0.5, Verdict.IN_PART: 0.36, Verdict.NOT: 0.3}
    assert phrases._claim("GloVe", {}).verdict == Verdict.NOT_TESTED
    models = {"SGNS": found_of(10, 0.57, 0.58), "SGNS, minimal count of 2": found_of(10, 0.4, 0.6)}
    cause = phrases._claim("SGNS", models).cause
    assert_names(cause, "Orig finds 0.570", "0.969")
    models["SGNS, minimal count of 2"] = found_of(10, 0.3, 0.6)
    assert_names(phrases._claim("SGNS", models).cause, "a minimal count of 2", "2.000 [")
    few = [phrase_scores.GainAmong(5000, found_of(10, 0.3, 0.6).gain)]
    models = {"SGNS": found_of(10, 0.57, 0.58)}
    models["SGNS"] = models["SGNS"]._replace(by_words=[*few, *models["SGNS"].by_words])
    assert_names(phrases._claim("SGNS", models).cause, "the most frequent 5,000", "2.000 [")
    assert_names(phrases._room(found_of(10, 0.6, 0.6).gain, 1.7), "impossible")
    uniform = phrases._claim_on_uniform({"GloVe": found_of(100, 0.1, 0.3)})
    assert uniform.verdict == Verdict.REPRODUCED
    assert phrases._claim_on_uniform({"GloVe": found_of(100, 0.3, 0.3)}).verdict == Verdict.NOT


def test_what_is_said_of_gains():
    said = phrases._agreement(
        {
            "SGNS": found_of(10, 0.57, 0.575),
            "GloVe": found_of(100, 0.2, 0.4),
            GLOVE_AUTO: found_of(100, 0.1, 0.6),
            "SGNS, minimal count of 5": found_of(10, 0.57, 0.575, size=800),
        }
    )
    assert f"finds more phrases for GloVe; {GLOVE_AUTO};" in said
    assert "No difference is shown for SGNS (" in said
    assert "above our interval for SGNS, minimal count of 5; GloVe." in said
    x_max, count = said.splitlines()[-2:]
    assert_names(x_max, "x_max", "6.000 [", "instead of 2.000 [", ", 3.000 [", "for a part")
    # of the larger model, the phrases that the smaller one knows: both methods find all of them
    assert_names(count, "a minimal count of 5", "1.000 [", "instead of 1.009 [", "400 phrases")


def test_the_experiment_on_planted_phrases(monkeypatch, tmp_path):
    """The whole way, with planted spaces in place of trained ones."""
    rng = np.random.default_rng(5)
    names = ["card", "game", "card_game", "hot", "dog", "hot_dog", *(f"w{i}" for i in range(60))]
    spaces = {}
    for model in ("SGNS", "GloVe", GLOVE_AUTO):
        space = made_space(names, rng, dim=12)
        target = np.array(space.target)
        target[2] = target[0] + target[1]
        spaces[model] = replace(space, target=target.astype(np.float32))
    known = ["card game", "hot dog", "ice age"]
    monkeypatch.setattr(phrases, "compositional_phrases", lambda: known)
    monkeypatch.setattr(phrases, "trainings", lambda lab: {model: model for model in spaces})
    monkeypatch.setattr(Lab, "trained", lambda lab, model: spaces[model])
    corpus = SimpleNamespace(name="a made-up text")
    monkeypatch.setattr(Lab, "phrase_corpus", corpus)
    large = made_space(["ice-age", "ice", "age", *(f"w{i}" for i in range(60))], rng, dim=12)
    monkeypatch.setattr(phrases, "glove_6b_spaces", lambda lab: {GLOVE_6B: large})
    monkeypatch.setattr(phrase_scores, "FREQUENT", spaces["SGNS"].counts[2] + 0.5)
    result = phrases.run(Lab())
    assert result.numbers["phrases"] == dict.fromkeys(spaces, 2) | {GLOVE_6B: 1}
    assert_names(result.corpus, "1 (GloVe 6B)", "hyphenates")
    gains = {row[0]: row for row in result.tables[2].rows}
    assert gains["SGNS, top-10, all"][1] == 2
    rarer = [row for name, row in gains.items() if name.endswith("times or more")]
    assert [row[1] for row in rarer][:3] == [1, 1, 1]  # hot_dog comes more often than card_game
    assert len(result.tables[-1].rows) == 20  # five bands for each
    result.write(tmp_path / "out")  # JSON, and a figure
    assert len(result.claims) == 3
