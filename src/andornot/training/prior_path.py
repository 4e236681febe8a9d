"""The strength of the prior, chosen by the held-out loss along a path of values."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy.typing as npt

from andornot.space import Space
from andornot.training.trainer import ExactTrainer, Step

_LOOSE = 4.0  # times the tolerance, while values are only compared


class PriorPath:
    """Train with one prior after the other, from strong to weak, and end with the best.

    Each value starts from the vectors of the one before. The path ends where the held-out loss
    rises, and the best value is then trained to the tolerance.
    """

    def __init__(self, trainer: ExactTrainer, path: Sequence[float], tolerance: float) -> None:
        self.units, self.blas_threads = trainer.units, trainer.blas_threads
        self.worst = trainer.worst
        self._trainer = trainer
        self._path = path
        self._tolerance = tolerance
        self._own: dict[str, Any] = {
            "tried": [],  # pairs of a prior and its held-out loss
            "chosen": None,
            "epochs": 0.0,  # of the priors before this one
            "seconds": 0.0,  # until one was chosen
        }
        trainer.restart(path[0], _LOOSE * tolerance)

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
        if self._own["chosen"] is not None:
            return (len(self._path) + self._trainer.done) / (len(self._path) + 1)
        return (len(self._own["tried"]) + self._trainer.done) / (len(self._path) + 1)

    @property
    def finished(self) -> bool:
        """Whether the chosen prior is trained to the end."""
        return self._own["chosen"] is not None and self._trainer.finished

    def step(self) -> Step:
        """A step of the trainer; if it is the last with this prior, go on to the next."""
        began = time.perf_counter()
        own = self._own
        choosing = own["chosen"] is None
        step = self._trainer.step()
        step = replace(step, epoch=own["epochs"] + step.epoch)
        if choosing and self._trainer.finished:
            own["epochs"] = step.epoch
            step = replace(step, held_out=self._judge())
        if choosing:
            own["seconds"] += time.perf_counter() - began
        return replace(step, done=self.done)

    def _judge(self) -> float:
        """Note the held-out loss of this prior, and choose the next, or the best."""
        own = self._own
        tried: list[list[float]] = own["tried"]
        loss = self._trainer.held_out_loss()
        best = min((other for _, other in tried), default=float("inf"))
        tried.append([self._path[len(tried)], loss])
        if loss < best and len(tried) < len(self._path):
            self._trainer.restart(self._path[len(tried)], _LOOSE * self._tolerance)
        else:
            own["chosen"] = min(tried, key=lambda each: each[1])[0]
            self._trainer.restart(own["chosen"], self._tolerance)
        return loss

    def space(self) -> Space:
        """The vectors as they are now, with the path in their provenance."""
        space = self._trainer.space()
        record = space.provenance
        epochs = round(self._own["epochs"] + (record.epochs or 0))
        path = {"prior_path": self._own["tried"], "prior_seconds": self._own["seconds"]}
        settings = {**record.settings, **path}
        return replace(space, provenance=replace(record, epochs=epochs, settings=settings))
