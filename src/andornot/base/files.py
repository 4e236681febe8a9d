"""Read plain, compressed and archived files; convert the errors of the system."""

from __future__ import annotations

import bz2
import errno
import gzip
import lzma
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import IO, BinaryIO, cast

from andornot.base.errors import FileError
from andornot.base.special_files import open_at_once, refuse_special
from andornot.base.zstd import open_zstd

_MAGIC = {
    b"\x1f\x8b\x08": "gzip",
    b"BZh": "bz2",
    b"\xfd7zXZ\x00": "xz",
    b"PK\x03\x04": "zip",
    b"\x28\xb5\x2f\xfd": "zstd",
}
_BZ2_BLOCKS = (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90")  # magic of a block, and of the end
_DECOMPRESSION_ERRORS = (
    EOFError,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    gzip.BadGzipFile,
    NotImplementedError,  # an unsupported zip method
    RuntimeError,  # an encrypted zip member, damaged zstd
)
_BLOCK = 1 << 20
_ANY_FILE = 1 << 28  # bytes to which a compressed file of any size may unpack
_MOST_RATIO = 1000  # of these bytes to the size of a larger file; sparse counts reach 300
_LARGEST_LIST = 64_000_000  # bytes; as Python objects they take up to 30 times as much memory
_DISK_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Source:
    """An open input: a plain file, a compressed file, or a member of a zip archive.

    `plain` is True if the bytes on disk are the bytes read, so that the file's size is known
    and it can be memory-mapped. A member is named by a path through its archive:
    `glove.6B.zip/glove.6B.50d.txt`.

    Args:
        path: The file, or the member.
        bounded: Refuse a small compressed file that unpacks to very much. For readers that keep
            what they read, so that it can't fill the memory.
    """

    def __init__(self, path: str | PathLike[str], *, bounded: bool = False) -> None:
        self.path = Path(path)
        self._bounded = bounded
        self._unpacked = 0
        with reading(self.path):
            archive, member = _split_archive(self.path)
            self._raw = open(archive, "rb", opener=open_at_once)  # noqa: SIM115 - see close
        try:
            with reading(self.path):
                status = os.fstat(self._raw.fileno())
                refuse_special(path, status)
                self.size = status.st_size
                self.compression = _compression(self._raw)
                if member is not None and self.compression != "zip":
                    raise FileError(path, f"{archive} is not a zip archive", "check the path")
                self._stream = self._open(member)
        except BaseException:
            self._raw.close()
            raise

    @property
    def stream(self) -> IO[bytes]:
        """The unpacked bytes, for a library that reads them itself."""
        return self._stream

    @property
    def plain(self) -> bool:
        """True if the file is not compressed."""
        return self.compression is None

    @property
    def done(self) -> float:
        """The fraction of the file on disk that has been read, from 0 to 1."""
        return self._raw.tell() / self.size if self.size else 1.0

    def _open(self, member: str | None) -> IO[bytes]:
        if self.compression == "gzip":
            return cast(IO[bytes], gzip.GzipFile(fileobj=self._raw))
        if self.compression == "bz2":
            return bz2.BZ2File(self._raw)
        if self.compression == "xz":
            return lzma.LZMAFile(self._raw)
        if self.compression == "zstd":
            return open_zstd(self._raw)
        if self.compression == "zip":
            try:
                archive = zipfile.ZipFile(self._raw)
                return archive.open(_pick_member(self.path, archive, member))
            except (IndexError, ValueError, struct.error) as error:  # a damaged directory
                raise zipfile.BadZipFile(str(error)) from error
        return self._raw

    def read(self, size: int = -1) -> bytes:
        """Read `size` bytes (default: all); return fewer only at the end of the file."""
        if size < 0 and self._bounded:  # block by block, so that a bomb is refused in time
            return b"".join(iter(lambda: self.read(_BLOCK), b""))
        with reading(self.path):
            data = self._stream.read(size)
        self._refuse_bomb(len(data))
        return data

    def read_into(self, buffer: memoryview) -> int:
        """Fill `buffer` and return the number of bytes, smaller only at the end of the file."""
        filled = 0
        with reading(self.path):
            while filled < len(buffer):
                count = cast(BinaryIO, self._stream).readinto(buffer[filled:])  # type: ignore[attr-defined]
                if not count:
                    break
                filled += count
        self._refuse_bomb(filled)
        return filled

    def _refuse_bomb(self, size: int) -> None:
        """Count `size` more unpacked bytes, and raise FileError if these are too many."""
        self._unpacked += size
        most = max(_ANY_FILE, _MOST_RATIO * self.size)
        if self._bounded and not self.plain and self._unpacked > most:
            raise FileError(
                self.path,
                f"its {self.size:,} bytes unpack to more than {most:,} bytes",
                "unpack it first if you trust it",
            )

    def seek(self, position: int) -> None:
        """Continue reading at this byte of a plain file."""
        with reading(self.path):
            self._raw.seek(position)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()
        self._raw.close()

    def __enter__(self) -> Source:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def read_list(path: str | PathLike[str]) -> bytes:
    """Return the bytes of a file, compressed or not, that become lines or other Python objects.

    Raises:
        FileError: If it can't be read, or has more than 64 MB, unpacked.
    """
    found = bytearray()
    with Source(path, bounded=True) as source:
        while block := source.read(_BLOCK):
            found += block
            if len(found) > _LARGEST_LIST:
                raise FileError(
                    path,
                    f"a list must have at most {_LARGEST_LIST:,} bytes, and this one has more",
                    "split the file",
                )
    return bytes(found)


def _split_archive(path: Path) -> tuple[Path, str | None]:
    """Split a path through a zip file into the archive and the member's name."""
    if not path.exists():
        for parent in path.parents:
            if parent.is_file():
                return parent, path.relative_to(parent).as_posix()
    return path, None


def _compression(raw: BinaryIO) -> str | None:
    head = raw.read(16)
    raw.seek(0)
    found = next((name for magic, name in _MAGIC.items() if head.startswith(magic)), None)
    if found == "bz2" and head[4:10] not in _BZ2_BLOCKS:  # a text that begins with BZh
        return None
    return found


def _pick_member(path: Path, archive: zipfile.ZipFile, member: str | None) -> str:
    members = [item.filename for item in archive.infolist() if not item.is_dir()]
    if member is not None:
        if member not in members:
            raise FileError(
                path, "the archive has no such member", f"choose one of {_listing(members)}"
            )
        return member
    if len(members) != 1:
        example = members[0] if members else "MEMBER"
        raise FileError(
            path,
            f"the archive contains {len(members)} files: {_listing(members)}",
            f"name one by its path through the archive: {path}/{example}",
        )
    return members[0]


def _listing(members: list[str]) -> str:
    return ", ".join(members[:8]) + (", ..." if len(members) > 8 else "") or "nothing"


@contextmanager
def reading(path: str | PathLike[str]) -> Iterator[None]:
    """Convert system errors about reading a file to a FileError with a remedy."""
    try:
        yield
    except FileNotFoundError as error:
        raise FileError(path, "no such file", "check the path") from error
    except NotADirectoryError as error:
        raise FileError(
            path, "part of the path is a file, not a folder", "check the path"
        ) from error
    except IsADirectoryError as error:
        raise FileError(path, "this is a folder", "name a file inside it") from error
    except PermissionError as error:
        raise FileError(path, "no permission to read it", "check its mode and owner") from error
    except _DECOMPRESSION_ERRORS as error:
        raise _damaged(path, error) from error
    except OSError as error:
        if error.errno is None:  # bz2 and gzip report bad data as a bare OSError
            raise _damaged(path, error) from error
        raise FileError(path, f"can't be read ({error.strerror})", "check the disk") from error


def _damaged(path: str | PathLike[str], error: BaseException) -> FileError:
    return FileError(
        path,
        f"the compressed data is damaged, cut off or of an unknown kind ({error})",
        "get the file again",
    )


@contextmanager
def writing(path: str | PathLike[str]) -> Iterator[None]:
    """Convert system errors about writing a file to a FileError with a remedy."""
    try:
        yield
    except FileNotFoundError as error:
        raise FileError(path, "its folder doesn't exist", "make the folder first") from error
    except NotADirectoryError as error:
        raise FileError(
            path, "part of the path is a file, not a folder", "check the path"
        ) from error
    except PermissionError as error:
        raise FileError(path, "no permission to write it", "choose another folder") from error
    except OSError as error:
        if error.errno in _DISK_FULL:
            raise FileError(
                path,
                f"no room on the disk ({error.strerror})",
                "free some disk space; existing files are untouched",
            ) from error
        raise FileError(
            path,
            f"can't be written ({error.strerror or error})",
            "existing files are untouched",
        ) from error


def strip_compression(path: str | PathLike[str]) -> Path:
    """Return the path without a compression suffix.

    >>> print(strip_compression("a.vec.gz"))
    a.vec
    """
    path = Path(path)
    return path.with_suffix("") if path.suffix in {".gz", ".bz2", ".xz", ".zip", ".zst"} else path
