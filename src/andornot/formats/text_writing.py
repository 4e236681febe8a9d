"""Write vectors as text: word2vec and fastText with a header line, GloVe without."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from andornot.base.errors import FileError
from andornot.base.parallel import run_parallel, thread_count
from andornot.base.progress import stage
from andornot.base.replacing import replacing
from andornot.formats.text import NUMBER
from andornot.formats.text_kernels import LONGEST_NUMBER, write_rows
from andornot.formats.values import refuse_infinite
from andornot.words.vocabulary import Vocabulary

_VALUES_AT_A_TIME = 1 << 19  # at most about 12 MB of text
_SPACED = re.compile(r"[ \t\r\n]")
# Also a word that begins with a byte order mark, or ends with a number.
_UNSAFE_IN_GLOVE = re.compile(rf"[\t\r\n]|^[ \ufeff]| $| {NUMBER}$")


def write_text(
    vocabulary: Vocabulary,
    vectors: npt.NDArray[np.float32],
    path: Path,
    *,
    header: bool,
) -> None:
    """Write a line for each word, after a header with the numbers of words and values if `header`.

    Numbers are written with the fewest digits that give the same float32.
    """
    refuse_words(vocabulary, path, _SPACED if header else _UNSAFE_IN_GLOVE)
    step = max(1, _VALUES_AT_A_TIME // vectors.shape[1])
    threads = thread_count(None)
    with (
        replacing(path) as file,
        ThreadPoolExecutor(threads) as pool,
        stage(f"writing {path.name}") as report,
    ):
        if header:
            file.write(b"%d %d\n" % vectors.shape)
        for start in range(0, len(vectors), step * threads):
            batch = range(start, min(start + step * threads, len(vectors)), step)
            tasks = [
                partial(_lines, vocabulary, vectors, path, first, min(first + step, len(vectors)))
                for first in batch
            ]
            for text in run_parallel(pool, tasks):
                file.write(text)
            report(min(1.0, (batch[-1] + step) / len(vectors)))


def _lines(
    vocabulary: Vocabulary,
    vectors: npt.NDArray[np.float32],
    path: Path,
    start: int,
    stop: int,
) -> bytes:
    """Return the text of the rows from `start` to `stop`."""
    values = np.ascontiguousarray(vectors[start:stop])
    refuse_infinite(values, path, vocabulary, start)
    offsets = vocabulary.offsets[start : stop + 1]
    out = np.empty(
        int(offsets[-1] - offsets[0]) + len(values) + values.size * LONGEST_NUMBER, dtype=np.uint8
    )
    begins = np.empty(len(values), dtype=np.int64)
    end = write_rows(vocabulary.utf8, offsets, values, out, begins)
    text = out[:end].tobytes()
    pieces = []
    written = 0
    for row in np.flatnonzero(begins < 0).tolist():
        position = -int(begins[row]) - 1
        pieces.append(text[written:position])
        numbers = " ".join(f"{value:.9g}" for value in values[row].tolist())
        pieces.append(f"{vocabulary.word(start + row)} {numbers}\n".encode())
        written = position
    return b"".join([*pieces, text[written:]])


def refuse_words(vocabulary: Vocabulary, path: Path, unsafe: re.Pattern[str]) -> None:
    """Raise FileError if a word could not be read back from the file."""
    for i, word in enumerate(vocabulary.words):
        if not word or unsafe.search(word):
            raise FileError(
                path,
                f"this format can't store the word {word!r} (number {i + 1:,})",
                "write the native format (a name in .safetensors) instead",
            )
