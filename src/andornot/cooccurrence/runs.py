"""The work of counting: the stream of known words, sorted runs of chunks, and their merge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError, FileError, UsageError
from andornot.base.files import reading
from andornot.base.folders import is_folder_of, map_array, new_folder, read_record
from andornot.base.parallel import run_parallel
from andornot.base.progress import Report
from andornot.base.remedies import option
from andornot.cooccurrence.checks import check_rows, check_starts
from andornot.cooccurrence.row_blocks import RowBlock
from andornot.cooccurrence.store import Sink
from andornot.cooccurrence.windows import WindowPlan, count_rows, merge_rows, sort_positions
from andornot.corpus.blocks import TextPart
from andornot.corpus.corpus import Corpus, count_tokens, keep_known

_STREAM, _RUN = "andornot stream", "andornot run"
_LONGEST_CHUNK = 1 << 25
_SHORTEST_CHUNK = 1 << 16
_TOKENS_AT_A_TIME = 1 << 22
MOST_RUNS = 16  # merged at once
_ENTRY = 12  # bytes of a column and its sum


Finish = Callable[[Sink], tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]]
"""Writes the entries of all rows to a sink; returns where the rows begin, and their sums."""


class MemoryPlan(NamedTuple):
    """The sizes that keep counting within its memory."""

    threads: int
    entries: int  # in a block of rows, for each thread
    chunk: int  # tokens


def plan_memory(memory: int, words: int, threads: int) -> MemoryPlan:
    """A quarter of the memory for the rows being counted, the rest for a chunk of the stream.

    >>> plan_memory(1 << 30, 50_000, 2)
    MemoryPlan(threads=2, entries=4194304, chunk=33554432)
    """
    entries = min(max(memory // (4 * threads * _ENTRY), words), max(1 << 22, words))
    fixed = threads * _ENTRY * (words + entries)
    chunk = min((memory - fixed) // 16, _LONGEST_CHUNK)
    if chunk < _SHORTEST_CHUNK:
        # where the rows take their quarter, and where they take what one row may need
        quarter = 4 * (threads * _ENTRY * (words + 1) + 16 * (_SHORTEST_CHUNK + 1)) // 3
        one_row = 2 * threads * _ENTRY * words + 16 * _SHORTEST_CHUNK
        raise UsageError(
            f"memory must be at least {max(quarter, one_row):,} bytes for {words:,} words and "
            f"{threads} threads, got {memory:,}; raise {option('memory')}, or take fewer words"
        )
    return MemoryPlan(threads, entries, chunk)


class Rows(NamedTuple):
    """Some rows in order: their lengths, and their entries one after the other."""

    first: int
    last: int
    lengths: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int32]
    sums: npt.NDArray[np.int64]

    def counts(self, unit: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the count of each entry, and the sum of each row, from sums in this unit.

        >>> columns = np.array([0, 2, 1], dtype=np.int32)
        >>> rows = Rows(0, 3, np.array([2, 0, 1]), columns, np.array([4, 1, 2]))
        >>> [values.tolist() for values in rows.counts(0.5)]
        [[2.0, 0.5, 1.0], [2.5, 0.0, 1.0]]
        """
        until = np.append(0, np.cumsum(self.sums))
        ends = np.cumsum(self.lengths)
        totals = until[ends] - until[ends - self.lengths]
        return np.asarray(self.sums * unit, float), np.asarray(totals * unit, float)


@dataclass
class Job:
    """Counting with one set of settings, its parts kept in the folder `work`."""

    work: Path
    words: int
    windows: WindowPlan
    plan: MemoryPlan
    pool: ThreadPoolExecutor
    report: Report
    part: TextPart | None = None  # of the corpus; None for all of it

    def count(self, corpus: Corpus, numbers: npt.NDArray[np.int32]) -> Finish:
        """Do all but the last step, which writes the entries to a sink and gives rows and sums."""
        return partial(self._finish, self.count_stream(self._write_stream(corpus, numbers)))

    def count_stream(self, tokens: Path) -> Iterator[Rows]:
        """Count a file of word ids, with -1 at the end of a sentence; return its rows in order."""
        size = tokens.stat().st_size // 4
        if size <= self.plan.chunk:
            return self._count_chunk(tokens, 0, size, size, 0.0, 1.0)
        return self._merge(self._merge_to_few(self._write_runs(tokens, size)), 0.85, 0.15)

    def _write_stream(self, corpus: Corpus, numbers: npt.NDArray[np.int32]) -> Path:
        """The numbers of the known words alone, in a file."""
        folder = self.work / "stream"
        if not self._has_stream(folder):
            out = np.empty(_TOKENS_AT_A_TIME, dtype=np.int32)
            source = corpus.path / "tokens.bin"
            with new_folder(folder, replace=True) as writer:
                size = len(corpus.tokens)
                for start in range(0, size, _TOKENS_AT_A_TIME):
                    tokens = _read(source, np.int32, start, min(start + _TOKENS_AT_A_TIME, size))
                    if self.part is not None:
                        tokens = self.part.take(tokens, start)
                    writer.append("tokens", out[: keep_known(tokens, numbers, out)])
                writer.finish(_STREAM, {})
        return folder / "tokens.bin"

    def _has_stream(self, folder: Path) -> bool:
        """Return True if an earlier attempt has left the stream, undamaged."""
        if not is_folder_of(folder, _STREAM):
            return False
        try:
            tokens = map_array(folder, read_record(folder), "tokens", "<i4")
        except FileError:
            return False
        return bool(count_tokens(tokens, np.zeros(self.words, dtype=np.int64)))

    def _has_run(self, folder: Path) -> bool:
        """Return True if an earlier attempt has left this run, undamaged."""
        if not is_folder_of(folder, _RUN):
            return False
        try:
            record = read_record(folder)
            lengths = map_array(folder, record, "lengths", "<i8")
            columns = map_array(folder, record, "columns", "<i4")
            sums = map_array(folder, record, "sums", "<i8")
            row_starts = np.append(0, np.cumsum(lengths))
            check_starts(folder, row_starts, len(columns), self.words)
            check_rows(folder, RowBlock(0, row_starts, columns, sums), self.words)
        except FileError:
            return False
        return True

    def _write_runs(self, tokens: Path, size: int) -> list[Path]:
        """Count chunk after chunk, each to a sorted run; those of an earlier attempt are kept."""
        runs = []
        starts = range(0, size, self.plan.chunk)
        share = 0.85 / len(starts)
        for number, start in enumerate(starts):
            folder = self.work / f"run-{number:05}"
            runs.append(folder)
            if self._has_run(folder):
                continue
            stop = min(start + self.plan.chunk, size)
            rows = self._count_chunk(tokens, start, stop, size, number * share, share)
            self._write_run(folder, rows)
        return runs

    def _write_run(self, folder: Path, rows: Iterator[Rows]) -> None:
        with new_folder(folder, replace=True) as writer:
            for block in rows:
                writer.append("lengths", block.lengths)
                writer.append("columns", block.columns)
                writer.append("sums", block.sums)
            writer.finish(_RUN, {})

    def _count_chunk(
        self, tokens: Path, start: int, stop: int, size: int, done: float, share: float
    ) -> Iterator[Rows]:
        """Count the windows around the tokens from `start` to `stop` of `size`; rows in order."""
        first = max(0, start - self.windows.reach)
        part = _read(tokens, np.int32, first, min(stop + self.windows.reach, size))
        positions = np.empty(stop - start, dtype=np.int32)
        ends = np.zeros(self.words, dtype=np.int64)
        sort_positions(part, start - first, stop - first, ends, positions)
        occurrences = np.diff(ends, prepend=0)
        bounds = np.minimum(2 * self.windows.reach * occurrences, self.words)
        buffers = [
            (np.empty(self.plan.entries, np.int32), np.empty(self.plan.entries, np.int64))
            for _ in range(self.plan.threads)
        ]
        lengths = np.zeros(self.words, dtype=np.int64)
        groups = _grouped(cut(bounds, self.plan.entries), self.plan.threads)
        for group in groups:
            tasks = [
                partial(
                    count_rows,
                    part,
                    positions,
                    ends,
                    *span,
                    self.windows.weights,
                    self.windows.keep,
                    self.windows.reach,
                    lengths,
                    *buffer,
                )
                for span, buffer in zip(group, buffers, strict=False)
            ]
            sizes = run_parallel(self.pool, tasks)
            for (low, high), size, (columns, sums) in zip(group, sizes, buffers, strict=False):
                yield Rows(low, high, lengths[low:high], columns[:size], sums[:size])
            self.report(done + share * float(ends[group[-1][1] - 1]) / max(1, int(ends[-1])))

    def _merge_to_few(self, runs: list[Path]) -> list[Path]:
        """Merge groups of runs to larger ones until few enough are left to be open at once."""
        level = 0
        while len(runs) > MOST_RUNS:
            larger = []
            for number, start in enumerate(range(0, len(runs), MOST_RUNS)):
                folder = self.work / f"merged-{level}-{number:05}"
                larger.append(folder)
                if not self._has_run(folder):
                    self._write_run(folder, self._merge(runs[start : start + MOST_RUNS], 0.85, 0))
            runs = larger
            level += 1
        return runs

    def _merge(self, runs: list[Path], done: float, share: float) -> Iterator[Rows]:
        """Add up the rows of some runs, in their order."""
        lengths = [map_array(run, read_record(run), "lengths", "<i8") for run in runs]
        entries = np.zeros(self.words, dtype=np.int64)
        for run in lengths:
            entries += run
        begins = np.zeros(len(runs), dtype=np.int64)  # where the next row of each run begins
        for group in _grouped(cut(entries, self.plan.entries), self.plan.threads):
            tasks = []
            for low, high in group:
                here = np.zeros((len(runs), high - low + 1), dtype=np.int64)
                np.cumsum([run[low:high] for run in lengths], axis=1, out=here[:, 1:])
                tasks.append(partial(self._merge_span, runs, begins.copy(), here, low, high))
                begins += here[:, -1]
            yield from run_parallel(self.pool, tasks)
            self.report(done + share * group[-1][1] / self.words)

    def _merge_span(
        self,
        runs: list[Path],
        begins: npt.NDArray[np.int64],
        starts: npt.NDArray[np.int64],
        low: int,
        high: int,
    ) -> Rows:
        sizes = starts[:, -1]
        spans = list(zip(runs, begins.tolist(), (begins + sizes).tolist(), strict=True))
        columns = np.concatenate(
            [_read(run / "columns.bin", np.int32, a, b) for run, a, b in spans]
        )
        sums = np.concatenate([_read(run / "sums.bin", np.int64, a, b) for run, a, b in spans])
        lengths = np.zeros(high - low, dtype=np.int64)
        out_columns, out_sums = np.empty_like(columns), np.empty_like(sums)
        within = starts + (np.cumsum(sizes) - sizes)[:, None]
        size = merge_rows(columns, sums, within, self.words, lengths, out_columns, out_sums)
        return Rows(low, high, lengths, out_columns[:size], out_sums[:size])

    def _finish(
        self, rows: Iterator[Rows], sink: Sink
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Write the entries of all rows to the sink; where the rows begin, and their sums."""
        row_starts = np.zeros(self.words + 1, dtype=np.int64)
        marginal = np.zeros(self.words)
        sink.append("columns", np.empty(0, dtype=np.int32))
        sink.append("values", np.empty(0, dtype=np.float32))
        for block in rows:
            row_starts[block.first + 1 : block.last + 1] = block.lengths
            values, marginal[block.first : block.last] = block.counts(self.windows.unit)
            sink.append("columns", block.columns)
            sink.append("values", values.astype(np.float32))
        np.cumsum(row_starts, out=row_starts)
        if not row_starts[-1] and not (self.part and self.part.held_out):
            raise AndornotError(
                "no two words of the vocabulary ever occur near each other; nothing can be counted"
            )
        return row_starts, marginal


def cut(sizes: npt.NDArray[np.int64], limit: int) -> list[tuple[int, int]]:
    """Consecutive spans of items whose sizes add up to at most `limit`, or of a single item.

    >>> cut(np.array([3, 3, 9, 1, 1]), 6)
    [(0, 2), (2, 3), (3, 5)]
    """
    total = np.concatenate([[0], np.cumsum(sizes)])
    bounds = [0]
    while bounds[-1] < len(sizes):
        reached = int(np.searchsorted(total, total[bounds[-1]] + limit, side="right")) - 1
        bounds.append(max(reached, bounds[-1] + 1))
    return list(pairwise(bounds))


def _grouped(items: list[tuple[int, int]], size: int) -> Iterator[list[tuple[int, int]]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _read(path: Path, dtype: Any, start: int, stop: int) -> npt.NDArray[Any]:
    """Items `start` to `stop` of a file of numbers, read rather than mapped: memory stays ours.

    Raises:
        FileError: If the file ends before `stop`.
    """
    size = np.dtype(dtype).itemsize
    with reading(path):
        array = np.fromfile(path, dtype=dtype, count=stop - start, offset=start * size)
    if len(array) != stop - start:  # kernels would read beyond its end
        problem = f"it ends after {start + len(array):,} values, and had {stop:,} or more before"
        raise FileError(path, problem, "count again, and let no other program change it")
    return array
