"""Read and check the words and counts of a folder of arrays."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.errors import FileError, naming
from andornot.base.folders import map_array
from andornot.words.counts import Counts, CountsOrigin
from andornot.words.vocabulary import Vocabulary

_MOST = 2.0**60  # upper limit of the total count of tokens
_REMEDY = "the folder may be damaged; recreate it"


def read_words(path: Path, record: dict[str, Any], counts: str) -> Vocabulary:
    """Return the vocabulary of a folder that was made from a text.

    Args:
        path: The folder.
        record: Its record.
        counts: The name of the array with the words' counts.

    Raises:
        FileError: If the folder has no words, a word is not UTF-8, or the counts are invalid.
    """
    arrays = ((counts, "<f8"), ("word_offsets", "<i8"), ("words", "u1"))
    values, offsets, data = (np.array(map_array(path, record, *each)) for each in arrays)
    return check_words(path, data, offsets, values)


def check_words(
    path: Path,
    data: npt.NDArray[np.uint8],
    offsets: npt.NDArray[np.int64],
    values: npt.NDArray[np.float64],
) -> Vocabulary:
    """Return the vocabulary of words and counts that were read from a file.

    Args:
        path: What an error names.
        data: The bytes of all words, one after the other.
        offsets: Where each word begins, and where the last one ends.
        values: The count of each word.

    Raises:
        FileError: If there are no words, a word is not UTF-8, a word occurs twice, or the counts
            don't fit the words.
    """
    if len(offsets) < 2:
        raise FileError(path, "the folder has no words", _REMEDY)
    if not 1 <= values.sum() < _MOST:
        raise FileError(path, "the counts of its words are not counts of a text", _REMEDY)
    with naming(path, _REMEDY):
        checked = Counts(values, CountsOrigin.TRAINING, "counted in the corpus").check()
        words = Vocabulary.from_utf8(data, offsets, checked, path)
        inner = words.offsets[words.offsets < len(data)]
    try:
        data.tobytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileError(path, "a word is not UTF-8", _REMEDY) from error
    if (data[inner] & 0xC0 == 0x80).any():  # a word that begins inside a character
        raise FileError(path, "a word is not UTF-8", _REMEDY)
    twice = _first_twice(data, words.offsets)
    if twice is not None:
        problem = f"words must be unique, and {twice.decode('utf-8')!r} occurs twice"
        raise FileError(path, problem, _REMEDY)
    return words


def _first_twice(data: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]) -> bytes | None:
    """Return the first word that occurred before, or None.

    >>> data = np.frombuffer(b"theoldthe", dtype=np.uint8)
    >>> _first_twice(data, np.array([0, 3, 6, 9])), _first_twice(data, np.array([0, 3, 6]))
    (b'the', None)
    """
    from andornot.words.word_hashes import may_repeat

    if not may_repeat(data, offsets):
        return None
    seen: set[bytes] = set()
    for start, stop in pairwise(offsets.tolist()):
        word = data[start:stop].tobytes()
        if word in seen:
            return word
        seen.add(word)
    return None
