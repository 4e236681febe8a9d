"""A corpus: its tokens, its vocabulary, and what is kept of it."""

import os
import subprocess
import sys
from collections import Counter

import pytest
from texts import TEXT, sentences, write

from andornot import AndornotError, Vocabulary
from andornot.base.errors import FileError
from andornot.corpus import corpus as corpus_module
from andornot.corpus import open_corpus


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

    def never(*_):
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
    with pytest.raises(AndornotError, match=r"no word comes 9 times.*'c', comes 3 times"):
        corpus.choose(9)
    with pytest.raises(AndornotError, match="at least 1"):
        corpus.choose(0)


def test_a_saved_vocabulary_is_imposed(tmp_path):
    corpus = open_corpus([write(tmp_path / "a.txt", "c c c b b a d d\n")])
    write(tmp_path / "vocab.txt", "a 10\nc 5\nunseen 1\n")
    vocabulary = Vocabulary.read(tmp_path / "vocab.txt")
    numbers = dict(zip(corpus.vocabulary.words, corpus.numbers_in(vocabulary), strict=True))
    assert numbers == {"a": 0, "c": 1, "b": -2, "d": -2}
    with pytest.raises(AndornotError, match="not one of the 1 words"):
        corpus.numbers_in(Vocabulary(["elsewhere"]))
    write(tmp_path / "vocab.txt", "a 10\na 5\n")
    with pytest.raises(FileError, match="'a' stands twice"):
        Vocabulary.read(tmp_path / "vocab.txt")


def test_a_process_that_dies_leaves_no_corpus(tmp_path):
    path = write(tmp_path / "a.txt", "word " * 2_000_000)
    code = (
        "import os, signal, sys\n"
        "from andornot.corpus import open_corpus\n"
        "kill = lambda done: done > 0.3 and os.kill(os.getpid(), signal.SIGKILL)\n"
        "open_corpus([sys.argv[1]], progress=kill)"
    )
    environment = os.environ | {"ANDORNOT_CACHE": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", code, path], env=environment)
    assert done.returncode == -9
    assert open_corpus([path], cache=tmp_path / "cache" / "corpora").size == 2_000_000
