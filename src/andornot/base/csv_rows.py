"""Read rows of comma-separated values; convert the errors of the csv module."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import Literal

from andornot.base.errors import FileError


def csv_rows(
    path: str | PathLike[str],
    lines: Iterable[str],
    *,
    delimiter: str = ",",
    quoted: bool = True,
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a table, each with the number of the line where it ends.

    Args:
        path: The file that an error names.
        lines: Its lines.
        delimiter: The sign between two values.
        quoted: False if quotation marks are signs like any other.

    Raises:
        FileError: If a value is too long, mostly because a quotation mark is not closed.

    >>> list(csv_rows("a.csv", ["a,b", '"c', 'd",e']))
    [(1, ['a', 'b']), (3, ['cd', 'e'])]
    """
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
    rows = csv.reader(lines, delimiter=delimiter, quoting=quoting)
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            raise FileError(
                path,
                f"the values can't be separated ({error})",
                "check its quotation marks",
                line=rows.line_num,
            ) from error
        yield rows.line_num, row


def csv_columns(
    path: str | PathLike[str],
    lines: Iterable[str],
    names: Sequence[str],
    *,
    delimiter: str = ",",
    quoted: bool = True,
) -> Iterator[tuple[int, list[str]]]:
    """Yield the values of some columns, each row with the number of its line; missing ones are "".

    Args:
        path: The file that an error names.
        lines: Its lines; the first has the names of the columns.
        names: The columns to read, in the order of the values.
        delimiter: The sign between two values.
        quoted: False if quotation marks are signs like any other.

    Raises:
        FileError: If a column is missing, or a value is too long.

    >>> list(csv_columns("a.csv", ["a,b,c", "1,2,3", "4"], ["c", "a"]))
    [(2, ['3', '1']), (3, ['', '4'])]
    """
    rows = csv_rows(path, lines, delimiter=delimiter, quoted=quoted)
    _, header = next(rows, (1, []))
    for name in names:
        if name not in header:
            raise FileError(
                path, f"no column {name!r} in the first line", "get the file again", line=1
            )
    places = [header.index(name) for name in names]
    for line, row in rows:
        if row:
            yield line, [row[place] if place < len(row) else "" for place in places]
