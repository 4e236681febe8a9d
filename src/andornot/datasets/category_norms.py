"""Read category norms: the members that people name for a category."""

from __future__ import annotations

import math
from os import PathLike
from typing import NamedTuple

from andornot.base.csv_rows import csv_columns
from andornot.base.errors import FileError
from andornot.datasets.lines import text_lines

_COLUMNS = ("Category", "Response", "Production.frequency", "Mean.rank")


class Member(NamedTuple):
    """A member of a category, of one or several words.

    `named_by` is the number of people who named it, and `mean_rank` its mean position, from 1.
    """

    category: str
    member: str
    named_by: int
    mean_rank: float


def read_category_norms(path: str | PathLike[str]) -> list[Member]:
    """Read the norms of Banks and Connell: a CSV file with a row for each response to a category.

    Of its columns, Category, Response, Production.frequency and Mean.rank are read.

    For example `read_category_norms("category-production-banks-connell.csv")[0]` is
    `Member("academic subject", "accounting", 2, 6.5)`.

    Raises:
        FileError: If a column is missing, a line is malformed, or the file is empty.
    """
    rows = csv_columns(path, text_lines(path), _COLUMNS)
    found = []
    for line, (category, member, named_by, rank) in rows:
        try:
            each = Member(category.strip(), member.strip(), int(named_by), float(rank))
            if not each.category or not each.member or not math.isfinite(each.mean_rank):
                raise ValueError
        except ValueError:
            raise FileError(
                path,
                "expected a category, a response, a number of people and a mean rank, got "
                f"{','.join((category, member, named_by, rank))[:60]!r}",
                "correct the line",
                line=line,
            ) from None
        found.append(each)
    if not found:
        raise FileError(path, "no responses", "get the norms again")
    return found
