"""Folders of arrays with a JSON record: written atomically, memory-mapped when opened."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError, FileError
from andornot.base.exchanging import exchange
from andornot.base.files import reading, writing
from andornot.base.regular_files import check_regular, read_small
from andornot.base.replacing import flush_all, flush_folder, replacing_each
from andornot.base.temporaries import temporary_folder, temporary_path

RECORD = "record.json"
_DAMAGED = "the folder may be incomplete or damaged; make it again"


class FolderWriter:
    """Write a folder: append to arrays, then write the record.

    At the end, `new_folder` moves it to `target`, which may be changed until then.
    """

    def __init__(self, path: Path, target: Path) -> None:
        self.path = path
        self.target = target
        self._files: dict[str, BinaryIO] = {}
        self._arrays: dict[str, dict[str, Any]] = {}

    def append(self, name: str, array: npt.NDArray[Any]) -> None:
        """Append `array` to the array of this name."""
        if name not in self._files:
            self._files[name] = (self.path / f"{name}.bin").open("wb")
            self._arrays[name] = {"dtype": array.dtype.str, "length": 0}
        self._files[name].write(np.ascontiguousarray(array).data)
        self._arrays[name]["length"] += len(array)

    def written(self, name: str) -> npt.NDArray[Any]:
        """Return the array of this name so far, memory-mapped for changes in place."""
        self._files[name].flush()
        return np.memmap(self.path / f"{name}.bin", dtype=self._arrays[name]["dtype"], mode="r+")

    def digest(self, name: str) -> str:
        """Return the SHA-256 digest of the array of this name so far."""
        self._files[name].flush()
        with (self.path / f"{name}.bin").open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def finish(self, kind: str, record: dict[str, Any]) -> None:
        """Write the record, which makes the folder valid, and flush all files to disk."""
        self.close()
        whole = {"kind": kind, "arrays": self._arrays, **record}
        with (self.path / RECORD).open("wb") as record_file:
            record_file.write(
                json.dumps(whole, ensure_ascii=False, indent=1).encode("utf-8", "replace")
            )
        flush_all(self.path)

    def close(self) -> None:
        """Close the files."""
        for file in self._files.values():
            file.close()


@contextmanager
def new_folder(
    path: Path, *, replace: bool = False, work: Path | None = None
) -> Iterator[FolderWriter]:
    """Write a folder that appears at `path` only if the block ends without an error.

    Args:
        path: The folder to write.
        replace: Replace an existing folder that andornot wrote.
        work: The folder for temporary files; default: the parent of `path`.
    """
    with writing(path), replacing_each(), temporary_folder(path, work) as temporary:
        writer = FolderWriter(temporary, path)
        try:
            yield writer
            writer.close()
            put_in_place(temporary, writer.target, replace=replace)
        finally:
            writer.close()


def put_in_place(new: Path, path: Path, *, replace: bool) -> None:
    """Rename a complete folder to `path`, and remove an existing one.

    Both exchange their names where the system can; `new` is then the old folder. Elsewhere the
    existing one is moved aside first: after a crash between the two moves, `recover` finishes them.
    """
    if not path.exists():
        new.rename(path)
        flush_folder(path.parent)
        return
    if not replace or not (path / RECORD).exists():
        raise FileError(path, "another file or folder was created there", "move it and try again")
    aside, ready = _aside(path), _ready(path)
    for left in (aside, ready):
        remove_folder(left)
    if not path.is_symlink() and exchange(new, path):
        flush_folder(path.parent)
        return
    new.rename(ready)
    path.rename(aside)
    try:
        ready.rename(path)
    except OSError as error:
        is_moved = isinstance(error, FileNotFoundError) and path.exists()
        if not is_moved:  # otherwise a process that opened it has finished the move
            aside.rename(path)
            remove_folder(ready)
            raise
    flush_folder(path.parent)  # before the old folder is removed
    remove_folder(aside)


def recover(path: Path) -> None:
    """Finish a replacement that was interrupted between its two moves."""
    path = path.resolve()
    if not path.name:  # the root of the file system
        return
    aside, ready = _aside(path), _ready(path)
    with suppress(OSError):  # the writing process may do the same at this moment
        if not path.exists():
            if (ready / RECORD).exists():
                ready.rename(path)
            elif (aside / RECORD).exists():
                aside.rename(path)
    if path.exists() and not ready.exists():
        remove_folder(aside)


def remove_folder(folder: Path) -> None:
    """Remove a folder that andornot wrote; leave any other folder.

    It is renamed first, so that a kill never leaves a partial folder under its name.
    """
    if (folder / RECORD).exists():
        doomed = temporary_path(folder)
        with writing(folder), suppress(FileNotFoundError):  # another process may remove it too
            folder.rename(doomed)
        if doomed.is_symlink():
            doomed.unlink()
        else:
            shutil.rmtree(doomed, ignore_errors=True)


def user_cache(kind: str) -> Path:
    """Return the cache folder of one kind: in ANDORNOT_CACHE, or in the user's cache."""
    if chosen := os.environ.get("ANDORNOT_CACHE"):
        return Path(chosen) / kind
    import platformdirs

    return Path(platformdirs.user_cache_dir("andornot")) / kind


@contextmanager
def writing_cache(home: Path, kept: str) -> Iterator[None]:
    """Convert system errors about writing to a cache folder to an error with a remedy.

    Args:
        home: The cache folder.
        kept: The content of the folder, for the error.
    """
    with writing(home):
        try:
            yield
        except (PermissionError, NotADirectoryError, FileExistsError, FileNotFoundError) as error:
            raise AndornotError(
                f"{home}: can't store {kept} there ({error.strerror}); "
                "set ANDORNOT_CACHE to a writable folder"
            ) from error


@contextmanager
def locked(file: Path, subject: Path) -> Iterator[None]:
    """Hold an exclusive lock file during the block, then remove it.

    Args:
        file: The lock file. A killed process leaves it, unlocked.
        subject: The path that an error names.

    Raises:
        FileError: If another process holds the lock.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(file)
    while True:
        with writing(file):
            file.touch()
        before = _inode(file)
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise FileError(
                subject, "another andornot process is writing it", "wait until it ends"
            ) from error
        if before is not None and before == _inode(file):
            break
        lock.release()  # the previous owner has just removed the file opened here
    try:
        yield
    finally:
        with suppress(OSError):  # the parent folder may be gone already
            file.unlink()
        lock.release()


def _inode(file: Path) -> int | None:
    try:
        return file.stat().st_ino
    except FileNotFoundError:
        return None


def _aside(path: Path) -> Path:
    return path.with_name(f".{path.name}.old")


def _ready(path: Path) -> Path:
    return path.with_name(f".{path.name}.new")


def is_folder_of(path: Path, kind: str) -> bool:
    """Return True if `path` is a folder of this kind, after finishing interrupted writes."""
    recover(path)
    try:
        return bool(read_record(path).get("kind") == kind)
    except FileError:
        return False


def read_record(path: Path) -> dict[str, Any]:
    """Read the record of a folder."""
    if path.is_dir() and not (path / RECORD).exists():
        raise FileError(
            path, "this folder was not written by andornot", "name a file, or another folder"
        )
    with reading(path):
        (path / RECORD).stat()  # an error about a missing file names the folder
    return parse_record(read_small(path / RECORD, _DAMAGED), path / RECORD)


def parse_record(raw: bytes, path: str | PathLike[str]) -> dict[str, Any]:
    """Return the record of a folder from its bytes; `path` is what an error names.

    Raises:
        FileError: If it is not a record.
    """
    try:
        record = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise FileError(path, "it is not JSON", _DAMAGED) from error
    if not isinstance(record, dict) or not isinstance(record.get("arrays"), dict):
        raise FileError(path, "it is not a record of arrays", _DAMAGED)
    return record


def size_of(path: Path) -> int:
    """Return the size in bytes of a file, or of all files in a folder."""
    if not path.is_dir():
        return path.stat().st_size
    return sum(item.stat().st_size for item in path.rglob("*") if item.is_file())


def map_array(path: Path, record: dict[str, Any], name: str, dtype: str) -> npt.NDArray[Any]:
    """Map one array of a folder, after a check of its type and size."""
    file = array_path(path, record, name, dtype)
    if not record["arrays"][name]["length"]:
        return np.empty(0, dtype=dtype)
    return np.memmap(file, dtype=dtype, mode="r")


def array_path(path: Path, record: dict[str, Any], name: str, dtype: str) -> Path:
    """Return the file of one array of a folder, after a check of its type and size.

    Raises:
        FileError: If the file is missing, or the record says something else of it.
    """
    file = path / f"{name}.bin"
    entry = record["arrays"].get(name)
    expected = np.dtype(dtype)
    size = check_regular(file, _DAMAGED).st_size
    if (
        not isinstance(entry, dict)
        or entry.get("dtype") != expected.str
        or entry.get("length") != size / expected.itemsize
    ):
        raise FileError(file, f"its {size:,} bytes are not what the record says", _DAMAGED)
    return file
