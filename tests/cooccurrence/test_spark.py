"""Counting on a real cluster of Spark: the counts of one machine, bit by bit."""

import gzip
import lzma
import threading
import time

import numpy as np
import pytest
from clusters import kill
from errors import assert_names, raises
from texts import random_lines

from andornot import AndornotError, AndornotWarning, Vocabulary
from andornot.base.errors import FileError
from andornot.base.progress import reporting
from andornot.cooccurrence import count, load_counts
from andornot.corpus import open_corpus
from andornot.corpus.edits import merge_phrases
from andornot.datasets.locating import find

pytestmark = pytest.mark.slow
pytest.importorskip("pyspark", reason="needs the extra spark")

from andornot.cooccurrence.spark.engine import count_on_spark  # noqa: E402

PARTITION_BYTES = "spark.sql.files.maxPartitionBytes"


def assert_same(found, expected):
    """Expect the same words and counts, bit by bit."""
    assert found.vocabulary.words == expected.vocabulary.words
    assert np.array_equal(found.vocabulary.counts.values, expected.vocabulary.counts.values)
    for name in ("row_starts", "columns", "values", "marginal"):
        mine, others = getattr(found, name), getattr(expected, name)
        assert mine.dtype == others.dtype, name
        assert np.array_equal(mine, others), name


@pytest.fixture
def small_splits(spark):
    """Parts of the text of about this many bytes, each a task of its own."""
    names = {PARTITION_BYTES: None, "spark.sql.files.openCostInBytes": "1"}
    before = {name: spark.conf.get(name) for name in names}

    def split(size):
        for name, value in names.items():
            spark.conf.set(name, value or str(size))

    yield split
    for name, value in before.items():
        spark.conf.set(name, value)


@pytest.fixture(scope="module")
def natural(tmp_path_factory):
    """The first 2M tokens of a natural text, a thousand on each line, and their local counts."""
    folder = tmp_path_factory.mktemp("natural")
    source = find("text8-prefix")
    if source is None:
        pytest.skip("needs the dataset text8-prefix")
    with lzma.open(source) as file:
        tokens = file.read(13_000_000).split()[:2_000_000]
    lines = [b" ".join(tokens[i : i + 1000]) for i in range(0, len(tokens), 1000)]
    path = folder / "text.txt"
    path.write_bytes(b"\n".join(lines) + b"\n")
    corpus = open_corpus([path], cache=folder / "cache")
    return path, count(corpus, min_count=20)


@pytest.mark.parametrize("parts", [1, 3, 17])
def test_any_number_of_tasks_gives_the_counts_of_one_machine(
    tmp_path, spark, small_splits, natural, parts
):
    path, expected = natural
    small_splits(path.stat().st_size // parts + 1)
    output = tmp_path / "counts"
    done = count_on_spark([path], output, spark, min_count=20, partitions=parts)
    found = load_counts(output)
    assert_same(found, expected)
    assert (done.pairs, done.tokens) == (expected.pairs, 2_000_000)
    assert len(list(output.glob("pairs-*/*.parquet"))) == parts
    assert sum(len(rows.columns) for rows in found.blocks(pairs=100_000)) == expected.pairs


def test_a_worker_that_is_killed_costs_a_retry(tmp_path, spark, cluster, small_splits, natural):
    path, expected = natural
    small_splits(path.stat().st_size // 17 + 1)
    tracker = spark.sparkContext.statusTracker()
    reports = []

    def kill_in_the_middle():
        while not is_done.is_set():
            if reports and reports[-1][0] == "counting pairs" and 0 < reports[-1][1] < 0.5:
                kill(cluster.workers[0])
                killed.append(time.monotonic())
                return
            time.sleep(0.02)

    killed, is_done = [], threading.Event()
    thread = threading.Thread(target=kill_in_the_middle)
    thread.start()
    try:
        with reporting(lambda *stage: Recorder(stage[0], reports)):
            count_on_spark([path], tmp_path / "counts", spark, min_count=20, partitions=5)
    finally:
        is_done.set()
        thread.join()
        cluster.add_worker()
    assert killed
    assert tracker.getActiveJobsIds() == []
    assert_same(load_counts(tmp_path / "counts"), expected)
    labels = list(dict.fromkeys(label for label, _ in reports))
    assert labels == ["counting words", "counting pairs", "checking the counts"]
    assert all(0 <= done <= 1 for _, done in reports)


class Recorder:
    """Keeps the reports of a stage."""

    def __init__(self, label, reports):
        self._label, self._reports = label, reports

    def __enter__(self):
        return lambda done, note="": self._reports.append((self._label, done))

    def __exit__(self, *_):
        return None


LINES = random_lines(11, lines=400, types=60)
TEXT = "\n".join(" ".join(line) for line in LINES).encode()
MIXED = (
    "The Naïve café, don't panic: 東京 <b>bold</b> {{cite|x}} the cat sat\n"
    "the cat sat on the mat, the mat, THE END\n"
).encode() * 30
CASES = {
    "subsampling": (TEXT, {}, {"min_count": 1, "sample": 1e-2}),
    "few words": (TEXT, {}, {"min_count": 3, "max_size": 9, "window": 2, "weights": "flat"}),
    "a long harmonic window": (TEXT, {}, {"min_count": 1, "window": 30, "weights": "harmonic"}),
    "given words": (TEXT, {}, {"vocabulary": Vocabulary(["w7", "w1", "w3"])}),
    "whole lines": (TEXT, {}, {"min_count": 1, "window": "line"}),
    "separators": (
        TEXT.replace(b" ", b" x| ").replace(b"w3", b""),
        {"separator": "|"},
        {"min_count": 2},
    ),
    "words": (MIXED, {"tokenizer": "words"}, {"min_count": 1}),
    "without markup": (MIXED, {"without_markup": True}, {"min_count": 1}),
    "not UTF-8": (MIXED + b"caf\xe9 \xff\xfe the\xe2\x82 caf\xe9\n" * 3, {}, {"min_count": 1}),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore::andornot.AndornotWarning")
def test_settings_mean_the_same_on_a_cluster(tmp_path, spark, small_splits, name):
    text, form, settings = CASES[name]
    path = tmp_path / "text.txt"
    path.write_bytes(text)
    small_splits(len(text) // 3)
    count_on_spark([path], tmp_path / "counts", spark, **form, **settings)
    expected = count(open_corpus([path], cache=tmp_path / "cache", **form), **settings)
    assert_same(load_counts(tmp_path / "counts"), expected)


def test_phrases_are_merged_in_tasks(tmp_path, spark):
    path = tmp_path / "text.txt"
    path.write_bytes(TEXT + b"card_game is a card of the game\n")
    phrases = ["w1 w1", "w1 w2 w1", "w2 w1", "w2  w1", "w1 unknown", "card game"]
    done = count_on_spark([path], tmp_path / "counts", spark, min_count=2, phrases=phrases)
    corpus = merge_phrases(open_corpus([path], cache=tmp_path / "cache"), phrases)
    assert_same(load_counts(tmp_path / "counts"), count(corpus, min_count=2))
    assert done.phrases == corpus.record["phrases"]


def test_many_small_files_and_compressed_ones(tmp_path, spark):
    folder = tmp_path / "texts"
    (folder / "below").mkdir(parents=True)
    for number, line in enumerate(LINES[:120]):
        data = (" ".join(line) + "\n").encode()
        if number % 3:
            (folder / f"{number:03}.txt").write_bytes(data)
        else:
            (folder / "below" / f"{number:03}.txt.gz").write_bytes(gzip.compress(data))
    count_on_spark([folder], tmp_path / "counts", spark, min_count=1)
    expected = count(open_corpus([folder], cache=tmp_path / "cache"), min_count=1)
    assert_same(load_counts(tmp_path / "counts"), expected)
    count_on_spark([f"{folder}/00*.txt"], tmp_path / "some", spark, min_count=1)
    some = open_corpus(sorted(folder.glob("00*.txt")), cache=tmp_path / "cache")
    assert_same(load_counts(tmp_path / "some"), count(some, min_count=1))


def test_one_huge_line_is_counted_as_one_line(tmp_path, spark):
    rng = np.random.default_rng(5)
    path = tmp_path / "text.txt"  # longer than two blocks, with windows across their ends
    path.write_text(" ".join(f"w{n}" for n in rng.zipf(1.3, size=1_200_000) % 5000))
    assert path.stat().st_size > 2 * (1 << 21)
    count_on_spark([path], tmp_path / "counts", spark)
    assert_same(
        load_counts(tmp_path / "counts"), count(open_corpus([path], cache=tmp_path / "cache"))
    )


def test_texts_that_cannot_be_counted_are_named_and_leave_nothing(tmp_path, spark):
    output = tmp_path / "counts"
    names = ("empty", "binary", "rare", "lone")
    empty, binary, rare, lone = (tmp_path / f"{name}.txt" for name in names)
    lone.write_bytes(b"a b\na c\n")
    empty.write_bytes(b"\n \n")
    binary.write_bytes(b"a\0b c\n")
    rare.write_bytes(b"a b a\n")
    for path, settings, named in [
        (empty, {}, [empty, "no tokens"]),
        (binary, {}, [binary, "zero bytes"]),
        (rare, {}, ["'a'", "2 times", "min_count"]),
        (rare, {"vocabulary": Vocabulary(["x"])}, ["1 words", "not one"]),
        (lone, {"min_count": 2}, ["no two words"]),
    ]:
        with raises(AndornotError, *named):
            count_on_spark([path], output, spark, **settings)
        assert not output.exists()
    with raises(FileError, tmp_path / "nowhere", "check the path"):
        count_on_spark([tmp_path / "nowhere"], output, spark)
    broken = tmp_path / "broken.txt"
    broken.write_bytes(b"caf\xe9 a caf\xe9\n")
    with raises(AndornotError, broken, "2 tokens", "strict"):
        count_on_spark([broken], output, spark, min_count=1, strict=True)
    with pytest.warns(AndornotWarning, match="2 tokens"):
        count_on_spark([broken], output, spark, min_count=1)
    assert load_counts(output).vocabulary.words == ("caf\ufffd", "a")


def test_existing_counts_are_replaced_only_when_told_and_never_by_half(tmp_path, spark):
    path, output = tmp_path / "text.txt", tmp_path / "counts"
    path.write_bytes(TEXT)
    output.mkdir()
    (output / "pairs-0123").mkdir()  # what a run that failed has left
    count_on_spark([path], output, spark, window=2)
    assert load_counts(output).settings["window"] == 2
    assert not (output / "pairs-0123").exists()
    with raises(FileError, output, "force=True"):
        count_on_spark([path], output, spark, window=3)
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"a b\n" * 9 + b"a\0\n")
    with raises(AndornotError, "zero bytes"):
        count_on_spark([bad], output, spark, force=True)
    assert load_counts(output).settings["window"] == 2
    count_on_spark([path], output, spark, window=3, force=True)
    assert load_counts(output).settings["window"] == 3
    assert len(list(output.glob("pairs-*"))) == len(list(output.glob("words-*"))) == 1
    (output / "record.json").unlink()
    with raises(FileError, output):
        load_counts(output)
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("precious")
    with raises(FileError, mine, "another"):
        count_on_spark([path], mine, spark, force=True)
    assert (mine / "thesis.txt").read_text() == "precious"


@pytest.mark.parametrize(("model", "solver"), [("sgns", "exact"), ("glove", "sampled")])
def test_training_is_that_of_local_counts(tmp_path, spark, model, solver):
    from andornot.training import Settings, train

    path = tmp_path / "text.txt"
    path.write_bytes(TEXT)
    count_on_spark([path], tmp_path / "counts", spark, min_count=1, partitions=4)
    local = count(open_corpus([path], cache=tmp_path / "cache"), min_count=1)
    settings = Settings(model=model, solver=solver, dim=6, epochs=4)
    spaces = [
        train(counts, settings, threads=1) for counts in (local, load_counts(tmp_path / "counts"))
    ]
    for name in ("target", "context"):
        ours, theirs = (getattr(space, name) for space in spaces)
        assert ours.tobytes() == theirs.tobytes(), name


def test_settings_that_spark_cannot_follow_are_refused(tmp_path, spark):
    from andornot.base.errors import UsageError

    for settings, named in [
        ({"partitions": 0}, ["partitions", "0"]),
        ({"window": "line", "sample": 1e-3}, ["sample"]),
        ({"min_count": 0}, ["min_count", "0"]),
    ]:
        with raises(UsageError, *named):
            count_on_spark(["text.txt"], tmp_path / "counts", spark, **settings)
    with pytest.raises(UsageError) as caught:
        count_on_spark(["-"], tmp_path / "counts", spark)
    assert_names(str(caught.value), "standard input")
