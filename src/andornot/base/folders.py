"""Folders of plain arrays with a record in JSON: written whole, mapped when opened."""

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

from andornot.base.errors import FileError
from andornot.base.files import flush_folder, reading, replacing_each, writing
from andornot.base.temporaries import temporary_folder, temporary_path

RECORD = "record.json"
_DAMAGED = "it may be incomplete or damaged: make it again"


class FolderWriter:
    """A folder in the making: arrays are appended to, and the record is written last.

    At the end it is put at `target`, which may be changed until then.
    """

    def __init__(self, path: Path, target: Path) -> None:
        self.path = path
        self.target = target
        self._files: dict[str, BinaryIO] = {}
        self._arrays: dict[str, dict[str, Any]] = {}

    def append(self, name: str, array: npt.NDArray[Any]) -> None:
        """Write `array` at the end of the array of this name."""
        if name not in self._files:
            self._files[name] = (self.path / f"{name}.bin").open("wb")
            self._arrays[name] = {"dtype": array.dtype.str, "length": 0}
        self._files[name].write(np.ascontiguousarray(array).data)
        self._arrays[name]["length"] += len(array)

    def written(self, name: str) -> npt.NDArray[Any]:
        """The array of this name as written so far, mapped for changes in place."""
        self._files[name].flush()
        return np.memmap(self.path / f"{name}.bin", dtype=self._arrays[name]["dtype"], mode="r+")

    def digest(self, name: str) -> str:
        """A digest of the array of this name as written so far."""
        self._files[name].flush()
        with (self.path / f"{name}.bin").open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def finish(self, kind: str, record: dict[str, Any]) -> None:
        """Flush everything to the disk and write the record that makes the folder valid."""
        for file in self._files.values():
            file.flush()
            os.fsync(file.fileno())
        self.close()
        whole = {"kind": kind, "arrays": self._arrays, **record}
        with (self.path / RECORD).open("wb") as record_file:
            record_file.write(
                json.dumps(whole, ensure_ascii=False, indent=1).encode("utf-8", "replace")
            )
            record_file.flush()
            os.fsync(record_file.fileno())
        flush_folder(self.path)

    def close(self) -> None:
        """Close the files."""
        for file in self._files.values():
            file.close()


@contextmanager
def new_folder(
    path: Path, *, replace: bool = False, work: Path | None = None
) -> Iterator[FolderWriter]:
    """A folder that appears under its name when the block ends well, and not at all otherwise.

    It is made in `work`, by default beside its place. `replace` allows a folder of andornot's that
    stands there already to be replaced.
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
    """Give a complete folder its name; one of that name is moved aside first and then removed.

    A crash between the two moves leaves no folder of that name, but both others: see `recover`.
    """
    if not path.exists():
        new.rename(path)
        flush_folder(path.parent)
        return
    if not replace or not (path / RECORD).exists():
        raise FileError(path, "something else stands there by now", "move it, and try again")
    aside, ready = _aside(path), _ready(path)
    for left in (aside, ready):
        remove_folder(left)
    new.rename(ready)
    path.rename(aside)
    try:
        ready.rename(path)
    except OSError as error:
        is_moved = isinstance(error, FileNotFoundError) and path.exists()
        if not is_moved:  # else a process that opened it just now has finished the move
            aside.rename(path)
            remove_folder(ready)
            raise
    flush_folder(path.parent)  # before the old one goes
    remove_folder(aside)


def recover(path: Path) -> None:
    """Finish a replacement that was interrupted between its two moves."""
    path = path.resolve()
    if not path.name:  # the root of the file system
        return
    aside, ready = _aside(path), _ready(path)
    with suppress(OSError):  # the writer itself may be at it, and do the same
        if not path.exists():
            if (ready / RECORD).exists():
                ready.rename(path)
            elif (aside / RECORD).exists():
                aside.rename(path)
    if path.exists() and not ready.exists():
        remove_folder(aside)


def remove_folder(folder: Path) -> None:
    """Remove a folder of andornot's; anything else stays.

    It loses its name first: a kill in the middle must not leave half a folder in the way.
    """
    if (folder / RECORD).exists():
        doomed = temporary_path(folder)
        with writing(folder):
            folder.rename(doomed)
        shutil.rmtree(doomed, ignore_errors=True)


def user_cache(kind: str) -> Path:
    """The folder for what can be had again, of one kind: in ANDORNOT_CACHE, or the user's cache."""
    if chosen := os.environ.get("ANDORNOT_CACHE"):
        return Path(chosen) / kind
    import platformdirs

    return Path(platformdirs.user_cache_dir("andornot")) / kind


@contextmanager
def locked(file: Path, subject: Path) -> Iterator[None]:
    """Hold a lock file for this process alone; it is removed at the end.

    Args:
        file: The lock file. A process that was killed leaves it, unlocked.
        subject: What an error names.

    Raises:
        FileError: If another process holds it.
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
            raise FileError(subject, "another run is at work there", "wait for its end") from error
        if before is not None and before == _inode(file):
            break
        lock.release()  # the one before has just removed the file that was opened here
    try:
        yield
    finally:
        with suppress(OSError):  # the folder around it may be gone already
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
    """Whether a folder of this kind stands at `path`, or was about to."""
    recover(path)
    try:
        return bool(read_record(path).get("kind") == kind)
    except FileError:
        return False


def read_record(path: Path) -> dict[str, Any]:
    """The record of a folder."""
    if path.is_dir() and not (path / RECORD).exists():
        raise FileError(
            path, "this is a folder, and not one of andornot's", "name a file, or another folder"
        )
    with reading(path):
        raw = (path / RECORD).read_bytes()
    return parse_record(raw, path / RECORD)


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
    """The bytes of a file, or of all files in a folder."""
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
    with reading(file):
        size = file.stat().st_size
    if (
        not isinstance(entry, dict)
        or entry.get("dtype") != expected.str
        or entry.get("length") != size / expected.itemsize
    ):
        raise FileError(file, f"its {size:,} bytes are not what the record says", _DAMAGED)
    return file
