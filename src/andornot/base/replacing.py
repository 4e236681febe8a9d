"""Write files atomically: each appears at its path only when it is complete."""

from __future__ import annotations

import bz2
import errno
import gzip
import lzma
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import BinaryIO, cast

from andornot.base.errors import AndornotError, FileError
from andornot.base.files import writing
from andornot.base.temporaries import temporary_file, temporary_path

_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK}  # of the file system


@contextmanager
def replacing(path: str | PathLike[str], *, shared: bool = False) -> Iterator[BinaryIO]:
    """Write a file that appears at `path` only when it is complete.

    The bytes go to a temporary file next to the target, which then replaces it: after any
    failure, the old file is unchanged. Files whose names end in .gz, .bz2 or .xz are
    compressed.

    Args:
        path: The file to write.
        shared: Also replace a file that another process creates meanwhile; otherwise that is an
            error.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = pathlib.Path(folder, "a.txt")
    ...     with replacing(target) as file:
    ...         _ = file.write(b"whole")
    ...     target.read_bytes()
    b'whole'
    """
    target = Path(os.path.realpath(path))
    with writing(path):
        if target.is_dir():
            raise FileError(path, "this is a folder", "name a file to write")
        if target.exists() and not target.is_file():
            raise FileError(path, "this is not a regular file", "name a file to write")
        is_new = not shared and not target.exists()
        with ExitStack() as own:
            together = _TOGETHER.get()
            stack = own if together is None else together.stack
            temporary = stack.enter_context(temporary_file(target))
            with temporary.open("wb") as raw:
                with _compressing(raw, target.suffix) as stream:
                    yield stream
                raw.flush()
                os.fsync(raw.fileno())
            if target.exists():
                temporary.chmod(target.stat().st_mode)
            move = _Move(temporary, target, is_new)
            if together is not None:
                together.moves.append(move)
                return
            move.make()
            flush_folder(target.parent)


@dataclass(frozen=True)
class _Move:
    """A complete temporary file, its target, and whether the target must not exist yet."""

    temporary: Path
    target: Path
    is_new: bool

    def make(self) -> None:
        """Rename the file to its target."""
        if self.is_new:
            try:
                os.link(self.temporary, self.target)  # unlike a rename, it never replaces a file
            except FileExistsError as error:
                problem = "another program created it meanwhile"
                raise FileError(self.target, problem, "name another file, or move it") from error
            except OSError as error:
                if error.errno not in _NO_LINKS:
                    raise
                os.replace(self.temporary, self.target)
            else:
                self.temporary.unlink()
        else:
            os.replace(self.temporary, self.target)


@dataclass
class _Together:
    """Files to move at the end of a block; the stack removes them after an error."""

    stack: ExitStack
    moves: list[_Move]


_TOGETHER: ContextVar[_Together | None] = ContextVar("together", default=None)


@contextmanager
def replacing_together() -> Iterator[None]:
    """Move all files written in the block to their targets at its end, or none of them.

    Several renames are not atomic. Existing files are removed first, so that a kill between the
    renames leaves a file missing, but never a new file together with an old one.
    """
    with ExitStack() as stack:
        together = _Together(stack, [])
        token = _TOGETHER.set(together)
        try:
            yield
        finally:
            _TOGETHER.reset(token)
        _put_in_place(together.moves)


@contextmanager
def replacing_each() -> Iterator[None]:
    """Move each file of the block to its target at once, also within `replacing_together`.

    A new folder appears atomically, so its files need not wait for each other.
    """
    token = _TOGETHER.set(None)
    try:
        yield
    finally:
        _TOGETHER.reset(token)


def _put_in_place(moves: list[_Move]) -> None:
    """Make all moves; restore the old files after an error."""
    older = {
        move.target: temporary_path(move.target)
        for move in moves
        if move.target.exists() and not move.is_new
    }
    made: list[Path] = []
    try:
        for target, kept in older.items():
            with writing(target):
                os.link(target, kept)
        for target in list(older)[1:]:
            target.unlink()
        for move in moves:
            with writing(move.target):
                move.make()
                made.append(move.target)
                flush_folder(move.target.parent)
    except AndornotError:
        for target in made:
            with suppress(OSError):
                target.unlink()
        for target, kept in older.items():
            with suppress(OSError):
                os.replace(kept, target)
        raise
    finally:
        for kept in older.values():
            with suppress(OSError):
                kept.unlink()


def flush_folder(folder: Path) -> None:
    """Flush the entries of a folder to disk, so that a rename survives a power failure."""
    if os.name == "nt":  # not supported
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # unsupported file system
            raise
    finally:
        os.close(descriptor)


@contextmanager
def _compressing(raw: BinaryIO, suffix: str) -> Iterator[BinaryIO]:
    if suffix == ".gz":
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as stream:
            yield cast(BinaryIO, stream)
    elif suffix == ".bz2":
        with bz2.BZ2File(raw, "wb") as stream:
            yield cast(BinaryIO, stream)
    elif suffix == ".xz":
        with lzma.LZMAFile(raw, "wb") as stream:
            yield cast(BinaryIO, stream)
    else:
        yield raw
