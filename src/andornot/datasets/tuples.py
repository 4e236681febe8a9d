"""Read OR tuples: a word, and the words whose OR should be near it."""

from __future__ import annotations

from os import PathLike
from typing import NamedTuple

from andornot.base.errors import FileError
from andornot.datasets.lines import text_lines


class OrTuple(NamedTuple):
    """A word and the words of which it is the OR."""

    word: str
    parts: tuple[str, ...]


def read_tuples(path: str | PathLike[str]) -> list[OrTuple]:
    """Read OR tuples: on each line a word and the words of which it is the OR, separated by tabs.

    For example `sibling<tab>brother<tab>sister` is `OrTuple("sibling", ("brother", "sister"))`.
    """
    found = []
    for number, line in enumerate(text_lines(path), start=1):
        if not line.strip():
            continue
        word, *parts = [field.strip() for field in line.split("\t")]
        if not word or len(parts) < 2 or not all(parts):
            raise FileError(
                path,
                f"expected a word and two words or more, got {line[:60]!r}",
                "separate them by tabs",
                line=number,
            )
        found.append(OrTuple(word, tuple(parts)))
    if not found:
        raise FileError(path, "the file contains no tuples", "name another file")
    return found
