"""Convert Python token lists to token ids, in one pass and in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from itertools import chain, islice
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.arguments import shown
from andornot.base.errors import UsageError
from andornot.base.folders import FolderWriter
from andornot.base.progress import Report, stage
from andornot.corpus.encoding import write_types
from andornot.corpus.token_table import END_OF_SENTENCE

Paths = str | PathLike[str] | Iterable[str | PathLike[str]]
TokenLists = Iterable[Iterable[str]]

ORIGIN = "token lists"
"""The name of the source in the record of a corpus, instead of files."""

_TOKENS_AT_A_TIME = 1 << 20
_LISTS_BETWEEN_REPORTS = 1000
_EXPECTED = "source must be paths, or an iterable of token lists such as [['a', 'b'], ['c']]"


def paths_or_lists(
    source: Paths | TokenLists,
) -> tuple[Sequence[str | PathLike[str]] | None, TokenLists]:
    """Distinguish paths from token lists by the first item; return the paths or None, and lists.

    >>> paths_or_lists("a.txt")[0], paths_or_lists(iter(["a.txt", "b.txt"]))[0]
    (['a.txt'], ['a.txt', 'b.txt'])
    >>> paths, lists = paths_or_lists([["a", "b"], ["c"]])
    >>> paths, list(lists)
    (None, [['a', 'b'], ['c']])
    """
    if isinstance(source, str | PathLike):
        return [source], ()
    if isinstance(source, bytes | bytearray | Mapping) or not isinstance(source, Iterable):
        raise UsageError(f"{_EXPECTED}, got {shown(source)}")
    items: Iterator[Any] = iter(source)
    first = list(islice(items, 1))
    if not first:
        raise UsageError(f"{_EXPECTED}, got an empty iterable")
    if isinstance(first[0], str | PathLike):
        return [*first, *items], ()
    return None, chain(first, items)


def write_token_lists(lists: TokenLists, size: int, writer: FolderWriter) -> dict[str, Any]:
    """Write tokens, words and counts of token lists to a folder, and return its record.

    Args:
        lists: The token lists, which are read once. A list is a line: windows don't cross its end.
        size: The number of lists, for the progress; 0 if unknown.
        writer: The folder.
    """
    numbers: dict[str, int] = {}
    counts: npt.NDArray[np.float64] = np.zeros(0)
    pieces = []
    with stage("reading token lists", size, "lists") as report:
        stream = _numbered(lists, numbers, size, report)
        while len(block := np.fromiter(islice(stream, _TOKENS_AT_A_TIME), dtype=np.int32)):
            writer.append("tokens", block)
            pieces.append((len(block), 0))
            seen = np.bincount(block[block >= 0], minlength=len(numbers))
            counts = np.append(counts, np.zeros(len(numbers) - len(counts))) + seen
    types = [token.encode("utf-8") for token in numbers]
    return write_types(writer, types, counts, pieces, [np.arange(len(types))])


def size_of(source: object) -> int:
    """Return the number of items, or 0 if it is unknown.

    >>> size_of([["a"], ["b"]]), size_of(iter([["a"]]))
    (2, 0)
    """
    return len(source) if isinstance(source, Sized) else 0


def _numbered(
    lists: TokenLists, numbers: dict[str, int], size: int, report: Report
) -> Iterator[int]:
    """Yield the id of every token, and a sentence end after each list."""
    for row, tokens in enumerate(lists):
        if row % _LISTS_BETWEEN_REPORTS == 0:
            report(row / size if size else 0.0, "" if size else f"{row:,} lists")
        _check_list(tokens, row)
        place = -1
        for place, token in enumerate(tokens):
            number = numbers.get(token) if isinstance(token, str) else None
            if number is None:
                _check_token(token, row, place)
                number = numbers[token] = len(numbers)
            yield number
        if place < 0:
            raise UsageError(f"source[{row}] is an empty token list; leave it out")
        yield END_OF_SENTENCE


def _check_list(tokens: object, row: int) -> None:
    """Raise UsageError if this is a string, or not a list of tokens."""
    if isinstance(tokens, str):
        raise UsageError(
            f"source[{row}] must be a list of tokens, got the string {shown(tokens)}; split it "
            "into tokens, such as with .split()"
        )
    if isinstance(tokens, bytes | bytearray | Mapping) or not isinstance(tokens, Iterable):
        raise UsageError(f"source[{row}] must be a list of tokens, got {shown(tokens)}")


def _check_token(token: object, row: int, place: int) -> None:
    where = f"source[{row}][{place}]"
    if not isinstance(token, str):
        raise UsageError(f"{where} must be a string, got {shown(token)}; convert it with str()")
    if not token:
        raise UsageError(f"{where} is an empty string; leave it out")
    try:
        token.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UsageError(f"{where}, {token!r}, is not valid Unicode text; correct it") from error
