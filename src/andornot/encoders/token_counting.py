"""Count the tokens of a model in a text, with the model's tokenizer."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError, AndornotWarning, FileError
from andornot.base.folders import (
    is_folder_of,
    map_array,
    new_folder,
    read_record,
    user_cache,
    writing_cache,
)
from andornot.base.remedies import remedy
from andornot.base.temporaries import remove_stale
from andornot.corpus.corpus import digest_of
from andornot.corpus.encoding import named
from andornot.corpus.reading import content_key, find_files, read_blocks
from andornot.space import Space
from andornot.words.counts import Counts, CountsOrigin
from andornot.words.pieces import Pieces

KIND = "andornot token counts"
VERSION = 2
_AT_A_TIME = 1 << 20  # characters per batch
_MOST_WORDS = 1 << 20
_MOST = 2**53  # of one token; larger counts are not exact
_SPACES = bytes.maketrans(b"\t\n\r", b"   ")  # every tokenizer treats these as spaces
_LONGEST = 1 << 16  # characters of a line; longer lines are split before a space


def count_tokens(space: Space, paths: Sequence[str | Path]) -> Space:
    """Return the space with the counts of its tokens in a text: files, folders or `-`.

    The counts are cached, under a digest of the text and the tokenizer.

    For example `count_tokens(read_first_layer("all-MiniLM-L6-v2"), ["wiki.txt.xz"])`.
    """
    if space.pieces is None:
        raise AndornotError(
            "counting tokens needs a model's tokenizer, and this space has none; add "
            f"counts with {remedy(python='space.with_counts(...)', command='--counts')}"
        )
    counts = token_counts(space.pieces, paths)
    rows = space.token_rows
    known = rows >= 0
    values = np.zeros(len(space))
    values[rows[known]] = counts[known]
    if not values.any():
        raise AndornotError(
            f"{paths[0]}: the text has none of the model's tokens; name another text"
        )
    outside = int(counts[~known].sum())
    detail = f"{int(counts.sum()):,} tokens of {named(find_files(paths))}"
    if outside:
        detail += f"; {outside:,} are not words of this space"
    return space.with_counts(Counts(values, CountsOrigin.FILE, detail))


def token_counts(pieces: Pieces, paths: Sequence[str | Path]) -> npt.NDArray[np.float64]:
    """Return the counts of all tokens by id, from the cache or by counting."""
    files = find_files(paths)
    content = content_key(files)
    if content is None:  # standard input can be read only once
        return _count(pieces, files)
    home = user_cache("token-counts")
    with writing_cache(home, "token counts"):
        home.mkdir(parents=True, exist_ok=True)
        remove_stale(home)
    folder = home / digest_of([VERSION, content, pieces.digest])
    counts = _kept_counts(folder, max(pieces.tokens) + 1)
    if counts is None:
        counts = _count(pieces, files)
        with new_folder(folder, replace=True) as writer:
            writer.append("counts", counts)
            writer.finish(KIND, {"files": [str(path) for path in files]})
    return counts


def _kept_counts(folder: Path, size: int) -> npt.NDArray[np.float64] | None:
    """Return the cached counts of `size` tokens, or None, with a warning if they are damaged."""
    if not is_folder_of(folder, KIND):
        return None
    try:
        counts: npt.NDArray[np.float64] = map_array(folder, read_record(folder), "counts", "<f8")
        if len(counts) != size or not ((counts >= 0) & (counts < _MOST)).all():
            raise FileError(folder, f"these are not the counts of {size:,} tokens", "remove it")
    except FileError as error:
        warnings.warn(f"{error}; counting the tokens again now", AndornotWarning, stacklevel=4)
        return None
    return counts


def _count(pieces: Pieces, files: Sequence[Path]) -> npt.NDArray[np.float64]:
    """Count each token.

    If the tokenizer splits at spaces first, each distinct word is tokenised only once, which is
    ten times as fast as tokenising the whole text.
    """
    size = max(pieces.tokens) + 1
    counts = np.zeros(size)
    if not pieces.cuts_at_spaces:
        for lines in batches_of_lines(files, "counting tokens"):
            counts += np.bincount(pieces.cut(lines)[0], minlength=size)
        return counts
    for words in _counted_words(files):
        numbers, lengths = pieces.cut([word.decode("utf-8", "replace") for word in words])
        often = np.fromiter(words.values(), dtype=np.float64, count=len(words))
        counts += np.bincount(numbers, weights=np.repeat(often, lengths), minlength=size)
    return counts


def _counted_words(files: Sequence[Path]) -> Iterator[Mapping[bytes, int]]:
    """Yield counts of the words between spaces, for parts with a limited number of words."""
    words: Counter[bytes] = Counter()
    for block in read_blocks(files, "counting tokens"):
        words.update(bytes(block).translate(_SPACES).split(b" "))
        if len(words) > _MOST_WORDS:
            yield words
            words = Counter()
    yield words


def batches_of_lines(files: Sequence[Path], label: str = "reading") -> Iterator[list[str]]:
    """Yield the lines of a text in batches of about a megabyte; very long lines are split.

    Bytes that are not UTF-8 are replaced. A part of a line keeps the space before it, for
    tokenizers that depend on spaces.
    """
    batch: list[str] = []
    size = 0
    for line in _lines(files, label):
        batch.append(line)
        size += len(line)
        if size > _AT_A_TIME:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _lines(files: Sequence[Path], label: str) -> Iterator[str]:
    tail = b""
    for block in read_blocks(files, label):
        *whole, tail = (tail + bytes(block)).split(b"\n")
        for raw in whole:
            yield from _cut_long(raw.removesuffix(b"\r").decode("utf-8", "replace"))
        if len(tail) > 8 * _LONGEST:
            end = max(tail.rfind(b" "), 0) or len(tail)
            yield from _cut_long(tail[:end].decode("utf-8", "replace"))
            tail = tail[end:]
    if tail:
        yield from _cut_long(tail.decode("utf-8", "replace"))


def _cut_long(line: str) -> Iterator[str]:
    """Split a very long line into parts, each with the space before it.

    >>> list(_cut_long("a b"))
    ['a b']
    """
    while len(line) > _LONGEST:
        end = line.rfind(" ", 1, _LONGEST)
        end = end if end > 0 else _LONGEST
        yield line[:end]
        line = line[end:]
    if line.strip():
        yield line
