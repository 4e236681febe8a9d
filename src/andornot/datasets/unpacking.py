"""Unpack untrusted archives safely: within the target folder, and with limits of size."""

from __future__ import annotations

import struct
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from andornot.base.errors import FileError
from andornot.base.files import reading, writing

MOST_BYTES = 1 << 30
MOST_FILES = 10_000
_BLOCK = 1 << 20
DAMAGE = (tarfile.TarError, ValueError, IndexError, struct.error)
_REMEDY = "get another copy"


def unpack(archive: Path, inside: str, target: Path) -> None:
    """Write the file or folder `inside` a zip or tar archive to `target`.

    Links and devices are ignored. An archive with a path outside of it, with more than `MOST_FILES`
    files, or with more than `MOST_BYTES` bytes is refused.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with zipfile.ZipFile(Path(folder, "a.zip"), "w") as file:
    ...         file.writestr("set/words.txt", "king")
    ...     unpack(Path(folder, "a.zip"), "set", Path(folder, "here"))
    ...     Path(folder, "here", "words.txt").read_text()
    'king'
    """
    size = 0
    try:
        with reading(archive):
            for number, (name, stream) in enumerate(files_of(archive)):
                path = _inner_path(archive, name)
                if number == MOST_FILES:
                    raise FileError(archive, f"more than {MOST_FILES:,} files in it", _REMEDY)
                if path.is_relative_to(inside):
                    output = target / path.relative_to(inside)
                    with writing(output):
                        output.parent.mkdir(parents=True, exist_ok=True)
                        with output.open("wb") as file:
                            size += _copy(archive, stream, file, MOST_BYTES - size)
    except DAMAGE as error:
        raise FileError(archive, "this is not a complete zip or tar archive", _REMEDY) from error


def files_of(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the names and streams of the regular files of a zip or tar archive.

    Read each stream before the next. Errors of the archive are among `DAMAGE`.
    """
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as members:
            for item in members.infolist():
                if not item.is_dir():
                    with members.open(item) as stream:
                        yield item.filename, stream
        return
    with tarfile.open(archive) as tar:
        for member in tar:
            content = tar.extractfile(member) if member.isreg() else None
            if content is not None:
                yield member.name, content


def _inner_path(archive: Path, name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name:
        raise FileError(archive, f"{name!r} would be written outside its folder", _REMEDY)
    return path


def _copy(archive: Path, stream: IO[bytes], file: IO[bytes], room: int) -> int:
    """Copy a file of an archive, of at most `room` bytes, and return its size."""
    size = 0
    while True:
        with reading(archive):
            block = stream.read(_BLOCK)
        if not block:
            return size
        size += len(block)
        if size > room:
            raise FileError(archive, f"it unpacks to more than {MOST_BYTES:,} bytes", _REMEDY)
        file.write(block)
