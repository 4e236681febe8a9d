"""The files of a corpus: compressed, in folders, behind links, from standard input."""

import bz2
import gzip
import lzma
import os
import subprocess
import sys

import pytest
from texts import TEXT, sentences, write

from andornot import AndornotError
from andornot.base.errors import FileError
from andornot.cooccurrence import count
from andornot.corpus import open_corpus, reading


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, "zstd"])
def test_compressed_text(tmp_path, pack):
    if pack == "zstd":
        zstandard = pytest.importorskip("zstandard", reason="needs the extra zstd")
        pack = zstandard.ZstdCompressor().compress
    corpus = open_corpus([write(tmp_path / "packed", pack(TEXT.encode()))])
    assert corpus.size == len(TEXT.split())


def test_folders_and_several_files(tmp_path):
    (tmp_path / "sub").mkdir()
    write(tmp_path / "b.txt", "second file")
    write(tmp_path / "a.txt", "first")
    write(tmp_path / "sub" / "c.txt", "third\n")
    write(tmp_path / ".hidden", "hidden")
    corpus = open_corpus([tmp_path, tmp_path / "a.txt"])
    assert sentences(corpus) == [["first"], ["second", "file"], ["third"], ["first"]]


def test_standard_input():
    code = (
        "from andornot.corpus import open_corpus\n"
        "corpus = open_corpus(['-'])\n"
        "print(corpus.size, corpus.vocabulary.words[0], corpus.path.name == corpus.key)"
    )
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code], input=TEXT.encode(), capture_output=True, check=True
        )
        assert done.stdout.decode().split() == [str(len(TEXT.split())), "a", "True"]


def test_standard_inputs_that_differ_only_in_a_word_are_not_confused():
    code = (
        "from andornot.corpus import open_corpus\n"
        "from andornot.corpus.edits import merge_phrases\n"
        "print(*merge_phrases(open_corpus(['-']), ['a b']).vocabulary)"
    )
    for text, words in [("a b a b c\n", "a_b c"), ("a b a b d\n", "a_b d")]:
        done = subprocess.run(
            [sys.executable, "-c", code], input=text, capture_output=True, check=True, text=True
        )
        assert done.stdout.strip() == words


def test_links_are_followed_and_what_cannot_be_read_is_an_error(tmp_path):
    folder, elsewhere = tmp_path / "folder", tmp_path / "elsewhere"
    (folder / "sub").mkdir(parents=True)
    elsewhere.mkdir()
    write(elsewhere / "far.txt", "far")
    write(folder / "near.txt", "near")
    (folder / "link").symlink_to(elsewhere)
    (folder / "sub" / "loop").symlink_to(folder)
    count(open_corpus([write(tmp_path / "x.txt")]), min_count=1, output=folder / "counts")
    assert sorted(open_corpus([folder]).vocabulary.words) == ["far", "near"]
    (folder / "broken").symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileError, match=r"broken: no such file"):
        open_corpus([folder])


def test_text_that_is_no_utf8_text(tmp_path):
    with pytest.raises(FileError, match="it holds zero bytes"):
        open_corpus([write(tmp_path / "a.txt", "some text\n".encode("utf-16"))])
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(FileError, match="give it as standard input: -"):
        open_corpus([tmp_path / "fifo"])


def test_corpora_that_are_none(tmp_path, monkeypatch):
    (tmp_path / "folder").mkdir()
    monkeypatch.setattr(reading, "BLOCK", 1 << 10)
    for paths, problem in [
        ([write(tmp_path / "empty.txt", "")], "there are no tokens in"),
        ([write(tmp_path / "blank.txt", " \n \n")], "the corpus is empty"),
        ([tmp_path / "none.txt"], "no such file"),
        ([tmp_path / "folder"], "there are no files in this folder"),
        ([], "no corpus was named"),
        ([write(tmp_path / "endless", "x" * 10_000)], "bytes without a space"),
    ]:
        with pytest.raises(AndornotError, match=problem):
            open_corpus(paths, cache=tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []  # nothing half-written
    write(tmp_path / "file", "no folder")
    with pytest.raises(AndornotError, match="set ANDORNOT_CACHE to a folder"):
        open_corpus([write(tmp_path / "a.txt")], cache=tmp_path / "file")
    with pytest.raises(AndornotError, match="unknown tokenizer 'letters'"):
        open_corpus([write(tmp_path / "a.txt")], tokenizer="letters")
