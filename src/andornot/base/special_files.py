"""Refuse pipes and devices, which may never end."""

from __future__ import annotations

import os
import stat
from os import PathLike

from andornot.base.errors import FileError


def open_at_once(path: str, flags: int) -> int:
    """Open a file; don't wait for the other end of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def refuse_special(
    path: str | PathLike[str], status: os.stat_result, remedy: str = "save it to a file first"
) -> None:
    """Raise FileError for a path that is neither a regular file nor a folder."""
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        raise FileError(path, "this is a pipe or a device", remedy)
