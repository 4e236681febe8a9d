"""Check, before the work begins, that an output may be written."""

from __future__ import annotations

import os
from os import PathLike
from pathlib import Path

from andornot.base.errors import FileError
from andornot.base.files import writing
from andornot.base.folders import is_folder_of
from andornot.base.remedies import option
from andornot.base.temporaries import temporary_file


def check_output(path: str | PathLike[str], *, force: bool, kind: str | None = None) -> Path:
    """Return the real path of an output that may be written.

    Args:
        path: The file to write, or with a `kind` the folder.
        force: Replace the file, or the folder of the same kind, that is there.
        kind: The kind of andornot's folder to write; default: a file.

    Raises:
        FileError: If something is there that may not be replaced, if the folder around it doesn't
            exist, or if it can't be written.
    """
    target = Path(os.path.realpath(path))
    with writing(path):
        if kind is None and target.is_dir():
            raise FileError(path, "this is a folder", "name a file to write")
        if kind is None and target.exists() and not target.is_file():
            raise FileError(path, "this is not an ordinary file", "name a file to write")
        if kind is not None and not is_folder_of(target, kind) and target.exists():
            raise FileError(path, f"this is not a folder of {kind}", "name another folder")
        if target.exists() and not force:
            raise FileError(path, "it exists already", f"add {option('force', True)} to replace it")
        _try_to_write(target)
    return target


def check_folder(folder: Path) -> None:
    """Check that files can be written to a folder, which is made when they are.

    Raises:
        FileError: If they can't.
    """
    with writing(folder):
        missing = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        _try_to_write(folder / folder.name)
        if missing:
            folder.rmdir()  # the work may fail, and then leaves nothing


def _try_to_write(target: Path) -> None:
    """Make a file beside the target, which also removes what killed runs have left of it."""
    with temporary_file(target):
        pass
