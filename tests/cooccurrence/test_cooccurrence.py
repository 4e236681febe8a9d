"""Counts and PMI against brute force, enumeration, and formulas written out."""

import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from andornot import AndornotError, AndornotWarning, Provenance, Space, Vocabulary
from andornot.base.errors import FileError
from andornot.cooccurrence import count, load_counts, runs
from andornot.cooccurrence.pmi import (
    error_terms_of_counts,
    error_terms_of_space,
    largest_pmi,
    model_pmi,
    pmi_blocks,
)
from andornot.cooccurrence.windows import keep_probabilities
from andornot.corpus import open_corpus
from andornot.words.counts import Counts, CountsOrigin

WEIGHT = {
    "flat": lambda t, window: 1,
    "linear": lambda t, window: (window + 1 - t) / window,
    "harmonic": lambda t, window: 1 / t,
}


def slow_counts(lines, words, window, weights):
    """Every pair of positions of every line, after the unknown words are gone."""
    matrix = np.zeros((len(words), len(words)))
    index = {word: i for i, word in enumerate(words)}
    for line in lines:
        known = [index[word] for word in line if word in index]
        for i, j in itertools.permutations(range(len(known)), 2):
            if abs(i - j) <= window:
                matrix[known[i], known[j]] += WEIGHT[weights](abs(i - j), window)
    return matrix


def corpus_of(folder, lines):
    path = folder / "text.txt"
    path.write_text("\n".join(" ".join(line) for line in lines))
    return open_corpus([path], cache=folder / "cache")


def random_lines(seed, lines=40, types=12, length=25):
    rng = np.random.default_rng(seed)
    draws = rng.zipf(1.5, size=(lines, length)) % types
    return [[f"w{n}" for n in line[: rng.integers(0, length)]] for line in draws]


def in_small_chunks(patch, chunk=64, entries=40):
    """Make the plan cut even a small corpus into many chunks and blocks."""
    patch.setattr(runs, "_LONGEST_CHUNK", chunk)
    patch.setattr(runs, "_SHORTEST_CHUNK", 1)
    patch.setattr(runs, "_TOKENS_AT_A_TIME", 7)  # of the stream: some parts begin with an end
    patch.setattr(runs, "MOST_RUNS", 3)  # merged at once: so there are several levels
    real = runs.plan_memory
    patch.setattr(
        "andornot.cooccurrence.counting.plan_memory",
        lambda memory, words, threads: real(memory, words, threads)._replace(
            entries=max(entries, words)
        ),
    )


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


def expected_by_enumeration(lines, words, keep, window, weights):
    """The expectation over every way of dropping words, one by one."""
    matrix = np.zeros((len(words), len(words)))
    index = {word: i for i, word in enumerate(words)}
    for line in lines:
        ids = [index[word] for word in line]
        for kept in itertools.product([False, True], repeat=len(ids)):
            chance = np.prod(
                [keep[i] if k else 1 - keep[i] for i, k in zip(ids, kept, strict=True)]
            )
            left = [[words[i] for i, k in zip(ids, kept, strict=True) if k]]
            matrix += chance * slow_counts(left, words, window, weights)
    return matrix


@pytest.mark.parametrize("weights", sorted(WEIGHT))
def test_subsampling_gives_the_exact_expectation(tmp_path, weights):
    lines = [["a", "b", "a", "c", "a", "d", "b", "a", "e"], ["a", "a", "b", "c", "d"]]
    corpus = corpus_of(tmp_path, lines)
    counts = count(corpus, min_count=1, window=3, weights=weights, sample=0.1)
    words = counts.vocabulary.words
    keep = keep_probabilities(counts.vocabulary.counts.values, 0.1)
    assert keep.min() < 0.8
    expected = expected_by_enumeration(lines, words, keep, 3, weights)
    assert np.allclose(counts.matrix().toarray(), expected, rtol=1e-6)


def test_subsampling_reaches_as_far_as_it_must(tmp_path, monkeypatch):
    rng = np.random.default_rng(2)
    corpus = corpus_of(tmp_path, [[f"w{n}" for n in rng.integers(0, 20, size=4000)]])
    counts = count(corpus, min_count=1, sample=2e-5)
    monkeypatch.setattr("andornot.cooccurrence.counting.reach_of", lambda *_: 4000)
    unbounded = count(corpus, min_count=1, sample=2e-5)
    assert np.allclose(counts.marginal, unbounded.marginal, rtol=1e-6)
    monkeypatch.undo()
    with pytest.raises(AndornotError, match=r"keeps .* of all words, too few"):
        count(corpus, min_count=1, sample=1e-50)


def test_a_corpus_in_which_no_words_meet(tmp_path):
    corpus = corpus_of(tmp_path, [["a"], ["b"]])
    with pytest.raises(AndornotError, match="no two words of the vocabulary ever stand near"):
        count(corpus, min_count=1, output=tmp_path / "counts")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "text.txt"]


def test_subsampling_does_not_depend_on_chunks(tmp_path, monkeypatch):
    corpus = corpus_of(tmp_path, random_lines(5, lines=100, types=30))
    whole = count(corpus, min_count=1, sample=1e-2)
    in_small_chunks(monkeypatch)
    parts = count(corpus, min_count=1, sample=1e-2)
    assert np.array_equal(parts.columns, whole.columns)
    assert np.allclose(parts.values, whole.values, rtol=1e-6)


def test_keep_probabilities_are_word2vecs():
    counts = np.array([1000.0, 30, 1])
    sample = 1e-2
    threshold = sample * counts.sum()
    from_c = (np.sqrt(counts / threshold) + 1) * threshold / counts
    assert np.allclose(keep_probabilities(counts, sample), np.minimum(1, from_c))


# --- folders -----------------------------------------------------------------------------------


def test_saved_counts_are_mapped_and_carry_their_settings(tmp_path):
    corpus = corpus_of(tmp_path, random_lines(3))
    output = tmp_path / "counts"
    counts = count(corpus, min_count=1, window=4, weights="flat", output=output)
    in_memory = count(corpus, min_count=1, window=4, weights="flat")
    again = load_counts(output)
    for name in ("columns", "values", "marginal", "row_starts"):
        assert np.array_equal(getattr(again, name), getattr(in_memory, name)), name
    assert isinstance(counts.columns, np.memmap)
    assert again.settings["window"] == 4
    assert again.settings["weights"] == "flat"
    assert again.vocabulary.words == in_memory.vocabulary.words
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cache", "counts", "text.txt"]
    in_memory.save(tmp_path / "saved")
    assert np.array_equal(load_counts(tmp_path / "saved").values, again.values)


def test_existing_counts_are_replaced_only_when_told(tmp_path):
    corpus = corpus_of(tmp_path, random_lines(3))
    output = tmp_path / "counts"
    count(corpus, min_count=1, window=4, output=output)
    with pytest.raises(FileError, match="it exists already"):
        count(corpus, min_count=1, window=2, output=output)
    assert load_counts(output).settings["window"] == 4
    count(corpus, min_count=1, window=2, output=output, force=True)
    assert load_counts(output).settings["window"] == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cache", "counts", "text.txt"]


def test_folders_that_are_not_counts_are_never_touched(tmp_path):
    corpus = corpus_of(tmp_path, random_lines(3))
    mine = tmp_path / "mine"
    for name in ("mine", ".mine.old", ".mine.new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "thesis.txt").write_text("precious")
    counts = count(corpus, min_count=1)
    for write in (
        lambda: count(corpus, min_count=1, output=mine, force=True),
        lambda: counts.save(mine, force=True),
        lambda: load_counts(mine),
    ):
        with pytest.raises(FileError):
            write()
    for name in ("mine", ".mine.old", ".mine.new"):
        assert (tmp_path / name / "thesis.txt").read_text() == "precious"
    counts.save(tmp_path / "saved")
    with pytest.raises(FileError, match="it exists already"):
        counts.save(tmp_path / "saved")


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


def test_a_link_leads_to_its_target(tmp_path):
    corpus = corpus_of(tmp_path, random_lines(3))
    (tmp_path / "link").symlink_to(tmp_path / "real")
    count(corpus, min_count=1, output=tmp_path / "link")
    count(corpus, min_count=1, output=tmp_path / "link", force=True)
    assert (tmp_path / "link").is_symlink()
    assert load_counts(tmp_path / "real").pairs == load_counts(tmp_path / "link").pairs


def test_a_reader_never_takes_a_complete_folder_from_its_writer(tmp_path):
    corpus = corpus_of(tmp_path, random_lines(3))
    output, ready = tmp_path / "counts", tmp_path / ".counts.new"
    count(corpus, min_count=1, window=4, output=output)
    count(corpus, min_count=1, window=2, output=tmp_path / "next")
    (tmp_path / "next").rename(ready)  # complete, and about to be moved in
    assert load_counts(output).settings["window"] == 4
    assert ready.exists()


@pytest.mark.parametrize("moment", ["before the new one moved in", "before the old one went"])
def test_an_interrupted_replacement_is_finished_when_opened(tmp_path, moment):
    corpus = corpus_of(tmp_path, random_lines(3))
    old, new = tmp_path / "old", tmp_path / "new"
    count(corpus, min_count=1, window=4, output=old)
    count(corpus, min_count=1, window=2, output=new)
    aside, ready = tmp_path / ".counts.old", tmp_path / ".counts.new"
    old.rename(aside)
    new.rename(ready if moment == "before the new one moved in" else tmp_path / "counts")
    assert load_counts(tmp_path / "counts").settings["window"] == 2
    assert not aside.exists()
    assert not ready.exists()


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


def test_folders_that_are_damaged(tmp_path):
    corpus = corpus_of(tmp_path, random_lines(3))
    output = tmp_path / "counts"

    def fresh():
        shutil.rmtree(output, ignore_errors=True)
        count(corpus, min_count=1, output=output)

    def change(name, edit):
        path = output / name
        path.write_bytes(edit(path.read_bytes()))

    for name, edit, problem in [
        ("record.json", lambda data: data[:20], "it is not JSON"),
        ("record.json", lambda data: b"[]", "it is no record of arrays"),
        (
            "record.json",
            lambda data: data.replace(b"andornot counts", b"other"),
            "no co-occurrence",
        ),
        ("columns.bin", lambda data: data[:-4], "are not what the record says"),
        ("values.bin", lambda data: data + b"1234", "are not what the record says"),
    ]:
        fresh()
        change(name, edit)
        with pytest.raises(FileError, match=problem):
            load_counts(output)
    fresh()
    (output / "marginal.bin").unlink()
    with pytest.raises(FileError, match="no such file"):
        load_counts(output)
    with pytest.raises(FileError, match="no such file"):
        load_counts(tmp_path / "nowhere")


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


# --- GloVe's own program -------------------------------------------------------------------------

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


# --- PMI -----------------------------------------------------------------------------------------


@pytest.fixture
def counts(tmp_path):
    return count(corpus_of(tmp_path, random_lines(6, lines=80, types=30)), min_count=1)


def test_pmi_is_its_definition(counts):
    joint = counts.matrix().toarray().astype(np.float64)
    p = joint.sum(axis=1) / joint.sum()
    seen = 0
    for block in pmi_blocks(counts, pairs=50):
        expected = np.log(
            joint[block.rows, block.columns] / joint.sum() / p[block.rows] / p[block.columns]
        )
        assert np.allclose(block.pmi, expected, atol=1e-6)
        seen += len(block.pmi)
    assert seen == counts.pairs == np.count_nonzero(joint)
    with np.errstate(divide="ignore"):
        table = np.log(joint / joint.sum() / np.outer(p, p))
    assert largest_pmi(counts) == pytest.approx(np.abs(table[joint > 0]).max(), abs=1e-6)


@pytest.mark.parametrize("alpha", [0.01, 1.0, 30.0])
def test_error_terms_of_counts_are_kl_divergences(counts, alpha):
    joint = counts.matrix().toarray().astype(np.float64) + alpha
    joint /= joint.sum()
    p = joint.sum(axis=1)
    given_word = joint / p[:, None]
    expected = (p * np.log(p / given_word)).sum(axis=1)  # KL(p || p(.|w))
    terms = error_terms_of_counts(counts, alpha)
    assert np.allclose(terms.of_words, expected, rtol=1e-6)
    assert np.allclose(terms.of_contexts, expected, rtol=1e-6)
    assert terms.mean == pytest.approx(p @ expected, rel=1e-6)
    assert (terms.of_words > 0).all()


def test_error_terms_need_an_added_count(counts):
    with pytest.raises(AndornotError, match="above 0"):
        error_terms_of_counts(counts, 0)


def planted(model: str) -> tuple[Space, np.ndarray]:
    """A space whose factorisation is exact for a known joint table, and the PMI of that table."""
    rng = np.random.default_rng(8)
    size, dim = 30, 4
    p = rng.dirichlet(np.ones(size))
    scores = 0.3 * rng.normal(size=(size, dim)) @ rng.normal(size=(dim, size))
    joint = np.outer(p, p) * np.exp(scores)
    for _ in range(500):  # to a table with the marginals p, by scaling rows and columns
        joint *= (p / joint.sum(axis=1))[:, None]
        joint *= p / joint.sum(axis=0)
    pmi = np.log(joint / np.outer(p, p))
    counts = Counts(p * 1e9, CountsOrigin.TRAINING)
    words = Vocabulary([f"w{i}" for i in range(size)], counts)
    if model == "sgns":
        k, q = 7, p**0.75 / (p**0.75).sum()
        logits = pmi - np.log(q / p) - np.log(k)
        record = Provenance("planted", model="sgns", negatives=k, negative_exponent=0.75)
        biases = {}
    else:
        a, b = rng.normal(size=size), rng.normal(size=size)
        logits = np.log(joint * 1e9) - a[:, None] - b
        record = Provenance("planted", model="glove")
        biases = {"target_bias": a, "context_bias": b}
    u, s, vt = np.linalg.svd(logits)
    target, context = u * np.sqrt(s), vt.T * np.sqrt(s)
    return Space(words, target, context=context, provenance=record, **biases), pmi


@pytest.mark.parametrize("model", ["sgns", "glove"])
def test_theorem_1_on_a_planted_factorisation(model):
    space, pmi = planted(model)
    p = space.probability
    rest = model_pmi(space)
    own = space.target @ space.context.T + rest.of_words[:, None] + rest.of_contexts + rest.constant
    assert np.allclose(own, pmi, atol=1e-4)  # float32
    terms = error_terms_of_space(space)
    joint = np.outer(p, p) * np.exp(pmi)
    assert np.allclose(
        terms.of_words, (p * np.log(p / (joint / p[:, None]))).sum(axis=1), atol=1e-4
    )
    v, u = space.target - p @ space.target, space.context - p @ space.context
    identity = v @ u.T + terms.mean - terms.of_words[:, None] - terms.of_contexts
    assert np.allclose(identity, pmi, atol=1e-4)
    if model == "glove":
        assert model_pmi(space, np.log(1e9)).constant == pytest.approx(-np.log(1e9))
        assert rest.constant == pytest.approx(-np.log(1e9), abs=1e-3)


def test_spaces_whose_pmi_cannot_be_known(full_space):
    bare = Space(full_space.vocabulary, full_space.target)
    with pytest.raises(AndornotError, match="needs context vectors"):
        model_pmi(bare)
    unknown = Space(full_space.vocabulary, full_space.target, context=full_space.context)
    with pytest.raises(AndornotError, match="neither biases nor a number of negatives"):
        model_pmi(unknown)
    zero = full_space.with_counts({"the": 1})
    with pytest.raises(AndornotError, match="has the count 0"):
        model_pmi(zero)
