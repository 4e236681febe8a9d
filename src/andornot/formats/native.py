"""The native format: a memory-mapped .safetensors file.

Any safetensors reader can open it. Arrays stay on disk until they are used. Vectors in 8 or 4 bits
are the exception: target vectors are decoded at once, context vectors when they are first used.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError, FileError
from andornot.base.moments import parts
from andornot.base.progress import stage
from andornot.base.remedies import option
from andornot.base.replacing import replacing
from andornot.base.tensors import DAMAGED, describe, find_tensor, header_bytes, read_header
from andornot.formats.quantising import LARGEST_VALUE, EightBits, FourBits, quantise
from andornot.formats.values import refuse_infinite, refuse_infinite_vectors
from andornot.space import Space
from andornot.words.counts import Counts, CountsOrigin
from andornot.words.pieces import Pieces
from andornot.words.provenance import Provenance
from andornot.words.subwords import Subwords
from andornot.words.vocabulary import Vocabulary

FORMAT = "andornot space"
VERSION = "1"
_SIDES = ("target", "context")
_EXPECTED: dict[str, set[tuple[str, int]]] = {  # allowed types and numbers of axes
    "counts": {("F64", 1), ("U32", 1)},
    "marginal": {("F64", 1), ("F32", 1)},
    "word_offsets": {("I64", 1)},
    "word_lengths": {("U8", 1)},
    "subwords": {("F32", 2)},
    "words": {("U8", 1)},
    "tokenizer": {("U8", 1)},
    **{side: {("F32", 2)} for side in _SIDES},
    **{f"{side}_bias": {("F32", 1)} for side in _SIDES},
    **{f"{side}_mean": {("F64", 1)} for side in _SIDES},
    **{f"{side}_codes": {("I8", 2), ("U8", 2)} for side in _SIDES},
    **{f"{side}_scale": {("F32", 1), ("F16", 1)} for side in _SIDES},
    **{f"{side}_offset": {("F32", 1)} for side in _SIDES},
    **{f"{side}_levels": {("F32", 2)} for side in _SIDES},
}
_BLOCK = 1 << 22
_DEEPEST = 8  # levels of lists and objects in a setting of the provenance


def read_native(path: Path) -> Space:
    """Open a native file; arrays are memory-mapped, and words are read on first use."""
    header, start, size = read_header(path)
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or metadata.get("format") != FORMAT:
        raise FileError(
            path,
            f"this safetensors file is not a space (it has {', '.join(sorted(header)[:5])})",
            "name a file written by `andornot convert` or andornot.save",
        )
    version = metadata.get("version")
    if version != VERSION:
        shown = version if isinstance(version, str | int | None) else type(version).__name__
        raise FileError(path, f"unknown format version {shown}", "update andornot")
    tensors: dict[str, Any] = {
        name: _map(path, name, entry, start, size) for name, entry in header.items()
    }
    for tensor in tensors.values():
        # vectors are mapped, and read when they are first needed
        if tensor.ndim == 1 and tensor.dtype.kind == "f":
            refuse_infinite(tensor, path)
    for side in _SIDES:
        if f"{side}_codes" in tensors:
            rounded = _rounded(path, side, tensors)
            tensors[side] = rounded.rows() if side == "target" else rounded
    if "word_lengths" in tensors:
        ends = np.cumsum(tensors["word_lengths"], dtype=np.int64)
        tensors["word_offsets"] = np.concatenate([[0], ends])
    missing = {"target", "words", "word_offsets"} - tensors.keys()
    if missing:
        raise FileError(path, f"no tensor {sorted(missing)[0]!r} in the file", DAMAGED)
    offsets = tensors["word_offsets"]
    if not len(offsets) or offsets[0] != 0 or offsets[-1] != len(tensors["words"]):
        raise FileError(path, "the offsets of the words don't match the words", DAMAGED)
    try:
        return _build(path, tensors, metadata)
    except (AndornotError, KeyError, ValueError, TypeError) as error:
        raise FileError(path, f"its parts don't fit each other ({error})", DAMAGED) from error


def _rounded(path: Path, side: str, tensors: dict[str, Any]) -> EightBits | FourBits:
    """Return the vectors of one side that are in 8 or 4 bits, not yet decoded."""
    names = [name for name in FourBits._fields if f"{side}_{name}" in tensors]
    found = {name: tensors[f"{side}_{name}"] for name in names}
    kind = FourBits if found["codes"].dtype == np.uint8 else EightBits
    if tuple(names) == kind._fields:
        small = kind(**found)
        if small.fits():
            if not small.is_finite():
                raise FileError(path, f"values of {side!r} are not finite", DAMAGED)
            return small
    needed = ", ".join(kind._fields)
    raise FileError(
        path, f"the {needed} of {side!r} are incomplete or don't fit each other", DAMAGED
    )


def _build(path: Path, tensors: dict[str, Any], metadata: dict[str, str]) -> Space:
    counts = None
    if "counts" in tensors:
        counts = Counts(
            tensors["counts"], CountsOrigin(metadata["counts_origin"]), metadata["counts_detail"]
        ).check()
    subwords = None
    if "subwords" in tensors:
        shortest, longest = _parse(metadata["subword_lengths"])
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
        pieces=Pieces(tensors["tokenizer"], path) if "tokenizer" in tensors else None,
        provenance=Provenance.from_dict(_parse(metadata["provenance"])),
    )


def _parse(text: str) -> Any:
    """Return the value of JSON in the metadata.

    Raises:
        ValueError: If it is not JSON, is nested too deeply, or has a number that is not finite.
    """
    try:
        value = json.loads(text, parse_constant=_finite, parse_float=_finite)
    except RecursionError as error:
        raise ValueError("the metadata is nested too deeply") from error
    _refuse_deep(value)
    return value


def _finite(text: str) -> float:
    """Return the number in a text; ValueError for infinity, NaN and numbers beyond a float."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"the metadata must have finite numbers, got {text[:20]}")
    return number


def _refuse_deep(record: Any) -> None:
    """Raise ValueError for a record whose settings have more than `_DEEPEST` nested levels."""
    level = [record]
    for _ in range(_DEEPEST + 3):  # the levels of the record, of its settings and of one setting
        level = [each for each in level if isinstance(each, dict | list | tuple)]
        if not level:
            return
        level = [
            inner for each in level for inner in (each.values() if isinstance(each, dict) else each)
        ]
    raise ValueError(f"a setting must be nested at most {_DEEPEST} levels deep")


def _map(path: Path, name: str, entry: Any, start: int, size: int) -> npt.NDArray[Any]:
    """Map one tensor, after checking its type and that it lies inside the file."""

    def allowed(dtype: str, axes: int) -> bool:
        return (dtype, axes) in _EXPECTED.get(name, ())

    return find_tensor(path, name, entry, start, size, allowed).map()


def write_native(space: Space, path: Path, *, bits: int | None = None) -> None:
    """Write a complete space to a file, which is replaced only when the new one is complete.

    Args:
        space: The space to write.
        path: The file to write or replace.
        bits: 8 or 4 rounds each value to this many bits; None keeps 32 bits.

    Raises:
        FileError: If a value is not finite, or too large to be rounded, or the provenance is too
            long, or the file can't be written.
    """
    if bits is not None:
        _check_values(space, path, bits)
        record = space.provenance.then(f"vectors rounded to {bits} bits")
        space = replace(space, provenance=record)
    found = {name: tensor for name, tensor in _tensors(space, bits) if tensor is not None}
    # The widest numbers come first, for alignment.
    tensors = dict(sorted(found.items(), key=lambda item: -item[1].itemsize))
    head = header_bytes({"__metadata__": _metadata(space, path), **describe(tensors)}, path)
    total = sum(tensor.nbytes for tensor in tensors.values())
    written = 0
    with replacing(path) as file, stage(f"writing {path.name}") as report:
        file.write(head)
        for tensor in tensors.values():
            vocabulary = space.vocabulary if len(tensor) == len(space) else None
            step = max(1, _BLOCK // max(1, math.prod(tensor.shape[1:])))
            for start in range(0, len(tensor), step):
                block = np.ascontiguousarray(tensor[start : start + step])
                if block.dtype.kind == "f":
                    refuse_infinite(block, path, vocabulary, start)
                file.write(block.data)
                written += block.nbytes
                report(written / total)


def _check_values(space: Space, path: Path, bits: int) -> None:
    """Raise FileError for vectors that can't be rounded to bits."""
    refuse_infinite_vectors(space, path)
    for rows in (space.target, space.context):
        if rows is None:
            continue
        for part in parts(rows):
            if np.abs(rows[part]).max() > LARGEST_VALUE:
                raise FileError(
                    path,
                    f"vectors with values beyond {LARGEST_VALUE:g} can't be rounded to {bits} bits",
                    f"leave out {option('bits')}",
                )


def _tensors(space: Space, bits: int | None) -> Iterator[tuple[str, npt.NDArray[Any] | None]]:
    """Yield the arrays of a space with their names in a file; None for missing arrays."""
    if bits == 4:
        yield from _narrowed(space)
    else:
        counts = space.vocabulary.counts
        yield "counts", None if counts is None else counts.values
        yield "marginal", space.marginal
        yield "word_offsets", space.vocabulary.offsets
    yield "target_mean", space.target_mean
    yield "context_mean", space.context_mean
    yield "target_bias", space.target_bias
    yield "context_bias", space.context_bias
    yield "subwords", None if space.subwords is None else space.subwords.matrix
    for side, rows in (("target", space.target), ("context", space.context)):
        if rows is None or bits is None:
            yield side, rows
        else:
            for name, tensor in quantise(rows, bits)._asdict().items():
                yield f"{side}_{name}", tensor
    yield "words", space.vocabulary.utf8
    yield "tokenizer", None if space.pieces is None else space.pieces.utf8


def _narrowed(space: Space) -> Iterator[tuple[str, npt.NDArray[Any] | None]]:
    """Yield counts, marginal and word lengths in smaller types, if these are sufficient.

    Integer counts stay exact. A marginal is a sum of weighted counts, of which single precision
    keeps seven digits.
    """
    if space.vocabulary.counts is not None:
        counts = space.vocabulary.counts.values
        whole = (counts >= 0) & (counts < 2**32) & (counts == np.floor(counts))
        yield "counts", counts.astype(np.uint32) if whole.all() else counts
    yield "marginal", None if space.marginal is None else space.marginal.astype(np.float32)
    offsets = space.vocabulary.offsets
    lengths = np.diff(offsets)
    if lengths.max() < 256:
        yield "word_lengths", lengths.astype(np.uint8)
    else:
        yield "word_offsets", offsets


def _metadata(space: Space, path: Path) -> dict[str, str]:
    record = space.provenance.to_dict()
    try:  # as it is checked when it is read
        _refuse_deep(record)
        provenance = json.dumps(record, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        problem = f"the provenance can't be stored ({error})"
        raise FileError(path, problem, "change its settings") from error
    metadata = {"format": FORMAT, "version": VERSION, "provenance": provenance}
    counts = space.vocabulary.counts
    if counts is not None:
        counts.check()
        metadata |= {"counts_origin": str(counts.origin), "counts_detail": counts.detail}
    if space.subwords is not None:
        metadata["subword_lengths"] = json.dumps([space.subwords.shortest, space.subwords.longest])
    return metadata
