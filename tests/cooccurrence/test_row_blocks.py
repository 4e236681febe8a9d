"""Blocks of rows: read from memory and from disk, checked each time."""

import os

import numpy as np
import pytest
from errors import raises
from random_counts import random_counts

from andornot.base.errors import FileError
from andornot.cooccurrence import load_counts


@pytest.fixture
def counts():
    return random_counts(40)


@pytest.fixture
def stored(counts, tmp_path):
    """The same counts, opened from a folder."""
    counts.save(tmp_path / "counts")
    return load_counts(tmp_path / "counts")


@pytest.mark.parametrize("pairs", [1, 7, 50, 10_000])
@pytest.mark.parametrize("where", ["counts", "stored"])
def test_blocks_hold_the_whole_matrix(counts, where, pairs, request):
    dense = counts.matrix().toarray()
    found = np.zeros_like(dense)
    expected = 0
    for block in request.getfixturevalue(where).blocks(pairs):
        assert block.first == expected
        assert len(block.values) <= pairs or block.last == block.first + 1
        found[block.row_ids, block.columns] += block.values
        expected = block.last
    assert expected == len(dense)
    assert np.array_equal(found, dense)


def test_part_of_the_rows(stored, counts):
    blocks = list(stored.blocks(30, 5, 17))
    assert (blocks[0].first, blocks[-1].last) == (5, 17)
    dense = counts.matrix().toarray()[5:17]
    assert np.array_equal(np.concatenate([block.values for block in blocks]), dense[dense > 0])


def test_entries_are_loaded_only_if_they_fit(stored, counts):
    size = 8 * counts.pairs
    assert stored.loaded(size - 1) is stored
    loaded = stored.loaded(size)
    assert loaded.entries.source is None
    assert np.array_equal(loaded.values, counts.values)
    assert np.array_equal(loaded.columns, counts.columns)


@pytest.mark.parametrize("name", ["columns", "values"])
def test_a_file_that_was_cut_off_after_it_was_opened(stored, name):
    path = stored.entries.source / f"{name}.bin"
    os.truncate(path, path.stat().st_size // 2)
    stored.rows(0, 3)
    with raises(FileError, path, "make it again"):
        stored.rows(0, len(stored.vocabulary))


@pytest.mark.parametrize(("name", "dtype", "value"), [("columns", "<i4", 99), ("values", "<f4", 7)])
def test_numbers_that_changed_after_they_were_opened(stored, name, dtype, value):
    """The bounds of columns and the sums of rows are checked whenever a block is read."""
    folder = stored.entries.source
    changed = np.memmap(folder / f"{name}.bin", dtype, mode="r+")
    changed[-1] = value
    changed.flush()
    stored.rows(0, 3)
    with raises(FileError, folder, "make the counts again", "row 40"):
        stored.rows(3, len(stored.vocabulary))


def test_a_replaced_folder_does_not_change_open_counts(stored, counts, tmp_path):
    random_counts(23).save(tmp_path / "counts", force=True)
    whole = stored.rows(0, len(stored.vocabulary))
    assert np.array_equal(whole.values, counts.values)
