"""Check that an output can be written, before the work begins."""

from __future__ import annotations

import os
from contextlib import suppress
from os import PathLike
from pathlib import Path

from andornot.base.errors import FileError
from andornot.base.files import writing
from andornot.base.folders import is_folder_of
from andornot.base.remedies import option
from andornot.base.temporaries import remove_stale, temporary_file


def check_output(path: str | PathLike[str], *, force: bool, kind: str | None = None) -> Path:
    """Check that an output can be written and return its real path.

    Args:
        path: The file to write, or the folder if `kind` is given.
        force: Allow replacing an existing file, or a folder of the same kind.
        kind: The kind of the folder to write; default: write a file.

    Raises:
        FileError: If the output exists and may not be replaced, if its folder doesn't exist, or
            if it can't be written.
    """
    target = Path(os.path.realpath(path))
    with writing(path):
        if kind is None and target.is_dir():
            raise FileError(path, "this is a folder", "name a file to write")
        if kind is None and target.exists() and not target.is_file():
            raise FileError(path, "this is not a regular file", "name a file to write")
        if kind is not None and not is_folder_of(target, kind) and target.exists():
            raise FileError(path, f"this is not a folder of {kind}", "name another folder")
        if target.exists() and not force:
            remove_stale(target.parent, target.name)  # a killed run may leave a complete file too
            raise FileError(path, "it exists already", f"add {option('force', True)} to replace it")
        _try_to_write(target)
    return target


def is_within(path: str | PathLike[str], folder: str | PathLike[str]) -> bool:
    """Return True if a path is a folder, or is inside it; links are followed.

    >>> is_within("counts/words.bin", "counts"), is_within("counts.txt", "counts")
    (True, False)
    """
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def check_folder(folder: Path) -> None:
    """Check that files can be written to a folder, which may not exist yet.

    Raises:
        FileError: If the folder can't be created or written to.
    """
    with writing(folder):
        missing = [each for each in (folder, *folder.parents) if not each.exists()]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _try_to_write(folder / folder.name)
        finally:
            for each in missing:  # leave no folder if the work fails
                with suppress(OSError):  # it wasn't made, or another program uses it already
                    each.rmdir()


def _try_to_write(target: Path) -> None:
    """Create a file next to the target, which also removes stale temporary files."""
    with temporary_file(target):
        pass
