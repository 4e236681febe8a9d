"""Read and write safetensors files, with a checked header and memory-mapped arrays.

A file consists of the length of the header (8 bytes), the header in JSON (type, shape and
offsets of each tensor) and the tensors. The safetensors package can't read into memory-mapped
NumPy arrays, nor the type BF16.
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
from andornot.base.files import reading
from andornot.base.regular_files import open_regular
from andornot.base.replacing import replacing

LONGEST_HEADER = 64_000_000  # as JSON it may take 30 times as much memory; large models have 1 MB
_MOST_AXES = 8
DAMAGED = "the file may be truncated or damaged; restore it or make it again"
DTYPES = {
    "F64": "<f8",
    "I64": "<i8",
    "F32": "<f4",
    "I32": "<i4",
    "U32": "<u4",
    "F16": "<f2",
    "BF16": "<u2",  # NumPy has no such type; the raw bits
    "U8": "u1",
    "I8": "i1",
}
NAMES = {np.dtype(code): name for name, code in DTYPES.items() if name != "BF16"}


@dataclass(frozen=True)
class Entry:
    """The type, shape and position of a tensor in a file."""

    path: Path
    name: str
    dtype: str
    shape: tuple[int, ...]
    begin: int

    def map(self) -> npt.NDArray[Any]:
        """Return the numbers as a memory-mapped array; for BF16, the raw bits."""
        if self.dtype not in DTYPES:
            raise FileError(
                self.path,
                f"tensor {self.name!r} has the unsupported type {self.dtype}",
                "save it as float32",
            )
        code = DTYPES[self.dtype]
        if not math.prod(self.shape):
            return np.empty(self.shape, dtype=code)
        return np.memmap(self.path, dtype=code, mode="r", offset=self.begin, shape=self.shape)

    def floats(self) -> npt.NDArray[np.float32]:
        r"""Return the numbers as float32, whatever their type.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "tensors")
        ...     _ = path.write_bytes(b"\x00\x40\xc0\x3f")
        ...     Entry(path, "a", "BF16", (2,), begin=0).floats().tolist()
        [2.0, 1.5]
        """
        raw = self.map()
        if self.dtype == "BF16":  # the upper half of a float32
            return (raw.astype(np.uint32) << np.uint32(16)).view(np.float32)
        return np.asarray(raw, dtype=np.float32)


def read_header(path: Path) -> tuple[dict[str, Any], int, int]:
    """Return the header, the offset of the first tensor, and the size of the file."""
    with open_regular(path) as file, reading(path):
        size = path.stat().st_size
        prefix = file.read(8)
        if len(prefix) < 8:
            problem = f"the length of the header takes 8 bytes, and the file has {size:,}"
            raise FileError(path, problem, DAMAGED)
        length = struct.unpack("<Q", prefix)[0]
        if not length:
            raise FileError(path, "the header has 0 bytes", DAMAGED)
        if length > size - 8:
            problem = f"the header of {length:,} bytes exceeds the file of {size:,} bytes"
            raise FileError(path, problem, DAMAGED)
        if length > LONGEST_HEADER:
            problem = f"the header has {length:,} bytes, and at most {LONGEST_HEADER:,} are allowed"
            raise FileError(path, problem, DAMAGED)
        raw = file.read(length)
    try:
        header = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise FileError(path, "the header is not valid JSON", DAMAGED) from error
    if not isinstance(header, dict):
        raise FileError(path, "the header is not a JSON object", DAMAGED)
    return header, 8 + length, size


def find_tensor(
    path: Path,
    name: str,
    entry: Any,
    start: int,
    size: int,
    allowed: Callable[[str, int], bool] = lambda dtype, axes: True,
) -> Entry:
    """Return the entry of a tensor, after checking that it lies inside the file.

    Args:
        path: The file.
        name: The name of the tensor.
        entry: The JSON object of the tensor in the header.
        start: The offset of the first tensor.
        size: The size of the file in bytes.
        allowed: Returns True if a tensor of this type and number of axes is expected.

    Raises:
        FileError: If the entry is malformed, not allowed, or points outside the file.
    """
    try:
        dtype, shape = str(entry["dtype"]), [int(n) for n in entry["shape"]]
        begin, end = (int(n) for n in entry["data_offsets"])
    except (TypeError, KeyError, ValueError, OverflowError, RecursionError) as error:
        raise FileError(path, f"the entry of tensor {name!r} is malformed", DAMAGED) from error
    if len(shape) > _MOST_AXES:
        problem = f"tensor {name!r} must have at most {_MOST_AXES} axes, and has {len(shape):,}"
        raise FileError(path, problem, DAMAGED)
    if not allowed(dtype, len(shape)):
        raise FileError(
            path,
            f"unexpected tensor {name!r} of type {dtype} with {len(shape)} axes",
            "update andornot, or recreate the file",
        )
    needed = end - begin
    if dtype in DTYPES:  # other types are refused only when they are read
        needed = math.prod(shape) * np.dtype(DTYPES[dtype]).itemsize
    if (
        min(shape, default=0) < 0
        or not 0 <= begin <= end
        or end - begin != needed
        or start + end > size
    ):
        raise FileError(path, f"tensor {name!r} is not inside the file", DAMAGED)
    return Entry(path, name, dtype, tuple(shape), start + begin)


def header_bytes(header: dict[str, Any], path: Path) -> bytes:
    """Encode a header as the first bytes of a file.

    Raises:
        FileError: If it is longer than `read_header` allows.

    >>> raw = header_bytes({}, Path("a.safetensors"))
    >>> len(raw), raw[8:]
    (16, b'{}      ')
    """
    raw = json.dumps(header, ensure_ascii=False).encode("utf-8", "replace")
    raw += b" " * (-len(raw) % 8)  # align the tensors to 8 bytes
    if len(raw) > LONGEST_HEADER:
        problem = f"the header has {len(raw):,} bytes, and at most {LONGEST_HEADER:,} are allowed"
        raise FileError(path, problem, "shorten its provenance or metadata")
    return struct.pack("<Q", len(raw)) + raw


def describe(tensors: dict[str, npt.NDArray[Any]]) -> dict[str, Any]:
    """Return the header entries of consecutive tensors."""
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
    head = header_bytes({"__metadata__": found, **describe(tensors)}, path)
    with replacing(path) as file:
        file.write(head)
        for tensor in tensors.values():
            file.write(np.ascontiguousarray(tensor).data)
