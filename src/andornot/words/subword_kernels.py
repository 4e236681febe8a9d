"""Compiled n-gram hashing, and composition of the vectors of a vocabulary."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from andornot.base.kernels import kernel
from andornot.base.parallel import run_parallel, spans, thread_count
from andornot.words.vocabulary import Vocabulary

if TYPE_CHECKING:
    from andornot.words.subwords import Subwords

_OPEN, _CLOSE = ord("<"), ord(">")


@kernel
def hash_ngrams(
    utf8: npt.NDArray[np.uint8], shortest: int, longest: int, buckets: int
) -> npt.NDArray[np.int64]:
    """Return the buckets of the n-grams of "<word>", in fastText's order.

    >>> len(hash_ngrams(np.frombuffer(b"ab", dtype=np.uint8), 3, 6, 100))  # <ab ab> <ab>
    3
    """
    size = len(utf8) + 2
    word = np.empty(size, dtype=np.uint8)
    word[0] = _OPEN
    word[1:-1] = utf8
    word[-1] = _CLOSE
    found = np.empty(size * min(longest, size), dtype=np.int64)
    count = 0
    for start in range(size):
        if (word[start] & 0xC0) == 0x80:  # inside a UTF-8 character
            continue
        state = np.uint32(2166136261)
        end = start
        for length in range(1, longest + 1):
            if end >= size:
                break
            while True:  # one whole character
                # fastText's bytes are signed: bytes from 0x80 are sign-extended
                byte = np.uint32(np.int32(np.int8(word[end])))
                state = np.uint32((state ^ byte) * np.uint32(16777619))
                end += 1
                if end >= size or (word[end] & 0xC0) != 0x80:
                    break
            edge = length == 1 and (start == 0 or end == size)
            if length >= shortest and not edge:
                found[count] = state % np.uint32(buckets)
                count += 1
    return found[:count]


@kernel
def _compose_span(
    utf8: npt.NDArray[np.uint8],
    offsets: npt.NDArray[np.int64],
    own: npt.NDArray[np.float32],
    matrix: npt.NDArray[np.float32],
    shortest: int,
    longest: int,
    whole: int,
    out: npt.NDArray[np.float32],
    start: int,
    stop: int,
) -> None:
    for i in range(start, stop):
        out[i] = own[i]
        if i == whole:
            continue
        word = utf8[offsets[i] : offsets[i + 1]]
        buckets = hash_ngrams(word, shortest, longest, len(matrix))
        for bucket in buckets:
            for j in range(out.shape[1]):
                out[i, j] += matrix[bucket, j]
        share = np.float32(1.0 / (len(buckets) + 1))
        for j in range(out.shape[1]):
            out[i, j] *= share


def compose_vocabulary(
    vocabulary: Vocabulary,
    own: npt.NDArray[np.float32],
    subwords: Subwords,
    *,
    whole: int = -1,
    threads: int | None = None,
) -> npt.NDArray[np.float32]:
    """Return, for each word, the mean of its own vector and the vectors of its n-grams.

    Args:
        vocabulary: The words.
        own: The vectors of the words, one row per word.
        subwords: The vectors of the n-grams.
        whole: The index of a word without n-grams: fastText's end of sentence.
        threads: The number of threads; default: all cores.

    >>> from andornot.words.subwords import Subwords
    >>> words = Vocabulary(["cat"])
    >>> grams = Subwords(np.ones((10, 2), dtype=np.float32), 3, 6)
    >>> compose_vocabulary(words, np.ones((1, 2), dtype=np.float32), grams).tolist()
    [[1.0, 1.0]]
    """
    out = np.empty_like(own)
    count = thread_count(threads)
    with ThreadPoolExecutor(count) as pool:
        tasks = [
            partial(
                _compose_span,
                vocabulary.utf8,
                vocabulary.offsets,
                own,
                subwords.matrix,
                subwords.shortest,
                subwords.longest,
                whole,
                out,
                start,
                stop,
            )
            for start, stop in spans(len(vocabulary), count)
        ]
        run_parallel(pool, tasks)
    return out
