"""The strength of the prior, chosen by the held-out loss along a path of values."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy.typing as npt

from andornot.space import Space
from andornot.training.trainer import ExactTrainer, Step

WEAKER = 2.0
"""How much weaker the prior is than the one with the lowest held-out loss.

Vectors of half the strength score better on word similarity and analogies, in both models and on
both texts that were tried (results/training-priors.md).
"""


class PriorPath:
    """Find the prior with the lowest held-out loss, and train with half of it.

    The path goes from weak to strong until the loss rises, each value from the vectors of the one
    before. The other way round, dimensions that a strong prior has brought to 0 would stay there.
    The chosen prior is trained from the random start, as if it had been given.
    """

    def __init__(self, trainer: ExactTrainer, path: Sequence[float]) -> None:
        self.units, self.blas_threads = trainer.units, trainer.blas_threads
        self.worst = trainer.worst
        self._trainer = trainer
        self._path = path
        self._own: dict[str, Any] = {
            "tried": [],  # pairs of a prior and its held-out loss
            "chosen": None,
            "epochs": 0.0,  # of the priors before this one
            "seconds": 0.0,  # until one was chosen
        }
        trainer.restart(path[0])

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
        chosen = self._own["chosen"] is not None
        stages = len(self._path) if chosen else len(self._own["tried"])
        return (stages + self._trainer.done) / (len(self._path) + 1)

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
        """Note the held-out loss of this prior, and go on to the next, or to the chosen one."""
        tried: list[list[float]] = self._own["tried"]
        loss = self._trainer.held_out_loss()
        tried.append([self._path[len(tried)], loss])
        best = min(tried, key=lambda each: each[1])
        if best is tried[-1] and len(tried) < len(self._path):
            self._trainer.restart(self._path[len(tried)])
        else:
            self._own["chosen"] = best[0] / WEAKER
            self._trainer.begin(self._own["chosen"])
        return loss

    def space(self) -> Space:
        """The vectors as they are now, with the path in their provenance."""
        space = self._trainer.space()
        own, record = self._own, space.provenance
        path = {
            "prior_path": own["tried"],
            "prior_epochs": round(own["epochs"]),
            "prior_seconds": own["seconds"],
        }
        return replace(space, provenance=replace(record, settings={**record.settings, **path}))
