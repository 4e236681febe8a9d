"""Training that is killed, interrupted or diverges, and what is left of it."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
from comparing import assert_same_space

import andornot
from andornot.base.errors import AndornotError
from andornot.cooccurrence import count
from andornot.corpus import open_corpus
from andornot.training import Settings, Step, train
from andornot.training.running import DivergedTrainingError, run

TRAINERS = {
    "sgns-sampled": ["--solver", "sampled", "--epochs", "60"],
    "sgns-exact": ["--solver", "exact", "--epochs", "600", "--tolerance", "0"],
    "glove-sampled": ["--model", "glove", "--epochs", "1500"],
    "glove-exact": [
        *("--model", "glove", "--solver", "exact"),
        *("--epochs", "400", "--tolerance", "0"),
    ],
}


def checkpoint_of(output):
    return output.with_name(f"{output.name}.checkpoint")


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    rng = np.random.default_rng(2)
    words = np.array([f"w{i}" for i in range(60)])
    lines = [" ".join(words[rng.zipf(1.5, size=12) % 60]) for _ in range(3000)]
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text("\n".join(lines))
    return path


def command(text, output, options, *more):
    return [
        *(sys.executable, "-m", "andornot", "train", str(text), "-o", str(output)),
        *("--dim", "8", "--threads", "1", *options, *more),
    ]


def start(text, output, options):
    """Start a training, and wait until it has saved its state a few times."""
    process = subprocess.Popen(
        command(text, output, options, "--checkpoint-minutes", "0"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    record = checkpoint_of(output) / "record.json"
    seen = set()
    deadline = time.monotonic() + 60
    while len(seen) < 3:
        assert process.poll() is None, process.stderr.read().decode()
        assert time.monotonic() < deadline, "no checkpoint within a minute"
        try:
            seen.add(record.stat().st_mtime_ns)
        except FileNotFoundError:
            time.sleep(0.001)
    return process


@pytest.mark.parametrize("options", TRAINERS.values(), ids=TRAINERS)
def test_kill_and_resume_end_where_an_undisturbed_run_ends(options, text, tmp_path):
    output, whole = tmp_path / "killed.safetensors", tmp_path / "whole.safetensors"
    process = start(text, output, options)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert not output.exists()
    done = subprocess.run(
        command(text, output, options, "--resume"), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    subprocess.run(command(text, whole, options), check=True, capture_output=True)
    assert_same_space(andornot.load(output), andornot.load(whole))
    assert sorted(file.name for file in tmp_path.iterdir()) == [output.name, whole.name]


@pytest.mark.skipif(os.name == "nt", reason="signals are different there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_saves_and_says_how_to_go_on(number, text, tmp_path):
    output = tmp_path / "space.safetensors"
    options = TRAINERS["sgns-exact"]
    process = start(text, output, options)
    process.send_signal(number)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"--resume" in error
    assert b"Traceback" not in error
    assert not output.exists()
    refused = subprocess.run(command(text, output, options), capture_output=True, text=True)
    assert refused.returncode == 1
    assert "go on with --resume, or start anew with --force" in refused.stderr
    done = subprocess.run(command(text, output, options, "--resume"), capture_output=True)
    assert done.returncode == 0


def test_a_checkpoint_of_other_settings_is_refused(text, tmp_path):
    corpus = open_corpus([text], cache=tmp_path / "cache")
    output = tmp_path / "space.safetensors"
    settings = Settings(solver="sampled", dim=8, epochs=3)
    calls = []

    def stop(step: Step) -> None:
        calls.append(step)
        if len(calls) == 3:
            raise RuntimeError("as if the machine had stopped")

    with pytest.raises(RuntimeError):
        train(corpus, settings, output=output, checkpoint_every=0, watch=stop)
    for change, part in [
        ({"dim": 9}, "made with dim 8, and this run has 9"),
        ({"negative": 4}, "made with negative 15, and this run has 4"),
        ({"window": 2}, "made with window 5, and this run has 2"),
        ({"sample": 0.1}, "made with sample none, and this run has 0.1"),
        ({"solver": "exact", "epochs": 3}, "made with solver sampled, and this run has exact"),
    ]:
        with pytest.raises(AndornotError, match=part):
            train(corpus, replace(settings, **change), output=output, resume=True)
    with pytest.raises(AndornotError, match="vocabulary"):
        train(corpus, settings, output=output, resume=True, max_size=20)
    train(corpus, settings, output=output, resume=True)
    assert not checkpoint_of(output).exists()


def test_a_damaged_checkpoint_is_refused(text, tmp_path):
    corpus = open_corpus([text], cache=tmp_path / "cache")
    output = tmp_path / "space.safetensors"
    settings = Settings(solver="sampled", dim=8, epochs=2)

    def stop(step: Step) -> None:
        if step.epoch > 1:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        train(corpus, settings, output=output, checkpoint_every=0, watch=stop)
    checkpoint = checkpoint_of(output)
    array, record = checkpoint / "target.bin", checkpoint / "record.json"
    whole, text = array.read_bytes(), record.read_text()
    array.write_bytes(whole[:-4])
    with pytest.raises(AndornotError, match=r"target\.bin"):
        train(corpus, settings, output=output, resume=True)
    array.write_bytes(whole)
    record.write_text(text.replace('"round"', '"rounds"'))
    with pytest.raises(AndornotError, match="no complete checkpoint"):
        train(corpus, settings, output=output, resume=True)
    for broken in ("{", "{}"):
        record.write_text(broken)
        for options in ({"resume": True}, {"force": True}, {}):
            with pytest.raises(AndornotError, match="no complete checkpoint"):
                train(corpus, settings, output=output, **options)
    record.write_text(text)
    train(corpus, settings, output=output, resume=True)


def test_nothing_to_resume_from_starts_at_the_beginning(text, tmp_path):
    corpus = open_corpus([text], cache=tmp_path / "cache")
    output = tmp_path / "space.safetensors"
    with pytest.warns(andornot.AndornotWarning, match="starts at the beginning"):
        train(corpus, Settings(dim=8, epochs=1), output=output, resume=True)
    assert output.exists()


def test_counts_are_kept_for_the_resumption_and_gone_after_it(text, tmp_path, monkeypatch):
    corpus = open_corpus([text], cache=tmp_path / "cache")
    output = tmp_path / "space.safetensors"
    settings = Settings(solver="exact", dim=8, epochs=4)
    calls = []

    def counting(*arguments, **options):
        calls.append(options["window"])
        return count(*arguments, **options)

    monkeypatch.setattr("andornot.training.jobs.count", counting)

    def stop(step: Step) -> None:
        if step.epoch == 2:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        train(corpus, settings, output=output, checkpoint_every=0, watch=stop)
    with pytest.raises(AndornotError, match="made with window 5"):
        train(corpus, replace(settings, window=2), output=output, resume=True)
    with pytest.raises(AndornotError, match="dim is 61"):
        train(corpus, replace(settings, dim=61), output=output, resume=True)
    train(corpus, settings, output=output, resume=True)
    assert calls == [5]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["cache", output.name]


def test_a_checkpoint_behind_a_link_is_found(text, tmp_path):
    corpus = open_corpus([text], cache=tmp_path / "cache")
    (tmp_path / "real").mkdir()
    link = tmp_path / "space.safetensors"
    link.symlink_to(tmp_path / "real" / "space.safetensors")
    settings = Settings(solver="sampled", dim=8, epochs=3)

    def stop(step: Step) -> None:
        if step.epoch == 2:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        train(corpus, settings, output=link, checkpoint_every=0, watch=stop)
    with pytest.raises(AndornotError, match="an earlier run has left its state"):
        train(corpus, settings, output=link)
    train(corpus, settings, output=link, resume=True)
    assert andornot.load(tmp_path / "real" / "space.safetensors").dim == 8


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
    def finished(self):
        return self.state["step"] == 9

    def step(self):
        self.state = {"step": self.state["step"] + 1}
        self.vectors += 1 if self.state["step"] < 4 else np.inf
        return Step(0.1, self.state["step"], 1, 0.0)


def test_a_run_that_diverges_goes_back_to_its_last_good_state(tmp_path):
    trainer = Exploding()
    with pytest.raises(DivergedTrainingError, match="lower --rate") as caught:
        run(trainer, checkpoint=tmp_path / "state", every=0)
    assert caught.value.recovered
    assert trainer.state == {"step": 3}
    assert trainer.vectors.tolist() == [3, 3, 3]


def test_a_real_run_that_diverges(text, tmp_path):
    corpus = open_corpus([text], cache=tmp_path / "cache")
    output = tmp_path / "space.safetensors"
    for solver, rate in [("sampled", 1e30), ("sampled", 1e3), ("exact", 1e30), ("exact", 1e3)]:
        wild = Settings(solver=solver, dim=8, rate=rate)
        with pytest.raises(AndornotError, match="the run diverged"):
            train(corpus, wild, output=output)
    with pytest.raises(AndornotError, match="the run diverged"):
        train(corpus, Settings(model="glove", dim=8, rate=1e6), output=output)
    assert [file.name for file in tmp_path.iterdir()] == ["cache"]
