"""Word frequencies and their origin: training, a file, wordfreq, or an estimate."""

from __future__ import annotations

import codecs
import math
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.arguments import check_counts, shown
from andornot.base.errors import AndornotError, AndornotWarning, FileError, UsageError
from andornot.base.files import Source
from andornot.base.replacing import replacing

_LAST_FIELD = re.compile(r"(.*[^ \t])[ \t]+([^ \t]+)", re.DOTALL)  # words may contain spaces


class CountsOrigin(StrEnum):
    """Origin of counts; shown in every output that depends on them."""

    TRAINING = "training"
    FILE = "file"
    WORDFREQ = "wordfreq"
    RANK = "estimated from rank"
    GIVEN = "given"


@dataclass(frozen=True, eq=False)
class Counts:
    """A non-negative number for each word of a vocabulary, and the origin of the numbers.

    They need not be integers: wordfreq gives relative frequencies, a trainer may give weighted
    counts. The theory depends only on their proportions.
    """

    values: npt.NDArray[np.float64]
    origin: CountsOrigin
    detail: str = ""

    def __post_init__(self) -> None:
        values = np.asarray(self.values, dtype=np.float64).view()
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def shares(self) -> npt.NDArray[np.float64]:
        """The relative frequency of each word.

        >>> Counts(np.array([3.0, 1.0]), CountsOrigin.GIVEN).shares.tolist()
        [0.75, 0.25]
        """
        return np.asarray(self.values / self.values.sum(), dtype=np.float64)

    def check(self) -> Counts:
        """Check that the counts are finite, not negative and not all zero, and return them."""
        wrong = np.flatnonzero(~(np.isfinite(self.values) & (self.values >= 0)))
        if wrong.size:
            raise AndornotError(
                f"counts must be finite and not negative, got {self.values[wrong[0]]} for word "
                f"number {wrong[0] + 1:,}"
            )
        if len(self.values) and not self.values.any():
            raise AndornotError("all counts are zero; at least one must be positive")
        return self

    def __str__(self) -> str:
        return f"{self.origin} ({self.detail})" if self.detail else str(self.origin)


CountsSource = (
    str | PathLike[str] | Mapping[str, float] | Sequence[float] | npt.NDArray[np.number[Any]]
)


def find_counts(words: Sequence[str], source: CountsSource) -> Counts:
    """Find counts for `words` in a file, a mapping, an array or wordfreq, or estimate them by rank.

    Words that the source lacks get the count 0; `detail` tells how many.

    Args:
        words: The words, in the order of the counts to return.
        source: One of
            a file with a word and its count on each line, like word2vec's -save-vocab and GloVe's
            vocab.txt; a mapping of words to counts;
            an array or a list with a number for each word, in the order of the words;
            "wordfreq" for English, or "wordfreq:de" for another language: wordfreq ignores case,
            so of words that differ only in case, the lower-case one (else the first) gets the
            frequency;
            "rank" for an estimate by Zipf's law, 1/rank, valid only for words sorted by frequency.

    Raises:
        FileError: If a file can't be read.
        UsageError: If the source is of another kind, or an array lacks a number for each word.

    >>> find_counts(["a", "b"], {"a": 3}).values.tolist()
    [3.0, 0.0]
    >>> find_counts(["a", "b"], [3, 1]).values.tolist()
    [3.0, 1.0]
    """
    if isinstance(source, Mapping):
        values = np.array([source.get(word, 0) for word in words], dtype=np.float64)
        return _with_coverage(values, CountsOrigin.GIVEN, "a mapping")
    if isinstance(source, str) and source == "rank":
        values = 1.0 / np.arange(1, len(words) + 1)
        return Counts(values, CountsOrigin.RANK, "Zipf's law, 1/rank")
    if isinstance(source, str) and source.split(":")[0] == "wordfreq":
        language = source.partition(":")[2] or "en"
        return _from_wordfreq(words, language)
    if isinstance(source, str | PathLike):
        return _from_file(words, Path(source))
    is_array = isinstance(source, Sequence) or hasattr(source, "__array__")
    if isinstance(source, bytes) or not is_array:
        raise UsageError(
            "counts must be a file, a mapping of words to counts, an array with a number for each "
            f"word, 'wordfreq' or 'rank', got {shown(source)}"
        )
    values = check_counts(source, "counts", len(words))
    return Counts(values, CountsOrigin.GIVEN, "an array").check()


def _from_file(words: Sequence[str], path: Path) -> Counts:
    index = {word: i for i, word in enumerate(words)}
    values = np.full(len(words), -1.0)
    repeated = 0
    for word, count in read_counts_file(path):
        i = index.get(word)
        if i is None:
            continue
        if values[i] >= 0:
            repeated += 1
            continue
        values[i] = count
    if repeated:
        warnings.warn(
            f"{path}: {repeated:,} words are listed more than once; the first count was kept",
            AndornotWarning,
            stacklevel=3,
        )
    return _with_coverage(np.maximum(values, 0), CountsOrigin.FILE, str(path))


def read_counts_file(path: str | PathLike[str]) -> Iterator[tuple[str, float]]:
    r"""Iterate over the words and counts of a file with a word and its count on each line.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "vocab.txt")
    ...     _ = path.write_text("the 12\nking 3\n")
    ...     list(read_counts_file(path))
    [('the', 12.0), ('king', 3.0)]
    """
    remedy = "each line must be a word, a space and its count"
    line = 0
    for line, text in enumerate(_lines(path), start=1):
        if not text:
            continue
        fields = _LAST_FIELD.match(text)
        if fields is None:
            raise FileError(path, f"{text[:40]!r} is not a word and a count", remedy, line=line)
        try:
            count = float(fields[2])
        except ValueError:
            count = math.nan
        if not (math.isfinite(count) and count >= 0):
            raise FileError(path, f"{fields[2][:40]!r} is not a count", remedy, line=line)
        yield fields[1], count
    if line == 0:
        raise FileError(path, "the file is empty", remedy)


def _lines(path: str | PathLike[str]) -> Iterator[str]:
    """Yield the lines of a file, which may be compressed, as text without line ends."""
    number = 0
    with Source(path, bounded=True) as source:
        tail = b""
        while block := source.read(1 << 20):
            lines = (tail + block).split(b"\n")
            tail = lines.pop()
            if len(tail) > 1 << 20:
                raise FileError(
                    path, "a line has over a megabyte", "name a file of words and counts"
                )
            for raw in lines:
                number += 1
                yield _decode(path, raw, number)
        if tail:
            yield _decode(path, tail, number + 1)


def _decode(path: str | PathLike[str], raw: bytes, line: int) -> str:
    if line == 1:
        raw = raw.removeprefix(codecs.BOM_UTF8)
    try:
        return raw.decode("utf-8").strip(" \t\r")
    except UnicodeDecodeError as error:
        raise FileError(
            path, "bytes that are not UTF-8", "convert the file to UTF-8", line=line
        ) from error


def _from_wordfreq(words: Sequence[str], language: str) -> Counts:
    try:
        from wordfreq import get_frequency_dict
    except ImportError as error:
        raise AndornotError(
            "the package wordfreq is not installed; pip install 'andornot[wordfreq]'"
        ) from error
    try:
        frequencies = get_frequency_dict(language, wordlist="best")
    except LookupError as error:
        raise UsageError(
            f"wordfreq has no list for language {language!r}; use a code such as wordfreq:en"
        ) from error
    from wordfreq import word_frequency

    index = set(words)
    given: set[str] = set()
    values = np.zeros(len(words))
    for i, word in enumerate(words):
        if any(letter.isdigit() for letter in word) and word.isalnum():
            values[i] = word_frequency(word, language)  # wordfreq has a special rule for numbers
            continue
        folded = word if word in frequencies else word.lower()
        # wordfreq ignores case: of words that differ only in case, one gets the frequency
        if folded not in given and (folded == word or folded not in index):
            values[i] = frequencies.get(folded, 0.0)
            given.add(folded)
    return _with_coverage(values, CountsOrigin.WORDFREQ, f"language {language}")


def _with_coverage(values: npt.NDArray[np.float64], origin: CountsOrigin, detail: str) -> Counts:
    found = int(np.count_nonzero(values))
    if not found:
        raise AndornotError(
            f"none of the {len(values):,} words has a count in {detail}; "
            "check that both have the same language, case and spelling"
        )
    if found < len(values):
        detail += f"; {len(values) - found:,} of {len(values):,} words are not in it and count 0"
    return Counts(values, origin, detail).check()


def write_counts_file(
    words: Sequence[str], counts: npt.NDArray[np.float64], path: str | PathLike[str]
) -> None:
    """Write a word and its count on each line, as word2vec's -save-vocab does.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_counts_file(["the", "king"], np.array([12.0, 0.5]), f"{folder}/royal.counts")
    ...     list(read_counts_file(f"{folder}/royal.counts"))
    [('the', 12.0), ('king', 0.5)]
    """
    with replacing(path) as file:
        for word, count in zip(words, counts.tolist(), strict=True):
            if not word or "\n" in word or word != word.strip(" \t\r"):
                raise FileError(
                    path, f"a counts file can't hold the word {word!r}", "use the native format"
                )
            number = int(count) if count.is_integer() else count
            file.write(f"{word} {number}\n".encode())


def noise_weights(counts: npt.NDArray[np.float64], exponent: float) -> npt.NDArray[np.float64]:
    """Return count^exponent, to which the distribution q of negatives is proportional.

    A count of 0 gives 0.

    >>> noise_weights(np.array([16.0, 1.0, 0.0]), 0.75).tolist()
    [8.0, 1.0, 0.0]
    """
    seen = counts > 0
    return np.where(seen, np.where(seen, counts, 1.0) ** exponent, 0.0)
