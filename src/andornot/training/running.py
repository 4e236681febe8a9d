"""The loop around every trainer: progress, checkpoints, interruptions, and runs that diverge."""

from __future__ import annotations

import math
import signal
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from andornot.base.errors import AndornotError, AndornotWarning
from andornot.base.progress import stage
from andornot.base.remedies import option, remedy
from andornot.training import checkpoints
from andornot.training.trainer import Resumable, Step, Watcher

_LONGEST = 1e4  # coordinate of a usable vector


class InterruptedTrainingError(AndornotError):
    """Training was stopped from outside, and its state was saved."""

    exit_code = 130


class DivergedTrainingError(AndornotError):
    """The vectors are no longer finite; the trainer is back at its last good state, if any."""

    def __init__(self, message: str, recovered: bool) -> None:
        super().__init__(message)
        self.recovered = recovered


def run(
    trainer: Resumable,
    *,
    checkpoint: Path | None = None,
    identity: dict[str, Any] | None = None,
    resume: bool = False,
    every: float = 120.0,
    watch: Watcher | None = None,
    label: str = "training",
) -> None:
    """Train to the end.

    Args:
        trainer: The trainer.
        checkpoint: The folder for the state, saved at intervals and on Ctrl-C; default: none.
        identity: The facts that a checkpoint must share with this training.
        resume: Go on from the checkpoint.
        every: The seconds between two checkpoints.
        watch: A function that is called after each step.
        label: The name of this stage of the work.
    """
    identity = identity or {}
    if resume and checkpoint is not None:
        if checkpoint.exists():
            checkpoints.load(checkpoint, trainer, identity)
        else:
            warnings.warn(
                f"{checkpoint}: there is no checkpoint; training starts at the beginning",
                AndornotWarning,
                stacklevel=3,
            )
    saved = time.monotonic()
    if watch:
        watch(Step(0.0, 0.0, 0, math.nan))
    steps = 0
    units = seconds = 0.0
    held_out = math.nan
    with (
        np.errstate(over="ignore", invalid="ignore"),  # a run that diverges is found out below
        _interruptible(checkpoint is not None) as stopped,
        stage(label, done=trainer.done) as report,
    ):
        while not trainer.finished:
            began = time.perf_counter()
            try:
                step = trainer.step()
            except np.linalg.LinAlgError as error:  # an overflow on the way to the vectors
                lost = Step(trainer.done, 0.0, 0, math.nan)
                raise _diverged(trainer, lost, checkpoint, identity) from error
            step = replace(step, seconds=time.perf_counter() - began)
            if _known_loss(step) > trainer.worst or not _sane(trainer):
                raise _diverged(trainer, step, checkpoint, identity)
            if watch:
                watch(step)
            steps += 1
            if steps > 1:  # the first may compile, and says nothing about speed
                units += step.units
                seconds += step.seconds
            held_out = held_out if math.isnan(step.held_out) else step.held_out
            shown = replace(step, held_out=held_out)  # the latest: some steps have none
            report(step.done, _note(shown, units / seconds if seconds else 0.0, trainer.units))
            if checkpoint is None:
                continue
            if stopped.is_set():
                checkpoints.save(checkpoint, trainer, identity)
                again = remedy(python="train again", command="give the same command")
                raise InterruptedTrainingError(
                    f"interrupted in epoch {step.epoch:.1f}; the state is in {checkpoint}: "
                    f"{again} with {option('resume', True)} to go on from there"
                )
            if time.monotonic() - saved > every:
                checkpoints.save(checkpoint, trainer, identity)
                saved = time.monotonic()


def _known_loss(step: Step) -> float:
    """Return the training loss of a step, or the held-out loss if that alone is known."""
    return step.held_out if math.isnan(step.loss) else step.loss


def named_losses(step: Step) -> dict[str, float]:
    """Return the known losses of a step, by name.

    >>> named_losses(Step(0.5, 1.0, 10, loss=3.25))
    {'training': 3.25}
    """
    losses = {"training": step.loss, "held-out": step.held_out}
    return {name: value for name, value in losses.items() if not math.isnan(value)}


def _note(step: Step, rate: float, units: str) -> str:
    """Describe a step: the epoch, the loss where there is one, and the speed."""
    parts = [f"epoch {step.epoch:.1f}"]
    parts += [f"{name} loss {value:.4f}" for name, value in named_losses(step).items()]
    if rate:
        parts.append(f"{rate:,.0f} {units}/s")
    return "  ".join(parts)


def _sane(trainer: Resumable) -> bool:
    """Return whether the vectors are finite and not too long."""
    return all(
        max(float(array.max()), -float(array.min())) < _LONGEST  # false for NaN too
        for name, array in trainer.arrays.items()
        if name in ("target", "context")
    )


def _diverged(
    trainer: Resumable, step: Step, checkpoint: Path | None, identity: dict[str, Any]
) -> DivergedTrainingError:
    """Go back to the last good state, and return the error of a run that diverged."""
    problem = f"the run diverged in epoch {step.epoch:.1f} (loss {_known_loss(step):.3g})"
    if checkpoint is not None and checkpoints.exists(checkpoint):
        checkpoints.load(checkpoint, trainer, identity)
        kept = f"{problem}; the last good state is kept: lower {option('rate')}"
        return DivergedTrainingError(kept, True)
    nothing = f"{problem}, before the first checkpoint: lower {option('rate')}"
    return DivergedTrainingError(nothing, False)


@contextmanager
def _interruptible(wanted: bool) -> Iterator[threading.Event]:
    """Yield an event that the first Ctrl-C or SIGTERM sets; the second ends the process."""
    stopped = threading.Event()
    if not wanted or threading.current_thread() is not threading.main_thread():
        yield stopped
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def stop(number: int, frame: FrameType | None) -> None:
        stopped.set()
        warnings.warn(
            "stopping after this step, to save the state; a second Ctrl-C stops at once",
            AndornotWarning,
            stacklevel=2,
        )
        for each, handler in before.items():
            signal.signal(each, handler)

    for number in before:
        signal.signal(number, stop)
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
