"""The strength of the prior, chosen by the held-out loss along a path of values."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy.typing as npt

from andornot.space import Space
from andornot.training.glove_kernels import Factors
from andornot.training.trainer import ExactTrainer, Step


class PriorPath:
    """Train with one prior after the other, from strong to weak, and take the best.

    Each value starts from the vectors of the one before, and is trained to the tolerance. The path
    ends where the held-out loss rises. The vectors of the best value are kept beside it: the way
    back from a weaker prior would be long, as its vectors have followed the noise.
    """

    def __init__(self, trainer: ExactTrainer, path: Sequence[float], tolerance: float) -> None:
        self.units, self.blas_threads = trainer.units, trainer.blas_threads
        self.worst = trainer.worst
        self._trainer = trainer
        self._path = path
        self._tolerance = tolerance
        self._best = {
            name: array.copy() for name, array in trainer.arrays.items() if name in Factors._fields
        }
        self._own: dict[str, Any] = {
            "tried": [],  # pairs of a prior and its held-out loss
            "best": None,  # the trainer's state with the best of them
            "epochs": 0.0,  # of the priors before this one
            "seconds": 0.0,
            "chosen": False,
        }
        trainer.restart(path[0], tolerance)

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays of the trainer, and the vectors of the best prior so far."""
        best = {f"best_{name}": array for name, array in self._best.items()}
        return self._trainer.arrays | best

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
        if self._own["chosen"]:
            return 1.0
        return (len(self._own["tried"]) + self._trainer.done) / len(self._path)

    @property
    def finished(self) -> bool:
        """Whether a prior is chosen."""
        return bool(self._own["chosen"])

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
        """Note the held-out loss of this prior, and go on to the next, or back to the best."""
        own, trainer = self._own, self._trainer
        tried: list[list[float]] = own["tried"]
        loss = trainer.held_out_loss()
        better = not tried or loss < min(other for _, other in tried)
        tried.append([self._path[len(tried)], loss])
        if better:
            own["best"] = dict(trainer.state)
            for name, array in self._best.items():
                array[...] = trainer.arrays[name]
        if better and len(tried) < len(self._path):
            trainer.restart(self._path[len(tried)], self._tolerance)
            return loss
        own["chosen"] = True
        trainer.state = own["best"]
        for name, array in self._best.items():
            trainer.arrays[name][...] = array
        return loss

    def space(self) -> Space:
        """The vectors of the best prior, with the path in their provenance."""
        space = self._trainer.space()
        path = {"prior_path": self._own["tried"], "prior_seconds": self._own["seconds"]}
        record = space.provenance
        settings = {**record.settings, **path}
        epochs = round(self._own["epochs"])
        return replace(space, provenance=replace(record, epochs=epochs, settings=settings))
