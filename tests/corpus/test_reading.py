"""The files of a corpus: compressed, in folders, behind links, from standard input."""

import bz2
import gzip
import io
import lzma
import os

import pytest
from errors import raises
from texts import TEXT, sentences, write

from andornot import AndornotError
from andornot.base.errors import FileError, UsageError
from andornot.cooccurrence import count
from andornot.corpus import open_corpus, reading
from andornot.corpus.edits import merge_phrases


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


@pytest.fixture
def standard_input(monkeypatch):
    def give(text):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8"))
        return open_corpus(["-"])

    return give


def test_standard_input(standard_input):
    corpora = [standard_input(TEXT) for _ in range(2)]
    for corpus in corpora:
        assert corpus.size == len(TEXT.split())
        assert corpus.vocabulary.words[0] == "a"
        assert corpus.path.name == corpus.key
    assert corpora[0].path == corpora[1].path


def test_standard_inputs_that_differ_only_in_a_word_are_not_confused(standard_input):
    for text, words in [("a b a b c\n", ("a_b", "c")), ("a b a b d\n", ("a_b", "d"))]:
        assert merge_phrases(standard_input(text), ["a b"]).vocabulary.words == words


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
    with raises(FileError, "no such file") as caught:
        open_corpus([folder])
    assert caught.value.path == folder / "broken"


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("some text\n".encode("utf-16"), ["zero bytes", "UTF-16"]),
        (b"x" * 10_000, ["5,120 bytes", "space"]),
    ],
    ids=["utf-16", "no spaces"],
)
def test_a_file_that_is_no_text(tmp_path, monkeypatch, content, named):
    monkeypatch.setattr(reading, "BLOCK", 1 << 10)
    path, cache = write(tmp_path / "a.txt", content), tmp_path / "cache"
    with raises(FileError, *named) as caught:
        open_corpus([path], cache=cache)
    assert caught.value.path == path
    assert list(cache.iterdir()) == []  # nothing half-written


@pytest.mark.skipif(os.name == "nt", reason="no named pipes there")
def test_a_pipe_is_to_be_given_as_standard_input(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    with raises(FileError, tmp_path / "fifo", "standard input: -"):
        open_corpus([tmp_path / "fifo"])


@pytest.mark.parametrize("text", ["", " \n \n"])
def test_text_without_a_word(tmp_path, text):
    path, cache = write(tmp_path / "a.txt", text), tmp_path / "cache"
    with raises(AndornotError, path, "empty"):
        open_corpus([path], cache=cache)
    assert list(cache.iterdir()) == []


def test_no_files_at_all(tmp_path):
    (tmp_path / "folder").mkdir()
    with raises(FileError, tmp_path / "none.txt", "no such file"):
        open_corpus([tmp_path / "none.txt"])
    with raises(FileError, tmp_path / "folder", "no files"):
        open_corpus([tmp_path / "folder"])
    with raises(UsageError, "source", "empty"):
        open_corpus([])


@pytest.mark.parametrize(("header", "dim"), [("", 8), ("30 8\n", 8), ("30 2\n", 2)])
def test_a_file_of_vectors_is_not_a_text(tmp_path, header, dim):
    path = tmp_path / "vectors.txt"
    rows = [f"word{i} " + " ".join(f"{i + j / 7:.4f}" for j in range(dim)) for i in range(30)]
    path.write_text(header + "\n".join(rows) + "\n")
    with raises(FileError, path, "vectors", f"{dim} numbers", "andornot info"):
        open_corpus([path], cache=tmp_path / "cache")


@pytest.mark.parametrize(
    "line",
    [
        "in 1990 1991 1992 1993 1994 1995 1996\n",  # whole numbers may be years
        "pi is 3.14159 and e is 2.71828 as everybody knows\n",
        "one 1.5\n",
        "x 1.5 2.5 3.5\n",  # too few numbers, without a header that declares them
    ],
)
def test_a_text_with_numbers_is_a_text(tmp_path, line):
    (tmp_path / "text.txt").write_text(line * 10)
    assert open_corpus([tmp_path / "text.txt"], cache=tmp_path / "cache").size > 10
