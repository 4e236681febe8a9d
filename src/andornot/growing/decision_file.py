"""The CSV file of a growing list, to which each decision is appended at once.

A line is on disk before the next word is shown, so a list survives a crash of the program.
A last line that was cut off is ignored when the file is read again; one that only lacks its line
break is not.
"""

from __future__ import annotations

import csv
import io
import os
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from andornot.base.choices import Decision
from andornot.base.csv_rows import csv_rows
from andornot.base.errors import AndornotWarning, FileError
from andornot.base.files import reading, writing
from andornot.base.folders import locked
from andornot.base.outputs import check_output
from andornot.base.regular_files import open_regular
from andornot.base.remedies import option
from andornot.base.replacing import replacing
from andornot.growing.word_list import Proposal

COLUMNS = ("word", "decision", "score", "frequency", "nearest")
UNDO = "undo"  # reverts the decision of an earlier line
_REMEDY = "correct the line, or name another file"
_SHORT = {"y": Decision.YES, "n": Decision.NO, "s": Decision.SKIP}


@dataclass(frozen=True)
class Decided:
    """A line of the file: a word and its decision, or None.

    `score`, `frequency` and `nearest` are copied from the proposal; seeds have none.
    """

    word: str
    decision: Decision | None
    score: float | None = None
    frequency: float | None = None
    nearest: str | None = None

    @classmethod
    def of(cls, proposal: Proposal, decision: Decision | None) -> Decided:
        """Return the line of a proposal.

        >>> Decided.of(Proposal("viola", 1.5, None, "violin"), Decision.YES).nearest
        'violin'
        """
        return cls(proposal.word, decision, proposal.score, proposal.frequency, proposal.nearest)


@contextmanager
def held(path: str | PathLike[str]) -> Iterator[None]:
    """Keep other processes from a list until the end of the block.

    Raises:
        FileError: If another process holds the list, or if it can't be written.
    """
    target = check_output(path, force=True)
    with locked(target.with_name(f".{target.name}.lock"), Path(path)):
        yield


def read_decisions(path: str | PathLike[str]) -> list[Decided]:
    """Read the last decision about each word, without decisions that were undone.

    The file may have been edited by hand: case is ignored, "y", "n" and "s" are short
    forms, and an empty decision means undecided.

    Raises:
        FileError: If this is not a file of decisions, or a line is malformed.
    """
    with open_regular(Path(path)) as file, reading(path):
        data = file.read()
    whole = whole_lines(data)
    try:
        text = whole.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(path, "this is not UTF-8 text", "name another file") from error
    rows = csv_rows(path, io.StringIO(text, newline=""))
    header = tuple(next(rows, (1, []))[1])
    if header == (";".join(COLUMNS),):
        raise FileError(path, "its values are separated by semicolons", "save it with commas")
    if header != COLUMNS:
        raise FileError(
            path, f"this is not a list of andornot grow ({','.join(COLUMNS)})", "name another file"
        )
    if len(whole) < len(data):
        cut = data[len(whole) :].decode("utf-8", "replace")[:60]
        warnings.warn(
            f"{path}: the last line was cut off and is ignored: {cut!r}",
            AndornotWarning,
            stacklevel=2,
        )
    found: dict[str, Decided] = {}
    for line, row in rows:
        if not row:
            continue
        if len(row) != len(COLUMNS) or not row[0]:
            raise FileError(
                path,
                f"{len(row)} values where {len(COLUMNS)} are expected",
                _REMEDY,
                line=line,
            )
        word = row[0]
        if row[1].strip().lower() == UNDO:
            found.pop(word, None)
            continue
        found.pop(word, None)  # keep the order of the last decisions
        found[word] = _decided(path, row, line)
    return list(found.values())


def whole_lines(data: bytes) -> bytes:
    r"""Return the complete lines of a file.

    The last line may lack its line break, as some editors write it, but no field.

    >>> whole_lines(b"viola,yes,,,\noak,no,1.5")
    b'viola,yes,,,\n'
    >>> whole_lines(b"viola,yes,,,\noak,no,,,")
    b'viola,yes,,,\noak,no,,,'
    """
    end = data.rfind(b"\n") + 1
    try:
        (fields,) = csv.reader([data[end:].decode()], strict=True)  # quotation marks must be closed
    except (UnicodeDecodeError, csv.Error):
        return data[:end]
    return data if len(fields) >= len(COLUMNS) else data[:end]


def _decided(path: str | PathLike[str], row: list[str], line: int) -> Decided:
    word, said, score, frequency, nearest = (each.strip() for each in row)
    said = said.lower()
    try:
        decision = _SHORT.get(said) or (Decision(said) if said else None)
    except ValueError:
        known = ", ".join([*Decision, UNDO])
        raise FileError(
            path,
            f"unknown decision {said!r} about {word!r}; it must be one of {known}, or empty",
            _REMEDY,
            line=line,
        ) from None
    try:
        numbers = [float(each) if each else None for each in (score, frequency)]
    except ValueError:
        raise FileError(
            path, f"{score!r} and {frequency!r} must be numbers, or empty", _REMEDY, line=line
        ) from None
    return Decided(row[0], decision, numbers[0], numbers[1], nearest or None)


def write_decisions(path: str | PathLike[str], lines: Iterable[Decided]) -> None:
    """Write all decisions to a file, which is replaced only when complete."""
    fields = [_fields(path, each) for each in lines]
    with replacing(path) as file:
        file.write(_csv([COLUMNS, *fields]))


class DecisionFile:
    """A file to which decisions are appended; each is on disk when `add` returns.

    For example `with DecisionFile("violin.csv") as file: file.add(decided)`.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        """Open an existing file of decisions, and complete or remove its last line."""
        self._path = Path(path)
        with writing(path):
            self._file: BinaryIO = self._path.open("r+b", buffering=0)
            whole = whole_lines(self._file.read())
            self._file.truncate(len(whole))
            self._file.seek(len(whole))
            if not whole.endswith(b"\n"):
                self._file.write(b"\n")

    def add(self, decided: Decided) -> None:
        """Append a line, and wait until it is on disk."""
        self._append(_fields(self._path, decided))

    def undo(self, word: str) -> None:
        """Append a line that reverts the decision about a word."""
        self._append((word, UNDO, "", "", ""))

    def _append(self, fields: tuple[str, ...]) -> None:
        with writing(self._path):
            data = memoryview(_csv([fields]))
            while data:  # a write may be partial
                data = data[self._file.write(data) :]
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> DecisionFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _fields(path: str | PathLike[str], decided: Decided) -> tuple[str, ...]:
    if "\n" in decided.word or "\r" in decided.word:
        raise FileError(
            path,
            f"a line can't contain the word {decided.word!r}",
            f"leave it out with {option('pattern')}",
        )
    return (
        decided.word,
        str(decided.decision or ""),
        "" if decided.score is None else f"{decided.score:.4f}",
        "" if decided.frequency is None else f"{decided.frequency:.3f}",
        decided.nearest or "",
    )


def _csv(rows: Iterable[Iterable[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
