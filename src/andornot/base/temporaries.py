"""Temporary files and folders beside an output: held while a process writes, then removed.

A process that is killed leaves what it was writing. The lock it held on it is gone with the
process, which is how the next run of the same output knows what it may remove.
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
except ImportError:  # Windows has no locks on folders
    fcntl = None  # type: ignore[assignment]

_OLD = 24 * 3600.0  # seconds, after which what can't be locked counts as left


def temporary_path(target: Path, folder: Path | None = None) -> Path:
    r"""Return a new name for what will be `target`, beside it or in another folder.

    >>> import re
    >>> bool(re.fullmatch(r"\.a\.vec\.[0-9a-f]{8}\.tmp", temporary_path(Path("a.vec")).name))
    True
    """
    name = f".{target.name.removeprefix('.')}.{secrets.token_hex(4)}.tmp"
    return (folder or target.parent) / name


@contextmanager
def temporary_file(target: Path) -> Iterator[Path]:
    """Make an empty file beside `target`, held until the end of the block.

    What killed processes have left of the same target is removed first.
    """
    remove_stale(target.parent, target.name)
    with _made(target, target.parent, lambda path: path.open("xb").close()) as path:
        try:
            yield path
        finally:
            with suppress(OSError):  # it may have become the target
                path.unlink()


@contextmanager
def temporary_folder(target: Path, folder: Path | None = None) -> Iterator[Path]:
    """Make an empty folder beside `target`, or in another folder, held until the end of the block.

    What killed processes have left of the same target is removed first.
    """
    home = folder or target.parent
    home.mkdir(parents=True, exist_ok=True)
    remove_stale(home, target.name)
    with _made(target, home, Path.mkdir) as path:
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _made(target: Path, folder: Path, make: Callable[[Path], None]) -> Iterator[Path]:
    """Make something under a new name and lock it; another name if that was taken for left over."""
    while True:
        path = temporary_path(target, folder)
        make(path)
        descriptor = _locked(path)
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
    """Remove temporary files and folders that no live process holds.

    Args:
        folder: Where they are.
        name: The name of the target they were made for; default: of any.
    """
    stem = r".+" if name is None else re.escape(name.removeprefix(".")) + r"(\.old|\.new)?"
    pattern = re.compile(rf"\.{stem}\.[0-9a-z_]{{8}}\.tmp")
    try:
        found = [path for path in folder.iterdir() if pattern.fullmatch(path.name)]
    except PermissionError:  # a folder that may be written to, but not listed
        return
    for path in found:
        if _is_left(path):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                with suppress(OSError):
                    path.unlink()


def _is_left(path: Path) -> bool:
    """Whether no live process holds it."""
    if fcntl is None:
        with suppress(OSError):
            return time.time() - path.stat().st_mtime > _OLD
        return False
    descriptor = _locked(path)
    if descriptor is None:
        return False
    os.close(descriptor)
    return True


def _locked(path: Path) -> int | None:
    """A descriptor that locks a file or folder; None if another process does, or none can."""
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
