"""The interface of all trainers, by which one loop runs, watches and resumes them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy.typing as npt

from andornot.space import Space


@dataclass(frozen=True)
class Step:
    """The work of a step.

    Attributes:
        done: The part of the training that is done, from 0 to 1.
        epoch: The same in epochs.
        units: The units of work since the last step.
        loss: The training loss as it was last computed; NaN while it is unknown.
        held_out: The held-out loss as it was last computed; NaN while it is unknown.
        seconds: How long the step took.
    """

    done: float
    epoch: float
    units: int
    loss: float
    held_out: float = math.nan
    seconds: float = 0.0


Watcher = Callable[[Step], None]
"""Called at the beginning, with a step of no units, and after every step."""


class Resumable(Protocol):
    """A training under way. `arrays` and `state` are all of it, and go to a checkpoint.

    `units` names what is counted ("words", "pairs"), `worst` the loss beyond which a run has
    diverged.
    """

    units: str
    worst: float
    state: dict[str, Any]

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays of the state, changed in place by each step and by a resumption."""

    @property
    def done(self) -> float:
        """The part of the training that is done, from 0 to 1."""

    @property
    def finished(self) -> bool:
        """True if the training is done."""

    def step(self) -> Step:
        """Do some seconds of work."""


class Trainer(Resumable, Protocol):
    """The training of a space; `blas_threads` may run its matrix products."""

    blas_threads: int

    def space(self) -> Space:
        """Return the current vectors."""


class ExactTrainer(Trainer, Protocol):
    """A trainer with a prior, which may be changed on the way."""

    @property
    def holds_out(self) -> bool:
        """True if anything is held out."""

    def begin(self, prior: float) -> None:
        """Begin at the random start, with this prior."""

    def held_out_loss(self) -> float:
        """Return the held-out loss; NaN if nothing is held out."""
