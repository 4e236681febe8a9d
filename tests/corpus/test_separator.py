"""Items between separators: they may hold spaces."""

import pytest
from commands import run
from errors import assert_refused, raises
from hypothesis import assume, given
from hypothesis import strategies as st
from texts import sentences, write

from andornot.base.errors import UsageError
from andornot.cooccurrence import load_counts
from andornot.corpus import open_corpus, reading

BLANK = " \t\r"


def slow_items(text, separator):
    """The items of each line, without the blanks around them; empty ones are left out."""
    lines = [[item.strip(BLANK) for item in line.split(separator)] for line in text.split("\n")]
    items = [[item for item in line if item] for line in lines]
    return [line for line in items if line]


@given(
    st.text(alphabet="ab ,;\t→\n\r", min_size=1),
    st.sampled_from([",", ";", "\t", " ", "→"]),
    st.integers(1, 3),
    st.integers(3, 9),
)
def test_items_are_those_of_split(tmp_path_factory, text, separator, threads, block):
    expected = slow_items(text, separator)
    assume(expected)
    folder = tmp_path_factory.mktemp("items")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "BLOCK", 64 * block)
        corpus = open_corpus(
            [write(folder / "a.txt", text)],
            separator=separator,
            threads=threads,
            cache=folder / "cache",
        )
    assert sentences(corpus) == expected


def test_lines_that_are_longer_than_a_block(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "BLOCK", 50)
    lines = [[f"item {n} of {m}" for n in range(30)] for m in range(4)]
    text = "\n".join("→".join(line) for line in lines)
    assert sentences(open_corpus([write(tmp_path / "a.txt", text)], separator="→")) == lines


@pytest.mark.parametrize("separator", ["", "ab", "\n", "\r", "\0", 3, b","], ids=repr)
def test_what_cannot_separate(tmp_path, separator):
    with raises(UsageError, "separator", "one character", repr(separator)):
        open_corpus([write(tmp_path / "a.txt")], separator=separator)


def test_a_tokenizer_beside_a_separator(tmp_path):
    with raises(UsageError, "separator", "tokenizer"):
        open_corpus([write(tmp_path / "a.txt")], separator=",", tokenizer="words")


def test_the_command(tmp_path):
    path = write(tmp_path / "baskets.txt", "sku:12 A\tmilk\nmilk\tsku:12 A\tbread\n")
    output = tmp_path / "counts"
    options = ["--separator", "TAB", "--window", "line", "--min-count", 1, "-o", output]
    done = run("count", path, *options)
    assert done.returncode == 0, done.stderr
    counts = load_counts(output)
    assert counts.vocabulary.words == ("milk", "sku:12 A", "bread")
    assert counts.matrix().toarray().tolist() == [[0, 2, 1], [2, 0, 1], [1, 1, 0]]
    assert "the whole line, flat weights" in run("info", output).stdout
    space = tmp_path / "items.safetensors"
    options = ["--separator", "TAB", "--window", "line", "--min-count", 1, "--dim", 2, "-o", space]
    done = run("train", path, *options)
    assert done.returncode == 0, done.stderr
    assert "every pair of a line" in done.stdout
    assert "sku:12 A" in run("info", space).stdout
    for arguments, named in (
        (["--separator", ",,"], ["--separator", "',,'"]),
        (["--separator", ",", "--tokenizer", "words"], ["--separator", "--tokenizer"]),
        (["--separator", ",", "--phrases", path], ["--separator", "--phrases"]),
        (["--window", "lines"], ["--window", "'lines'"]),
        (["--window", "line", "--window-weights", "linear"], ["linear", "--window-weights"]),
        (["--window", "line", "--sample", "1e-3"], ["line", "--sample"]),
    ):
        done = run("count", path, "--min-count", 1, "-o", tmp_path / "other", *arguments)
        assert_refused(done, 2, *named)
