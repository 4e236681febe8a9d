"""`andornot count`: from text to a folder of counts, and what is refused."""

import os

import numpy as np
import pytest
from commands import EXAMPLES, run, run_apart
from errors import assert_refused

from andornot.cooccurrence import load_counts

NURSERY = EXAMPLES / "nursery.txt"


def test_a_text_is_counted(tmp_path):
    folder = tmp_path / "counts"
    done = run("count", NURSERY, "-o", folder, "--tokenizer", "words", "--min-count", 2)
    assert done.returncode == 0, done.stderr
    counts = load_counts(folder)
    size = len(counts.vocabulary)
    assert done.stdout.startswith(f"{folder}: {counts.pairs} pairs of {size} words from 45 tokens")
    assert counts.vocabulary.words[:3] == ("the", "mouse", "cat")
    assert counts.settings["min_count"] == 2
    assert counts.settings["weights"] == "linear"


def test_standard_input_with_phrases_and_a_vocabulary(tmp_path):
    (tmp_path / "phrases.txt").write_text("The Cat\nthe mouse\nnever seen\n")
    (tmp_path / "vocab.txt").write_text("the_mouse 3\nthe_cat 3\nsaid 2\n")
    options = ["--phrases", "phrases.txt", "--vocab", "vocab.txt", "--tokenizer", "words"]
    done = run("count", "-", "-o", "counts", *options, cwd=tmp_path, input=NURSERY.read_text())
    assert done.returncode == 0, done.stderr
    counts = load_counts(tmp_path / "counts")
    assert "2 of 3 phrases" in done.stdout
    assert counts.vocabulary.words == ("the_mouse", "the_cat", "said")
    assert counts.vocabulary.counts.values.tolist() == [3, 3, 2]


def test_only_distinct_phrases_that_are_merged_are_counted(tmp_path):
    (tmp_path / "text.txt").write_text("card_game the end of the game\nthe end\n")
    (tmp_path / "phrases.txt").write_text("the end\ncard game\n the  end \nthe end of\n")
    options = ["--phrases", "phrases.txt", "--min-count", 1]
    for _ in range(2):  # the second time from the cache
        done = run("count", "text.txt", "-o", "counts", *options, "--force", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "2 of 3 phrases were found and merged" in done.stdout


def test_a_vocabulary_is_saved_and_imposed(tmp_path):
    run("count", NURSERY, "-o", "a", "--save-vocab", "v.txt", "--min-count", 3, cwd=tmp_path)
    for vocabulary in ("v.txt", "a"):
        done = run("count", NURSERY, "-o", "b", "--vocab", vocabulary, "--force", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        first, second = load_counts(tmp_path / "a"), load_counts(tmp_path / "b")
        assert first.vocabulary.words == second.vocabulary.words
        assert np.array_equal(first.values, second.values)


def test_words_replace_a_file_only_when_told(tmp_path):
    arguments = ("count", NURSERY, "--save-vocab", "v.txt", "--min-count", 3)
    (tmp_path / "v.txt").write_text("precious")
    assert_refused(run(*arguments, "-o", "a", cwd=tmp_path), 1, "v.txt", "exists", "--force")
    assert (tmp_path / "v.txt").read_text() == "precious"
    assert [path.name for path in tmp_path.iterdir()] == ["v.txt"]
    done = run(*arguments, "-o", "a", "--force", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "v.txt").read_text().startswith("the 9\ncat 3\n")


@pytest.mark.parametrize(
    ("file", "remedy"),
    [
        ("counts", "outside of it"),
        ("counts/words.bin", "outside of it"),
        ("link/new.txt", "outside of it"),
        ("texts/a.txt", "another file"),
        ("texts/../texts/b.txt", "another file"),
        ("vocab.txt", "another file"),
    ],
)
def test_words_never_replace_what_is_read_or_a_part_of_the_counts(tmp_path, file, remedy):
    (tmp_path / "texts").mkdir()
    for name in ("texts/a.txt", "texts/b.txt"):
        (tmp_path / name).write_text(NURSERY.read_text())
    (tmp_path / "vocab.txt").write_text("the 10\nmouse 4\ncat 3\n")
    arguments = ("count", "texts", "-o", "counts", "--vocab", "vocab.txt", "--force")
    assert run(*arguments, cwd=tmp_path).returncode == 0
    (tmp_path / "link").symlink_to(tmp_path / "counts")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()}
    done = run(*arguments, "--save-vocab", file, cwd=tmp_path)
    assert_refused(done, 1, file, remedy)
    after = {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()}
    assert after == before
    assert "the" in load_counts(tmp_path / "counts").vocabulary.words


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        (["none.txt", "-o", "c"], 1, ["none.txt", "no such file"]),
        (["empty.txt", "-o", "c"], 1, ["empty.txt", "tokens"]),
        (["NURSERY", "-o", "c", "--min-count", "99"], 1, ["99", "'the'", "9 times", "--min-count"]),
        (["NURSERY", "-o", "c", "--vocab", "other.txt"], 1, ["1 words", "another corpus"]),
        (["NURSERY", "-o", "c", "--vocab", "empty.txt"], 1, ["empty.txt", "its count"]),
        (["NURSERY", "-o", "c", "--vocab", "blank.txt"], 1, ["blank.txt", "no words"]),
        (["NURSERY", "-o", "c", "--vocab", "other.txt", "--min-count", "3"], 2, ["--min-count"]),
        (["NURSERY", "-o", "c", "--memory", "lots"], 2, ["'lots'", "2GB"]),
        (["NURSERY", "-o", "c", "--memory", "1kB"], 2, ["got 1,000", "--memory"]),
        (["NURSERY", "-o", "c", "--phrases", "empty.txt"], 1, ["empty.txt", "phrases"]),
        (["NURSERY", "-o", "there"], 1, ["there", "andornot counts"]),
        (["NURSERY", "-o", "there", "--force"], 1, ["there", "andornot counts"]),
        (["NURSERY", "-o", ".", "--force"], 1, [".:", "andornot counts"]),
        (["NURSERY", "-o", "no/c"], 1, ["no/c", "folder"]),
        (["broken.txt", "-o", "c", "--strict"], 1, ["broken.txt", "UTF-8", "--strict"]),
        (["NURSERY", "-o", "c", "--sample", "7"], 2, ["sample", "7", "above 0"]),
        (["none.txt", "-o", "c", "--sample", "2"], 2, ["sample", "2", "at most 1"]),
        (["NURSERY"], 2, ["--output"]),
        (["NURSERY", "-o", "c", "--window", "0"], 2, ["--window", "1"]),
        (["NURSERY", "-o", "c", "--window-weights", "round"], 2, ["'round'", "harmonic"]),
    ],
)
def test_errors_leave_nothing_behind(tmp_path, arguments, code, named):
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "other.txt").write_text("elsewhere 3\n")
    (tmp_path / "blank.txt").write_text("\n\n")
    (tmp_path / "broken.txt").write_bytes(b"a b\xff c\n")
    (tmp_path / "there").write_text("precious")
    before = sorted(path.name for path in tmp_path.iterdir())
    arguments = [NURSERY if part == "NURSERY" else part for part in arguments]
    assert_refused(run("count", *arguments, cwd=tmp_path), code, *named)
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert (tmp_path / "there").read_text() == "precious"


def test_counts_are_replaced_only_when_told(tmp_path):
    arguments = ("count", NURSERY, "-o", tmp_path / "c", "--min-count")
    assert run(*arguments, 3).returncode == 0
    assert_refused(run(*arguments, 2), 1, tmp_path / "c", "exists", "--force")
    assert load_counts(tmp_path / "c").settings["min_count"] == 3
    assert run(*arguments, 2, "--force").returncode == 0
    assert load_counts(tmp_path / "c").settings["min_count"] == 2


@pytest.mark.skipif(os.name == "nt", reason="there is no limit of the size of files")
def test_after_a_disk_that_filled_up_it_can_go_on(tmp_path):
    import resource
    import signal

    words = np.random.default_rng(0).integers(0, 1000, size=25_000)
    (tmp_path / "text.txt").write_text(" ".join(f"w{n}" for n in words))
    run("count", "text.txt", "-o", "first", cwd=tmp_path)  # the tokens are in the cache

    def fill_up() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 17, 1 << 17))

    done = run_apart("count", "text.txt", "-o", "counts", cwd=tmp_path, preexec_fn=fill_up)
    assert_refused(done, 1, "counts", "no room")
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {".counts.parts", "first", "text.txt"}  # parts, to go on from
    assert run("count", "text.txt", "-o", "counts", cwd=tmp_path).returncode == 0
    first, second = load_counts(tmp_path / "first"), load_counts(tmp_path / "counts")
    assert np.array_equal(first.values, second.values)
    assert {path.name for path in tmp_path.iterdir()} == {"counts", "first", "text.txt"}
