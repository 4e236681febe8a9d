"""The held-out loss of every trainer, and the prior that is chosen by it."""

from dataclasses import replace

import numpy as np
import pytest
from comparing import assert_same_space
from errors import raises
from random_counts import sgns_by_hand
from texts import corpus_of

from andornot.base.choices import Model
from andornot.base.errors import UsageError
from andornot.cooccurrence import count
from andornot.cooccurrence.row_blocks import ArrayEntries
from andornot.corpus import blocks
from andornot.training import Settings, glove, glove_loss, sgns_loss, train
from andornot.training.glove_kernels import find_held_out
from andornot.training.jobs import plan_training
from andornot.training.prior_path import prior_path

SGNS = Settings(solver="exact", dim=8, window=2, negative=5)
SIZE = 300


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Words of ten topics; each sentence is about one. Most words are rare."""
    rng = np.random.default_rng(2)
    weights = 1.0 / np.arange(1, SIZE + 1)
    lines = []
    for _ in range(3000):
        topic = rng.integers(10)
        own = weights * np.where(np.arange(SIZE) % 10 == topic, 10.0, 0.3)
        lines.append([f"w{n}" for n in rng.choice(SIZE, size=8, p=own / own.sum())])
    return corpus_of(tmp_path_factory.mktemp("topics"), lines)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 200)
    monkeypatch.setattr(glove, "_FEWEST_HELD_OUT", 10)


@pytest.mark.parametrize("solver", ["exact", "sampled"])
def test_the_held_out_loss_of_sgns_is_that_of_its_definition(corpus, solver):
    settings = replace(SGNS, solver=solver, prior=2.0 if solver == "exact" else None)
    space = train(corpus, settings, min_count=1, threads=1)
    words = space.vocabulary
    held_out = count(corpus, vocabulary=words, window=2, held_out=20).held_out
    expected, *_ = sgns_by_hand(held_out, space.target, space.context)
    assert space.provenance.settings["held_out_loss"] == pytest.approx(expected, rel=1e-4)
    assert sgns_loss(space, held_out) == pytest.approx(expected, rel=1e-4)


def test_sampled_training_shows_an_estimate_of_it(corpus):
    steps = []
    settings = replace(SGNS, solver="sampled", epochs=20, rate=0.05)
    space = train(corpus, settings, min_count=1, threads=1, watch=steps.append)
    shown = [step.held_out for step in steps[1:]]
    assert shown[-1] == pytest.approx(space.provenance.settings["held_out_loss"], rel=0.03)
    assert shown[-1] < shown[0]


def test_sampled_training_leaves_the_held_out_blocks_out(corpus):
    counts = count(corpus, min_count=1, window=2, held_out=20)
    whole = count(corpus, min_count=1, window=2)
    settings = replace(SGNS, solver="sampled")
    for expected, held_out in ((counts, None), (whole, 0)):
        space = train(corpus, replace(settings, held_out=held_out), min_count=1, threads=1)
        assert space.marginal.sum() == pytest.approx(expected.total, rel=0.01)
    assert counts.total < 0.97 * whole.total


@pytest.mark.parametrize("solver", ["exact", "sampled"])
def test_the_held_out_loss_of_glove_is_that_of_pairs_it_does_not_see(corpus, solver):
    counts = count(corpus, min_count=1, weights="harmonic", window=2)
    settings = Settings(model="glove", solver=solver, dim=4, epochs=4, x_max=10.0)
    trainer = plan_training(counts, settings)._trainer(1, 1 << 30, None)
    trainer = getattr(trainer, "_trainer", trainer)  # without the path of priors
    rows, indices = find_held_out(trainer._pairs_of(counts.rows(0, len(counts.vocabulary))))
    columns = counts.columns[indices]
    assert len(rows) >= 10
    assert set(zip(rows, columns, strict=True)) == set(zip(columns, rows, strict=True))
    settings = replace(settings, prior=1.0 if solver == "exact" else None)
    space = train(counts, settings, threads=1)
    a, b = space.target_bias[rows], space.context_bias[columns]
    scores = (space.target[rows] * space.context[columns]).sum(axis=1) + a + b
    x = counts.values[indices]
    expected = (np.minimum(1, x / 10) ** 0.75 * (scores - np.log(x)) ** 2).mean() / 2
    assert space.provenance.settings["held_out_loss"] == pytest.approx(expected, rel=1e-3)
    changed = counts.values.copy()
    changed[indices] *= 5  # what is held out changes nothing
    changed = replace(counts, entries=ArrayEntries(counts.columns, changed))
    other = train(changed, settings, threads=1)
    np.testing.assert_allclose(other.target, space.target, atol=1e-5)
    assert glove_loss(other, counts) == pytest.approx(glove_loss(space, counts), rel=1e-4)


@pytest.mark.parametrize("model", ["sgns", "glove"])
def test_the_chosen_prior_is_one_step_beyond_the_lowest_held_out_loss(corpus, model):
    settings = replace(SGNS, model=model, window=None)
    space = train(corpus, settings, min_count=1, threads=1)
    record = space.provenance.settings
    values, losses = zip(*record["prior_path"], strict=True)
    path = prior_path(Model(model), space.marginal.sum())
    assert list(values) == list(path[: len(values)])
    assert list(losses[:-1]) == sorted(losses[:-1], reverse=True)
    assert losses[-1] > losses[-2] or len(values) == len(path)
    assert record["prior"] == values[-1]
    assert record["held_out_loss"] == pytest.approx(losses[-1], rel=1e-5)
    assert record["prior_seconds"] > 0
    given = train(corpus, replace(settings, prior=values[-1]), min_count=1, threads=1)
    np.testing.assert_array_equal(space.target, given.target)  # as if it had been given


def test_a_prior_is_chosen_that_serves_better_than_none(corpus):
    chosen = train(corpus, SGNS, min_count=1, threads=1)
    bare = train(corpus, replace(SGNS, prior=0.0), min_count=1, threads=1)
    losses = [space.provenance.settings["held_out_loss"] for space in (chosen, bare)]
    assert losses[0] < losses[1]


@pytest.mark.parametrize("model", ["sgns", "glove"])
def test_a_path_goes_on_where_it_stopped(corpus, tmp_path, model):
    class StoppedError(Exception):
        pass

    settings = replace(SGNS, model=model, window=None, epochs=12)
    output = tmp_path / "space.safetensors"
    options = {"min_count": 1, "threads": 1}
    steps = []

    def stop(step):
        steps.append(step)
        if len(steps) == 20:  # with the second prior or so
            raise StoppedError

    with pytest.raises(StoppedError):
        train(corpus, settings, **options, output=output, checkpoint_every=0, watch=stop)
    resumed = train(corpus, settings, **options, output=output, resume=True)
    whole = train(corpus, settings, **options)
    drop = {"prior_seconds", "threads"}
    records = [
        {k: v for k, v in space.provenance.settings.items() if k not in drop}
        for space in (resumed, whole)
    ]
    assert records[0] == records[1]
    same = replace(resumed, provenance=whole.provenance)
    assert_same_space(same, whole)


def test_counts_decide_what_is_held_out(corpus):
    with_blocks = count(corpus, min_count=1, held_out=10)
    without = count(corpus, min_count=1)
    assert plan_training(with_blocks, Settings(solver="exact", dim=4)).chooses_prior
    assert not plan_training(without, Settings(solver="exact", dim=4)).chooses_prior
    with raises(UsageError, "held_out", "20", "10"):
        plan_training(with_blocks, Settings(solver="exact", dim=4, held_out=20))
    record = train(without, Settings(solver="exact", dim=4, epochs=2)).provenance.settings
    assert (record["prior"], record["held_out_loss"]) == (10.0, None)


def test_nothing_is_held_out_where_it_is_not_wanted_or_the_text_is_short(corpus, monkeypatch):
    for settings in (SGNS, replace(SGNS, solver="sampled")):
        job = plan_training(corpus, replace(settings, held_out=0), min_count=1)
        assert (job.settings.held_out, job.chooses_prior) == (0, False)
    monkeypatch.setattr(blocks, "BLOCK", 10_000)
    assert plan_training(corpus, SGNS, min_count=1).settings.held_out == 0
    with raises(UsageError, "200,000", "held_out"):
        plan_training(corpus, replace(SGNS, held_out=20), min_count=1)
    for wrong in (-1, 1, 2.5):
        with raises(UsageError, "held_out", wrong):
            Settings(held_out=wrong)
    with raises(UsageError, "GloVe", "held_out", 7):
        Settings(model="glove", held_out=7)


@pytest.mark.parametrize("solver", ["exact", "sampled"])
def test_held_out_blocks_without_known_words_are_as_good_as_none(tmp_path, solver):
    lines = [[f"w{n % 7}", f"w{n % 5}"] for n in range(2000)]
    for number in range(len(lines)):  # a word and its line's end make three tokens
        if (number * 3) // 200 % 20 == 19 or (number * 3 + 2) // 200 % 20 == 19:
            lines[number] = [f"rare{number}", f"odd{number}"]
    space = train(corpus_of(tmp_path, lines), replace(SGNS, solver=solver, dim=3), threads=1)
    assert space.provenance.settings["held_out_loss"] is None
