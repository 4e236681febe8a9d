"""Counts against brute force and GloVe's own; runs that are killed or get in each other's way."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from errors import assert_names, raises
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_counting import WEIGHT, in_small_chunks, slow_counts
from texts import corpus_of, random_lines
from watching import watching

from andornot import AndornotError, AndornotWarning, Vocabulary
from andornot.base.errors import FileError, UsageError
from andornot.base.folders import FolderWriter
from andornot.cooccurrence import count, load_counts, runs


@settings(max_examples=25)
@given(
    st.integers(0, 1000),
    st.sampled_from(sorted(WEIGHT)),
    st.integers(1, 12),
    st.integers(1, 4),
    st.sampled_from([1, 2, 3]),
    st.booleans(),
)
def test_counts_agree_with_brute_force(
    tmp_path_factory, seed, weights, window, min_count, threads, small
):
    folder = tmp_path_factory.mktemp("brute")
    lines = random_lines(seed, lines=20)
    corpus = corpus_of(folder, lines)
    with pytest.MonkeyPatch.context() as patch:
        if small:
            in_small_chunks(patch)
        counts = count(corpus, window=window, weights=weights, min_count=min_count, threads=threads)
    expected = slow_counts(lines, counts.vocabulary.words, window, weights)
    assert np.allclose(counts.matrix().toarray(), expected, rtol=1e-6, atol=0)
    assert np.allclose(counts.marginal, expected.sum(axis=1), rtol=1e-12)
    for i in range(len(counts.vocabulary)):  # sorted, no zeros, nothing twice
        row = counts.columns[counts.row_starts[i] : counts.row_starts[i + 1]]
        assert (np.diff(row) > 0).all()
    assert (counts.values > 0).all()


@pytest.mark.parametrize("weights", ["linear", "harmonic"])
def test_threads_and_memory_change_nothing_at_all(tmp_path, monkeypatch, weights):
    corpus = corpus_of(tmp_path, random_lines(1, lines=200, types=90))
    whole = count(corpus, min_count=1, weights=weights, threads=1)
    in_small_chunks(monkeypatch, chunk=300)
    for threads in (1, 2, 3):
        parts = count(corpus, min_count=1, weights=weights, threads=threads)
        assert np.array_equal(parts.columns, whole.columns)
        assert np.array_equal(parts.values, whole.values)
        assert np.array_equal(parts.marginal, whole.marginal)


def test_one_endless_line_has_no_bounds_and_lines_do(tmp_path):
    one = corpus_of(tmp_path, [["a", "b", "c"]])
    assert count(one, min_count=1, window=1).pairs == 4
    (tmp_path / "two").mkdir()
    two = corpus_of(tmp_path / "two", [["a", "b"], ["c"]])
    assert count(two, min_count=1, window=1).pairs == 2


def test_an_imposed_vocabulary_keeps_its_order_and_its_unseen_words(tmp_path):
    lines = random_lines(2)
    corpus = corpus_of(tmp_path, lines)
    with pytest.warns(AndornotWarning, match="1 of the 3 words of the vocabulary never occurs in"):
        counts = count(corpus, vocabulary=Vocabulary(["w3", "unseen", "w1"]))
    expected = slow_counts(lines, ["w3", "unseen", "w1"], 5, "linear")
    assert np.allclose(counts.matrix().toarray(), expected)
    seen = sum(line.count("w3") for line in lines)
    assert counts.vocabulary.counts.values.tolist()[:2] == [seen, 0]


def test_a_corpus_in_which_no_words_meet(tmp_path):
    corpus = corpus_of(tmp_path, [["a"], ["b"]])
    with raises(AndornotError, "no two words"):
        count(corpus, min_count=1, output=tmp_path / "counts")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "text.txt"]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"window": 0}, ["window", 0, 1]),
        ({"weights": "round"}, ["'round'", "flat", "linear", "harmonic"]),
        ({"sample": 0.0}, ["sample", 0.0, 1]),
        ({"sample": -1.0}, ["sample", -1.0]),
        ({"memory": 1000}, ["1,000", "raise memory"]),
        ({"min_count": 0}, ["min_count", 0, 1]),
    ],
    ids=str,
)
def test_settings_that_make_no_sense(tmp_path, options, named):
    corpus = corpus_of(tmp_path, random_lines(3))
    with raises(UsageError, *named):
        count(corpus, **({"min_count": 1} | options))


def test_a_vocabulary_that_would_be_empty(tmp_path):
    corpus = corpus_of(tmp_path, random_lines(3))
    with raises(AndornotError, "1,000,000", "'w1'", "min_count"):
        count(corpus, min_count=10**6)
    with raises(AndornotError, "1 words", "another corpus"):
        count(corpus, vocabulary=Vocabulary(["elsewhere"]))


def test_what_appears_during_the_run_is_not_replaced(tmp_path):
    corpus = corpus_of(tmp_path, random_lines(3))
    output = tmp_path / "counts"

    def meanwhile(done):
        output.mkdir(exist_ok=True)
        (output / "thesis.txt").write_text("precious")

    with raises(AndornotError, output, tmp_path / ".counts.parts"), watching(meanwhile):
        count(corpus, min_count=1, output=output)
    assert (output / "thesis.txt").read_text() == "precious"


def test_two_runs_on_one_output(tmp_path):
    corpus = corpus_of(tmp_path, random_lines(3))
    output = tmp_path / "counts"
    refused = []

    def meanwhile(done):
        if not refused:
            with raises(FileError, "another andornot process", "wait") as caught:
                count(corpus, min_count=1, window=2, output=output)
            refused.append(caught.value.path)

    with watching(meanwhile):
        count(corpus, min_count=1, window=4, output=output)
    assert refused == [output]
    assert load_counts(output).settings["window"] == 4


CHUNK = 500  # tokens: the text below has five, and the folders finished are stream, runs, counts
STOPS = pytest.mark.parametrize("folder", [3, 7], ids=["at the second run", "at the counts"])
KILLED = f"""
import os, signal, sys
from pathlib import Path
from andornot.base.folders import FolderWriter
from andornot.cooccurrence import count, runs
from andornot.corpus import open_corpus
runs._LONGEST_CHUNK, runs._SHORTEST_CHUNK = {CHUNK}, 1
path, folders, finish = Path(sys.argv[1]), [], FolderWriter.finish
corpus = open_corpus([path / "text.txt"], cache=path / "cache")
def finish_or_die(*arguments):
    folders.append(arguments)
    if len(folders) == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
    finish(*arguments)
FolderWriter.finish = finish_or_die
count(corpus, min_count=1, output=path / "counts")
"""


@pytest.fixture
def interrupted(tmp_path, monkeypatch):
    """A text that is counted in five chunks; `check` that an interrupted count of it goes on."""
    corpus = corpus_of(tmp_path, random_lines(4, lines=200, types=100))
    fresh = count(corpus, min_count=1)
    monkeypatch.setattr(runs, "_LONGEST_CHUNK", CHUNK)
    monkeypatch.setattr(runs, "_SHORTEST_CHUNK", 1)
    output, counted, count_chunk = tmp_path / "counts", [], runs.Job._count_chunk

    def watched(job, tokens, start, *rest):
        counted.append(start // CHUNK)
        return count_chunk(job, tokens, start, *rest)

    def check(folder):
        assert not output.exists()
        records = sorted((tmp_path / ".counts.parts").glob("*/part/run-*/record.json"))
        assert len(records) == folder - 2
        monkeypatch.setattr(runs.Job, "_count_chunk", watched)
        resumed = count(corpus, min_count=1, output=output)
        assert counted == list(range(len(records), 5))  # a run that is there is not counted again
        assert np.array_equal(resumed.columns, fresh.columns)
        assert np.array_equal(resumed.values, fresh.values)
        assert not (tmp_path / ".counts.parts").exists()

    return corpus, output, check


@pytest.mark.slow
@STOPS
def test_a_killed_run_goes_on_where_it_stopped(folder, interrupted, tmp_path):
    _, _, check = interrupted
    done = subprocess.run([sys.executable, "-c", KILLED, tmp_path, str(folder)])
    assert done.returncode == -signal.SIGKILL
    check(folder)


@STOPS
def test_a_run_that_fails_goes_on_where_it_stopped(folder, interrupted):
    corpus, output, check = interrupted
    folders, finish = [], FolderWriter.finish

    def finish_or_fail(*arguments):
        folders.append(arguments)
        if len(folders) == folder:
            raise MemoryError
        finish(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FolderWriter, "finish", finish_or_fail)
        with pytest.raises(MemoryError):
            count(corpus, min_count=1, output=output)
    check(folder)


@pytest.mark.parametrize("array", ["stream/tokens", "run-00001/columns", "run-00001/lengths"])
def test_parts_that_were_damaged_are_counted_again(array, interrupted, tmp_path):
    corpus, output, _ = interrupted
    folders, finish = [], FolderWriter.finish

    def finish_or_fail(*arguments):
        folders.append(arguments)
        if len(folders) == 5:
            raise MemoryError
        finish(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FolderWriter, "finish", finish_or_fail)
        with pytest.raises(MemoryError):
            count(corpus, min_count=1, output=output)
    (path,) = (tmp_path / ".counts.parts").glob(f"*/part/{array}.bin")
    damaged = np.memmap(path, dtype="<i8" if path.stem == "lengths" else "<i4", mode="r+")
    damaged[2] = 1_000_000
    damaged.flush()
    resumed = count(corpus, min_count=1, output=output)
    fresh = count(corpus, min_count=1)
    assert np.array_equal(resumed.columns, fresh.columns)
    assert np.array_equal(resumed.values, fresh.values)


@pytest.mark.parametrize("is_kept", [True, False])
@pytest.mark.parametrize(
    "name", ["cache/tokens", "stream/tokens", "run-00001/lengths", "run-00001/columns"]
)
def test_a_file_that_is_cut_off_during_a_count_is_named(name, is_kept, interrupted, monkeypatch):
    """Half of its values are gone when the next part of any file is read."""
    corpus, output, _ = interrupted
    folder, _, array = name.rpartition("/")
    read, cut_off = runs._read, []

    def read_rest(path, *span):
        home = corpus.path if folder == "cache" else path.parent.with_name(folder)
        file = home / f"{array}.bin"
        if file.exists() and not cut_off:
            cut_off.append(file)
            os.truncate(file, file.stat().st_size // 8 * 4)
        return read(path, *span)

    monkeypatch.setattr(runs, "_read", read_rest)
    with pytest.raises(AndornotError) as caught:
        count(corpus, min_count=1, output=output if is_kept else None)
    assert_names(str(caught.value), cut_off[0], "again")
    assert not output.exists()


GLOVE = os.environ.get("ANDORNOT_GLOVE")


if GLOVE:

    def test_the_counts_are_those_of_gloves_cooccur(tmp_path):
        """Set ANDORNOT_GLOVE to the folder of GloVe's binaries to run this."""
        corpus = corpus_of(tmp_path, random_lines(9, lines=300, types=400))
        text, vocab = tmp_path / "text.txt", tmp_path / "vocab.txt"
        text.write_text(text.read_text() + "\n")

        def run(name, *options):
            command = [Path(GLOVE) / name, *options, "-verbose", "0"]
            with text.open() as source:
                return subprocess.run(command, stdin=source, capture_output=True, check=True).stdout

        vocab.write_bytes(run("vocab_count", "-min-count", "3"))
        # With an empty overflow file cooccur counts its first pair twice: a small product fills it.
        places = ["-overflow-file", tmp_path / "overflow", "-max-product", "40"]
        records = run("cooccur", "-vocab-file", vocab, "-window-size", "6", *places)
        triples = np.frombuffer(records, dtype=[("w", "<i4"), ("c", "<i4"), ("x", "<f8")])
        vocabulary = Vocabulary.read(vocab)
        theirs = np.zeros((len(vocabulary), len(vocabulary)))
        theirs[triples["w"] - 1, triples["c"] - 1] = triples["x"]
        ours = count(corpus, vocabulary=vocabulary, window=6, weights="harmonic")
        assert np.allclose(ours.matrix().toarray(), theirs, rtol=1e-6)


@pytest.mark.parametrize("words", [2, 50_000, 3_000_000])
@pytest.mark.parametrize("threads", [1, 8])
def test_the_least_memory_that_the_error_names_is_enough_and_little_less_is_not(words, threads):
    with pytest.raises(UsageError) as failure:
        runs.plan_memory(1, words, threads)
    least = int(re.search("at least ([0-9,]+) bytes", str(failure.value))[1].replace(",", ""))
    assert runs.plan_memory(least, words, threads).threads == threads
    with raises(UsageError, f"{least:,}"):
        runs.plan_memory(int(0.999 * least), words, threads)
