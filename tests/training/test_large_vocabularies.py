"""Exact SGNS on vocabularies beyond WHOLE: the most frequent words are trained first."""

import math

import numpy as np
import pytest
from comparing import assert_same_space
from random_counts import counts_from

from andornot.training import Settings, sgns_gradient, sgns_loss, train
from andornot.training.sgns_exact import START, ExactSGNS

SIZE, HEAD, RANK = 600, 200, 4
SETTINGS = Settings(solver="exact", dim=8, negative=5, prior=1.0, epochs=3, held_out=0)


@pytest.fixture(autouse=True)
def small_limits(monkeypatch):
    monkeypatch.setattr(sgns_gradient, "WHOLE", HEAD)
    monkeypatch.setattr(sgns_gradient, "HEAD", HEAD)


@pytest.fixture(scope="module")
def counts():
    """Expected counts under a planted PMI of low rank, for words that follow Zipf's law."""
    rng = np.random.default_rng(8)
    p = 1 / np.arange(2, SIZE + 2)
    factor = rng.normal(size=(SIZE, RANK)) * 0.6
    joint = np.outer(p, p) * np.exp(factor @ factor.T)
    return counts_from(np.floor(2e7 * joint / joint.sum()))


def trained(counts, starting, epochs):
    """Train so many iterations over all words, with or without the start."""
    trainer = ExactSGNS(counts, SETTINGS.resolved(), threads=1)
    assert trainer.state["starting"]
    trainer.state["starting"] = starting
    while trainer.step().epoch < epochs:
        pass
    return sgns_loss(trainer.space(), counts, negative=5)


def test_the_start_saves_iterations(counts):
    cold, best = (trained(counts, False, epochs) for epochs in (4, 60))
    warm, same = (trained(counts, True, epochs) for epochs in (3, 60))
    assert warm < cold
    assert same == pytest.approx(best, rel=2e-4)


def test_only_the_most_frequent_words_move_in_the_start(counts):
    """The others are turned as a whole, when the two sides are balanced: without a prior never."""
    trainer = ExactSGNS(counts, Settings(**{**vars(SETTINGS), "prior": 0.0}).resolved(), 1)
    before = trainer.arrays["target"].copy()
    trainer.step()
    moved = (trainer.arrays["target"] != before).any(axis=1)
    assert moved[:HEAD].all()
    assert not moved[HEAD:].any()


def test_epochs_count_iterations_over_all_words(counts):
    steps = []
    space = train(counts, SETTINGS, threads=1, watch=steps.append)
    _, *done = steps  # the first one is the beginning
    assert [step.epoch for step in done] == [0] * START + [1, 2, 3]
    assert all(math.isnan(step.loss) for step in done[:START])  # not yet that of all words
    assert done[-1].loss == space.provenance.settings["loss"]
    assert space.provenance.epochs == 3


@pytest.mark.parametrize("steps", [2, START, START + 1])
def test_an_interrupted_start_goes_on(counts, steps, tmp_path):
    seen = []

    def stop(step):
        seen.append(step)
        if len(seen) == steps + 2:  # the state is saved after a step is watched
            raise KeyboardInterrupt

    output = tmp_path / "space.safetensors"
    with pytest.raises(KeyboardInterrupt):
        train(counts, SETTINGS, threads=1, output=output, checkpoint_every=0, watch=stop)
    rest = []
    resumed = train(counts, SETTINGS, threads=1, output=output, resume=True, watch=rest.append)
    assert len(rest) - 1 == START + SETTINGS.epochs - steps
    assert_same_space(resumed, train(counts, SETTINGS, threads=1))
