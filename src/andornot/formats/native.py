"""The native format: one .safetensors file that is opened by mapping, never by reading.

The file is 8 bytes with the length of the header, the header in JSON (for each tensor its type,
shape and place), then the tensors. Any safetensors reader opens it; this one leaves every array
on disk until it is used, which the safetensors package doesn't do for NumPy. Vectors in 8 bits
are the exception: they are read.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.counts import Counts, CountsOrigin
from andornot.errors import AndornotError, FileError
from andornot.files import Progress, reading, replacing
from andornot.formats.quantising import Quantised, quantise
from andornot.formats.values import refuse_infinite
from andornot.moments import parts
from andornot.provenance import Provenance
from andornot.space import Space
from andornot.subwords import Subwords
from andornot.vocabulary import Vocabulary

FORMAT = "andornot space"
VERSION = "1"
LONGEST_HEADER = 100_000_000  # the limit of the safetensors package itself

_DTYPES = {"F64": "<f8", "I64": "<i8", "F32": "<f4", "U8": "u1", "I8": "i1"}
_NAMES = {np.dtype(code): name for name, code in _DTYPES.items()}
_EXPECTED = {
    "counts": ("F64", 1),
    "marginal": ("F64", 1),
    "word_offsets": ("I64", 1),
    "target": ("F32", 2),
    "context": ("F32", 2),
    "subwords": ("F32", 2),
    "target_bias": ("F32", 1),
    "target_mean": ("F64", 1),
    "context_mean": ("F64", 1),
    "context_bias": ("F32", 1),
    "words": ("U8", 1),
    **{f"{side}_codes": ("I8", 2) for side in ("target", "context")},
    **{f"{side}_scale": ("F32", 1) for side in ("target", "context")},
    **{f"{side}_offset": ("F32", 1) for side in ("target", "context")},
}
_BLOCK = 1 << 22
_DAMAGED = "it may be cut off or damaged: restore it or make it again"


def read_native(path: Path, *, progress: Progress | None = None) -> Space:
    """Open a native file; its arrays are mapped and its words read on first use."""
    header, start, size = _read_header(path)
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or metadata.get("format") != FORMAT:
        raise FileError(
            path,
            f"a safetensors file with {', '.join(sorted(header)[:5])}, but not a space",
            "a space is written by `andornot convert` or andornot.save",
        )
    if metadata.get("version") != VERSION:
        raise FileError(path, f"version {metadata.get('version')} of the format", "update andornot")
    tensors = {name: _map(path, name, entry, start, size) for name, entry in header.items()}
    for side in ("target", "context"):
        if f"{side}_codes" in tensors:
            tensors[side] = _dequantised(path, side, tensors)
    missing = {"target", "words", "word_offsets"} - tensors.keys()
    if missing:
        raise FileError(path, f"no tensor {sorted(missing)[0]!r} in it", _DAMAGED)
    offsets = tensors["word_offsets"]
    if not len(offsets) or offsets[0] != 0 or offsets[-1] != len(tensors["words"]):
        raise FileError(path, "the offsets of the words don't fit the words", _DAMAGED)
    try:
        return _build(path, tensors, metadata)
    except (AndornotError, KeyError, ValueError, TypeError) as error:
        raise FileError(path, f"its parts don't fit each other ({error})", _DAMAGED) from error
    finally:
        if progress:
            progress(1.0)


def _dequantised(
    path: Path, side: str, tensors: dict[str, npt.NDArray[Any]]
) -> npt.NDArray[np.float32]:
    """The vectors of one side that are in 8 bits."""
    codes = tensors[f"{side}_codes"]
    scale, offset = (tensors.get(f"{side}_{name}") for name in ("scale", "offset"))
    if scale is None or offset is None or (len(scale), len(offset)) != codes.shape:
        raise FileError(path, f"the scale and offset of {side!r} don't fit its codes", _DAMAGED)
    return Quantised(codes, scale, offset).rows()


def _build(path: Path, tensors: dict[str, npt.NDArray[Any]], metadata: dict[str, str]) -> Space:
    counts = None
    if "counts" in tensors:
        counts = Counts(
            tensors["counts"], CountsOrigin(metadata["counts_origin"]), metadata["counts_detail"]
        )
    subwords = None
    if "subwords" in tensors:
        shortest, longest = json.loads(metadata["subword_lengths"])
        subwords = Subwords(tensors["subwords"], int(shortest), int(longest))
    return Space(
        Vocabulary.from_utf8(tensors["words"], tensors["word_offsets"], counts, path),
        tensors["target"],
        context=tensors.get("context"),
        target_bias=tensors.get("target_bias"),
        context_bias=tensors.get("context_bias"),
        marginal=tensors.get("marginal"),
        target_mean=tensors.get("target_mean"),
        context_mean=tensors.get("context_mean"),
        subwords=subwords,
        provenance=Provenance.from_dict(json.loads(metadata["provenance"])),
    )


def _read_header(path: Path) -> tuple[dict[str, Any], int, int]:
    """The header, where the tensors begin, and the size of the file."""
    with reading(path), path.open("rb") as file:
        size = path.stat().st_size
        prefix = file.read(8)
        length = struct.unpack("<Q", prefix)[0] if len(prefix) == 8 else 0
        if not 0 < length <= min(size - 8, LONGEST_HEADER):
            raise FileError(
                path, f"its header of {length:,} bytes is not in its {size:,} bytes", _DAMAGED
            )
        raw = file.read(length)
    try:
        header = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise FileError(path, "its header is not JSON", _DAMAGED) from error
    if not isinstance(header, dict):
        raise FileError(path, "its header is not a JSON object", _DAMAGED)
    return header, 8 + length, size


def _map(path: Path, name: str, entry: Any, start: int, size: int) -> npt.NDArray[Any]:
    """Map one tensor, after a check that it lies inside the file."""
    try:
        dtype, shape = str(entry["dtype"]), [int(n) for n in entry["shape"]]
        begin, end = (int(n) for n in entry["data_offsets"])
    except (TypeError, KeyError, ValueError) as error:
        raise FileError(path, f"the entry of tensor {name!r} is malformed", _DAMAGED) from error
    if (dtype, len(shape)) != _EXPECTED.get(name):
        raise FileError(
            path,
            f"tensor {name!r} of type {dtype} and {len(shape)} axes has no place in a space",
            "update andornot, or make the file again",
        )
    needed = math.prod(shape) * np.dtype(_DTYPES[dtype]).itemsize
    if min(shape) < 0 or begin < 0 or end - begin != needed or start + end > size:
        raise FileError(path, f"tensor {name!r} doesn't lie inside the file", _DAMAGED)
    if not needed:
        return np.empty(shape, dtype=_DTYPES[dtype])
    return np.memmap(path, dtype=_DTYPES[dtype], mode="r", offset=start + begin, shape=tuple(shape))


def write_native(
    space: Space, path: Path, *, quantised: bool = False, progress: Progress | None = None
) -> None:
    """Write everything a space holds to one file, which takes its place when it is complete.

    Quantised, its vectors are in 8 bits: a quarter of the size, and nearly the same vectors.
    """
    if quantised:
        space = replace(space, provenance=space.provenance.then("vectors rounded to 8 bits"))
        for rows in (space.target, space.context):
            if rows is not None:
                for part in parts(rows):
                    refuse_infinite(rows[part], path, space.vocabulary, part.start)
    tensors = {name: tensor for name, tensor in _tensors(space, quantised) if tensor is not None}
    header: dict[str, Any] = {"__metadata__": _metadata(space)}
    total = 0
    for name, tensor in tensors.items():
        header[name] = {
            "dtype": _NAMES[tensor.dtype.newbyteorder("<")],
            "shape": list(tensor.shape),
            "data_offsets": [total, total + tensor.nbytes],
        }
        total += tensor.nbytes
    raw = json.dumps(header, ensure_ascii=False).encode("utf-8", "replace")
    raw += b" " * (-len(raw) % 8)  # the tensors begin at a multiple of 8, as numbers like it
    written = 0
    with replacing(path) as file:
        file.write(struct.pack("<Q", len(raw)) + raw)
        for tensor in tensors.values():
            vocabulary = space.vocabulary if len(tensor) == len(space) else None
            step = max(1, _BLOCK // max(1, math.prod(tensor.shape[1:])))
            for start in range(0, len(tensor), step):
                block = np.ascontiguousarray(tensor[start : start + step])
                if block.dtype.kind == "f":
                    refuse_infinite(block, path, vocabulary, start)
                file.write(block.data)
                written += block.nbytes
                if progress:
                    progress(written / total)


def _tensors(space: Space, quantised: bool) -> Iterator[tuple[str, npt.NDArray[Any] | None]]:
    """The arrays of a space, those of eight bytes first, so that all are aligned."""
    counts = space.vocabulary.counts
    yield "counts", None if counts is None else counts.values
    yield "marginal", space.marginal
    yield "target_mean", space.target_mean
    yield "context_mean", space.context_mean
    yield "word_offsets", space.vocabulary.offsets
    yield "target_bias", space.target_bias
    yield "context_bias", space.context_bias
    yield "subwords", None if space.subwords is None else space.subwords.matrix
    codes = []
    for side, rows in (("target", space.target), ("context", space.context)):
        if rows is None or not quantised:
            yield side, rows
            continue
        small = quantise(rows)
        yield f"{side}_scale", small.scale
        yield f"{side}_offset", small.offset
        codes.append((f"{side}_codes", small.codes))
    yield from codes
    yield "words", space.vocabulary.utf8


def _metadata(space: Space) -> dict[str, str]:
    metadata = {
        "format": FORMAT,
        "version": VERSION,
        "provenance": json.dumps(space.provenance.to_dict(), ensure_ascii=False),
    }
    counts = space.vocabulary.counts
    if counts is not None:
        metadata |= {"counts_origin": str(counts.origin), "counts_detail": counts.detail}
    if space.subwords is not None:
        metadata["subword_lengths"] = json.dumps([space.subwords.shortest, space.subwords.longest])
    return metadata
