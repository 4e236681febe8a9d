"""Fragments of rows: packed, cut into ranges, and added up again."""

import itertools

import numpy as np
from errors import raises
from hypothesis import given
from hypothesis import strategies as st

from andornot import AndornotError
from andornot.cooccurrence.runs import Rows
from andornot.cooccurrence.spark.fragments import RowMerger, pack
from andornot.cooccurrence.spark.ranges import Ranges, expected_entries, plan_ranges

WORDS = 300
ENTRIES = st.dictionaries(
    st.tuples(st.integers(0, WORDS - 1), st.integers(0, WORDS - 1)),
    st.integers(1, 2**40),
    max_size=60,
)


def rows_of(entries):
    """All rows of a mapping of (row, column) to a sum."""
    ordered = sorted(entries)
    lengths = np.bincount([row for row, _ in ordered], minlength=WORDS)
    columns = np.array([column for _, column in ordered], dtype=np.int32)
    sums = np.array([entries[key] for key in ordered], dtype=np.int64)
    return Rows(0, WORDS, lengths, columns, sums)


@given(
    st.lists(ENTRIES, min_size=1, max_size=5),
    st.lists(st.tuples(st.integers(0, WORDS - 1), st.integers(0, WORDS - 1)), max_size=4),
    st.integers(1, 7),
)
def test_packed_rows_add_up_to_the_same_sums_in_the_right_ranges(parts, cuts, batch):
    cuts = sorted(cuts)
    ranges = Ranges(np.array([c[0] for c in cuts], int), np.array([c[1] for c in cuts], int))
    fragments = []
    for part in parts:
        packed = pack(rows_of(part), ranges)
        for i in range(len(packed.rows)):
            data = packed.data[packed.offsets[i] : packed.offsets[i + 1]]
            fragments.append((int(packed.ranges[i]), int(packed.rows[i]), data))
    expected = {}
    for part in parts:
        for key, units in part.items():
            expected[key] = expected.get(key, 0) + units
    found = {}
    for number in range(len(cuts) + 1):
        mine = sorted((f for f in fragments if f[0] == number), key=lambda f: f[1])
        merger = RowMerger(WORDS)
        blocks = []
        for start in range(0, len(mine), batch):
            group = mine[start : start + batch]
            offsets = np.cumsum([0, *(len(f[2]) for f in group)]).astype(np.int32)
            rows = np.array([f[1] for f in group], dtype=np.int32)
            blocks.append(merger.add(rows, offsets, np.concatenate([f[2] for f in group])))
        blocks.append(merger.finish())
        keys = [
            (row, column)
            for block in blocks
            for row, column in zip(block.rows.tolist(), block.columns.tolist(), strict=True)
        ]
        assert keys == sorted(set(keys))
        assert all(sum(cut <= key for cut in cuts) == number for key in keys)
        sums = [units for block in blocks for units in block.sums.tolist()]
        found.update(zip(keys, sums, strict=True))
    assert found == expected


def test_damaged_fragments_are_refused():
    packed = pack(rows_of({(2, 250): 7}), Ranges.whole())
    with raises(AndornotError, "row 2", "again"):
        RowMerger(100).add(*packed[1:])


def zipf(size):
    return np.ceil(1e6 / np.arange(1, size + 1))


def test_entries_are_expected_as_by_chance():
    rng = np.random.default_rng(3)
    occurrences = np.array([50.0, 20, 20, 6, 3, 1])
    stream = np.repeat(np.arange(6), occurrences.astype(int))
    tasks, window, trials, seen = 4, 2, 300, np.zeros(6)
    for _ in range(trials):
        for part in np.array_split(rng.permutation(stream), tasks):
            pairs = set(itertools.pairwise(part.tolist()))
            for a, _ in pairs | {(b, a) for a, b in pairs}:
                seen[a] += 1
    expected = expected_entries(occurrences, window, tasks)
    assert np.allclose(expected, seen / trials, rtol=0.2)


def test_ranges_share_the_work_and_cut_long_rows():
    occurrences = zipf(5000)
    window, tasks, size = 10, 400, 50
    ranges = plan_ranges(occurrences, window, tasks, size)
    rate = window / (occurrences.sum() * tasks)
    work = np.zeros(size)
    starts = ranges.rows * 5000 + ranges.columns
    assert (np.diff(starts) >= 0).all()
    for row in range(5000):
        entries = -tasks * np.expm1(-rate * occurrences[row] * occurrences)
        numbers = np.searchsorted(starts, row * 5000 + np.arange(5000), side="right")
        work += np.bincount(numbers, weights=entries, minlength=size)
    assert work.max() < 1.3 * work.mean()
    assert ranges.rows[0] == 0 < ranges.columns[0]  # the row of the most frequent word is cut
    assert len(plan_ranges(occurrences, window, tasks, 1).rows) == 0
