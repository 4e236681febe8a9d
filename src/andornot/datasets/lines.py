"""Read the lines of a small text file."""

from __future__ import annotations

from os import PathLike

from andornot.base.errors import FileError
from andornot.base.files import read_list


def text_lines(path: str | PathLike[str]) -> list[str]:
    """Return the lines of a UTF-8 file, compressed or not."""
    content = read_list(path)
    try:
        return content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise FileError(path, "bytes that are not UTF-8", "convert it to UTF-8") from error
