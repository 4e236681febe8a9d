"""The strength of the prior, chosen by the held-out loss along a path of values."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy.typing as npt

from andornot.base.choices import Model
from andornot.space import Space
from andornot.training.trainer import ExactTrainer, Step

_STRONGEST = {Model.SGNS: 80.0, Model.GLOVE: 8.0}
_VALUES = 7
_TOTAL = 64e6  # the total count for which SGNS begins at its strongest prior


def prior_path(model: Model, total: float) -> list[float]:
    """Return the priors to compare for counts of this total, the strongest first.

    For SGNS they grow with the square root of the total, as the noise of the counts does.

    >>> prior_path(Model.SGNS, 64e6)
    [80.0, 40.0, 20.0, 10.0, 5.0, 2.5, 1.25]
    >>> prior_path(Model.SGNS, 1e9)[0], prior_path(Model.GLOVE, 1e9)[0]
    (320.0, 8.0)
    """
    first = _STRONGEST[model]
    if model == Model.SGNS:
        first *= 2.0 ** round(math.log2(total / _TOTAL) / 2)
    return [first / 2**step for step in range(_VALUES)]


class PriorPath:
    """Train with one prior after the other, from strong to weak, until the held-out loss rises.

    Each value is half of the one before. The last one stays, one step beyond the lowest held-out
    loss: its vectors score better on word similarity and analogies (results/training-priors.md).

    Every value starts from the same random vectors, as if it had been given. Vectors of a stronger
    prior would not do: dimensions that it has brought to 0 stay there. Nor would those of a weaker
    one, which have followed the noise of the counts.
    """

    def __init__(self, trainer: ExactTrainer, path: Sequence[float]) -> None:
        self.units, self.blas_threads = trainer.units, trainer.blas_threads
        self.worst = trainer.worst
        self._trainer = trainer
        self._path = path
        self._own: dict[str, Any] = {
            "tried": [],  # pairs of a prior and its held-out loss
            "epochs": 0.0,  # of the priors before this one
            "seconds": 0.0,
            "finished": False,
        }
        trainer.begin(path[0])

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays of the trainer."""
        return self._trainer.arrays

    @property
    def state(self) -> dict[str, Any]:
        """The state of the trainer, and that of the path."""
        return {"path": self._own, "trainer": self._trainer.state}

    @state.setter
    def state(self, state: dict[str, Any]) -> None:
        own = state["path"]
        tried = [
            each[0] if isinstance(each, list) and len(each) == 2 else None for each in own["tried"]
        ]
        left = len(self._path) - len(tried)
        if tried != list(self._path[: len(tried)]) or (left == 0 and not own["finished"]):
            raise ValueError("the priors that were tried are not those of this training")
        self._own, self._trainer.state = own, state["trainer"]

    @property
    def done(self) -> float:
        """The part of the work that is done, if all priors are tried."""
        if self.finished:
            return 1.0
        return (len(self._own["tried"]) + self._trainer.done) / len(self._path)

    @property
    def finished(self) -> bool:
        """True if the held-out loss has risen, or the path is at its end."""
        return bool(self._own["finished"])

    def step(self) -> Step:
        """Make a step of the trainer; after the last one with this prior, begin the next prior."""
        began = time.perf_counter()
        own = self._own
        step = self._trainer.step()
        step = replace(step, epoch=own["epochs"] + step.epoch)
        if self._trainer.finished:
            own["epochs"] = step.epoch
            step = replace(step, held_out=self._judge())
        own["seconds"] += time.perf_counter() - began
        return replace(step, done=self.done)

    def _judge(self) -> float:
        """Record the held-out loss of this prior, and begin the next unless this is the last."""
        tried: list[list[float]] = self._own["tried"]
        loss = self._trainer.held_out_loss()
        rises = bool(tried) and loss > tried[-1][1]
        tried.append([self._path[len(tried)], loss])
        if rises or len(tried) == len(self._path):
            self._own["finished"] = True
        else:
            self._trainer.begin(self._path[len(tried)])
        return loss

    def space(self) -> Space:
        """Return the current vectors, with the path in their provenance."""
        space = self._trainer.space()
        own, record = self._own, space.provenance
        path = {
            "prior_path": own["tried"],
            "prior_epochs": round(own["epochs"]),
            "prior_seconds": own["seconds"],
        }
        return replace(space, provenance=replace(record, settings={**record.settings, **path}))
