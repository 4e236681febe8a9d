"""Read the words of the game Codenames."""

from __future__ import annotations

from os import PathLike

from andornot.base.errors import FileError
from andornot.datasets.lines import text_lines


def read_game_words(path: str | PathLike[str]) -> list[str]:
    """Read a list of words, one per line, in lower case.

    For example `read_game_words("codewords.txt")[:2]` is `["africa", "agent"]`.

    Raises:
        FileError: If a word occurs twice, or the file is empty.
    """
    lines = {
        number: line.strip().lower()
        for number, line in enumerate(text_lines(path), start=1)
        if line.strip()
    }
    seen: set[str] = set()
    for number, word in lines.items():
        if word in seen:
            raise FileError(path, f"{word!r} occurs a second time", "remove the line", line=number)
        seen.add(word)
    if not lines:
        raise FileError(path, "no words", "write one on each line")
    return list(lines.values())
