"""The whole state of a training in a folder, replaced as a whole, and back again."""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from andornot.base.errors import FileError
from andornot.base.folders import is_folder_of, map_array, new_folder, read_record, remove_folder
from andornot.base.remedies import option
from andornot.training.trainer import Resumable

_LARGEST = 2**53  # the number up to which a float counts exactly

KIND = "andornot checkpoint"


def _start_anew() -> str:
    return f"start anew with {option('force', True)}"


def exists(path: Path) -> bool:
    """Return whether there is a complete checkpoint."""
    return is_folder_of(path, KIND)


def save(path: Path, trainer: Resumable, identity: dict[str, Any]) -> None:
    """Write the state; the previous checkpoint stays until this one is complete."""
    with new_folder(path, replace=True) as writer:
        for name, array in trainer.arrays.items():
            writer.append(name, array.reshape(-1))
        writer.finish(KIND, {"identity": identity, "place": trainer.state})


def check(path: Path, identity: dict[str, Any]) -> dict[str, Any]:
    """Return the record of a checkpoint.

    Raises:
        FileError: If it is not a checkpoint, or one of other settings.
    """
    record = read_record(path)
    kept = record.get("identity")
    if record.get("kind") != KIND or not isinstance(kept, dict):
        raise FileError(path, "it is not a checkpoint", "remove it to start anew")
    for name, value in identity.items():
        if kept.get(name) != value:
            raise FileError(
                path,
                f"it was made with {name} {_shown(kept.get(name))}, and this run has "
                f"{_shown(value)}",
                f"use the same settings, or start anew with {option('force', True)}",
            )
    return record


def load(path: Path, trainer: Resumable, identity: dict[str, Any]) -> None:
    """Bring a trainer of the same settings to the state of the checkpoint."""
    record = check(path, identity)
    state = record.get("place")
    if not isinstance(state, dict) or not _has_form(state, trainer.state):
        raise FileError(path, "it is not a complete checkpoint", "remove it to start anew")
    for name, array in trainer.arrays.items():
        mapped = map_array(path, record, name, array.dtype.str)
        if len(mapped) != array.size:
            raise FileError(
                path / f"{name}.bin",
                f"{len(mapped):,} values where {array.size:,} are needed",
                _start_anew(),
            )
        if not np.isfinite(mapped).all():
            raise FileError(path / f"{name}.bin", "not all of its values are finite", _start_anew())
        array[...] = mapped.reshape(array.shape)
    try:
        trainer.state = state
    except ValueError as error:
        raise FileError(path, str(error), _start_anew()) from error


def _has_form(state: object, example: Any) -> bool:
    """Return whether a state has the form of another: the same keys, values of the same kind.

    Whole numbers count finished work, so none is below 0. No number is infinite, or larger than a
    kernel can take.
    """
    if isinstance(example, dict):
        return (
            isinstance(state, dict)
            and state.keys() == example.keys()
            and all(_has_form(state[key], value) for key, value in example.items())
        )
    if isinstance(example, list):
        return isinstance(state, list) and all(
            _has_form(each, example) if isinstance(each, list) else _has_form(each, 0.0)
            for each in state
        )
    if isinstance(example, bool):
        return isinstance(state, bool)
    if isinstance(state, bool):
        return False
    if isinstance(example, int):
        return isinstance(state, int) and 0 <= state <= _LARGEST
    if not isinstance(state, float | int):
        return False
    is_unknown = math.isnan(example) and math.isnan(state)  # a loss before the first step
    return is_unknown or abs(state) <= _LARGEST


def remove(path: Path) -> None:
    """Remove a checkpoint, and the incomplete ones that killed runs have left."""
    if exists(path):
        remove_folder(path)
    for half_made in path.parent.glob(f".{path.name}.*.tmp"):
        shutil.rmtree(half_made, ignore_errors=True)


def _shown(value: object) -> str:
    return "none" if value is None else str(value)
