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
_PAIRS = frozenset(["tried"])  # lists of pairs of numbers; all other lists are of numbers
_NOT_NEGATIVE = frozenset(["prior", "penalty", "damping", "epochs", "seconds"])

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
    if not trainer.done <= 1:
        raise FileError(
            path,
            f"the part of the training that is done must be at most 1, and is {trainer.done:.3g}",
            _start_anew(),
        )


def _has_form(state: object, example: Any, name: str = "") -> bool:
    """Return whether a state has the form of another: the same keys, values of the same kind.

    Whole numbers count finished work, so none is below 0. No number is infinite, or larger than a
    kernel can take.

    >>> _has_form({"part": 2, "losses": [0.5]}, {"part": 0, "losses": []})
    True
    >>> _has_form({"part": 2, "losses": [[0.5]]}, {"part": 0, "losses": []})
    False

    Args:
        state: The state that was read.
        example: A state of the trainer.
        name: The key of the state in the one around it.
    """
    if isinstance(example, dict):
        return (
            isinstance(state, dict)
            and state.keys() == example.keys()
            and all(_has_form(state[key], value, key) for key, value in example.items())
        )
    if isinstance(example, list):
        if not isinstance(state, list):
            return False
        if name in _PAIRS:
            return all(
                isinstance(pair, list) and len(pair) == 2 and all(map(_is_number, pair))
                for pair in state
            )
        return all(map(_is_number, state))
    if isinstance(example, bool):
        return isinstance(state, bool)
    if isinstance(example, int):
        return isinstance(state, int) and _is_number(state) and state >= 0
    if isinstance(state, float) and math.isnan(state):
        return math.isnan(example)  # a loss before the first step
    return _is_number(state, -_LARGEST if name not in _NOT_NEGATIVE else 0)


def _is_number(value: object, lowest: float = -_LARGEST) -> bool:
    """Return whether a value is a number in the range that a kernel can take."""
    if isinstance(value, bool) or not isinstance(value, float | int):
        return False
    return lowest <= value <= _LARGEST  # exact for a whole number of any size


def remove(path: Path) -> None:
    """Remove a checkpoint, and the incomplete ones that killed runs have left."""
    if exists(path):
        remove_folder(path)
    for half_made in path.parent.glob(f".{path.name}.*.tmp"):
        shutil.rmtree(half_made, ignore_errors=True)


def _shown(value: object) -> str:
    try:
        return "none" if value is None else str(value)
    except RecursionError:
        return "a list that is nested too deep"
