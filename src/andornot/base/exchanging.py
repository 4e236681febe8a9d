"""Exchange the names of two folders in one step, where the system can."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

_HERE = -100  # AT_FDCWD: relative paths begin at the working directory
_EXCHANGE = 2  # RENAME_EXCHANGE


def exchange(first: Path, second: Path) -> bool:
    """Exchange the names of two folders, so that neither name is ever missing.

    Returns False, and changes nothing, where this isn't possible: Linux can do it on most of its
    file systems.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     exchange(Path(home, "none"), Path(home, "neither"))
    False
    """
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):  # another system, or an old library
        return False
    names = [os.fsencode(path) for path in (first, second)]
    return bool(call(_HERE, names[0], _HERE, names[1], _EXCHANGE) == 0)
