"""Read the complete output of GloVe's C program: both sets of vectors and both biases.

Its binary file consists of doubles: v and bias a of every word, then u and bias b of every word.
The words are in the vocab.txt used for training. `-model 0` writes the same numbers as text,
one line for each word: v, a, u, b.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.errors import FileError
from andornot.base.files import Source
from andornot.base.progress import track
from andornot.base.remedies import remedy
from andornot.formats.text import read_text
from andornot.formats.values import refuse_infinite
from andornot.space import Space
from andornot.words.provenance import Provenance
from andornot.words.vocabulary import Vocabulary

_DOUBLES_AT_A_TIME = 1 << 20
_BYTES_AT_A_TIME = 1 << 20
_MOST_DIMENSIONS = 1 << 14  # of a compressed file, whose size is known only after reading
# Fixed settings of the program; its files don't contain the others.
_MODEL = {"model": "glove", "weighting": "harmonic"}


def vocabulary_beside(path: Path) -> Path:
    """Return the default path of the vocabulary of a vectors.bin."""
    return path.parent / "vocab.txt"


def read_glove_binary(
    path: Path,
    *,
    vocabulary: Path | None = None,
) -> Space:
    """Read a GloVe binary with the words of `vocabulary`; default: vocab.txt in its folder."""
    listed = vocabulary or vocabulary_beside(path)
    if not listed.exists():
        raise FileError(
            path,
            f"a GloVe binary contains no words, and there is no {listed}",
            "give its vocabulary with "
            + remedy(python="vocabulary=FILE", command="--glove-vocab FILE"),
        )
    words = Vocabulary.read(listed)
    doubles: npt.NDArray[np.float64]
    with Source(path, bounded=True) as source:
        if source.plain and source.size:
            size = source.size
            doubles = np.memmap(path, dtype="<f8", mode="r", shape=(size // 8,))
        else:
            most = 2 * 8 * len(words) * (_MOST_DIMENSIONS + 1)
            data = bytearray()  # grows block by block: the file may have much less
            while len(data) <= most and (block := source.read(_BYTES_AT_A_TIME)):
                data += block
            size = len(data)
            if size > most:
                raise FileError(
                    path,
                    f"it has over {most:,} bytes, more than {_MOST_DIMENSIONS:,} dimensions for "
                    f"each of the {len(words):,} words of {listed}",
                    "that vocabulary belongs to another run, or decompress the file first",
                )
            doubles = np.frombuffer(data, dtype="<f8", count=size // 8)
    width, remainder = divmod(size, 2 * 8 * len(words))
    if remainder or width < 2:
        raise FileError(
            path,
            f"its {size:,} bytes are not two vectors and two biases in double precision "
            f"for each of the {len(words):,} words of {listed}",
            "it may be cut off, or that vocabulary belongs to another run",
        )
    table = doubles.reshape(2 * len(words), width)
    target, target_bias = _convert(path, table[: len(words)], words)
    context, context_bias = _convert(path, table[len(words) :], words)
    return Space(
        words,
        target,
        context=context,
        target_bias=target_bias,
        context_bias=context_bias,
        provenance=Provenance(f"GloVe binary file {path.name}", **_MODEL),  # type: ignore[arg-type]
    )


def _convert(
    path: Path,
    table: npt.NDArray[np.float64],
    words: Vocabulary,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Convert one half of the file to vectors and biases in float32."""
    count, width = table.shape
    vectors = np.empty((count, width - 1), dtype=np.float32)
    biases = np.empty(count, dtype=np.float32)
    step = max(1, _DOUBLES_AT_A_TIME // width)
    for start in track(range(0, count, step), f"reading {path.name}"):
        block = table[start : start + step]
        with np.errstate(over="ignore"):
            vectors[start : start + step] = block[:, :-1]
            biases[start : start + step] = block[:, -1]
        refuse_infinite(vectors[start : start + step], path, words, start)
        refuse_infinite(biases[start : start + step], path, words, start)
    return vectors, biases


def read_glove_all(path: Path, **options: Any) -> Space:
    """Read the text that GloVe writes with -model 0: v, its bias, u, its bias on each line."""
    whole = read_text(path, kind="GloVe -model 0 text", header=False, **options)
    if whole.dim % 2 or whole.dim < 4:
        raise FileError(
            path,
            f"rows of {whole.dim} values are not two vectors and two biases",
            "read it as plain GloVe text",
        )
    half = whole.dim // 2
    return Space(
        whole.vocabulary,
        whole.target[:, : half - 1].copy(),
        context=whole.target[:, half:-1].copy(),
        target_bias=whole.target[:, half - 1].copy(),
        context_bias=whole.target[:, -1].copy(),
        provenance=Provenance(
            whole.provenance.origin,
            history=whole.provenance.history,
            **_MODEL,  # type: ignore[arg-type]
        ),
    )
