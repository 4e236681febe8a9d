"""Counts that were changed on the disk are refused before a kernel indexes memory by them."""

import json

import numpy as np
import pytest
from commands import run_apart
from errors import assert_refused, raises
from texts import corpus_of, random_lines

from andornot.base.errors import FileError
from andornot.cooccurrence import count, load_counts

DTYPES = {"columns": "<i4", "values": "<f4", "row_starts": "<i8", "marginal": "<f8"}


@pytest.fixture
def folder(tmp_path):
    """A folder of counts with a held-out part."""
    output = tmp_path / "counts"
    count(corpus_of(tmp_path, random_lines(3)), min_count=1, output=output)
    return output


def change(folder, name, edit, prefix=""):
    """Edit an array in place, and tell the record of its length."""
    path = folder / f"{prefix}{name}.bin"
    array = np.fromfile(path, dtype=DTYPES.get(name, "u1"))
    array = edit(array)
    array.tofile(path)
    record = json.loads((folder / "record.json").read_text())
    record["arrays"][path.stem]["length"] = len(array)
    (folder / "record.json").write_text(json.dumps(record))


def put(index, value):
    """An edit that sets one value."""

    def edit(array):
        array[index] = value
        return array

    return edit


@pytest.mark.parametrize(
    ("name", "edit"),
    [
        ("columns", put(3, 1_000_000_000)),
        ("columns", put(3, -1)),
        ("columns", put(1, 0)),  # it would come twice
        ("columns", lambda array: array[:-1]),
        ("columns", lambda array: np.append(array, array[-1])),
        ("row_starts", put(0, 1)),
        ("row_starts", put(2, 1 << 40)),
        ("row_starts", put(1, -5)),
        ("row_starts", lambda array: array[:-1]),
        ("values", lambda array: array[:-1]),
        ("values", put(0, np.nan)),
        ("values", put(0, 0)),
        ("values", put(0, -3)),
        ("values", put(0, np.inf)),
        ("marginal", lambda array: array[:-1]),
        ("marginal", put(0, np.nan)),
        ("marginal", put(0, 1e9)),
        ("marginal", put(0, 0)),
    ],
)
def test_numbers_that_would_lead_out_of_an_array_are_refused(folder, name, edit):
    load_counts(folder)
    change(folder, name, edit)
    with raises(FileError, folder, "make the counts again"):
        load_counts(folder)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tokens", None),
        ("tokens", "x"),
        ("tokens", -1),
        ("window", 0),
        ("window", "page"),
        ("sample", -1),
        ("sample", float("inf")),
        ("sample", float("nan")),
        ("corpus", [1]),
        ("corpus", [None]),
        ("held_out", "x"),
    ],
)
def test_settings_that_no_counting_has_are_refused(folder, name, value):
    record = json.loads((folder / "record.json").read_text())
    record["settings"][name] = value
    (folder / "record.json").write_text(json.dumps(record))
    assert_refused(run_apart("info", folder), 1, str(folder), name, "make the counts again")


def test_held_out_counts_are_checked_too(tmp_path):
    output = tmp_path / "counts"
    lines = [["a", "b", "c", "d"] * 500] * 20
    count(corpus_of(tmp_path, lines), min_count=1, held_out=2, output=output)
    assert load_counts(output).held_out is not None
    change(output, "columns", put(0, 99), prefix="held_out_")
    with raises(FileError, output, "make the counts again"):
        load_counts(output)


@pytest.mark.parametrize("name", ["window", "weights", "sample", "corpus", "corpus_key", "tokens"])
@pytest.mark.parametrize("value", [None, {}])
def test_settings_that_training_needs(folder, name, value):
    record = json.loads((folder / "record.json").read_text())
    if value is None:
        del record["settings"][name]
    else:
        record["settings"][name] = value
    (folder / "record.json").write_text(json.dumps(record))
    with raises(FileError, folder, name):
        load_counts(folder)


def test_words_that_are_not_utf8(folder):
    change(folder, "words", put(1, 0xFF))
    with raises(FileError, folder, "UTF-8"):
        load_counts(folder)


@pytest.mark.parametrize("options", [["--model", "glove", "--solver", "sampled"], []])
def test_no_solver_leaves_its_memory(tmp_path, folder, options):
    change(folder, "columns", put(3, 1_000_000_000))
    done = run_apart("train", folder, "-o", tmp_path / "s.safetensors", "--dim", 4, *options)
    assert_refused(done, 1, folder, "make the counts again")
    assert run_apart("info", folder).returncode == 1


def test_a_word_that_stands_twice_is_refused(folder):
    ends = np.fromfile(folder / "word_offsets.bin", dtype="<i8")
    words = np.fromfile(folder / "words.bin", dtype="u1")
    lengths = np.diff(ends)
    first, second = next(
        (i, j) for j in range(len(lengths)) for i in range(j) if lengths[i] == lengths[j]
    )
    words[ends[second] : ends[second + 1]] = words[ends[first] : ends[first + 1]]
    words.tofile(folder / "words.bin")
    word = words[ends[first] : ends[first + 1]].tobytes().decode()
    with raises(FileError, folder, repr(word), "twice", "recreate"):
        load_counts(folder)
