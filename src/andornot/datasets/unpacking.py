"""Unpack untrusted archives safely: within the target folder, and with limits of size."""

from __future__ import annotations

import struct
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, cast

from andornot.base.errors import FileError
from andornot.base.files import Source, reading, writing

MOST_BYTES = 1 << 30
MOST_FILES = 10_000
_MOST_MEMBERS = 100_000  # of a tar archive, with folders and links, which tarfile keeps in memory
_LONGEST_HEADER = 1 << 20  # bytes between two files
_BLOCK = 1 << 20
DAMAGE = (tarfile.TarError, ValueError, IndexError, struct.error)
_REMEDY = "get another copy"
_NOT_AN_ARCHIVE = (
    "this is not a complete zip or tar archive, or it is compressed in an unsupported way"
)
_SUPPORTED = f"{_REMEDY}, as .zip, .tar, .tar.gz, .tar.bz2 or .tar.xz"


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
                    raise FileError(archive, f"it has more than {MOST_FILES:,} files", _REMEDY)
                if path.is_relative_to(inside):
                    output = target / path.relative_to(inside)
                    with writing(output):
                        output.parent.mkdir(parents=True, exist_ok=True)
                        with output.open("wb") as file:
                            size += _copy(archive, stream, file, MOST_BYTES - size)
    except DAMAGE as error:
        raise FileError(archive, _NOT_AN_ARCHIVE, _SUPPORTED) from error


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
    with Source(archive) as source:
        if not source.stream.seekable():  # tarfile seeks, and .zst can't
            raise tarfile.ReadError(f"an archive can't be read from {source.compression}")
        packed = _TarStream(source.stream)
        with tarfile.open(fileobj=cast(IO[bytes], packed), mode="r:") as tar:
            for number, member in enumerate(tar):
                if number == _MOST_MEMBERS:
                    raise FileError(archive, f"it has more than {number:,} entries", _REMEDY)
                content = tar.extractfile(member) if member.isreg() else None
                if content is not None:
                    packed.left = MOST_BYTES + 2 * _BLOCK  # `_copy` says first that it's too much
                    yield member.name, content
                packed.left = _LONGEST_HEADER


class _TarStream:
    """A tar archive, unpacked, of which tarfile may read only `left` bytes.

    tarfile takes the memory that a header asks for, so a small archive could fill the memory.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.left = _LONGEST_HEADER
        self.seek, self.tell = stream.seek, stream.tell

    def read(self, size: int) -> bytes:
        """Return the next bytes."""
        if size > self.left:
            raise tarfile.ReadError(f"a header of more than {_LONGEST_HEADER:,} bytes")
        self.left -= size
        return self._stream.read(size)


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
