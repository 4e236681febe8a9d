"""Exact GloVe: the whole loss minimised from the counts, one side after the other."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.moments import second_moment, weighted_mean
from andornot.base.parallel import run_parallel
from andornot.cooccurrence import Cooccurrence
from andornot.cooccurrence.counting import DEFAULT_MEMORY
from andornot.cooccurrence.row_blocks import pairs_within
from andornot.space import Space
from andornot.training.balancing import balance
from andornot.training.glove import FromCounts, chunks_of, in_a_step
from andornot.training.glove_kernels import Factors, Matrix, Pairs
from andornot.training.glove_row_kernels import (
    Facing,
    Precision,
    mean_targets,
    row_masses,
    solve_rows,
)
from andornot.training.settings import ResolvedSettings
from andornot.training.trainer import Step

_SPREAD = 0.5  # the length of a vector at the start
_TOLERANCE = 0.05  # of a row's residual, at each solution
_MOST_STEPS = 20  # of conjugate gradients
_BIAS_SWEEPS = 5  # before there are vectors


class _Axes(NamedTuple):
    """The coordinates in which one side is solved: the other side's mean and principal axes."""

    mean: npt.NDArray[np.float32]
    turn: Matrix
    facing: Facing


class ExactGloVe(FromCounts):
    """GloVe by alternating least squares: all v and a given u and b, then the other way round.

    Minimises sum f(x) (v.u + a + b - log x)^2 / 2 + prior (|V|^2 + |U|^2) / 2; biases are free.
    Each row is solved by preconditioned conjugate gradients from its current value
    (`glove_row_kernels`). The two sides are kept equal in size. No random numbers but for the
    start.
    """

    solver = "exact"

    def __init__(
        self,
        counts: Cooccurrence,
        settings: ResolvedSettings,
        threads: int,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        super().__init__(counts, settings, threads, memory)

        def empty(shape: Any) -> npt.NDArray[np.float32]:
            return np.empty(shape, dtype=np.float32)

        self.factors = self._factors(empty, empty)
        self.worst = math.inf  # every step lowers the loss
        self._cuts = self._cut()
        self._masses = np.zeros(len(counts.vocabulary))
        self._each_piece(row_masses, self._masses)
        self._axes: _Axes | None = None
        self.state = {}
        self.begin(settings.prior)

    def begin(self, prior: float) -> None:
        """Begin at the random start, with this prior."""
        rng = np.random.default_rng(self._settings.seed)
        target, context, a, b = self.factors
        for rows in (target, context):
            rng.standard_normal(dtype=np.float32, out=rows)
            rows *= np.float32(_SPREAD / math.sqrt(self._settings.dim))
            rows[self._masses == 0] = 0  # words without pairs to train on: nothing is known of them
        a[:] = b[:] = 0
        for _ in range(_BIAS_SWEEPS):
            self._each_piece(mean_targets, b, a)
            self._each_piece(mean_targets, a, b)
        self.state = {
            "part": 0,
            "sum": 0.0,
            "loss": math.nan,
            "losses": [],  # penalised
            "penalty": 0.0,
            "prior": prior,
        }

    def _cut(self) -> list[int]:
        """Return the bounds of pieces of rows with about equally many pairs."""
        size, starts = len(self._counts.vocabulary), self._counts.row_starts
        cuts = np.searchsorted(
            starts, np.linspace(0, starts[-1], chunks_of(self._counts.pairs) + 1)
        )
        return sorted({0, *np.minimum(cuts, size).tolist(), size})

    def _blocks(self, first: int, last: int) -> Iterator[Pairs]:
        """Read some rows block by block, while each of the other threads does the same."""
        pairs = pairs_within(self._memory, self._threads)
        return map(self._pairs_of, self._counts.blocks(pairs, first, last))

    def _each_piece(self, kernel: Any, *arguments: Any) -> None:
        """Call a kernel for all rows."""

        def work(first: int, last: int) -> None:
            for block in self._blocks(first, last):
                kernel(block, *arguments)

        with ThreadPoolExecutor(self._threads) as pool:
            run_parallel(pool, [partial(work, *piece) for piece in pairwise(self._cuts)])

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Vectors and biases."""
        return dict(zip(Factors._fields, self.factors, strict=True))

    @property
    def converged(self) -> bool:
        """True if the last sweep lowered the penalised loss by less than the tolerance."""
        losses = self.state["losses"]
        return len(losses) > 2 and losses[-3] - losses[-1] < self._settings.tolerance * losses[-1]

    @property
    def done(self) -> float:
        """The part of all sweeps that is done; it may converge sooner."""
        return float(self.state["part"] / (2 * (len(self._cuts) - 1) * self._settings.epochs))

    @property
    def finished(self) -> bool:
        """True if it has converged, or all sweeps are done."""
        sweep = 2 * (len(self._cuts) - 1)
        if self.state["part"] >= sweep * self._settings.epochs:
            return True
        return self.state["part"] % sweep == 0 and self.converged

    def step(self) -> Step:
        """Solve some rows of one side; a sweep is all rows of both sides."""
        parts = len(self._cuts) - 1
        number = self.state["part"] % (2 * parts)
        if number % parts == 0:
            self._begin_side()
        factors = self.factors if number < parts else self.factors.turned()
        if number % parts == 0 or self._axes is None:
            self._axes = self._axes_of(factors)
        axes = self._axes
        last = min(number % parts + in_a_step(self._threads, parts), parts)
        pieces = [(self._cuts[i], self._cuts[i + 1]) for i in range(number % parts, last)]
        precision = Precision(self.state["prior"], _TOLERANCE, _MOST_STEPS)

        def solve(first: int, stop: int) -> float:
            rows = factors.target[first:stop] @ axes.turn
            bias = factors.target_bias[first:stop] + factors.target[first:stop] @ axes.mean
            loss = 0.0
            for block in self._blocks(first, stop):
                begin = block.first - first
                here = slice(begin, begin + len(block.row_starts) - 1)
                loss = solve_rows(block, axes.facing, rows[here], bias[here], precision, loss)
            factors.target[first:stop] = rows @ axes.turn.T
            factors.target_bias[first:stop] = bias - factors.target[first:stop] @ axes.mean
            return loss

        with ThreadPoolExecutor(self._threads) as pool:
            losses = run_parallel(pool, [partial(solve, *piece) for piece in pieces])
        done = self.state["part"] + len(pieces)
        total, known = self.state["sum"] + sum(losses), list(self.state["losses"])
        loss = self.state["loss"]
        if last == parts:  # a side is done: the loss before its rows changed
            loss = total / self._trained_pairs
            known, total = [*known, loss + self.state["penalty"]][-4:], 0.0
        self.state |= {"part": done, "sum": total, "loss": loss, "losses": known}
        rows = slice(pieces[0][0], pieces[-1][1] + 1)
        units = int(np.ptp(self._counts.row_starts[rows]))
        held_out = self.held_out_loss() if last == parts else math.nan
        return Step(self.done, done / (2 * parts), units, loss, held_out)

    def _begin_side(self) -> None:
        """Balance the two sides, which keeps v.u and a + b; store the penalty in the state."""
        target, context, a, b = self.factors
        balance(target, context, np.full(len(target), 1 / len(target)))
        shift = np.float32((a.mean() - b.mean()) / 2)
        a -= shift
        b += shift
        squares = sum(float(np.vdot(rows, rows)) for rows in (target, context))
        self.state |= {"penalty": self.state["prior"] / 2 * squares / self._trained_pairs}

    def _axes_of(self, factors: Factors) -> _Axes:
        """Return the mean and the axes of the other side, under the weights of the rows."""
        others = factors.context
        mean = weighted_mean(others, self._masses)
        moment = second_moment(others, self._masses / self._masses.sum(), mean)
        spread, turn = np.linalg.eigh(moment)
        axes = turn.astype(np.float32)
        centred = np.ascontiguousarray((others - mean.astype(np.float32)) @ axes)
        least = 1e-9 * max(float(spread[-1]), 1e-30)
        facing = Facing(centred, factors.context_bias, np.maximum(spread, least).astype(np.float32))
        return _Axes(mean.astype(np.float32), axes, facing)

    def space(self) -> Space:
        """Return the current vectors, v and u separately."""
        losses = self.state["losses"]
        return self._space(
            self.factors,
            self.state["part"] // (2 * (len(self._cuts) - 1)),
            self.state["loss"],
            {
                "prior": self.state["prior"],
                "converged": self.converged,
                "penalised_loss": losses[-1] if losses else None,
            },
        )
