"""Token lists of Python as a corpus: read once, in bounded memory; and what is refused."""

import tracemalloc
from collections import Counter

import numpy as np
import pytest
from errors import raises
from hypothesis import given
from hypothesis import strategies as st
from slow_counting import slow_counts
from texts import corpus_of, random_lines, sentences
from watching import watching

from andornot.base.errors import FileError, UsageError
from andornot.cooccurrence import count
from andornot.corpus import open_corpus, token_lists
from andornot.training import Settings, train

LISTS = st.lists(st.lists(st.text(min_size=1, max_size=3), min_size=1), min_size=1, max_size=20)


@given(LISTS.filter(lambda lists: not any("\ud800" <= c <= "\udfff" for c in str(lists))))
def test_every_token_stays_as_it_is(tmp_path_factory, lists):
    """Whatever it holds: spaces, line ends, tabs. The order is that of files."""
    corpus = open_corpus(lists, cache=tmp_path_factory.getbasetemp() / "lists")
    assert sentences(corpus) == lists
    counts = Counter(token for tokens in lists for token in tokens)
    ordered = sorted(counts, key=lambda word: (-counts[word], word.encode()))
    assert corpus.vocabulary.words == tuple(ordered)
    assert corpus.vocabulary.counts.values.tolist() == [counts[word] for word in ordered]
    assert (corpus.size, corpus.lines) == (sum(map(len, lists)), len(lists))


def test_lists_and_the_same_text_in_a_file_are_counted_alike(tmp_path, monkeypatch):
    lines = [line for line in random_lines(5) if line]
    monkeypatch.setattr(token_lists, "_TOKENS_AT_A_TIME", 7)  # lists are cut between blocks
    given_lists = count(iter(lines), min_count=2, window=3)
    from_file = count(corpus_of(tmp_path, lines), min_count=2, window=3)
    assert given_lists.vocabulary.words == from_file.vocabulary.words
    assert (given_lists.matrix() != from_file.matrix()).nnz == 0
    expected = slow_counts(lines, given_lists.vocabulary.words, 3, "linear")
    assert np.allclose(given_lists.matrix().toarray(), expected)


def test_paths_are_taken_as_well(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("a b a\n" * 5)
    assert open_corpus(path).size == open_corpus(str(path)).size == 15
    assert count([path], min_count=1).total == count(path, min_count=1).total > 0
    assert train(path, Settings(dim=2, window=1), min_count=1, threads=1).words == ("a", "b")


def test_a_generator_is_read_once():
    read = []

    def texts():
        for line in random_lines(6):
            read.append(1)
            yield iter([*line, "end"])

    space = train(texts(), Settings(dim=4, epochs=2), min_count=2, threads=1)
    assert len(read) == 40
    assert space.provenance.settings["corpus"] == ["token lists"]


def test_memory_does_not_grow_with_the_text(tmp_path):
    words = [f"w{number}" for number in range(100)]
    peaks = []
    for lists in (1_000, 30_000):
        tracemalloc.start()
        open_corpus((words for _ in range(lists)), cache=tmp_path)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 3 * peaks[0] + 30e6  # blocks of a million numbers, not 30 times the text
    assert peaks[1] < 30_000 * 100 * 8  # what a list of all tokens would take


@pytest.mark.parametrize("make", [list, iter], ids=["with a length", "a generator"])
def test_progress_is_reported(make):
    seen = []
    with watching(seen.append):
        open_corpus(make([["a", "b"]] * 2500))
    assert len(seen) >= 3
    assert (max(seen) > 0) == (make is list)


@pytest.mark.parametrize(
    ("source", "named"),
    [
        (None, ["source", "None"]),
        (b"a b", ["source", "bytes"]),
        (7, ["source", "7 (int)"]),
        ({"a": ["b"]}, ["source", "dict"]),
        ([], ["source", "empty"]),
        ([["a"], []], ["source[1]", "empty token list", "leave it out"]),
        ([["a"], "the cat"], ["source[1]", "'the cat'", ".split()"]),
        ([["a"], b"the cat"], ["source[1]", "bytes"]),
        ([["a"], None], ["source[1]", "None"]),
        ([None, ["a"]], ["source[0]", "None"]),
        ([["a"], {"b": 1}], ["source[1]", "dict"]),
        ([["a", None]], ["source[0][1]", "None"]),
        ([["a"], ["a", b"b"]], ["source[1][1]", "b'b' (bytes)"]),
        ([["a"], ["a", 12]], ["source[1][1]", "12 (int)", "str()"]),
        ([["a", ["b"]]], ["source[0][1]", "list"]),
        ([["a", ""]], ["source[0][1]", "empty string"]),
        ([["a", "\ud800"]], ["source[0][1]", "Unicode"]),
        (["examples/nursery.txt", ["a"]], ["source[1]", "path"]),
    ],
    ids=repr,
)
@pytest.mark.parametrize("read", [open_corpus, count, train], ids=lambda read: read.__name__)
def test_what_is_no_token_list_is_named(read, source, named):
    with raises(UsageError, *named):
        read(source)


def test_texts_that_are_not_cut_into_tokens():
    for source in (["the cat sat", "the dog ran"], "the cat sat"):
        with raises(FileError, "the cat sat", "source[0]", ".split()"):
            train(source)


def test_ways_to_cut_a_text_are_not_for_lists():
    for option in ({"tokenizer": "words"}, {"separator": "\t"}, {"strict": True}):
        with raises(UsageError, *option):
            open_corpus([["a"]], **option)
