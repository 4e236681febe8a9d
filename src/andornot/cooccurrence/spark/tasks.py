"""The work of a task: Arrow batches in, Arrow batches out, with the kernels of the local engine.

Batches are not partitions: a task keeps its state over all of its batches. Its memory is bounded:
types are handed on before the table of them is too long, and the words of its text go through a
file on the worker's disk to sorted runs, as in the local engine.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

import andornot
from andornot.base.choices import Tokenizer
from andornot.base.errors import AndornotError
from andornot.cooccurrence.runs import Job, MemoryPlan, Rows, cut
from andornot.cooccurrence.spark.fragments import RowMerger, pack
from andornot.cooccurrence.spark.ranges import Ranges
from andornot.cooccurrence.windows import WindowPlan
from andornot.corpus.corpus import OUTSIDE, keep_known
from andornot.corpus.encoding import decode_types, number_block
from andornot.corpus.phrase_merging import JOINT, PhraseMerger
from andornot.corpus.reading import BLOCK, cut_blocks
from andornot.corpus.token_table import END_OF_SENTENCE, TokenTable
from andornot.words.vocabulary import pack_words

Ids = npt.NDArray[np.int32]
Batches = Iterable[Any]

TYPES = "token binary, count bigint"
FRAGMENTS = "key int, row int, entries binary"
PAIRS = "row int, column int, count double"

FIGURE = b"\n"
"""The first byte of what is not a token but a figure about the text; no token has a line's end."""

TOKENS, BROKEN_BYTES, BROKEN_TOKENS = (
    FIGURE + name for name in (b"tokens", b"broken bytes", b"broken tokens")
)

FIGURES = (TOKENS, BROKEN_BYTES, BROKEN_TOKENS)

PHRASE = FIGURE + b"phrase "
"""Before the index of each phrase that was merged."""

_MOST_TYPES = 1 << 20  # in the table of a task
_ENTRIES_IN_A_BATCH = 1 << 18


@dataclass(frozen=True)
class TextForm:
    """The way of reading a text, and the version of andornot that the task must have."""

    name: str  # for errors
    tokenizer: str
    separator: bytes
    without_markup: bool
    phrases: tuple[tuple[str, ...], ...]
    remedy: str  # how the caller ships andornot: a task doesn't know who called
    version: str = andornot.__version__

    def check_version(self) -> None:
        """Raise an error if this process has another version than the one that planned the work."""
        if andornot.__version__ != self.version:
            raise AndornotError(
                f"the workers have andornot {andornot.__version__}, and the count was started by "
                f"{self.version}; install the same version there, or ship it by {self.remedy}"
            )

    def blocks(self, batches: Batches) -> Iterator[bytearray]:
        """Yield the text of some batches in blocks that end between tokens."""
        return cut_blocks(
            _pieces(batches),
            self.name,
            without_markup=self.without_markup,
            separator=self.separator,
        )

    def merger(self, table: TokenTable) -> PhraseMerger | None:
        """Add the phrases to a table, and return what merges them in a stream of its ids."""
        if not self.phrases:
            return None
        ids = [tuple(table.add(*pack_words(phrase)).tolist()) for phrase in self.phrases]
        names = table.add(*pack_words([JOINT.join(phrase) for phrase in self.phrases]))
        return PhraseMerger(ids, names, len(table))


def _pieces(batches: Batches) -> Iterator[bytes]:
    """Yield the bytes of the lines of some batches, each line with its end."""
    for batch in batches:
        offsets, data = _binary(batch.column(0))
        text = data[offsets[0] : offsets[-1]]
        for start in range(0, len(text), BLOCK):
            yield text[start : start + BLOCK].tobytes()


def _binary(array: Any) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
    """Return the offsets and the bytes of a binary array, without a copy."""
    array = array.cast(pa.binary())
    _, offsets, data = array.buffers()
    bounds = np.frombuffer(offsets, np.int32)[array.offset : array.offset + len(array) + 1]
    return bounds, np.frombuffer(data or b"", np.uint8)


@dataclass
class _Numbering:
    """Gives the tokens of blocks their ids, and counts what is not UTF-8."""

    form: TextForm
    table: TokenTable
    broken_bytes: int = 0
    broken_tokens: int = 0

    def ids(self, blocks: Iterable[bytearray]) -> Iterator[Ids]:
        """Yield the ids of each block; stop after a line when the table is too long."""
        for block in blocks:
            ids, broken = number_block(self.table, self._repaired(block), self.form.tokenizer)
            self.broken_bytes += broken
            yield ids
            is_end = len(ids) and ids[-1] == END_OF_SENTENCE
            if len(self.table) > _MOST_TYPES and is_end and not self.table.is_fixed:
                return

    def _repaired(self, block: bytearray) -> bytearray:
        """Return the block in valid UTF-8, with U+FFFD where it was not.

        The tokenizer of words does so by itself.
        """
        if self.form.tokenizer == Tokenizer.WORDS or block.isascii():
            return block
        try:
            block.decode("utf-8")
        except UnicodeDecodeError:
            apart = TokenTable(self.form.separator)
            number_block(apart, block, self.form.tokenizer)
            self.broken_tokens += decode_types(apart)[2]
            return bytearray(block.decode("utf-8", "replace").encode("utf-8"))
        return block


def count_types(batches: Batches, form: TextForm) -> Iterator[Any]:
    """Count the types of the text of a task; yield batches of `TYPES`."""
    form.check_version()
    blocks = form.blocks(batches)
    for first in blocks:
        numbering = _Numbering(form, TokenTable(form.separator))
        merger = form.merger(numbering.table)
        counts: npt.NDArray[np.int64] = np.zeros(0, np.int64)
        ids = numbering.ids(chain([first], blocks))
        for part in ids if merger is None else merger.merged(ids):
            seen = np.bincount(part[part >= 0], minlength=len(numbering.table))
            counts = np.append(counts, np.zeros(len(seen) - len(counts), np.int64)) + seen
        types, merged, _ = decode_types(numbering.table)
        counts = np.bincount(merged, weights=counts, minlength=len(types)).astype(np.int64)
        figures = {
            TOKENS: int(counts.sum()),
            BROKEN_BYTES: numbering.broken_bytes,
            BROKEN_TOKENS: numbering.broken_tokens,
        }
        if merger is not None:
            figures |= {PHRASE + b"%d" % index: 1 for index in merger.found.tolist()}
        known = np.flatnonzero(counts)
        tokens = [*figures, *(types[i] for i in known.tolist())]
        often = np.append(np.array(list(figures.values()), np.int64), counts[known])
        yield pa.record_batch(
            {"token": pa.array(tokens, pa.binary()), "count": pa.array(often, pa.int64())}
        )


def count_pairs(
    batches: Batches,
    form: TextForm,
    words: tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]],
    windows: WindowPlan,
    plan: MemoryPlan,
    ranges: Ranges,
    keys: npt.NDArray[np.int32],
) -> Iterator[Any]:
    """Count the pairs of the text of a task; yield batches of `FRAGMENTS`.

    Args:
        batches: The lines of the text.
        form: The way of reading it.
        words: The bytes and offsets of the words to count.
        windows: The weights of the distances.
        plan: The sizes that keep the task within its memory.
        ranges: The ranges of entries.
        keys: For each range the key that Spark sends to its task.
    """
    form.check_version()
    size = len(words[1]) - 1
    with tempfile.TemporaryDirectory(prefix="andornot-", dir=_local_folder()) as folder:
        stream = Path(folder, "stream.bin")
        _write_stream(batches, form, words, stream)
        with ThreadPoolExecutor(1) as pool:
            job = Job(Path(folder), size, windows, plan, pool, lambda done, note="": None)
            for rows in job.count_stream(stream):
                for part in _parts(rows):
                    yield _fragment_batch(part, ranges, keys)


def _write_stream(
    batches: Batches,
    form: TextForm,
    words: tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]],
    path: Path,
) -> None:
    """Write the ids of the known words of the text of a task, and the ends of its lines."""
    table = TokenTable(form.separator)
    table.add(*words)
    size = len(table)
    merger = form.merger(table)
    table.fix()
    numbers = np.full(len(table) + 1, OUTSIDE, np.int32)  # the last one is that of other tokens
    numbers[:size] = np.arange(size)
    ids = _Numbering(form, table).ids(form.blocks(batches))
    with path.open("wb") as file:
        for part in ids if merger is None else merger.merged(ids):
            out = np.empty(len(part), np.int32)
            file.write(out[: keep_known(part, numbers, out)].data)


def _parts(rows: Rows) -> Iterator[Rows]:
    """Cut rows into parts that fit into a batch."""
    ends = np.append(0, np.cumsum(rows.lengths))
    for low, high in cut(rows.lengths, _ENTRIES_IN_A_BATCH):
        entries = slice(ends[low], ends[high])
        if entries.start < entries.stop:
            yield Rows(
                rows.first + low,
                rows.first + high,
                rows.lengths[low:high],
                rows.columns[entries],
                rows.sums[entries],
            )


def _fragment_batch(rows: Rows, ranges: Ranges, keys: npt.NDArray[np.int32]) -> Any:
    packed = pack(rows, ranges)
    buffers = [None, pa.py_buffer(packed.offsets), pa.py_buffer(packed.data)]
    return pa.record_batch(
        {
            "key": pa.array(keys[packed.ranges]),
            "row": pa.array(packed.rows),
            "entries": pa.Array.from_buffers(pa.binary(), len(packed.rows), buffers),
        }
    )


def _local_folder() -> str | None:
    """Return Spark's folder for temporary files on this worker; None for the system's."""
    for name in ("SPARK_LOCAL_DIRS", "LOCAL_DIRS"):  # a cluster of Spark's own, or YARN
        for folder in os.environ.get(name, "").split(","):
            if folder and os.access(folder, os.W_OK):
                return folder
    return None


def merge_pairs(batches: Batches, words: int, unit: float) -> Iterator[Any]:
    """Add up the fragments of a range, which come in the order of rows; yield batches of `PAIRS`.

    Args:
        batches: Batches of `FRAGMENTS`.
        words: The number of words.
        unit: The count that 1 in a sum stands for.
    """
    merger = RowMerger(words)
    parts = (merger.add(batch.column(1).to_numpy(), *_binary(batch.column(2))) for batch in batches)
    for part in chain(parts, (merger.finish() for _ in range(1))):
        for start in range(0, len(part.rows), _ENTRIES_IN_A_BATCH):
            here = slice(start, start + _ENTRIES_IN_A_BATCH)
            yield pa.record_batch(
                {
                    "row": pa.array(part.rows[here]),
                    "column": pa.array(part.columns[here]),
                    "count": pa.array(part.sums[here] * unit),
                }
            )
