"""`andornot evaluate`: scores on files of one's own and on the usual sets."""

import json
import os

import numpy as np
from commands import run_apart as run

import andornot
from andornot.datasets import read_word_pairs
from andornot.evaluation import similarity
from andornot.postprocessing import postprocess

WORDS = [f"w{number}" for number in range(40)]


def test_train_then_evaluate(tmp_path):
    text = tmp_path / "text.txt"
    rng = np.random.default_rng(0)
    text.write_text("\n".join(" ".join(rng.choice(WORDS, size=9)) for _ in range(400)))
    output = tmp_path / "space.safetensors"
    done = run("train", text, "-o", output, "--dim", 5, "--epochs", 3, "--threads", 1)
    assert done.returncode == 0, done.stderr
    assert "solver: sampled" in done.stdout
    assert "40 words x 5, 3 epochs, loss" in done.stdout
    assert done.stderr == ""
    space = andornot.load(output)
    assert space.context is not None
    info = run("info", output).stdout
    assert "context vectors  yes" in info
    (tmp_path / "pairs.tsv").write_text("w1\tw2\t3\nw3\tw4\t1\nw5\tnone\t2\nw7\tw8\t5\n")
    (tmp_path / "questions.txt").write_text(": first\nw1 w2 w3 w4\nw1 w2 w3 none\n")
    asked = ["--pairs", tmp_path / "pairs.tsv", "--analogies", tmp_path / "questions.txt"]
    done = run("evaluate", output, *asked, "--json")
    assert done.returncode == 0, done.stderr
    pairs, questions = json.loads(done.stdout)["results"]
    assert (pairs["covered"], pairs["items"]) == (3, 4)
    assert (questions["covered"], questions["items"]) == (1, 2)
    expected = similarity(space, read_word_pairs(tmp_path / "pairs.tsv")).spearman
    assert pairs["spearman"] == expected
    done = run("evaluate", output, *asked, "--json", "--postprocess", "frequency")
    centred = postprocess(space, "frequency")
    expected = similarity(centred, read_word_pairs(tmp_path / "pairs.tsv")).spearman
    assert json.loads(done.stdout)["results"][0]["spearman"] == expected
    (tmp_path / "strange.tsv").write_text("x\ty\t3\nz\ty\t1\n")
    done = run("evaluate", output, "--pairs", tmp_path / "strange.tsv")
    assert done.returncode == 1
    assert "none of its words" in done.stderr
    done = run("evaluate", output, "--pairs", tmp_path / "strange.tsv", *asked, "--json")
    assert json.loads(done.stdout)["results"][0]["spearman"] is None
    done = run("evaluate", output, *asked, "--sections")
    assert "3 of 4 pairs" in done.stdout
    assert "first" in done.stdout
    assert "--postprocess frequency" in done.stdout


def test_evaluate_without_data_says_what_to_set(tmp_path, example):
    surroundings = {name: value for name, value in os.environ.items() if name != "ANDORNOT_DATA"}
    done = run("evaluate", example, env=surroundings)
    assert done.returncode == 1
    assert "set ANDORNOT_DATA" in done.stderr
    assert len(done.stderr.splitlines()) == 1
