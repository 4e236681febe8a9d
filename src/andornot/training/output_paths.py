"""The output paths of a training (space, checkpoint, counts), checked before it starts."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from andornot.base.errors import FileError, UsageError
from andornot.base.folders import locked, remove_folder
from andornot.base.outputs import check_output
from andornot.base.remedies import option
from andornot.base.temporaries import remove_stale
from andornot.cooccurrence.counting import parts_folder
from andornot.formats import SUFFIXES
from andornot.training import checkpoints


@dataclass(frozen=True)
class OutputPaths:
    """The paths of the space, and beside it of the checkpoint and of temporary counts."""

    output: Path
    checkpoint: Path
    counts: Path
    force: bool

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other runs from this output until the end of the block.

        Raises:
            FileError: If another run is at work there, or has written it since it was checked.
        """
        with locked(self.output.with_name(f".{self.output.name}.lock"), self.output):
            check_output(self.output, force=self.force)
            yield

    def clean_up(self) -> None:
        """Remove all but the space."""
        checkpoints.remove(self.checkpoint)
        remove_folder(self.counts)
        remove_stale(self.counts.parent, self.counts.name)  # what a killed run was removing
        shutil.rmtree(parts_folder(self.counts), ignore_errors=True)


def check_output_paths(output: str | PathLike[str], resume: bool, force: bool) -> OutputPaths:
    """Return the paths of a training's output, checked before the work begins.

    Raises:
        FileError: If the space can't be written there, or if a checkpoint is there and neither
            `resume` nor `force` is on.
    """
    suffix = Path(output).suffix
    if suffix in SUFFIXES and SUFFIXES[suffix] != "native":
        raise UsageError(
            f"{output}: {suffix} has no room for all that is trained; name it .safetensors, and "
            "convert it afterwards"
        )
    target = check_output(output, force=force)
    checkpoint = target.with_name(f"{target.name}.checkpoint")
    if checkpoint.exists() and not checkpoints.exists(checkpoint):
        raise FileError(
            checkpoint, "it is not a complete checkpoint of andornot", "remove it to start anew"
        )
    if checkpoint.exists() and not (resume or force):
        raise FileError(
            checkpoint,
            "an earlier run has left its state there",
            f"go on with {option('resume', True)}, or start anew with {option('force', True)}",
        )
    return OutputPaths(target, checkpoint, target.with_name(f".{target.name}.counts"), force)
