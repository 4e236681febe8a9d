"""Files of tensors in the safetensors layout: their header, checked, and their arrays, mapped.

The file is 8 bytes with the length of the header, the header in JSON (for each tensor its type,
shape and place), then the tensors. The safetensors package reads such files too, but not into
mapped NumPy arrays, and not the type BF16.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.errors import FileError
from andornot.base.files import reading, replacing

LONGEST_HEADER = 100_000_000  # the limit of the safetensors package itself
DAMAGED = "it may be cut off or damaged: restore it or make it again"
DTYPES = {
    "F64": "<f8",
    "I64": "<i8",
    "F32": "<f4",
    "I32": "<i4",
    "U32": "<u4",
    "F16": "<f2",
    "BF16": "<u2",  # NumPy has no such type: its bits
    "U8": "u1",
    "I8": "i1",
}
NAMES = {np.dtype(code): name for name, code in DTYPES.items() if name != "BF16"}


@dataclass(frozen=True)
class Entry:
    """A tensor of a file: its type, its shape and where its bytes are."""

    path: Path
    name: str
    dtype: str
    shape: tuple[int, ...]
    begin: int

    def map(self) -> npt.NDArray[Any]:
        """The numbers, on disk until they are used; of BF16, the bits."""
        if self.dtype not in DTYPES:
            raise FileError(
                self.path,
                f"tensor {self.name!r} has the type {self.dtype}, which andornot doesn't read",
                "save it as float32",
            )
        code = DTYPES[self.dtype]
        if not math.prod(self.shape):
            return np.empty(self.shape, dtype=code)
        return np.memmap(self.path, dtype=code, mode="r", offset=self.begin, shape=self.shape)

    def floats(self) -> npt.NDArray[np.float32]:
        """The numbers in single precision, whatever their type.

        >>> np.array([0x3FC0], dtype=np.uint32).__lshift__(16).view(np.float32).tolist()
        [1.5]
        """
        raw = self.map()
        if self.dtype == "BF16":  # the upper half of a float32
            return (raw.astype(np.uint32) << np.uint32(16)).view(np.float32)
        return np.asarray(raw, dtype=np.float32)


def read_header(path: Path) -> tuple[dict[str, Any], int, int]:
    """The header, where the tensors begin, and the size of the file."""
    with reading(path), path.open("rb") as file:
        size = path.stat().st_size
        prefix = file.read(8)
        length = struct.unpack("<Q", prefix)[0] if len(prefix) == 8 else 0
        if not 0 < length <= min(size - 8, LONGEST_HEADER):
            raise FileError(
                path, f"its header of {length:,} bytes is not in its {size:,} bytes", DAMAGED
            )
        raw = file.read(length)
    try:
        header = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise FileError(path, "its header is not JSON", DAMAGED) from error
    if not isinstance(header, dict):
        raise FileError(path, "its header is not a JSON object", DAMAGED)
    return header, 8 + length, size


def find_tensor(
    path: Path,
    name: str,
    entry: Any,
    start: int,
    size: int,
    allowed: Callable[[str, int], bool] = lambda dtype, axes: True,
) -> Entry:
    """What a header says of a tensor, after a check that it lies inside the file.

    `allowed` says whether a tensor of this type and so many axes has a place there.
    """
    try:
        dtype, shape = str(entry["dtype"]), [int(n) for n in entry["shape"]]
        begin, end = (int(n) for n in entry["data_offsets"])
    except (TypeError, KeyError, ValueError, OverflowError) as error:
        raise FileError(path, f"the entry of tensor {name!r} is malformed", DAMAGED) from error
    if not allowed(dtype, len(shape)):
        raise FileError(
            path,
            f"tensor {name!r} of type {dtype} and {len(shape)} axes has no place in a space",
            "update andornot, or make the file again",
        )
    needed = end - begin
    if dtype in DTYPES:  # others may be there, and are refused where they are to be read
        needed = math.prod(shape) * np.dtype(DTYPES[dtype]).itemsize
    if (
        min(shape, default=0) < 0
        or not 0 <= begin <= end
        or end - begin != needed
        or start + end > size
    ):
        raise FileError(path, f"tensor {name!r} doesn't lie inside the file", DAMAGED)
    return Entry(path, name, dtype, tuple(shape), start + begin)


def header_bytes(header: dict[str, Any]) -> bytes:
    """A header as it stands at the beginning of a file.

    >>> len(header_bytes({})), header_bytes({})[8:]
    (16, b'{}      ')
    """
    raw = json.dumps(header, ensure_ascii=False).encode("utf-8", "replace")
    raw += b" " * (-len(raw) % 8)  # the tensors begin at a multiple of 8, as numbers like it
    return struct.pack("<Q", len(raw)) + raw


def describe(tensors: dict[str, npt.NDArray[Any]]) -> dict[str, Any]:
    """The entries of a header for tensors that follow each other."""
    entries, total = {}, 0
    for name, tensor in tensors.items():
        entries[name] = {
            "dtype": NAMES[tensor.dtype.newbyteorder("<")],
            "shape": list(tensor.shape),
            "data_offsets": [total, total + tensor.nbytes],
        }
        total += tensor.nbytes
    return entries


def write_tensors(
    tensors: dict[str, npt.NDArray[Any]], path: Path, metadata: dict[str, str] | None = None
) -> None:
    """Write a few tensors to a file that any safetensors reader opens.

    Args:
        tensors: The arrays by name, in the order of the file.
        path: The file to write or replace.
        metadata: Texts for the header; default: those that transformers asks for.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "model.safetensors")
    ...     write_tensors({"a": np.ones(3, dtype=np.float32)}, path)
    ...     header, start, size = read_header(path)
    ...     find_tensor(path, "a", header["a"], start, size).floats().tolist()
    [1.0, 1.0, 1.0]
    """
    found = metadata or {"format": "pt"}  # transformers refuses a file without this format
    with replacing(path) as file:
        file.write(header_bytes({"__metadata__": found, **describe(tensors)}))
        for tensor in tensors.values():
            file.write(np.ascontiguousarray(tensor).data)
