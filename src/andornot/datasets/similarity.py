"""Read rated word pairs: two words and a number on each line."""

from __future__ import annotations

import math
from os import PathLike
from typing import NamedTuple

from andornot.base.errors import FileError
from andornot.datasets.lines import text_lines


class WordPair(NamedTuple):
    """Two words and the rating of their similarity."""

    first: str
    second: str
    rating: float


def read_word_pairs(path: str | PathLike[str]) -> list[WordPair]:
    """Read a file of rated pairs: a word, a tab, a word, a tab and a number on each line.

    A heading on the first line and columns after the third are ignored.

    For example `read_word_pairs("EN-SIMLEX-999.txt")[0]` is `WordPair("old", "new", 1.58)`.
    """
    pairs: list[WordPair] = []
    for number, line in enumerate(text_lines(path), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("\t")]
        try:
            first, second, rating = fields[0], fields[1], float(fields[2])
            if not first or not second or not math.isfinite(rating):
                raise ValueError
        except (IndexError, ValueError):
            if number == 1 and len(fields) > 2:
                continue  # a heading
            raise FileError(
                path,
                f"expected two words and a number, got {line[:60]!r}",
                "separate them by tabs",
                line=number,
            ) from None
        pairs.append(WordPair(first, second, rating))
    if len(pairs) < 2:
        raise FileError(path, "fewer than two rated pairs", "a correlation needs more")
    return pairs
