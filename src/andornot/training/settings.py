"""The settings of a training, checked before anything is read or computed."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from andornot.base.choices import Model, Solver
from andornot.base.errors import AndornotError

WINDOW = 5
EPOCHS = {
    (Model.SGNS, Solver.SAMPLED): 5,
    (Model.SGNS, Solver.EXACT): 60,
    (Model.GLOVE, Solver.SAMPLED): 25,
    (Model.GLOVE, Solver.EXACT): 20,
}
"""Passes over the corpus or the counts; the exact solvers stop sooner when they have converged."""

RATES = {
    (Model.SGNS, Solver.SAMPLED): 0.025,
    (Model.SGNS, Solver.EXACT): 1.2,
    (Model.GLOVE, Solver.SAMPLED): 0.05,
    (Model.GLOVE, Solver.EXACT): 1.0,
}
"""The first step width; GloVe's exact solver takes each step whole."""

TOLERANCES = {Model.SGNS: 5e-5, Model.GLOVE: 0.01}
"""What an epoch of an exact solver must at least take from the loss, in parts of it."""


@dataclass(frozen=True)
class Settings:
    """What determines a training, apart from the text.

    `negative` is k and `exponent` the power of the counts in q, for SGNS; `x_max` and `alpha` weigh
    the counts of GloVe. `window` is 5, or that of the counts. `epochs` and `rate` have their own
    defaults for each solver. The exact
    solvers stop when an epoch improves the loss by less than the part `tolerance`.

    >>> Settings(solver=Solver.SAMPLED).resolved().rate
    0.025
    >>> Settings(dim=0).check()
    Traceback (most recent call last):
    ...
    andornot.base.errors.AndornotError: dim is 0; it must be a whole number from 1 on
    """

    model: Model = Model.SGNS
    solver: Solver = Solver.AUTO
    dim: int = 300
    window: int | None = None
    negative: int = 15
    exponent: float = 0.75
    sample: float | None = None
    x_max: float = 100.0
    alpha: float = 0.75
    epochs: int | None = None
    rate: float | None = None
    tolerance: float | None = None
    seed: int = 1

    def check(self) -> None:
        """Stop at the first setting that makes no sense."""
        for name, choices in (("model", Model), ("solver", Solver)):
            if getattr(self, name) not in tuple(choices):
                raise AndornotError(
                    f"{name} is {getattr(self, name)!r}; choose one of {', '.join(choices)}"
                )
        for name in ("dim", "window", "negative", "epochs"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or value < 1):
                raise AndornotError(f"{name} is {value}; it must be a whole number from 1 on")
        for name in ("sample", "x_max", "alpha", "rate"):
            value = getattr(self, name)
            if value is not None and not (value > 0 and math.isfinite(value)):
                raise AndornotError(f"{name} is {value}; it must be a number above 0")
        if not -2 <= self.exponent <= 2:
            raise AndornotError(f"exponent is {self.exponent}; it must be from -2 to 2, as 0.75 is")
        if (self.model, self.solver) == (Model.GLOVE, Solver.EXACT) and self.rate is not None:
            raise AndornotError("the exact solver of GloVe takes whole steps; leave off --rate")
        if self.seed < 0:
            raise AndornotError(f"seed is {self.seed}; it must be 0 or more")
        if self.tolerance is not None and not 0 <= self.tolerance < 1:
            raise AndornotError(f"tolerance is {self.tolerance}; it must be from 0 to below 1")

    def resolved(self) -> ResolvedSettings:
        """The same settings with the defaults of their solver for what is left open."""
        kind = (self.model, self.solver)
        known = {item.name: getattr(self, item.name) for item in fields(self)}
        return ResolvedSettings(
            **known
            | {
                "window": self.window or WINDOW,
                "epochs": self.epochs or EPOCHS[kind],
                "rate": self.rate or RATES[kind],
                "tolerance": TOLERANCES[self.model] if self.tolerance is None else self.tolerance,
            }
        )


@dataclass(frozen=True)
class ResolvedSettings(Settings):
    """Settings with nothing left open: what a trainer takes."""

    window: int = WINDOW
    epochs: int = 0
    rate: float = 0.0
    tolerance: float = 0.0


def noise_weights(counts: npt.NDArray[np.float64], exponent: float) -> npt.NDArray[np.float64]:
    """What the distribution q of negatives is in proportion to: count^exponent, 0 for count 0.

    >>> noise_weights(np.array([16.0, 1.0, 0.0]), 0.75).tolist()
    [8.0, 1.0, 0.0]
    """
    seen = counts > 0
    return np.where(seen, np.where(seen, counts, 1.0) ** exponent, 0.0)
