"""Open files of folders that others made: never a pipe, a device, or too large a record."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from os import PathLike
from pathlib import Path

from andornot.base.errors import FileError
from andornot.base.files import reading
from andornot.base.special_files import open_at_once, refuse_special

LARGEST_JSON = 64_000_000  # bytes; the tokenizers of models have up to about 35 MB
_PART = 1 << 20


def check_regular(path: Path, remedy: str = "save it to a file first") -> os.stat_result:
    """Return the status of a file, without opening it; links are followed.

    Raises:
        FileError: If it is missing, or a pipe or a device, which may never end.
    """
    with reading(path):
        status = path.stat()
    refuse_special(path, status, remedy)
    return status


def open_regular(path: Path) -> BufferedReader:
    """Open a regular file to read its bytes; a system error is converted.

    Raises:
        FileError: If it is missing, or not a regular file.
    """
    check_regular(path)
    with reading(path):
        file = open(path, "rb", opener=open_at_once)  # noqa: SIM115 - the caller closes it
        try:  # another file may have replaced the one that was checked
            refuse_special(path, os.fstat(file.fileno()))
        except BaseException:
            file.close()
            raise
    return file


@contextmanager
def unchanged(path: str | PathLike[str]) -> Iterator[None]:
    """Refuse a file or folder that another program replaces while it is read.

    A reader that opens it several times would take parts of both. Of a file, changes in place are
    noticed too.

    Raises:
        FileError: If it is another one at the end of the block, also instead of another error.
    """
    before = _identity(path)

    def check(cause: Exception | None = None) -> None:
        if before is not None and _identity(path) != before:
            problem = "it was replaced or changed while it was read"
            raise FileError(path, problem, "try again") from cause

    try:
        yield
    except Exception as error:
        check(error)
        raise
    check()


def _identity(path: str | PathLike[str]) -> tuple[int, ...] | None:
    """Return what tells a file or folder from one that replaces it; None if there is none."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):  # a member of an archive, a name on the hub
        return None
    same = (found.st_dev, found.st_ino)
    return same if stat.S_ISDIR(found.st_mode) else (*same, found.st_size, found.st_mtime_ns)


def read_small(path: Path, remedy: str, limit: int = LARGEST_JSON) -> bytes:
    """Return the bytes of a regular file.

    Args:
        path: The file.
        remedy: What an error about its size suggests.
        limit: The largest size in bytes.

    Raises:
        FileError: If it is missing, not a regular file, or larger than the limit.
    """
    with open_regular(path) as file, reading(path):
        if os.fstat(file.fileno()).st_size <= limit:
            raw = bytearray()  # not read(limit), which takes that much memory at once
            while len(raw) <= limit and (part := file.read(_PART)):
                raw += part
            if len(raw) <= limit:
                return bytes(raw)
    raise FileError(path, f"it must have at most {limit:,} bytes, and has more", remedy)
