"""`andornot count`: from text to a folder of counts, and what is refused."""

import json
import resource
import signal
import subprocess
import sys

import numpy as np
import pytest
from commands import EXAMPLES
from commands import run_apart as run

NURSERY = EXAMPLES / "nursery.txt"


def test_count_then_info(tmp_path):
    counts = tmp_path / "counts"
    done = run("count", NURSERY, "-o", counts, "--tokenizer", "words", "--min-count", 2)
    assert done.returncode == 0, done.stderr
    assert "from 45 tokens" in done.stdout
    done = run("info", counts)
    assert "window           5 words, linear weights" in done.stdout
    assert "most frequent    the mouse cat" in done.stdout
    facts = json.loads(run("info", counts, "--json").stdout)
    assert facts["settings"]["min_count"] == 2
    assert facts["pairs"] == andornot_counts(counts).pairs


def andornot_counts(path):
    from andornot.cooccurrence import load_counts

    return load_counts(path)


def test_count_reads_standard_input_phrases_and_a_vocabulary(tmp_path):
    (tmp_path / "phrases.txt").write_text("The Cat\nthe mouse\nnever seen\n")
    (tmp_path / "vocab.txt").write_text("the_mouse 3\nthe_cat 3\nsaid 2\n")
    options = ["--phrases", "phrases.txt", "--vocab", "vocab.txt", "--tokenizer", "words"]
    done = run("count", "-", "-o", "counts", *options, cwd=tmp_path, input=NURSERY.read_text())
    assert done.returncode == 0, done.stderr
    counts = andornot_counts(tmp_path / "counts")
    assert "2 of 3 phrases were found and merged" in done.stdout
    assert counts.vocabulary.words == ("the_mouse", "the_cat", "said")
    assert counts.vocabulary.counts.values.tolist() == [3, 3, 2]


def test_a_vocabulary_is_saved_and_imposed(tmp_path):
    run("count", NURSERY, "-o", "a", "--save-vocab", "v.txt", "--min-count", 3, cwd=tmp_path)
    for vocabulary in ("v.txt", "a"):
        done = run("count", NURSERY, "-o", "b", "--vocab", vocabulary, "--force", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        first, second = andornot_counts(tmp_path / "a"), andornot_counts(tmp_path / "b")
        assert first.vocabulary.words == second.vocabulary.words
        assert np.array_equal(first.values, second.values)


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (["none.txt", "-o", "c"], 1, "none.txt: no such file"),
        (["empty.txt", "-o", "c"], 1, "the corpus is empty"),
        (["NURSERY", "-o", "c", "--min-count", "99"], 1, "lower the minimal count"),
        (["NURSERY", "-o", "c", "--vocab", "other.txt"], 1, "belongs to another corpus"),
        (["NURSERY", "-o", "c", "--vocab", "empty.txt"], 1, "the file is empty"),
        (["NURSERY", "-o", "c", "--memory", "lots"], 1, "'lots' is no size of memory"),
        (["NURSERY", "-o", "c", "--memory", "1kB"], 1, "bytes are too few"),
        (["NURSERY", "-o", "c", "--phrases", "empty.txt"], 1, "there are no phrases in it"),
        (["NURSERY", "-o", "there"], 1, "it exists, and is no folder of counts"),
        (["NURSERY", "-o", "there", "--force"], 1, "it exists, and is no folder of counts"),
        (["NURSERY", "-o", ".", "--force"], 1, "it exists, and is no folder of counts"),
        (["NURSERY", "-o", "c", "--vocab", "blank.txt"], 1, "there are no words in it"),
        (["NURSERY", "-o", "c", "--vocab", "other.txt", "--min-count", "3"], 2, "leave off"),
        (["NURSERY", "-o", "no/c"], 1, "its folder doesn't exist"),
        (["broken.txt", "-o", "c", "--strict"], 1, "are not UTF-8"),
        (["NURSERY", "-o", "c", "--sample", "7"], 1, "a sampling threshold of 7"),
        (["NURSERY"], 2, "--output"),
        (["NURSERY", "-o", "c", "--window", "0"], 2, "--window"),
        (["NURSERY", "-o", "c", "--weights", "round"], 2, "round"),
    ],
)
def test_count_errors_leave_nothing_behind(tmp_path, arguments, code, problem):
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "other.txt").write_text("elsewhere 3\n")
    (tmp_path / "blank.txt").write_text("\n\n")
    (tmp_path / "broken.txt").write_bytes(b"a b\xff c\n")
    (tmp_path / "there").write_text("precious")
    before = sorted(path.name for path in tmp_path.iterdir())
    arguments = [NURSERY if part == "NURSERY" else part for part in arguments]
    done = run("count", *arguments, cwd=tmp_path)
    assert done.returncode == code
    assert problem in done.stderr
    assert "Traceback" not in done.stderr
    if code == 1:
        assert done.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert (tmp_path / "there").read_text() == "precious"


def test_a_disk_that_fills_up_while_counting(tmp_path):

    rng = np.random.default_rng(0)
    words = rng.integers(0, 3000, size=100_000)
    (tmp_path / "text.txt").write_text(" ".join(f"w{n}" for n in words))
    command = [sys.executable, "-m", "andornot", "count", "text.txt", "-o", "counts"]
    # the tokens fit the limit, the counts don't
    run("count", "text.txt", "-o", "first", cwd=tmp_path)

    def fill_up() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 19, 1 << 19))

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, preexec_fn=fill_up)
    assert done.returncode == 1
    assert "no room to write it" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "counts").exists()
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".tmp")] == []
