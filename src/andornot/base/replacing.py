"""Write files atomically: each appears at its path only when it is complete."""

from __future__ import annotations

import bz2
import errno
import gzip
import lzma
import os
import re
import secrets
import shutil
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import BinaryIO, cast

from andornot.base.errors import AndornotWarning, FileError
from andornot.base.files import writing
from andornot.base.temporaries import temporary_file


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
            move = _Move(path, temporary, target, is_new)
            if together is not None:
                together.moves.append(move)
                return
            move.make()
            _forget_older(target)


@dataclass(frozen=True)
class _Move:
    """A complete temporary file and its target, which must not exist yet if `is_new`.

    Errors name `path`, the target as it was given.
    """

    path: str | PathLike[str]
    temporary: Path
    target: Path
    is_new: bool

    def make(self) -> None:
        """Rename the file to its target; a new file still has its temporary name too."""
        if self.is_new:
            try:
                os.link(self.temporary, self.target)  # unlike a rename, it never replaces a file
            except OSError as error:
                if isinstance(error, FileExistsError) or os.path.lexists(self.target):
                    problem = "another program created it meanwhile"
                    raise FileError(self.path, problem, "name another file, or move it") from error
                # Without hard links, each file system has its own error. A rename fails only if
                # the file can't be written.
                os.replace(self.temporary, self.target)
        else:
            os.replace(self.temporary, self.target)
        flush_folder(self.target.parent)

    def is_made(self) -> bool:
        """Return True if the target is the new file."""
        if not self.temporary.exists():
            return True
        return self.target.exists() and self.target.samefile(self.temporary)


@dataclass
class _Together:
    """Files to move at the end of a block; the stack removes them after an error."""

    stack: ExitStack
    moves: list[_Move]


_TOGETHER: ContextVar[_Together | None] = ContextVar("together", default=None)


@contextmanager
def replacing_together() -> Iterator[None]:
    """Move all files written in the block to their targets at its end, or none of them.

    Several renames are not atomic. The old files, except that of the first rename, are moved aside
    before it. So a kill leaves a file missing, but never a new file together with an old one.
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
    """Make all moves; restore the old files after an error or an interruption."""
    older = {
        move.target: _older_path(move.target)
        for move in moves
        if move.target.exists() and not move.is_new
    }
    try:
        for move in moves:
            if move.target in older:
                with writing(move.path):  # the first file stays until its move replaces it
                    keep = _copy if move is moves[0] else os.replace
                    keep(move.target, older[move.target])
        for move in moves:
            with writing(move.path):
                move.make()
    except BaseException:
        _restore(moves, older)
        raise
    for move in moves:
        _forget_older(move.target)


def _older_path(target: Path) -> Path:
    """Return a new path for an old file.

    Temporary files of killed runs are removed, but this file may be the only copy.
    """
    return target.parent / f".{target.name}.{secrets.token_hex(4)}.old"


def _forget_older(target: Path) -> None:
    """Remove the old files of a target that is complete, also those that a killed run left."""
    pattern = re.compile(rf"\.{re.escape(target.name)}\.[0-9a-f]{{8}}\.old")
    with suppress(OSError):
        for path in target.parent.iterdir():
            if pattern.fullmatch(path.name):
                path.unlink()


def _copy(target: Path, kept: Path) -> None:
    """Keep a file under a second name, or as a copy if the file system has no hard links."""
    try:
        os.link(target, kept)
    except OSError:
        shutil.copy2(target, kept)


def _restore(moves: list[_Move], older: dict[Path, Path]) -> None:
    """Remove the new files, then put back the old ones, which are kept under other names."""
    made = [move for move in moves if move.is_made()]
    for move in made:
        with suppress(OSError):
            move.target.unlink()
    for move in moves:
        kept = older.get(move.target)
        if kept is None or not kept.exists():
            continue
        if move not in made and move.target.exists():
            with suppress(OSError):
                kept.unlink()
            continue
        try:
            os.replace(kept, move.target)
        except OSError as error:
            problem = f"the old file can't be put back ({error.strerror})"
            warning = f"{move.path}: {problem}; rename {kept} to it"
            warnings.warn(warning, AndornotWarning, stacklevel=2)


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


def flush_all(path: Path) -> None:
    """Flush a file to disk, or a folder with all files and folders in it."""
    if path.is_dir():
        for each in path.iterdir():
            flush_all(each)
        flush_folder(path)
        return
    # Windows flushes only what is open for writing; elsewhere a file may be read-only.
    with path.open("r+b" if os.name == "nt" else "rb") as file:
        os.fsync(file.fileno())


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
