"""The strength of the prior, chosen by the held-out loss along a path of values."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy.typing as npt

from andornot.space import Space
from andornot.training.trainer import ExactTrainer, Step


class PriorPath:
    """Train with one prior after the other, from strong to weak, until the held-out loss rises.

    Each value is half of the one before, starts from its vectors, and is trained to the tolerance.
    The last one stays, one step beyond the lowest held-out loss: its vectors score better on word
    similarity and analogies, in both models and on both texts that were tried
    (results/training-priors.md).
    """

    def __init__(self, trainer: ExactTrainer, path: Sequence[float], tolerance: float) -> None:
        self.units, self.blas_threads = trainer.units, trainer.blas_threads
        self.worst = trainer.worst
        self._trainer = trainer
        self._path = path
        self._tolerance = tolerance
        self._own: dict[str, Any] = {
            "tried": [],  # pairs of a prior and its held-out loss
            "epochs": 0.0,  # of the priors before this one
            "seconds": 0.0,
            "finished": False,
        }
        trainer.restart(path[0], tolerance)

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
        self._own, self._trainer.state = state["path"], state["trainer"]

    @property
    def done(self) -> float:
        """The part of the work that is done, if the path is gone to its end."""
        if self.finished:
            return 1.0
        return (len(self._own["tried"]) + self._trainer.done) / len(self._path)

    @property
    def finished(self) -> bool:
        """Whether the held-out loss has risen, or the path is at its end."""
        return bool(self._own["finished"])

    def step(self) -> Step:
        """A step of the trainer; if it is the last with this prior, go on to the next."""
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
        """Note the held-out loss of this prior, and go on to the next unless this is the last."""
        tried: list[list[float]] = self._own["tried"]
        loss = self._trainer.held_out_loss()
        rises = bool(tried) and loss > tried[-1][1]
        tried.append([self._path[len(tried)], loss])
        if rises or len(tried) == len(self._path):
            self._own["finished"] = True
        else:
            self._trainer.restart(self._path[len(tried)], self._tolerance)
        return loss

    def space(self) -> Space:
        """The vectors as they are now, with the path in their provenance."""
        space = self._trainer.space()
        path = {"prior_path": self._own["tried"], "prior_seconds": self._own["seconds"]}
        record = space.provenance
        epochs = round(self._own["epochs"])
        settings = {**record.settings, **path}
        return replace(space, provenance=replace(record, epochs=epochs, settings=settings))
