"""A corpus: its tokens, its vocabulary, and what is kept of it."""

import os
import signal
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from errors import raises
from texts import TEXT, sentences, write

from andornot import AndornotError, AndornotWarning, Vocabulary
from andornot.base.errors import FileError, UsageError
from andornot.base.folders import FolderWriter
from andornot.corpus import corpus as corpus_module
from andornot.corpus import open_corpus
from andornot.corpus.corpus import load_corpus


def test_tokens_sentences_and_counts(tmp_path):
    corpus = open_corpus([write(tmp_path / "a.txt")])
    assert sentences(corpus) == [line.split() for line in TEXT.split("\n") if line.split()]
    counts = Counter(TEXT.split())
    assert corpus.size == len(TEXT.split())
    assert dict(zip(corpus.vocabulary, corpus.vocabulary.counts.values, strict=True)) == counts
    ordered = sorted(counts, key=lambda word: (-counts[word], word.encode()))
    assert corpus.vocabulary.words == tuple(ordered)


def test_a_second_run_opens_what_the_first_has_kept(tmp_path, monkeypatch):
    path = write(tmp_path / "a.txt")
    first = open_corpus([path], cache=tmp_path / "cache")

    def never(*_, **__):
        raise AssertionError("tokenised again")

    monkeypatch.setattr(corpus_module, "tokenise", never)
    again = open_corpus([path], cache=tmp_path / "cache")
    assert again.path == first.path
    copy = write(tmp_path / "copy.txt")  # the content counts, not the name
    shared = open_corpus([copy], cache=tmp_path / "cache")
    assert shared.path == first.path
    assert shared.record["files"] == [str(copy)]  # not the name under which it was first read
    write(path, TEXT + " changed")
    with pytest.raises(AssertionError):
        open_corpus([path], cache=tmp_path / "cache")


def test_choosing_a_vocabulary(tmp_path):
    corpus = open_corpus([write(tmp_path / "a.txt", "c c c b b a d d\n")])
    assert corpus.choose(2).words == ("c", "b", "d")
    assert corpus.choose(1, max_size=2).words == ("c", "b")
    assert corpus.choose(2).counts.values.tolist() == [3, 2, 2]
    with raises(AndornotError, "9 times", "'c'", "3 times", "lower min_count"):
        corpus.choose(9)
    rare = open_corpus([write(tmp_path / "b.txt", "a b c\n")])
    with raises(AndornotError, "2 times", "'a'", "occurs once)"):
        rare.choose(2)
    with raises(UsageError, "min_count", 0, 1):
        corpus.choose(0)


def test_a_saved_vocabulary_is_imposed(tmp_path):
    corpus = open_corpus([write(tmp_path / "a.txt", "c c c b b a d d\n")])
    write(tmp_path / "vocab.txt", "a 10\nc 5\nunseen 1\n")
    vocabulary = Vocabulary.read(tmp_path / "vocab.txt")
    numbers = dict(zip(corpus.vocabulary.words, corpus.numbers_in(vocabulary), strict=True))
    assert numbers == {"a": 0, "c": 1, "b": -2, "d": -2}
    with raises(AndornotError, "1 words", "another corpus"):
        corpus.numbers_in(Vocabulary(["elsewhere"]))
    write(tmp_path / "vocab.txt", "a 10\na 5\n")
    with raises(FileError, "'a'", "twice") as caught:
        Vocabulary.read(tmp_path / "vocab.txt")
    assert caught.value.path == tmp_path / "vocab.txt"


KILLED = """
import os, signal, sys
from andornot.base.folders import FolderWriter
from andornot.corpus import open_corpus
from andornot.corpus.corpus import load_corpus
FolderWriter.finish = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
open_corpus([sys.argv[1]], cache=sys.argv[2])
"""


@pytest.mark.slow
def test_a_process_that_dies_leaves_no_corpus(tmp_path):
    """It is killed when all is written but the record that makes it a corpus."""
    path, cache = write(tmp_path / "a.txt"), tmp_path / "cache"
    done = subprocess.run([sys.executable, "-c", KILLED, path, cache])
    assert done.returncode == -signal.SIGKILL
    assert list(cache.rglob("tokens.bin"))
    assert sentences(open_corpus([path], cache=cache)) == [
        line.split() for line in TEXT.split("\n") if line.split()
    ]


def test_a_corpus_that_fails_leaves_nothing(tmp_path):
    path, cache = write(tmp_path / "a.txt"), tmp_path / "cache"

    def fail(*_):
        raise MemoryError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FolderWriter, "finish", fail)
        with pytest.raises(MemoryError):
            open_corpus([path], cache=cache)
    assert list(cache.iterdir()) == []
    assert open_corpus([path], cache=cache).size == len(TEXT.split())


def test_where_tokens_cannot_be_kept(tmp_path):
    path, taken = write(tmp_path / "a.txt"), write(tmp_path / "file", "no folder")
    with raises(AndornotError, taken, "ANDORNOT_CACHE"):
        open_corpus([path], cache=taken)


def test_a_tokenizer_that_does_not_exist(tmp_path):
    with raises(UsageError, "'letters'", "whitespace", "words"):
        open_corpus([write(tmp_path / "a.txt")], tokenizer="letters")


@pytest.mark.parametrize(
    ("name", "dtype", "value"),
    [
        ("tokens", "<i4", 1_000_000_000),
        ("tokens", "<i4", -2),
        ("counts", "<f8", 99),
        ("word_offsets", "<i8", 1 << 40),
        ("words", "u1", 0xFF),
    ],
)
def test_what_is_kept_is_read_again_where_it_was_damaged(tmp_path, name, dtype, value):
    path = write(tmp_path / "a.txt")
    first = open_corpus([path], cache=tmp_path / "cache")
    words = sentences(first)
    damaged = np.memmap(first.path / f"{name}.bin", dtype=dtype, mode="r+")
    damaged[1] = value
    damaged.flush()
    with raises(FileError, first.path, "damaged"):
        load_corpus(first.path)
    with pytest.warns(AndornotWarning, match="again"):
        again = open_corpus([path], cache=tmp_path / "cache")
    assert sentences(again) == words
    assert sentences(load_corpus(first.path)) == words


@pytest.mark.parametrize("record", [None, "{"])
def test_what_is_kept_without_its_record_is_read_again(tmp_path, record):
    path = write(tmp_path / "a.txt")
    first = open_corpus([path], cache=tmp_path / "cache")
    words = sentences(first)
    (first.path / "record.json").unlink()
    if record is not None:
        (first.path / "record.json").write_text(record)
    with pytest.warns(AndornotWarning, match="again"):
        again = open_corpus([path], cache=tmp_path / "cache")
    assert sentences(again) == words
    assert sentences(load_corpus(first.path)) == words


def test_what_another_process_has_just_kept_is_not_removed(tmp_path, monkeypatch):
    """It replaces the damaged folder after this process has found it without a record."""
    path = write(tmp_path / "a.txt")
    first = open_corpus([path], cache=tmp_path / "cache")
    good = first.path.rename(tmp_path / "good")
    first.path.mkdir()
    temporary_path = corpus_module.temporary_path

    def late(folder):
        folder.rmdir()
        good.rename(folder)
        return temporary_path(folder)

    def never(*_, **__):
        raise AssertionError("tokenised again")

    monkeypatch.setattr(corpus_module, "temporary_path", late)
    monkeypatch.setattr(corpus_module, "tokenise", never)
    with pytest.warns(AndornotWarning, match="again"):
        again = open_corpus([path], cache=tmp_path / "cache")
    assert sentences(again) == sentences(load_corpus(first.path))
    assert [each.name for each in (tmp_path / "cache").iterdir()] == [first.path.name]


@pytest.mark.parametrize("kind", ["file", "link", "link to nothing"])
def test_what_is_no_folder_is_refused_before_the_text_is_read(tmp_path, monkeypatch, kind):
    path = write(tmp_path / "a.txt")
    kept = open_corpus([path], cache=tmp_path / "cache").path
    good = kept.rename(tmp_path / "good")
    kept.symlink_to(good)
    assert open_corpus([path], cache=tmp_path / "cache").path == kept  # a link to a valid folder
    kept.unlink()
    if kind == "file":
        kept.write_text("mine")
    else:
        kept.symlink_to(tmp_path / ("none" if kind == "link to nothing" else "a.txt"))

    def never(*_, **__):
        raise AssertionError("tokenised again")

    monkeypatch.setattr(corpus_module, "tokenise", never)
    with raises(FileError, kept, "not a folder", "remove it"):
        open_corpus([path], cache=tmp_path / "cache")
    assert os.path.lexists(kept)


def test_a_link_to_a_damaged_corpus_is_replaced(tmp_path):
    path = write(tmp_path / "a.txt")
    kept = open_corpus([path], cache=tmp_path / "cache").path
    linked = kept.rename(tmp_path / "linked")
    kept.symlink_to(linked)
    tokens = next(linked.glob("tokens*"))
    tokens.write_bytes(b"")
    with pytest.warns(AndornotWarning, match="again"):
        again = open_corpus([path], cache=tmp_path / "cache")
    assert sentences(again)
    assert [each.name for each in (tmp_path / "cache").iterdir()] == [kept.name]
    assert not kept.is_symlink()
    assert tokens.exists()  # the folder elsewhere is left


def test_a_kept_word_that_stands_twice_is_refused(tmp_path):
    write(tmp_path / "a.txt", "cc cc cc bb bb a\n")
    kept = open_corpus([tmp_path / "a.txt"], cache=tmp_path / "kept")
    words = np.memmap(kept.path / "words.bin", dtype="u1", mode="r+")
    words[2:4] = words[:2]
    words.flush()
    with raises(FileError, kept.path, "'cc'", "twice", "recreate"):
        load_corpus(kept.path)
