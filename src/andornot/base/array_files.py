"""Files of plain numbers that are read part by part."""

from __future__ import annotations

import threading
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.errors import FileError
from andornot.base.files import reading
from andornot.base.regular_files import open_regular

_CUT_OFF = "it was cut off after it was opened: make it again"


class ArrayFile:
    """An array in a file, of which any part can be read into memory.

    The file stays open: a folder that replaces its folder doesn't change it. Unlike mapped memory,
    a part that is no longer in the file is an error instead of a signal that ends the process.
    """

    def __init__(self, path: Path, dtype: str) -> None:
        self.path = path
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self._file = open_regular(path).detach()  # without a buffer
        with reading(path):
            self._length = path.stat().st_size // self.dtype.itemsize
        weakref.finalize(self, self._file.close)
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return self._length

    def read(self, start: int, stop: int) -> npt.NDArray[Any]:
        """Return the numbers from `start` to `stop`, in memory; several threads may call this.

        Raises:
            FileError: If the file doesn't have them any more.
        """
        array = np.empty(stop - start, dtype=self.dtype)
        rest = array.data.cast("B")
        with self._lock, reading(self.path):
            self._file.seek(start * self.dtype.itemsize)
            while rest:
                count = self._file.readinto(rest)
                if not count:
                    raise FileError(self.path, f"it ends before number {stop:,}", _CUT_OFF)
                rest = rest[count:]
        return array

    def map(self) -> npt.NDArray[Any]:
        """Map the whole array."""
        if not len(self):
            return np.empty(0, dtype=self.dtype)
        with reading(self.path):
            return np.memmap(self._file, dtype=self.dtype, mode="r", shape=(len(self),))
