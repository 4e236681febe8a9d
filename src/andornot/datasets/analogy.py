"""Read analogy questions (a is to b as c is to d), in the format of questions-words.txt."""

from __future__ import annotations

from os import PathLike
from typing import NamedTuple

from andornot.base.errors import FileError
from andornot.datasets.lines import text_lines


class Question(NamedTuple):
    """The question "a is to b as c is to `answer`", and its section."""

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
                f"expected four words, got {len(fields)} words",
                "write a, b, c and the answer, separated by spaces",
                line=number,
            )
    if not questions:
        raise FileError(path, "the file contains no questions", "name another file")
    return questions
