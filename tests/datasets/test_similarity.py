"""Rated pairs of words: the files as they are, and what is wrong with a line."""

import os

import pytest
from errors import raises

from andornot.base.errors import FileError
from andornot.datasets import WordPair, locate, read_questions, read_word_pairs


def test_files_of_pairs(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("word 1\tword 2\trating\nold\tnew\t1.58\tmore\n\nnew york\tcity\t9\n")
    assert read_word_pairs(path) == [
        WordPair("old", "new", 1.58),
        WordPair("new york", "city", 9.0),
    ]


@pytest.mark.parametrize(
    ("content", "line", "named"),
    [
        (b"old\tnew\t1.58\nold new 3\n", 2, ["'old new 3'", "two words"]),
        (b"old\tnew\t1\na\tb\tnan\n", 2, ["nan"]),
        (b"", None, ["two rated pairs"]),
        (b"caf\xe9\tnew\t1\n", None, ["UTF-8"]),
    ],
)
def test_what_is_wrong_with_a_file_is_named(tmp_path, content, line, named):
    path = tmp_path / "pairs.tsv"
    path.write_bytes(content)
    with raises(FileError, path, *named) as caught:
        read_word_pairs(path)
    assert caught.value.line == line


@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
def test_the_real_sets():
    sizes = {
        name: len(
            read_questions(locate(name)) if "analog" in name else read_word_pairs(locate(name))
        )
        for name in ("wordsim-353", "simlex-999", "mturk-771", "google-analogies")
    }
    assert sizes == {
        "wordsim-353": 353,
        "simlex-999": 999,
        "mturk-771": 771,
        "google-analogies": 19544,
    }
