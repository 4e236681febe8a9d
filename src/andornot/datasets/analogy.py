"""Analogy questions: a is to b as c is to what? In sections, as word2vec's questions-words.txt."""

from __future__ import annotations

from os import PathLike
from typing import NamedTuple

from andornot.base.errors import FileError
from andornot.datasets.lines import text_lines


class Question(NamedTuple):
    """a is to b as c is to `answer`, in a section of the set."""

    section: str
    a: str
    b: str
    c: str
    answer: str


def read_questions(path: str | PathLike[str]) -> list[Question]:
    """Read analogy questions: four words on each line, sections headed by `: name`.

    For example `read_questions("questions-words.txt")[0].answer` is `"Iraq"`.
    """
    section = ""
    questions: list[Question] = []
    for number, line in enumerate(text_lines(path), start=1):
        fields = line.split()
        if not fields:
            continue
        if fields[0].startswith(":"):
            section = " ".join(fields).removeprefix(":").strip()
        elif len(fields) == 4:
            questions.append(Question(section, *fields))
        else:
            raise FileError(
                path,
                f"{len(fields)} words where a question has four",
                "write a, b, c and the answer",
                line=number,
            )
    if not questions:
        raise FileError(path, "there are no questions in it", "name another file")
    return questions
