"""Counts against brute force and GloVe's own; runs that are killed or get in each other's way."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_counting import WEIGHT, in_small_chunks, slow_counts
from texts import corpus_of, random_lines

from andornot import AndornotError, AndornotWarning, Vocabulary
from andornot.base.errors import FileError
from andornot.cooccurrence import count, load_counts


@settings(max_examples=40)
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
    lines = random_lines(seed)
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
    with pytest.warns(AndornotWarning, match="1 of the 3 words of the vocabulary never come"):
        counts = count(corpus, vocabulary=Vocabulary(["w3", "unseen", "w1"]))
    expected = slow_counts(lines, ["w3", "unseen", "w1"], 5, "linear")
    assert np.allclose(counts.matrix().toarray(), expected)
    seen = sum(line.count("w3") for line in lines)
    assert counts.vocabulary.counts.values.tolist()[:2] == [seen, 0]


def test_a_corpus_in_which_no_words_meet(tmp_path):
    corpus = corpus_of(tmp_path, [["a"], ["b"]])
    with pytest.raises(AndornotError, match="no two words of the vocabulary ever stand near"):
        count(corpus, min_count=1, output=tmp_path / "counts")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "text.txt"]


def test_settings_that_make_no_sense(tmp_path):
    corpus = corpus_of(tmp_path, random_lines(3))
    for options, problem in [
        ({"window": 0}, "a window of 0 words"),
        ({"weights": "round"}, "unknown weights 'round'"),
        ({"sample": 0.0}, "a sampling threshold of 0.0"),
        ({"sample": -1.0}, "a sampling threshold"),
        ({"memory": 1000}, "bytes are too few"),
        ({"min_count": 10**6}, "lower the minimal count"),
        ({"vocabulary": Vocabulary(["elsewhere"])}, "belongs to another corpus"),
    ]:
        with pytest.raises(AndornotError, match=problem):
            count(corpus, **({"min_count": 1} | options))


def test_what_appears_during_the_run_is_not_replaced(tmp_path):
    corpus = corpus_of(tmp_path, random_lines(3))
    output = tmp_path / "counts"

    def meanwhile(done):
        output.mkdir(exist_ok=True)
        (output / "thesis.txt").write_text("precious")

    with pytest.raises(AndornotError, match="something else stands there by now"):
        count(corpus, min_count=1, output=output, progress=meanwhile)
    assert (output / "thesis.txt").read_text() == "precious"


def test_two_runs_on_one_output(tmp_path):
    corpus = corpus_of(tmp_path, random_lines(3))
    output = tmp_path / "counts"
    refused = []

    def meanwhile(done):
        if not refused:
            with pytest.raises(FileError, match="another run is at work there") as caught:
                count(corpus, min_count=1, window=2, output=output)
            refused.append(caught.value)

    count(corpus, min_count=1, window=4, output=output, progress=meanwhile)
    assert refused
    assert load_counts(output).settings["window"] == 4


KILLED = """
import os, signal, sys
from pathlib import Path
from andornot.cooccurrence import count, counting, runs
from andornot.corpus import open_corpus
runs._LONGEST_CHUNK, runs._SHORTEST_CHUNK = 5000, 1
folder, stop = Path(sys.argv[1]), float(sys.argv[2])
corpus = open_corpus([folder / "text.txt"], cache=folder / "cache")
kill = lambda done: done > stop and os.kill(os.getpid(), signal.SIGKILL)
count(corpus, min_count=1, output=folder / "counts", progress=kill)
"""


@pytest.mark.parametrize("stop", [0.4, 0.9])
def test_a_killed_run_goes_on_where_it_stopped(tmp_path, stop):
    corpus = corpus_of(tmp_path, random_lines(4, lines=1000, types=300))
    done = subprocess.run([sys.executable, "-c", KILLED, tmp_path, str(stop)])
    assert done.returncode == -9
    assert not (tmp_path / "counts").exists()
    parts = list((tmp_path / ".counts.parts").glob("*/run-*"))
    finished = {path: path.stat().st_mtime_ns for path in parts if (path / "record.json").exists()}
    assert finished
    # a run that is there is not counted again: break the counting of its chunk to prove it
    guard = (
        "real = runs.Job._count_chunk\n"
        "def once(self, tokens, start, *rest):\n"
        f"    assert start >= {len(finished)} * 5000, start\n"
        "    return real(self, tokens, start, *rest)\n"
        "runs.Job._count_chunk = once\n"
    )
    script = KILLED.replace("corpus = open", guard + "corpus = open")
    subprocess.run([sys.executable, "-c", script, tmp_path, "2"], check=True)
    resumed = load_counts(tmp_path / "counts")
    fresh = count(corpus, min_count=1)
    assert np.array_equal(resumed.columns, fresh.columns)
    assert np.array_equal(resumed.values, fresh.values)
    assert not (tmp_path / ".counts.parts").exists()


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
