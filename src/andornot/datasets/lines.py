"""Read the lines of a small text file."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from andornot.base.errors import FileError
from andornot.base.files import Source


def text_lines(path: str | PathLike[str]) -> list[str]:
    """Return the lines of a UTF-8 file, compressed or not."""
    with Source(Path(path), bounded=True) as source:
        try:
            return source.read().decode("utf-8-sig").splitlines()
        except UnicodeDecodeError as error:
            raise FileError(path, "bytes that are not UTF-8", "convert it to UTF-8") from error
