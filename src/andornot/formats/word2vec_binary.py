"""word2vec's binary format: a header line, then each word, a space and its float32 values."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import numpy.typing as npt

from andornot.base.errors import FileError
from andornot.base.files import Source
from andornot.base.kernels import kernel
from andornot.base.progress import stage
from andornot.base.replacing import replacing
from andornot.formats.rows import GrowingRows, GrowingWords, drop_repeated, use_replace
from andornot.formats.text import HEADER
from andornot.formats.text_writing import refuse_words
from andornot.formats.values import refuse_infinite
from andornot.space import Space
from andornot.words.provenance import Provenance
from andornot.words.vocabulary import Vocabulary

_BLOCK = 8 << 20
_LONGEST_WORD = 1 << 16
_SPACED = re.compile(r"[ \n]")
_SPACE, _NEWLINE = ord(" "), ord("\n")


@kernel
def _read_block(
    buffer: npt.NDArray[np.uint8],
    size: int,
    values: npt.NDArray[np.uint8],
    starts: npt.NDArray[np.int64],
    ends: npt.NDArray[np.int64],
) -> tuple[int, int]:
    """Read complete rows from the start of `buffer`; return the numbers of rows and bytes."""
    width = values.shape[1]
    position = 0
    row = 0
    while row < len(values):
        start = position
        while start < size and buffer[start] == _NEWLINE:  # word2vec.c ends each row with a newline
            start += 1
        end = start
        while end < size and buffer[end] != _SPACE:
            end += 1
        if end + 1 + width > size:
            break
        starts[row] = start
        ends[row] = end
        for j in range(width):
            values[row, j] = buffer[end + 1 + j]
        position = end + 1 + width
        row += 1
    return row, position


def read_word2vec_binary(
    path: Path,
    *,
    undecodable: str = "strict",
) -> Space:
    """Read vectors in word2vec's binary format, as word2vec.c and gensim write them."""
    with Source(path, bounded=True) as source, stage(f"reading {path.name}") as report:
        count, dim, rest = _read_header(source)
        rows, words = GrowingRows(dim), GrowingWords()
        width = 4 * dim
        buffer = bytearray(_BLOCK + width + _LONGEST_WORD)
        filled = len(rest)
        buffer[:filled] = rest
        while len(rows) < count:
            got = source.read_into(memoryview(buffer)[filled:])
            filled += got
            used = _take_rows(path, buffer, filled, count, rows, words, undecodable)
            if not used:
                raise FileError(
                    path,
                    f"the header promises {count:,} words of {dim:,} values and the file "
                    f"{'ends' if not got else 'makes no sense'} after {len(rows):,}",
                    "it may be cut off or damaged: get it again",
                )
            buffer[: filled - used] = buffer[used:filled]
            filled -= used
            report(source.done)
        if bytes(buffer[:filled]).strip(b"\n") or source.read(1):
            raise FileError(
                path,
                f"the header promises {count:,} words and more follow",
                "it may be damaged: get it again",
            )
    vocabulary, note = drop_repeated(path, words, rows)
    provenance = Provenance(f"word2vec binary file {path.name}")
    return Space(
        vocabulary, rows.finish(), provenance=provenance.then(note) if note else provenance
    )


def _read_header(source: Source) -> tuple[int, int, bytes]:
    """Return the numbers of words and values, and the bytes read after the header."""
    head = source.read(100)
    line, newline, rest = head.partition(b"\n")
    header = HEADER.match(line)
    if not newline or not header or not int(header[1]) or not int(header[2]):
        raise FileError(
            source.path,
            f"{line[:40]!r} is not a header of words and values",
            "this is not a word2vec binary file; name another format",
            line=1,
        )
    count, dim = int(header[1]), int(header[2])
    room = count * (4 * dim + 2)
    if (source.plain and room > source.size) or dim > _BLOCK:
        raise FileError(
            source.path,
            f"the header promises {count:,} words of {dim:,} values, at least {room:,} bytes, "
            f"and the file has {source.size:,}",
            "it may be cut off or damaged: get it again",
            line=1,
        )
    return count, dim, rest


def _take_rows(
    path: Path,
    buffer: bytearray,
    filled: int,
    count: int,
    rows: GrowingRows,
    words: GrowingWords,
    undecodable: str,
) -> int:
    """Move complete rows from the buffer to `rows` and `words`; return their size in bytes."""
    done = len(rows)
    width = 4 * rows.dim
    most = min(count - done, filled // (width + 2) + 1)
    values = rows.extend(most)
    starts, ends = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    data = np.frombuffer(buffer, dtype=np.uint8)
    taken, used = _read_block(data, filled, values.view(np.uint8), starts, ends)
    refuse_infinite(values[:taken], path, first=done)
    rows.shrink(done + taken)
    starts, ends = starts[:taken], ends[:taken]
    empty = np.flatnonzero(starts == ends)
    if empty.size:
        raise FileError(
            path,
            "an empty word",
            "the file is damaged, or its header gives another dimension: get it again",
            row=done + int(empty[0]) + 1,
        )
    broken = words.extend(data, starts, ends)
    if broken >= 0:
        raw = [data[a:b].tobytes() for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
        if undecodable == "strict":
            raise FileError(
                path,
                f"the word {raw[broken][:40]!r} is not UTF-8",
                use_replace(),
                row=done + broken + 1,
            )
        words.extend_replacing(raw)
    return int(used)


def write_word2vec_binary(
    vocabulary: Vocabulary,
    vectors: npt.NDArray[np.float32],
    path: Path,
) -> None:
    """Write vectors as word2vec.c does with -binary 1."""
    refuse_words(vocabulary, path, _SPACED)
    step = max(1, (_BLOCK // 4) // vectors.shape[1])
    with replacing(path) as file, stage(f"writing {path.name}") as report:
        file.write(b"%d %d\n" % vectors.shape)
        for start in range(0, len(vectors), step):
            values = np.ascontiguousarray(vectors[start : start + step], dtype="<f4")
            refuse_infinite(values, path, vocabulary, start)
            words = vocabulary.words[start : start + step]
            file.write(
                b"".join(
                    b"%s %s\n" % (word.encode(), row.tobytes())
                    for word, row in zip(words, values, strict=True)
                )
            )
            report(min(1.0, (start + step) / len(vectors)))
