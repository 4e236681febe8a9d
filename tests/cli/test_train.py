"""`andornot train`: from text or counts to a space, and what is refused."""

import numpy as np
import pytest
from commands import run_apart as run

import andornot

WORDS = [f"w{number}" for number in range(40)]


@pytest.mark.parametrize("option", [("--dim", 0), ("--rate", -1), ("--seed", -1)])
def test_a_wrong_value_of_a_setting_exits_with_2(tmp_path, option):
    done = run("train", tmp_path / "text.txt", "-o", tmp_path / "out.safetensors", *option)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert str(option[1]) in done.stderr


def test_a_text_of_one_word_is_no_text(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("the cat. the dog. the end! the rest\n" * 4 + "the\n")
    done = run("train", text, "-o", tmp_path / "space.safetensors")
    assert done.returncode == 1
    assert "only one word, 'the', is left to train on" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == [text]
    done = run("train", text, "-o", tmp_path / "space.safetensors", "--max-size", 1)
    assert "raise --max-size" in done.stderr


def test_train_on_counts_and_its_refusals(tmp_path):
    text, counts = tmp_path / "text.txt", tmp_path / "counts"
    rng = np.random.default_rng(0)
    text.write_text("\n".join(" ".join(rng.choice(WORDS, size=9)) for _ in range(200)))
    assert run("count", text, "-o", counts, "--window", 3).returncode == 0
    output = tmp_path / "space.safetensors"
    for options, code, part in [
        (["--solver", "sampled"], 1, "reads the text itself"),
        (["--window", 4], 1, "window is 4, and the counts were made with window 3"),
        (["--weights", "harmonic"], 1, "made with weights linear"),
        (["--min-count", 9], 1, "leave off --min-count"),
        (["--tokenizer", "words"], 1, "leave off --tokenizer"),
        (["--dim", 41], 1, "dim is 41 and there are 40 words"),
        (["--dim", 0], 2, "dim must be a whole number of at least 1, got 0"),
        (["--negative", -3], 2, "negative must be a whole number of at least 1, got -3"),
    ]:
        done = run("train", counts, "-o", output, *options)
        assert done.returncode == code, options
        assert part in done.stderr
        assert len(done.stderr.splitlines()) == 1, done.stderr
        assert not output.exists()
    done = run("train", counts, "-o", output, "--dim", 5)
    assert done.returncode == 0, done.stderr
    assert "solver: exact (from counts)" in done.stdout
    for model in ("sgns", "glove"):
        done = run("train", counts, "-o", output, "--model", model, "--dim", 4, "--force")
        assert done.returncode == 0, done.stderr
    assert andornot.load(output).target_bias is not None
