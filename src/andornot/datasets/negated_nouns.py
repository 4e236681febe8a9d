"""Read rated alternatives to a negated noun: "this is not a dog, it is a wolf"."""

from __future__ import annotations

import math
from os import PathLike
from typing import NamedTuple

from andornot.base.errors import FileError
from andornot.datasets.lines import text_lines

PARTS = ("train", "dev", "test")


class RatedAlternative(NamedTuple):
    """The plausibility of "it is not a `negated`, it is a `alternative`", rated from 1 to 5.

    `part` is the authors' split: "train", "dev" or "test".
    """

    negated: str
    alternative: str
    rating: float
    part: str


def read_alternatives(path: str | PathLike[str]) -> list[RatedAlternative]:
    """Read the ratings of Kruszewski and others: five tab-separated columns under a heading.

    They are the negated noun, the alternative, their relation, the mean rating and the part.

    For example `read_alternatives("it_ratings.txt")[0]` is
    `RatedAlternative("goat", "beard", 1.3, "train")`.

    Raises:
        FileError: If a line is malformed, or the file has fewer than two ratings.
    """
    found = []
    for number, line in enumerate(text_lines(path)[1:], start=2):
        fields = line.split("\t")
        try:
            negated, alternative, _, rating, part = fields
            each = RatedAlternative(negated, alternative, float(rating), part.strip())
            if not negated or not alternative or not math.isfinite(each.rating):
                raise ValueError
            if each.part not in PARTS:
                raise ValueError
        except ValueError:
            raise FileError(
                path,
                "expected a negated noun, an alternative, a relation, a rating and one of "
                f"{', '.join(PARTS)}, separated by tabs, got {line[:60]!r}",
                "correct the line",
                line=number,
            ) from None
        found.append(each)
    if len(found) < 2:
        raise FileError(path, "fewer than two ratings", "a correlation needs more")
    return found
