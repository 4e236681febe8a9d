"""Where a training puts its space, its checkpoint and its counts; checked before it starts."""

from __future__ import annotations

import os
import secrets
import shutil
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from andornot.base.errors import FileError
from andornot.base.files import writing
from andornot.formats import SUFFIXES
from andornot.training import checkpoints


@dataclass(frozen=True)
class OutputPaths:
    """The space that is asked for, and beside it the checkpoint and the counts on the way."""

    output: Path
    checkpoint: Path
    counts: Path

    def clean_up(self) -> None:
        """Remove all but the space."""
        checkpoints.remove(self.checkpoint)
        shutil.rmtree(self.counts, ignore_errors=True)


def check_output_paths(output: str | PathLike[str], resume: bool, force: bool) -> OutputPaths:
    """The places for an output; stop where a result could not be put, before hours of work."""
    target = Path(os.path.realpath(output))
    with writing(output):
        if target.is_dir():
            raise FileError(output, "this is a folder", "name a file to write")
        if target.exists() and not target.is_file():
            raise FileError(output, "this is no ordinary file", "name a file to write")
        if target.suffix in SUFFIXES and SUFFIXES[target.suffix] != "native":
            raise FileError(
                output,
                f"{target.suffix} has no room for all that is trained",
                "name it .safetensors, and convert it afterwards",
            )
        if target.exists() and not force:
            raise FileError(output, "it exists already", "add --force to replace it")
        checkpoint = target.with_name(f"{target.name}.checkpoint")
        trial = target.with_name(f".{checkpoint.name}.{secrets.token_hex(4)}.tmp")
        trial.touch()
        trial.unlink()
    if checkpoint.exists() and not checkpoints.exists(checkpoint):
        raise FileError(
            checkpoint, "it is no complete checkpoint of andornot's", "remove it to start anew"
        )
    if checkpoint.exists() and not (resume or force):
        raise FileError(
            checkpoint,
            "an earlier run has left its state there",
            "go on with --resume, or start anew with --force",
        )
    return OutputPaths(target, checkpoint, target.with_name(f".{target.name}.counts"))
