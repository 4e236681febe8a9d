"""Read related words: BATS (a word and its answers), and antonyms with synonyms."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import NamedTuple

from andornot.base.errors import FileError
from andornot.datasets.lines import text_lines


class Related(NamedTuple):
    """A word and its related words, the most usual first."""

    word: str
    answers: tuple[str, ...]


class Opposition(NamedTuple):
    """A pair of antonyms or synonyms."""

    a: str
    b: str
    is_antonym: bool


def relation_files(folder: str | PathLike[str]) -> dict[str, Path]:
    """Return the files of BATS's relations by their codes, such as E02.

    For example `relation_files(locate("bats"))["E02"].name` is `"E02 [country - language].txt"`.
    """
    files = sorted(Path(folder).glob("*/*.txt"))
    if not files:
        raise FileError(folder, "the folder contains no relations of BATS", "name another folder")
    return {path.name.split()[0]: path for path in files}


def read_relation(path: str | PathLike[str]) -> list[Related]:
    """Read a relation of BATS: a word, a tab, and its answers separated by slashes.

    For example `read_relation("E02 [country - language].txt")[0]` is `("andorra", ("catalan",))`.
    """
    found = []
    for number, line in enumerate(text_lines(path), start=1):
        if not line.strip():
            continue
        fields = line.split()
        if len(fields) != 2:
            raise FileError(
                path,
                f"expected two fields, got {len(fields)} fields",
                "get the file again",
                line=number,
            )
        found.append(Related(fields[0], tuple(filter(None, fields[1].split("/")))))
    return found


def read_oppositions(path: str | PathLike[str]) -> list[Opposition]:
    """Read antonyms and synonyms as AntSynNET has them: two words and 1 or 0.

    For example the line `noble<tab>ignoble<tab>1` is `Opposition("noble", "ignoble", True)`.
    """
    found = []
    for number, line in enumerate(text_lines(path), start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 3 or fields[2] not in ("0", "1"):
            raise FileError(
                path,
                f"expected two words and 1 (antonyms) or 0 (synonyms), got {line[:40]!r}",
                "correct the line",
                line=number,
            )
        found.append(Opposition(fields[0], fields[1], fields[2] == "1"))
    return found
