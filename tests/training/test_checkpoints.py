"""Training that is killed, interrupted or diverges, and what is left of it."""

import json
import math
import os
import signal
import subprocess
import time
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from commands import PROGRAM
from commands import run as run_command
from comparing import assert_same_space
from errors import assert_refused, raises
from watching import watching

import andornot
from andornot import AndornotWarning
from andornot.base.errors import AndornotError, FileError
from andornot.cooccurrence import count
from andornot.corpus import open_corpus
from andornot.training import Settings, Step, glove, glove_exact, sgns_sampled, train
from andornot.training.checkpoints import _has_form, _shown
from andornot.training.jobs import plan_training
from andornot.training.output_paths import check_output_paths
from andornot.training.running import DivergedTrainingError, InterruptedTrainingError, run

TRAINERS = [("sgns", "sampled"), ("sgns", "exact"), ("glove", "sampled"), ("glove", "exact")]
every_trainer = pytest.mark.parametrize("kind", TRAINERS, ids="-".join)
EPOCHS = 200  # a run that saves its state after each can't end before a signal reaches it


class StoppedError(Exception):
    """As if the machine had stopped."""


def stop_at(steps: int):
    """A watcher that stops a training after so many steps, before their last state is saved."""
    seen = []

    def watch(step: Step) -> None:
        seen.append(step)
        if len(seen) > steps:  # the first call is before any step
            raise StoppedError

    return watch


def checkpoint_of(output):
    return output.with_name(f"{output.name}.checkpoint")


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    rng = np.random.default_rng(2)
    words = np.array([f"w{i}" for i in range(60)])
    lines = [" ".join(words[rng.zipf(1.5, size=12) % 60]) for _ in range(400)]
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text("\n".join(lines))
    return path


@pytest.fixture(scope="module")
def corpus(text):
    return open_corpus([text])


@pytest.fixture(scope="module")
def undisturbed(corpus):
    """The space that each trainer ends with, trained once and without a checkpoint."""
    spaces = {}

    def get(kind):
        if kind not in spaces:
            model, solver = kind
            settings = Settings(model=model, solver=solver, dim=8, epochs=EPOCHS, tolerance=0)
            spaces[kind] = train(corpus, settings, threads=1)
        return spaces[kind]

    return get


def command(text, output, kind, *more):
    """The arguments of the command that trains the same."""
    model, solver = kind
    options = ["--model", model, "--solver", solver, "--dim", "8", "--threads", "1"]
    options += ["--epochs", str(EPOCHS), "--tolerance", "0"]
    return ["train", str(text), "-o", str(output), *options, *more]


@contextmanager
def training(text, output, kind):
    """A training in a process of its own, that has just saved its state for the first time."""
    process = subprocess.Popen(
        [*PROGRAM, *command(text, output, kind, "--checkpoint-minutes", "0")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        deadline = time.monotonic() + 300
        while not checkpoint_of(output).exists():
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < deadline, "no checkpoint within five minutes"
            time.sleep(0.001)
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
@every_trainer
def test_kill_and_resume_end_where_an_undisturbed_run_ends(kind, text, undisturbed, tmp_path):
    output = tmp_path / "space.safetensors"
    with training(text, output, kind) as process:
        process.kill()
        process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert not output.exists()
    done = run_command(*command(text, output, kind, "--resume"))
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert_same_space(andornot.load(output), undisturbed(kind))
    assert [file.name for file in tmp_path.iterdir()] == [output.name]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
@pytest.mark.parametrize(
    ("kind", "number"),
    [
        (TRAINERS[0], signal.SIGINT),
        (TRAINERS[1], signal.SIGTERM),
        (TRAINERS[2], signal.SIGTERM),
        (TRAINERS[3], signal.SIGINT),
    ],
    ids=["-".join(kind) for kind in TRAINERS],
)
def test_an_interrupted_command_saves_and_says_how_to_go_on(
    kind, number, text, undisturbed, tmp_path
):
    output = tmp_path / "space.safetensors"
    with training(text, output, kind) as process:
        process.send_signal(number)
        _, error = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "--resume" in error
    assert str(checkpoint_of(output)) in error
    assert "Traceback" not in error
    assert not output.exists()
    refused = run_command(*command(text, output, kind))
    assert_refused(refused, 1, checkpoint_of(output), "--resume", "--force")
    done = run_command(*command(text, output, kind, "--resume"))
    assert done.returncode == 0, done.stderr
    assert_same_space(andornot.load(output), undisturbed(kind))


@every_trainer
@pytest.mark.parametrize("steps", [2, 5])
def test_a_run_that_stopped_within_an_epoch_ends_the_same(
    kind, steps, corpus, tmp_path, monkeypatch
):
    """Three steps make an epoch, or the half of one of exact GloVe; of exact SGNS each is one."""
    monkeypatch.setattr(sgns_sampled, "ROUND", 2000)
    monkeypatch.setattr(glove, "_FEWEST_CHUNKS", 6)
    for module in (glove, glove_exact):
        monkeypatch.setattr(module, "in_a_step", lambda threads, chunks: 2)
    output = tmp_path / "space.safetensors"
    settings = Settings(model=kind[0], solver=kind[1], dim=8, epochs=9, tolerance=0)
    all_steps, last_steps = [], []
    whole = train(corpus, settings, threads=1, watch=all_steps.append)
    options = {"threads": 1, "output": output}
    with pytest.raises(StoppedError):
        train(corpus, settings, **options, checkpoint_every=0, watch=stop_at(steps + 1))
    with watching() as seen:
        resumed = train(corpus, settings, **options, resume=True, watch=last_steps.append)
    assert len(last_steps) == len(all_steps) - steps  # those that were saved are not done again
    *_, (first, *_) = (parts for label, parts in seen.stages.items() if "training" in label)
    assert first == pytest.approx(all_steps[steps].done)  # the bar starts where the run is
    assert_same_space(resumed, whole)
    assert_same_space(andornot.load(output), whole)
    assert [file.name for file in tmp_path.iterdir()] == [output.name]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@every_trainer
def test_a_signal_ends_the_step_and_saves_the_state(kind, number, corpus, tmp_path):
    output = tmp_path / "space.safetensors"
    settings = Settings(model=kind[0], solver=kind[1], dim=8, epochs=6, tolerance=0)
    before = signal.getsignal(number)
    steps = []

    def interrupt(step: Step) -> None:
        steps.append(step)
        if len(steps) == 3:
            signal.raise_signal(number)

    with (
        pytest.warns(AndornotWarning, match="Ctrl-C"),
        raises(
            InterruptedTrainingError, checkpoint_of(output), "train again with resume"
        ) as caught,
    ):
        train(corpus, settings, threads=1, output=output, watch=interrupt)
    assert caught.value.exit_code == 130
    assert signal.getsignal(number) == before
    assert len(steps) == 3
    assert not output.exists()
    resumed = train(corpus, settings, threads=1, output=output, resume=True)
    assert_same_space(resumed, train(corpus, settings, threads=1))


def test_a_second_ctrl_c_stops_at_once(corpus, tmp_path):
    settings = Settings(solver="sampled", dim=8, epochs=3)

    def interrupt_twice(step: Step) -> None:
        if step.units:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever ran before
    try:
        with pytest.warns(AndornotWarning, match="Ctrl-C"), pytest.raises(KeyboardInterrupt):
            train(corpus, settings, output=tmp_path / "space.safetensors", watch=interrupt_twice)
    finally:
        signal.signal(signal.SIGINT, before)
    assert list(tmp_path.iterdir()) == []


def test_a_checkpoint_of_other_settings_is_refused(corpus, tmp_path):
    output = tmp_path / "space.safetensors"
    settings = Settings(solver="sampled", dim=8, epochs=3)
    with pytest.raises(StoppedError):
        train(corpus, settings, output=output, checkpoint_every=0, watch=stop_at(2))
    for change, *named in [
        ({"dim": 9}, "dim 8", 9),
        ({"negative": 4}, "negative 15", 4),
        ({"window": 2}, "window 5", 2),
        ({"sample": 0.1}, "sample none", 0.1),
        ({"solver": "exact", "epochs": 3}, "solver sampled", "exact"),
    ]:
        with raises(FileError, *named, "force=True") as caught:
            train(corpus, replace(settings, **change), output=output, resume=True)
        assert caught.value.path == checkpoint_of(output)
    with raises(FileError, "vocabulary", "20 words", "force=True"):
        train(corpus, settings, output=output, resume=True, max_size=20)
    train(corpus, settings, output=output, resume=True)
    assert not checkpoint_of(output).exists()


def test_a_damaged_checkpoint_is_refused(corpus, tmp_path):
    output = tmp_path / "space.safetensors"
    settings = Settings(solver="sampled", dim=8, epochs=2)
    with pytest.raises(StoppedError):
        train(corpus, settings, output=output, checkpoint_every=0, watch=stop_at(2))
    checkpoint = checkpoint_of(output)
    array, record = checkpoint / "target.bin", checkpoint / "record.json"
    whole, written = array.read_bytes(), record.read_text()

    def refused(path, *named, **options):
        with raises(FileError, path, *named) as caught:
            train(corpus, settings, output=output, **options)
        assert caught.value.path == path

    array.write_bytes(whole[:-4])
    refused(array, f"{len(whole) - 4:,} bytes", resume=True)
    array.write_bytes(whole)
    record.write_text(written.replace('"round"', '"rounds"'))
    refused(checkpoint, "remove", resume=True)
    for broken in ("{", "{}"):
        record.write_text(broken)
        for options in ({"resume": True}, {"force": True}, {}):
            refused(checkpoint, "remove", **options)
    record.write_text(written)
    train(corpus, settings, output=output, resume=True)


@every_trainer
def test_a_state_that_no_training_has_is_refused(corpus, tmp_path, kind):
    output = tmp_path / "space.safetensors"
    model, solver = kind
    settings = Settings(model=model, solver=solver, dim=8, epochs=4, tolerance=0)
    with pytest.raises(StoppedError):
        train(corpus, settings, output=output, checkpoint_every=0, watch=stop_at(2), threads=1)
    record = checkpoint_of(output) / "record.json"
    written = json.loads(record.read_text())
    counted = {"round", "iteration", "chunk", "part"} & written["place"].keys()
    for name in counted:
        for wrong in (-1, 1.5, None, "1", [1], True, 10**30):
            place = written["place"] | {name: wrong}
            record.write_text(json.dumps(written | {"place": place}))
            with raises(FileError, checkpoint_of(output), "start anew"):
                train(corpus, settings, output=output, resume=True, threads=1)
    assert counted
    for name in {"damping", "prior", "sum"} & written["place"].keys():
        for wrong in (math.nan, math.inf, -math.inf, 10**30):
            place = written["place"] | {name: wrong}
            record.write_text(json.dumps(written | {"place": place}))
            with raises(FileError, checkpoint_of(output), "start anew"):
                train(corpus, settings, output=output, resume=True, threads=1)
    record.write_text(json.dumps(written))
    vectors = np.memmap(record.with_name("target.bin"), dtype="<f4", mode="r+")
    vectors[3] = np.nan
    vectors.flush()
    with raises(FileError, checkpoint_of(output), "finite", "force=True"):
        train(corpus, settings, output=output, resume=True, threads=1)


@pytest.mark.parametrize("kind", [("sgns", "exact"), ("glove", "exact")], ids="-".join)
def test_values_that_no_training_has_are_refused(corpus, tmp_path, kind):
    output = tmp_path / "space.safetensors"
    model, solver = kind
    settings = Settings(model=model, solver=solver, dim=8, epochs=4, tolerance=0)
    with pytest.raises(StoppedError):
        train(corpus, settings, output=output, checkpoint_every=0, watch=stop_at(2), threads=1)
    record = checkpoint_of(output) / "record.json"
    written = json.loads(record.read_text())
    for name, wrong in [
        ("loss", str(10**400)),
        ("losses", "[" * 600 + "]" * 600),
        ("losses", "[" * 5000 + "]" * 5000),
        ("losses", "[[1, 2], [3]]"),
        ("losses", "[[1, 2], [3, 4]]"),
        ("losses", "[1, true]"),
        ("losses", f"[{10**400}]"),
        ("prior", "-1.0"),
        ("part" if model == "glove" else "iteration", str(2**53)),
    ]:
        place = written["place"] | {name: "WRONG"}
        text = json.dumps(written | {"place": place}).replace('"WRONG"', wrong)
        record.write_text(text)
        with raises(FileError, checkpoint_of(output), "start anew"):
            train(corpus, settings, output=output, resume=True, threads=1)


def test_a_setting_that_is_nested_too_deep_to_be_shown():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert "too deep" in _shown(deep)


def test_the_priors_that_were_tried_are_pairs_of_numbers():
    example = {"path": {"tried": []}}
    assert _has_form({"path": {"tried": [[8.0, 0.5], [4, 0.25]]}}, example)
    for wrong in ([8.0], [[8.0]], [[8.0, 0.5, 1.0]], [[8.0, [0.5]]], [[8.0, 10**400]], 8.0):
        assert not _has_form({"path": {"tried": wrong}}, example)


def test_nothing_to_resume_from_starts_at_the_beginning(corpus, tmp_path):
    output = tmp_path / "space.safetensors"
    with pytest.warns(AndornotWarning, match="no checkpoint"):
        train(corpus, Settings(dim=8, epochs=1), output=output, resume=True)
    assert output.exists()


def test_counts_are_kept_for_the_resumption_and_gone_after_it(corpus, tmp_path, monkeypatch):
    output = tmp_path / "space.safetensors"
    settings = Settings(solver="exact", dim=8, epochs=4)
    calls = []

    def counting(*arguments, **options):
        calls.append(options["window"])
        return count(*arguments, **options)

    monkeypatch.setattr("andornot.training.training_job.count", counting)
    with pytest.raises(StoppedError):
        train(corpus, settings, output=output, checkpoint_every=0, watch=stop_at(2))
    with raises(FileError, "window 5", 2):
        train(corpus, replace(settings, window=2), output=output, resume=True)
    with raises(AndornotError, 61):
        train(corpus, replace(settings, dim=61), output=output, resume=True)
    train(corpus, settings, output=output, resume=True)
    assert calls == [5]
    assert [file.name for file in tmp_path.iterdir()] == [output.name]


def test_a_checkpoint_behind_a_link_is_found(corpus, tmp_path):
    (tmp_path / "real").mkdir()
    real, link = tmp_path / "real" / "space.safetensors", tmp_path / "space.safetensors"
    link.symlink_to(real)
    settings = Settings(solver="sampled", dim=8, epochs=3)
    with pytest.raises(StoppedError):
        train(corpus, settings, output=link, checkpoint_every=0, watch=stop_at(2))
    with raises(FileError, "resume=True", "force=True") as caught:
        train(corpus, settings, output=link)
    assert caught.value.path == checkpoint_of(real)
    train(corpus, settings, output=link, resume=True)
    assert andornot.load(real).dim == 8


class Exploding:
    """A trainer whose vectors become infinite in the fourth step."""

    units = "words"
    blas_threads = 1
    worst = 10.0

    def __init__(self):
        self.state = {"step": 0}
        self.vectors = np.zeros(3, dtype=np.float32)

    @property
    def arrays(self):
        return {"target": self.vectors}

    @property
    def done(self):
        return self.state["step"] / 9

    @property
    def finished(self):
        return self.state["step"] == 9

    def step(self):
        self.state = {"step": self.state["step"] + 1}
        self.vectors += 1 if self.state["step"] < 4 else np.inf
        return Step(0.1, self.state["step"], 1, 0.0)


def test_a_run_that_diverges_goes_back_to_its_last_good_state(tmp_path):
    trainer = Exploding()
    with raises(DivergedTrainingError, "epoch 4", "lower rate") as caught:
        run(trainer, checkpoint=tmp_path / "state", every=0)
    assert caught.value.recovered
    assert trainer.state == {"step": 3}
    assert trainer.vectors.tolist() == [3, 3, 3]


@pytest.mark.parametrize(
    "wild",
    [
        Settings(solver="sampled", dim=8, rate=1e30),
        Settings(solver="sampled", dim=8, rate=1e3),
        Settings(solver="exact", dim=8, rate=1e30),
        Settings(solver="exact", dim=8, rate=1e3),
        Settings(model="glove", dim=8, rate=1e6),
    ],
    ids=lambda wild: f"{wild.model}-{wild.solver}-{wild.rate:g}",
)
def test_a_real_run_that_diverges(wild, corpus, tmp_path):
    with raises(DivergedTrainingError, "epoch", "lower rate") as caught:
        train(corpus, wild, output=tmp_path / "space.safetensors")
    assert not caught.value.recovered
    assert list(tmp_path.iterdir()) == []


@every_trainer
def test_two_runs_on_one_output(corpus, tmp_path, kind):
    output = tmp_path / "space.safetensors"
    model, solver = kind
    settings = Settings(model=model, solver=solver, dim=8, epochs=3, tolerance=0)
    refused = []

    def meanwhile(step):
        for options in ({}, {"resume": True}, {"force": True}):
            with raises(FileError, "another andornot process", "wait") as caught:
                train(corpus, replace(settings, seed=2), output=output, threads=1, **options)
            refused.append(caught.value.path)

    train(corpus, settings, output=output, threads=1, watch=meanwhile)
    assert set(refused) == {output}
    assert andornot.load(output).provenance.settings["seed"] == 1
    assert [file.name for file in tmp_path.iterdir()] == [output.name]


@every_trainer
def test_what_appears_during_the_training_is_not_replaced_and_nothing_is_lost(
    corpus, tmp_path, kind
):
    model, solver = kind
    settings = Settings(model=model, solver=solver, dim=8, epochs=3, tolerance=0)
    output = tmp_path / "space.safetensors"
    with raises(FileError, output, "exists", checkpoint_of(output), "resume=True"):
        train(
            corpus,
            settings,
            output=output,
            threads=1,
            watch=lambda step: output.write_text("precious"),
        )
    assert output.read_text() == "precious"
    output.unlink()
    steps = []
    train(corpus, settings, output=output, threads=1, resume=True, watch=steps.append)
    assert len(steps) == 1  # the call before any step: nothing is trained again
    assert_same_space(andornot.load(output), train(corpus, settings, threads=1))
    assert [file.name for file in tmp_path.iterdir()] == [output.name]


def test_what_appears_during_the_wait_is_not_replaced(corpus, tmp_path):
    output = tmp_path / "space.safetensors"
    paths = check_output_paths(output, resume=False, force=False)
    train(corpus, Settings(dim=8, epochs=1), output=output)
    written = output.read_bytes()
    with raises(FileError, output, "force=True"):
        plan_training(corpus, Settings(dim=8, epochs=1, seed=2)).run(paths)
    assert output.read_bytes() == written
