"""The settings of a training, checked before anything is read or computed."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from andornot.base.choices import Model, Solver
from andornot.base.errors import UsageError
from andornot.base.remedies import option
from andornot.cooccurrence.windows import check_sample, window_size
from andornot.corpus.blocks import check_every

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

VERSIONS = {
    (Model.SGNS, Solver.SAMPLED): 2,
    (Model.SGNS, Solver.EXACT): 4,
    (Model.GLOVE, Solver.SAMPLED): 2,
    (Model.GLOVE, Solver.EXACT): 4,
}
"""Raised whenever a solver gives other vectors: what was kept of an older version is not used."""

PRIORS = {Model.SGNS: 10.0, Model.GLOVE: 1.0}
"""The strength of the prior of the exact solvers: prior (|V|^2 + |U|^2) / 2 is added to the loss.

It is taken where nothing is held out to choose by. The sampled solvers have none: they stop long
before the minimum, which does the same.
"""

TOLERANCES = {Model.SGNS: 5e-5, Model.GLOVE: 0.01}
"""What an epoch of an exact solver must at least take from the loss, in parts of it."""

WHOLE = 16_000
"""Size of the largest vocabulary for which exact SGNS computes all negatives at every step.

In larger ones it trains the most frequent words first.
"""

LARGE_TOLERANCE = 5e-4
"""The tolerance of exact SGNS for vocabularies beyond `WHOLE`.

Their loss goes on to fall, but the scores hardly change (results/training-iterations.md).
"""

X_MAX = 100.0
"""GloVe's x_max: the default of the original program, and of the paper."""

PAPERS_TOKENS = 2.1e9
"""The size of the paper's text, English Wikipedia."""


def x_max_for(tokens: float) -> float:
    """Return the x_max that weighs the counts of a text as 100 weighs those of the paper's text.

    x_max is a count, and all counts grow with the text. So it is in proportion to the number of
    tokens, but at least 1: what two words count that were neighbours once.

    >>> x_max_for(2.1e9), x_max_for(63e6), x_max_for(6000)
    (100.0, 3.0, 1.0)
    """
    return max(1.0, X_MAX * tokens / PAPERS_TOKENS)


@dataclass(frozen=True, repr=False)
class Settings:
    """The settings of a training. They are checked when they are made.

    `negative` is k and `exponent` the power of the counts in q, for SGNS; `x_max` and `alpha` weigh
    the counts of GloVe, and x_max None takes `x_max_for` the tokens of the text. `window` is 5, or
    that of the counts; "line" takes every pair of a line (see `count`). `epochs` and `rate` have
    their own defaults for each solver. The exact solvers stop when an epoch improves the loss by
    less than the part `tolerance`. Their `prior` draws rare words towards 0; 0 is the bare minimum
    of the loss, and None chooses it by the held-out loss. `held_out` is the number of blocks of
    10,000 tokens of which SGNS holds out one (by default 20, more in a long text, or that of the
    counts); 0 holds out nothing. GloVe holds out about 20,000 pairs unless it is 0.

    >>> Settings(solver=Solver.SAMPLED).resolved().rate
    0.025
    >>> Settings(dim=0)
    Traceback (most recent call last):
    ...
    andornot.base.errors.UsageError: dim must be a whole number of at least 1, got 0
    """

    model: Model = Model.SGNS
    solver: Solver = Solver.AUTO
    dim: int = 300
    window: int | str | None = None
    negative: int = 15
    exponent: float = 0.75
    sample: float | None = None
    x_max: float | None = X_MAX
    alpha: float = 0.75
    epochs: int | None = None
    rate: float | None = None
    tolerance: float | None = None
    prior: float | None = None
    held_out: int | None = None
    seed: int = 1

    def __repr__(self) -> str:
        """Show what differs from the defaults.

        >>> Settings(model="glove", dim=100)
        Settings(model='glove', dim=100)
        """
        given = [(each.name, getattr(self, each.name), each.default) for each in fields(self)]
        shown = [
            f"{name}={str(value)!r}" if isinstance(value, str) else f"{name}={value!r}"
            for name, value, default in given
            if value != default
        ]
        return f"{type(self).__name__}({', '.join(shown)})"

    def __post_init__(self) -> None:
        for name, choices in (("model", Model), ("solver", Solver)):
            if getattr(self, name) not in tuple(choices):
                raise UsageError(
                    f"{name} must be one of {', '.join(choices)}, got {getattr(self, name)!r}"
                )
        if self.window is not None:
            window_size(self.window)
        for name in ("dim", "negative", "epochs"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or value < 1):
                raise UsageError(f"{name} must be a whole number of at least 1, got {value}")
        for name in ("x_max", "alpha", "rate"):
            value = getattr(self, name)
            if value is not None and not (value > 0 and math.isfinite(value)):
                raise UsageError(f"{name} must be a number above 0, got {value}")
        if self.sample is not None:
            check_sample(self.sample)
        if self.prior is not None and not (self.prior >= 0 and math.isfinite(self.prior)):
            raise UsageError(f"prior must be a number of at least 0, got {self.prior}")
        if self.prior and self.solver == Solver.SAMPLED:
            raise UsageError(
                f"sampled training has no prior, got {self.prior}; leave out {option('prior')}, or "
                f"take {option('solver', 'exact')}"
            )
        if not -2 <= self.exponent <= 2:
            raise UsageError(f"exponent must be from -2 to 2, got {self.exponent}")
        if (self.model, self.solver) == (Model.GLOVE, Solver.EXACT) and self.rate is not None:
            raise UsageError(
                f"the exact solver of GloVe takes whole steps; leave out {option('rate')}"
            )
        self._check_held_out()
        if self.seed < 0:
            raise UsageError(f"seed must be at least 0, got {self.seed}")
        if self.tolerance is not None and not 0 <= self.tolerance < 1:
            raise UsageError(f"tolerance must be from 0 to below 1, got {self.tolerance}")

    def _check_held_out(self) -> None:
        check_every(self.held_out)
        if self.held_out and self.model == Model.GLOVE:
            raise UsageError(
                f"GloVe holds out pairs and not blocks, got held_out {self.held_out}; leave it "
                "off, or take 0 to hold out nothing"
            )

    def resolved(self, tokens: float | None = None, words: int = 0) -> ResolvedSettings:
        """Return the same settings with the defaults of their solver for what is left open.

        Args:
            tokens: The size of the text, which x_max depends on where it is None.
            words: The size of the vocabulary, which the tolerance depends on where it is None.

        >>> Settings(Model.GLOVE, Solver.EXACT, x_max=None).resolved(tokens=63e6).x_max
        3.0
        """
        kind = (self.model, self.solver)
        known = {item.name: getattr(self, item.name) for item in fields(self)}
        return ResolvedSettings(
            **known
            | {
                "window": self.window or WINDOW,
                "x_max": self._x_max(tokens),
                "epochs": self.epochs or EPOCHS[kind],
                "rate": self.rate or RATES[kind],
                "tolerance": self._tolerance(words),
                "prior": self._prior(),
                "held_out": 1 if self.held_out is None else self.held_out,
            }
        )

    @property
    def window_size(self) -> int:
        """The number of items of the window on each side.

        >>> Settings(window="line").window_size
        1000
        """
        return window_size(self.window or WINDOW)

    @property
    def version(self) -> int:
        """The version of the solver."""
        return VERSIONS[self.model, self.solver]

    def _x_max(self, tokens: float | None) -> float:
        if self.x_max is not None:
            return self.x_max
        if tokens is None:
            raise UsageError("x_max is auto, and the size of the text is not known; give a number")
        return x_max_for(tokens)

    def _tolerance(self, words: int) -> float:
        if self.tolerance is not None:
            return self.tolerance
        is_large = self.model == Model.SGNS and words > WHOLE
        return LARGE_TOLERANCE if is_large else TOLERANCES[self.model]

    def _prior(self) -> float:
        if self.solver == Solver.SAMPLED:
            return 0.0
        return PRIORS[self.model] if self.prior is None else self.prior


@dataclass(frozen=True, repr=False)
class ResolvedSettings(Settings):
    """Settings in which everything has a value, made by `Settings.resolved` for trainers."""

    window: int | str = WINDOW
    x_max: float = X_MAX
    epochs: int = 0
    rate: float = 0.0
    tolerance: float = 0.0
    prior: float = 0.0
    held_out: int = 0

    def __post_init__(self) -> None:
        """Check nothing: they come from settings that were checked."""
