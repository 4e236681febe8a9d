"""`andornot train`: from text or counts to a space, and what is refused."""

import numpy as np
import pytest
from commands import run
from errors import assert_refused

import andornot

WORDS = [f"w{number}" for number in range(40)]


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "text.txt"
    rng = np.random.default_rng(0)
    path.write_text("\n".join(" ".join(rng.choice(WORDS, size=9)) for _ in range(200)))
    return path


@pytest.fixture(scope="module")
def counts(text):
    path = text.with_name("counts")
    assert run("count", text, "-o", path, "--window", 3).returncode == 0
    return path


def test_one_epoch_is_in_the_singular(tmp_path, text):
    output = tmp_path / "space.safetensors"
    options = ("--dim", 5, "--epochs", 1, "--threads", 1)
    done = run("train", text, "-o", output, *options)
    assert f"{output}: 40 words x 5, 1 epoch, in " in done.stdout


def test_a_text(tmp_path, text):
    output = tmp_path / "space.safetensors"
    done = run("train", text, "-o", output, "--dim", 5, "--epochs", 3, "--threads", 1)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    solver, last = done.stdout.splitlines()
    assert solver.startswith("solver: sampled ")
    assert solver.endswith(" s")  # about how long it takes
    assert last.startswith(f"{output}: 40 words x 5, 3 epochs, in ")
    space = andornot.load(output)
    assert space.context is not None
    assert space.vocabulary.counts.origin == "training"
    assert space.provenance.settings["solver"] == "sampled"


@pytest.mark.parametrize("model", ["sgns", "glove"])
def test_counts(tmp_path, counts, model):
    output = tmp_path / "space.safetensors"
    done = run("train", counts, "-o", output, "--model", model, "--dim", 4, "--epochs", 3)
    assert done.returncode == 0, done.stderr
    space = andornot.load(output)
    assert (len(space), space.dim) == (40, 4)
    assert (space.target_bias is not None) == (model == "glove")
    assert done.stdout.startswith("solver: exact ")


def test_x_max_in_proportion_to_the_text(tmp_path, counts):
    output = tmp_path / "space.safetensors"
    options = ["--model", "glove", "--dim", 4, "--epochs", 3, "--x-max", "auto"]
    done = run("train", counts, "-o", output, *options)
    assert done.returncode == 0, done.stderr
    assert "\nx_max: 1, proportional to the corpus\n" in done.stdout
    assert andornot.load(output).provenance.settings["x_max"] == 1


@pytest.mark.parametrize(
    ("options", "code", "named"),
    [
        (["--solver", "sampled"], 2, ["counts", "--solver exact"]),
        (["--window", 4], 2, ["window", "4", "3"]),
        (["--model", "glove", "--x-max", "many"], 2, ["x_max", "auto", "many"]),
        (["--window-weights", "harmonic"], 2, ["weights", "harmonic", "linear"]),
        (["--min-count", 9], 2, ["--min-count"]),
        (["--tokenizer", "words"], 2, ["--tokenizer"]),
        (["--dim", 41], 1, ["dim", "41", "40 words"]),
        (["--dim", 0], 2, ["dim", "0"]),
        (["--negative", -3], 2, ["negative", "-3"]),
        (["--rate", -1], 2, ["rate", "-1"]),
        (["--seed", -1], 2, ["seed", "-1"]),
    ],
)
def test_what_does_not_fit_counts_or_is_no_setting(tmp_path, counts, options, code, named):
    output = tmp_path / "space.safetensors"
    done = run("train", counts, "-o", output, "--solver", "exact", *options)
    assert_refused(done, code, *named)
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_setting_is_said_before_the_text_is_looked_for(tmp_path):
    done = run("train", tmp_path / "none.txt", "-o", tmp_path / "s.safetensors", "--dim", 0)
    assert_refused(done, 2, "dim", "0")


@pytest.mark.parametrize(
    ("model", "option", "own"),
    [
        ("glove", "--negative", "sgns"),
        ("glove", "--exponent", "sgns"),
        ("sgns", "--x-max", "glove"),
        ("sgns", "--alpha", "glove"),
    ],
)
def test_an_option_of_the_other_model_is_refused(tmp_path, model, option, own):
    output = tmp_path / "s.safetensors"
    done = run("train", tmp_path / "none.txt", "-o", output, "--model", model, option, 1)
    assert_refused(done, 2, f"{option} is for {own}, and the model is {model}; leave it out")


def test_a_text_of_one_word_is_no_text(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("the cat. the dog. the end! the rest\n" * 4 + "the\n")
    for options in ([], ["--max-size", 1]):
        done = run("train", text, "-o", tmp_path / "space.safetensors", *options)
        remedies = ("--min-count", "--max-size", "--tokenizer words")
        assert_refused(done, 1, "'the'", *remedies)
        assert len(done.stderr.splitlines()) == 1
        assert list(tmp_path.iterdir()) == [text]


def test_counts_with_a_broken_record_are_not_taken_for_an_empty_folder(tmp_path):
    (tmp_path / "counts").mkdir()
    (tmp_path / "counts" / "record.json").write_text("{")
    done = run("train", tmp_path / "counts", "-o", tmp_path / "s.safetensors")
    assert_refused(done, 1, tmp_path / "counts", "record.json may be damaged")
