"""Read vectors from text: word2vec and fastText (with a header line), GloVe (without)."""

from __future__ import annotations

import codecs
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotWarning, FileError
from andornot.base.files import Source
from andornot.base.parallel import run_parallel, thread_count
from andornot.base.progress import stage
from andornot.base.remedies import remedy
from andornot.formats.rows import GrowingRows, GrowingWords, drop_repeated, use_replace
from andornot.formats.text_kernels import UNSURE, read_rows
from andornot.space import Space
from andornot.words.provenance import Provenance

BLOCK = 2 << 20
"""Bytes read at a time; the maximum length of a line."""

HEADER = re.compile(rb"^[ \t]*([0-9]{1,18})[ \t]+([0-9]{1,18})[ \t\r]*$")
NUMBER = r"[-+]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|(?i:nan|inf|infinity))"
_NUMBER = re.compile(NUMBER.encode())
_FIELD = re.compile(rb"[^ \t\r]+")
_SAMPLE_LINES = 100
_GET_AGAIN = "the file may be cut off or damaged; get it again, or correct the line"


def read_text(
    path: Path,
    *,
    kind: str,
    header: bool,
    undecodable: str = "strict",
    threads: int | None = None,
) -> Space:
    """Read vectors from a text file.

    The last `dim` fields of a line are the vector, and everything before them is the word, which
    may contain spaces.

    Args:
        path: The file.
        kind: The name of the format in the provenance.
        header: True if the first line has the numbers of words and values.
        undecodable: "strict" refuses words that are not UTF-8, "replace" replaces their bytes.
        threads: The number of threads; default: all cores.
    """
    workers = thread_count(threads)
    with (
        Source(path, bounded=True) as source,
        ThreadPoolExecutor(workers) as pool,
        stage(f"reading {path.name}") as report,
    ):
        reader = _TextReader(source, header, undecodable, workers)
        for block in _whole_lines(source):
            reader.read_block(block, pool)
            report(source.done)
    space = reader.finish(kind)
    if block.open_end:
        warnings.warn(
            f"{path}: its last line has no end; it may be cut off", AndornotWarning, stacklevel=3
        )
    return space


@dataclass(frozen=True)
class _Block:
    """Complete lines of the file: bytes 0 to `end` of the buffer, the last one a newline.

    `open_end` is True if this newline was missing in the file.
    """

    buffer: bytearray
    end: int
    open_end: bool = False


def _whole_lines(source: Source) -> Iterator[_Block]:
    """Yield blocks of complete lines, each read while the previous one is parsed.

    Blank lines at the end of a block are moved to the next. So those at the end of the file are
    ignored, and all others precede a row, where they are an error.
    """
    buffers = [bytearray(2 * BLOCK + 1), bytearray(2 * BLOCK + 1)]
    tail = b""

    def fill(buffer: bytearray) -> _Block | None:
        nonlocal tail
        begin = len(tail)
        buffer[:begin] = tail
        count = begin + source.read_into(memoryview(buffer)[begin : begin + BLOCK])
        last = count < begin + BLOCK
        end = count if last else buffer.rfind(b"\n", 0, count) + 1
        while end and buffer[end - 1] in b" \t\r\n":
            end -= 1
        if last and end:
            buffer[end] = 0x0A
            tail = b""
            return _Block(buffer, end + 1, open_end=end == count)
        if last:
            return None
        end = buffer.find(b"\n", end, count) + 1 if end else 0
        tail = bytes(buffer[end:count])
        if len(tail) >= BLOCK:
            raise FileError(
                source.path,
                f"a line of over {BLOCK >> 20} MB",
                "this is not a text file of vectors; check what it is",
            )
        return _Block(buffer, end)

    with ThreadPoolExecutor(1) as prefetch:
        turn = 0
        coming = prefetch.submit(fill, buffers[turn])
        while (block := coming.result()) is not None:
            turn = 1 - turn
            coming = prefetch.submit(fill, buffers[turn])
            yield block


class _TextReader:
    """Parses blocks of lines one after the other, and collects their words and vectors."""

    def __init__(self, source: Source, header: bool, undecodable: str, threads: int) -> None:
        self.source = source
        self.path = source.path
        self.header = header
        self.undecodable = undecodable
        self.threads = threads
        self.line = 1  # the number of the next line
        self.promised: int | None = None  # the number of words in the header
        self.dim = 0
        self.rows: GrowingRows | None = None
        self.words = GrowingWords()

    def read_block(self, block: _Block, pool: ThreadPoolExecutor) -> None:
        start = 0
        if self.rows is None:
            start = self._begin(block)
            self.rows = GrowingRows(self.dim)
        segments = self._segments(block, start)
        counts = [block.buffer.count(b"\n", first, last) for first, last in segments]
        self._refuse_short_lines(block, start, sum(counts))
        values = self.rows.extend(sum(counts))
        buffer = np.frombuffer(block.buffer, dtype=np.uint8)
        starts = np.empty(len(values), dtype=np.int64)
        ends = np.empty(len(values), dtype=np.int64)
        tasks = []
        row = 0
        for (first, _), count in zip(segments, counts, strict=True):
            part = slice(row, row + count)
            tasks.append(partial(read_rows, buffer, first, values[part], starts[part], ends[part]))
            row += count
        run_parallel(pool, tasks)
        for unsure in np.flatnonzero(ends == UNSURE).tolist():
            ends[unsure] = self._read_row(block, int(starts[unsure]), unsure, values[unsure])
        self._add_words(buffer, starts, ends)
        self.line += len(values)

    def _begin(self, block: _Block) -> int:
        """Parse the first lines: the header, if there is one, and the dimension."""
        start = len(codecs.BOM_UTF8) if block.buffer.startswith(codecs.BOM_UTF8) else 0
        lines: list[bytes] = []
        end = start
        while end < block.end and len(lines) < _SAMPLE_LINES:
            begin, end = end, block.buffer.index(b"\n", end) + 1
            lines.append(bytes(block.buffer[begin : end - 1]))
        if not self.header:
            sizes = Counter(trailing_numbers(line) for line in lines)
            self.dim = max(sizes, key=lambda size: (sizes[size], size))
            if not self.dim:
                raise self._error(
                    1,
                    f"no numbers follow the word in {_shown(lines[0])}",
                    "name a vector file",
                )
            return start
        header = HEADER.match(lines[0])
        if not header:
            raise self._error(
                1,
                f"{_shown(lines[0])} is not a header of words and values",
                "read it as GloVe text: " + remedy(python="format='glove'", command="--from glove"),
            )
        self.promised, self.dim = int(header[1]), int(header[2])
        self.line = 2
        if not self.promised or not self.dim:
            raise self._error(
                1, "the header has a zero", "write the numbers of words and of values"
            )
        if len(lines) == 1:
            raise self._error(
                1, f"the header promises {self.promised:,} words and none follows", _GET_AGAIN
            )
        given = len(_FIELD.findall(lines[1])) - 1
        if given < self.dim:
            raise self._error(
                2, f"{given:,} values where the header promises {self.dim:,}", _GET_AGAIN
            )
        return start + len(lines[0]) + 1

    def _segments(self, block: _Block, start: int) -> list[tuple[int, int]]:
        """Split the lines from `start` on into a segment for each thread."""
        bounds = [start]
        for part in range(1, self.threads):
            near = start + (block.end - start) * part // self.threads
            bound = block.buffer.find(b"\n", near, block.end) + 1
            if bounds[-1] < bound < block.end:
                bounds.append(bound)
        return list(zip(bounds, [*bounds[1:], block.end], strict=True))

    def _refuse_short_lines(self, block: _Block, start: int, count: int) -> None:
        """Raise an error before allocating memory for more rows than the file can contain."""
        least = 2 * self.dim + 2
        if count * least <= block.end - start:
            return
        for row in range(count):
            end = block.buffer.index(b"\n", start)
            if end + 1 - start < least:
                self._read_row(block, start, row, np.empty(self.dim, dtype=np.float32))
            start = end + 1

    def _read_row(
        self, block: _Block, start: int, row: int, values: npt.NDArray[np.float32]
    ) -> int:
        """Parse one line in Python; return the end of its word, or raise an error."""
        line = self.line + row
        text = bytes(block.buffer[start : block.buffer.index(b"\n", start)])
        fields = list(_FIELD.finditer(text))
        if not fields:
            raise self._error(line, "a blank line between rows", "delete the line")
        if fields[0].start() > 0:
            raise self._error(
                line, f"no word at the beginning of {_shown(text)}", "correct the line"
            )
        before = [field[0] for field in fields[: -self.dim]]
        # A word may contain spaces, but one that ends in " 0.25" has a value too many, and
        # so is one that ends in " 7" where there is a header: such files have no spaces in words.
        extra = len(before) > 1 and _NUMBER.fullmatch(before[-1])
        if extra and before[-1].isdigit() and not self.header:
            extra = None
        if not before or extra:
            raise self._error(
                line,
                f"{len(fields) - 1:,} values where {self.dim:,} are expected, "
                f"in the row of {_shown(fields[0][0])}",
                _GET_AGAIN,
            )
        for i, field in enumerate(fields[-self.dim :]):
            if not _NUMBER.fullmatch(field[0]):
                raise self._error(line, f"{_shown(field[0])} is not a number", "correct the line")
            with np.errstate(over="ignore"):
                values[i] = np.float32(float(field[0]))
            if not np.isfinite(values[i]):
                raise self._error(
                    line,
                    f"the value {_shown(field[0])} of {_shown(before[0])} is not a finite float32",
                    "correct or delete the line",
                )
        return start + fields[-self.dim - 1].end()

    def _add_words(
        self,
        buffer: npt.NDArray[np.uint8],
        starts: npt.NDArray[np.int64],
        ends: npt.NDArray[np.int64],
    ) -> None:
        broken = self.words.extend(buffer, starts, ends)
        if broken < 0:
            return
        if self.undecodable == "strict":
            raise self._error(
                self.line + broken,
                f"the word {buffer[starts[broken] : ends[broken]].tobytes()!r} is not UTF-8",
                use_replace(),
            )
        bounds = zip(starts.tolist(), ends.tolist(), strict=True)
        self.words.extend_replacing([buffer[first:last].tobytes() for first, last in bounds])

    def finish(self, kind: str) -> Space:
        if self.rows is None:
            raise FileError(self.path, "the file is empty", "check where it came from")
        if self.promised is not None and len(self.rows) != self.promised:
            raise self._error(
                1,
                f"the header promises {self.promised:,} words and {len(self.rows):,} follow",
                _GET_AGAIN,
            )
        vocabulary, note = drop_repeated(self.path, self.words, self.rows)
        provenance = Provenance(f"{kind} file {self.path.name}")
        return Space(
            vocabulary,
            self.rows.finish(),
            provenance=provenance.then(note) if note else provenance,
        )

    def _error(self, line: int, problem: str, way_out: str) -> FileError:
        return FileError(self.path, problem, way_out, line=line)


def trailing_numbers(line: bytes) -> int:
    """Return the number of numbers at the end of a line, not counting the first field."""
    fields = _FIELD.findall(line)[1:]
    count = 0
    while count < len(fields) and _NUMBER.fullmatch(fields[-1 - count]):
        count += 1
    return count


def _shown(text: bytes) -> str:
    """Return the beginning of some bytes, for an error message."""
    return repr(text[:40].decode("utf-8", "replace"))
