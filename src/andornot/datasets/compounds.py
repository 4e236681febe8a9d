"""Read compositional noun compounds: their meaning follows from their words."""

from __future__ import annotations

from os import PathLike

from andornot.base.csv_rows import csv_columns, csv_rows
from andornot.base.errors import FileError
from andornot.datasets.lines import text_lines
from andornot.datasets.locating import locate

JUDGES = 4  # of Farahmand et al.
AGREEING = 3  # judges that make a compound compositional
LITERAL = 3.0  # mean rating, from 0 to 5, from which a compound counts as compositional


def read_farahmand(path: str | PathLike[str]) -> list[str]:
    """Read the compositional compounds of Farahmand et al. 2015: three of four judges say 0.

    Each line has a compound and four judgments, 1 if it is *not* compositional:
    `access card,0,0,0,0` is compositional, `academy award,1,1,1,1` is not.
    """
    phrases = []
    for number, row in csv_rows(path, text_lines(path)):
        if not row:
            continue
        phrase, *judgments = row
        if len(judgments) != JUDGES or not set(judgments) <= {"0", "1"}:
            raise _wrong(path, row, "a compound and four judgments, 0 or 1", number)
        if judgments.count("0") >= AGREEING:
            phrases.append(phrase)
    return phrases


def read_reddy(path: str | PathLike[str]) -> list[str]:
    """Read the compositional compounds of Reddy et al. 2011: those with a mean of at least 3.

    Each line has `end-n user-n`, a tab, and means and deviations of the first word, the second
    and the whole.
    """
    phrases = []
    for number, line in enumerate(text_lines(path), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        words, _, numbers = line.partition("\t")
        try:
            mean = float(numbers.split()[4])
        except (IndexError, ValueError):
            raise _wrong(path, line, "a compound, a tab and its means", number) from None
        if mean >= LITERAL:
            phrases.append(" ".join(word.rpartition("-")[0] for word in words.split()))
    return phrases


def read_ramisch(path: str | PathLike[str]) -> list[str]:
    """Read the compositional compounds of Ramisch et al. 2016: those with a mean of at least 3.

    The columns `target` and `cpd` of the CSV file have the compound and its mean.
    """
    phrases = []
    for number, (phrase, rating) in csv_columns(path, text_lines(path), ("target", "cpd")):
        try:
            mean = float(rating)
        except ValueError:
            found = f"{phrase},{rating}"
            raise _wrong(path, found, "a row with a target and its mean, cpd", number) from None
        if mean >= LITERAL:
            phrases.append(phrase)
    return phrases


def compositional_phrases() -> list[str]:
    """Return the compositional compounds of all three datasets, without duplicates."""
    phrases = [phrase for name, read in _READERS.items() for phrase in read(locate(name))]
    return list(dict.fromkeys(phrases))


_READERS = {
    "farahmand-2015": read_farahmand,
    "reddy-2011": read_reddy,
    "ramisch-2016": read_ramisch,
}
PHRASE_SETS = tuple(_READERS)
"""The datasets that `compositional_phrases` reads."""


def _wrong(path: str | PathLike[str], found: object, expected: str, line: int) -> FileError:
    return FileError(
        path, f"expected {expected}, got {str(found)[:60]!r}", "get the file again", line=line
    )
