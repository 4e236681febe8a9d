"""Counts in Parquet files: read in blocks, from paths and addresses, and never when damaged."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from commands import run_code
from errors import assert_names, raises
from parquet_counts import change_record, describe, write_parquet_counts
from random_counts import random_counts

from andornot.base.errors import AndornotError, FileError
from andornot.cooccurrence import load_counts
from andornot.cooccurrence.loading import stored_bytes
from andornot.cooccurrence.parquet import ParquetEntries
from andornot.cooccurrence.pmi import largest_pmi

parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra spark")

FILE = "pairs-0a/part-00001.parquet"
WORDS = "words-0a/part-00000.parquet"


@pytest.fixture
def folder(tmp_path):
    return write_parquet_counts(random_counts(), tmp_path / "counts")


def test_parquet_counts_are_read_in_blocks_of_rows(folder):
    expected, found = random_counts(), load_counts(folder)
    assert isinstance(found.entries, ParquetEntries)
    assert found.vocabulary.words == expected.vocabulary.words
    assert np.array_equal(found.vocabulary.counts.values, expected.vocabulary.counts.values)
    assert found.settings == expected.settings
    for name in ("row_starts", "columns", "values", "marginal"):
        assert np.array_equal(getattr(found, name), getattr(expected, name)), name
    for pairs in (1, 10, 64, 10_000):
        blocks = list(found.blocks(pairs))
        assert np.array_equal(np.concatenate([b.columns for b in blocks]), expected.columns)
        assert np.array_equal(np.concatenate([b.values for b in blocks]), expected.values)
    assert largest_pmi(found) == largest_pmi(expected)


def test_several_threads_read_any_part(folder):
    expected, entries = random_counts(), load_counts(folder).entries
    rng = np.random.default_rng(2)
    spans = [sorted(rng.integers(0, len(entries) + 1, size=2).tolist()) for _ in range(60)]
    with ThreadPoolExecutor(4) as pool:
        for (start, stop), (columns, values) in zip(
            spans, pool.map(lambda span: entries.read(*span), spans), strict=True
        ):
            assert columns.dtype == np.int32
            assert values.dtype == np.float32
            assert np.array_equal(columns, expected.columns[start:stop])
            assert np.array_equal(values, expected.values[start:stop])


def test_addresses_are_opened_by_pyarrow(folder):
    address = f"file://{folder}"
    assert np.array_equal(load_counts(address).values, random_counts().values)
    assert stored_bytes(address) < stored_bytes(folder)  # without the record
    with raises(FileError, f"{address}x", "no such file"):
        load_counts(f"{address}x")
    with raises(FileError, "gopher://host/counts", "gopher"):
        load_counts("gopher://host/counts")


def test_a_record_at_an_address_is_small_and_a_file(folder):
    record = folder / "record.json"
    record.write_bytes(record.read_bytes() + b" " * 64_000_000)
    with raises(FileError, f"file://{record}", "at most 64,000,000 bytes"):
        load_counts(f"file://{folder}")
    record.unlink()
    os.mkfifo(record)
    script = "import sys; from andornot.cooccurrence import load_counts; load_counts(sys.argv[1])"
    done = run_code(script, f"file://{folder}", timeout=60)
    assert "FileError" in done.stderr
    assert f"file://{record}: this is a pipe or a device" in done.stderr


def damage(folder, name):
    data = bytearray((folder / name).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / name).write_bytes(bytes(data))


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda folder: damage(folder, FILE), [FILE, "checksum"]),
        (lambda folder: damage(folder, WORDS), [WORDS, "checksum"]),
        (lambda folder: (folder / FILE).unlink(), [FILE, "no such file"]),
        (lambda folder: (folder / FILE).write_bytes(b"PAR1"), [FILE, "4 bytes"]),
        (lambda folder: (folder / "record.json").write_text("{"), ["record.json", "JSON"]),
    ],
    ids=["entries", "words", "missing", "cut off", "record"],
)
def test_damaged_files_are_named_before_their_numbers_are_used(folder, change, named):
    change(folder)
    with raises(FileError, *named, "again"):
        list(load_counts(folder).blocks())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("name", "../../etc/passwd"),
        ("name", "pairs-0a/../../x.parquet"),
        ("pairs", -1),
        ("pairs", "7"),
        ("pairs", 2**53),
        ("pairs", 2**63),
        ("pairs", 10**400),
        ("bytes", None),
        ("sha256", 5),
        ("other", 1),
    ],
)
def test_records_that_are_not_valid_are_refused(folder, key, value):
    change_record(folder, lambda record: record["parquet"]["files"][0].update({key: value}))
    with raises(FileError, folder, "list of files", "again"):
        load_counts(folder)


def test_files_with_more_pairs_together_than_can_be_counted_are_refused(folder):
    def change(record):
        for file in record["parquet"]["files"][:2]:
            file["pairs"] = 2**53 - 1

    change_record(folder, change)
    with raises(FileError, folder, "list of files", "again"):
        load_counts(folder)


def test_words_that_pyarrow_cannot_join_are_refused(folder, monkeypatch):
    import pyarrow as pa

    class TooLong:
        def combine_chunks(self):
            raise pa.ArrowInvalid("offset overflow while concatenating arrays")

    monkeypatch.setattr("andornot.cooccurrence.parquet._read_words", lambda *_: {"word": TooLong()})
    with raises(FileError, folder, "offset overflow", "again"):
        load_counts(folder)


def test_a_word_that_stands_twice_is_refused(folder):
    def edit(words):
        words[1] = words[0]

    rewritten(folder, WORDS, 0, replaced("word", edit))
    with raises(FileError, folder, "twice"):
        load_counts(folder)


def test_a_long_word_that_stands_often_takes_no_memory(folder):
    import pyarrow as pa

    def change(table):
        often = np.zeros(3000, np.int64)
        words = pa.DictionaryArray.from_arrays(often.astype(np.int32), ["x" * 50_000])
        return table.take(often).set_column(table.schema.get_field_index("word"), "word", words)

    rewritten(folder, WORDS, 0, change)
    assert (folder / WORDS).stat().st_size < 20_000
    script = (  # a process of its own, because the maximum is that of the whole process
        "import sys, pyarrow\n"
        "from andornot.cooccurrence import load_counts\n"
        "try:\n"
        "    load_counts(sys.argv[1])\n"
        "except Exception as error:\n"
        "    print(pyarrow.default_memory_pool().max_memory(), error)\n"
    )
    most, error = run_code(script, folder).stdout.split(maxsplit=1)
    assert_names(error, WORDS, "compressed more than 100-fold", "again")
    assert int(most) < 50_000_000


def test_a_column_of_lists_is_refused(folder):
    import pyarrow as pa

    def change(table):
        words = pa.array([[word] for word in table["word"].to_pylist()])
        return table.set_column(table.schema.get_field_index("word"), "word", words)

    rewritten(folder, WORDS, 0, change)
    with raises(FileError, WORDS, "'word' is list<", "not string", "again"):
        load_counts(folder)


def test_a_table_without_words_is_refused(folder):
    rewritten(folder, WORDS, 0, lambda table: table.slice(0, 0))
    with raises(FileError, folder, "it has no words", "again") as caught:
        load_counts(folder)
    assert "can't be read" not in str(caught.value)


def rewritten(folder, name, pairs, change):
    """Change a table, and let the record say so: what a program with a fault would leave."""
    table = change(parquet.read_table(folder / name))
    parquet.write_table(table, folder / name)

    def update(record):
        files = record["parquet"]["files"]
        place = [file["name"] for file in files].index(name)
        files[place] = describe(folder, name, pairs)

    change_record(folder, update)


def replaced(column, edit):
    def change(table):
        values = table[column].to_pylist()
        edit(values)
        import pyarrow as pa

        place = table.schema.get_field_index(column)
        return table.set_column(place, column, pa.array(values, table.schema.field(column).type))

    return change


@pytest.mark.parametrize(
    ("column", "edit"),
    [
        ("column", lambda values: values.__setitem__(3, 1 << 30)),
        ("column", lambda values: values.__setitem__(3, -1)),
        ("column", lambda values: values.__setitem__(3, None)),
        ("count", lambda values: values.__setitem__(3, float("nan"))),
        ("count", lambda values: values.__setitem__(3, 1e9)),
    ],
)
def test_numbers_that_a_kernel_may_not_get_are_refused(folder, column, edit):
    pairs = len(parquet.read_table(folder / FILE))
    rewritten(folder, FILE, pairs, replaced(column, edit))
    with raises(FileError, folder, "again"):
        list(load_counts(folder).blocks())


def test_tables_of_another_form_are_refused(folder):
    pairs = len(parquet.read_table(folder / FILE))
    rewritten(folder, FILE, pairs, lambda table: table.drop_columns("count"))
    with raises(FileError, FILE, "count"):
        list(load_counts(folder).blocks())
    rewritten(folder, WORDS, 0, lambda table: table.take(list(range(len(table)))[::-1]))
    with raises(FileError, WORDS, "order"):
        load_counts(folder)
    rewritten(folder, WORDS, 0, lambda table: table.drop_columns("word"))
    with raises(FileError, WORDS, "no column 'word'", "again"):
        load_counts(folder)


def test_more_entries_than_the_record_says_are_refused(folder):
    pairs = len(parquet.read_table(folder / FILE))
    rewritten(folder, FILE, pairs - 1, lambda table: table)
    with raises(FileError, folder, "again"):
        list(load_counts(folder).blocks())


def test_without_pyarrow_the_remedy_is_named(folder, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with raises(AndornotError, "pyarrow", "andornot[spark]"):
        load_counts(folder)


def test_a_column_whose_name_is_not_utf8_is_refused(folder):
    path = folder / FILE
    path.write_bytes(path.read_bytes().replace(b"column", b"col\xffmn"))
    listed = describe(folder, FILE, 0)
    change_record(
        folder,
        lambda record: record["parquet"]["files"][1].update(
            bytes=listed["bytes"], sha256=listed["sha256"]
        ),
    )
    with raises(FileError, FILE, "again"):
        list(load_counts(folder).blocks())
