"""Temporary files and folders next to an output, locked while a process writes them.

A killed process leaves its temporary files, but not their locks. The next run for the same
output removes the files that are no longer locked.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows can't lock folders
    fcntl = None  # type: ignore[assignment]

_OLD = 24 * 3600.0  # seconds after which a file counts as stale if locks are unavailable


def temporary_path(target: Path, folder: Path | None = None) -> Path:
    r"""Return a new temporary path for `target`, next to it or in another folder.

    >>> import re
    >>> bool(re.fullmatch(r"\.a\.vec\.[0-9a-f]{8}\.tmp", temporary_path(Path("a.vec")).name))
    True
    """
    name = f".{target.name.removeprefix('.')}.{secrets.token_hex(4)}.tmp"
    return (folder or target.parent) / name


@contextmanager
def temporary_file(target: Path) -> Iterator[Path]:
    """Create and lock an empty file next to `target` until the end of the block.

    Stale files of killed processes for the same target are removed first.
    """
    remove_stale(target.parent, target.name)
    with _create(target, target.parent, lambda path: path.open("xb").close()) as path:
        try:
            yield path
        finally:
            with suppress(OSError):  # it may have been renamed to the target
                path.unlink()


@contextmanager
def temporary_folder(target: Path, folder: Path | None = None) -> Iterator[Path]:
    """Create and lock an empty folder next to `target`, or in `folder`, until the block ends.

    Stale files of killed processes for the same target are removed first.
    """
    home = folder or target.parent
    home.mkdir(parents=True, exist_ok=True)
    remove_stale(home, target.name)
    with _create(target, home, Path.mkdir) as path:
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _create(target: Path, folder: Path, make: Callable[[Path], None]) -> Iterator[Path]:
    """Create and lock a temporary path; retry if another process removed it before the lock."""
    while True:
        path = temporary_path(target, folder)
        make(path)
        descriptor = _try_lock(path)
        if path.exists():
            break
        if descriptor is not None:
            os.close(descriptor)
    try:
        yield path
    finally:
        if descriptor is not None:
            os.close(descriptor)


def remove_stale(folder: Path, name: str | None = None) -> None:
    """Remove temporary files and folders that no running process has locked.

    Args:
        folder: The folder to clean.
        name: The name of the target; default: any target.
    """
    stem = r".+" if name is None else re.escape(name.removeprefix(".")) + r"(\.old|\.new)?"
    pattern = re.compile(rf"\.{stem}\.[0-9a-z_]{{8}}\.tmp")
    try:
        found = [path for path in folder.iterdir() if pattern.fullmatch(path.name)]
    except PermissionError:  # the folder can't be listed
        return
    for path in found:
        if _is_stale(path):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                with suppress(OSError):
                    path.unlink()


def _is_stale(path: Path) -> bool:
    """Return True if no running process has locked the path."""
    if fcntl is None:
        with suppress(OSError):
            return time.time() - path.stat().st_mtime > _OLD
        return False
    descriptor = _try_lock(path)
    if descriptor is None:
        return False
    os.close(descriptor)
    return True


def _try_lock(path: Path) -> int | None:
    """Lock a file or folder and return its descriptor, or None if that isn't possible."""
    if fcntl is None:
        return None
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
