"""Exact SGNS: the whole loss minimised from the counts, one side after the other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.moments import parts, second_moment
from andornot.cooccurrence import Cooccurrence
from andornot.cooccurrence.counting import DEFAULT_MEMORY
from andornot.cooccurrence.row_blocks import pairs_within
from andornot.space import Space
from andornot.training.balancing import balance, balancing_maps, turn_rows
from andornot.training.corpus_names import corpus_settings
from andornot.training.settings import ResolvedSettings
from andornot.training.sgns_gradient import Loss, Matrix, Side, head_of
from andornot.training.trainer import Step
from andornot.words.provenance import Provenance

_SPREAD = 0.1  # of the random start, in each dimension
_RIDGE = 1e-3  # of the mean of the preconditioner's diagonal
_MOMENTUM = 0.9
_PATIENCE = 5  # iterations over which convergence is judged
START = 10
"""Iterations over the most frequent words of a large vocabulary, before those over all words."""


class ExactSGNS:
    """Minimise the SGNS loss of counts by preconditioned Nesterov steps, V and U in turn.

    The function is L + prior (|V|^2 + |U|^2) / 2. A row's gradient is divided by its weight in L,
    n_w for v_w. The step for V is -rate (diag(1/n_w) G) (U' diag(p + kq) U / 4 + prior/n_w)^-1
    with G the gradient by V, that for U the same with V' diag(p) V: the inverses bound the
    curvature that an average row has. Only the initial vectors are random. The result is the
    same for any number of threads, up to rounding.

    In large vocabularies the most frequent words are trained first, by their pairs alone. Their
    iterations are cheap, and with their vectors the others need few.
    """

    units = "pairs"

    def __init__(
        self,
        counts: Cooccurrence,
        settings: ResolvedSettings,
        threads: int,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        size = len(counts.vocabulary)
        self.blas_threads = threads
        self._counts = counts
        self._settings = settings
        self._threads = threads
        head = head_of(size)
        loss = (settings.negative, settings.exponent, threads, head, pairs_within(memory))
        self._whole_loss = Loss(counts, *loss)
        self._first_loss = Loss(counts, *loss, words=head)  # of the most frequent words
        self._held_out = None if counts.held_out is None else Loss(counts.held_out, *loss)
        shape = (size, settings.dim)
        self._target = np.empty(shape, dtype=np.float32)
        self._context = np.empty(shape, dtype=np.float32)
        self._target_before = np.empty(shape, dtype=np.float32)
        self._context_before = np.empty(shape, dtype=np.float32)
        self.worst = (settings.negative + 1) * math.log(2)  # of vectors of zero
        self.state: dict[str, Any] = {}
        self.begin(settings.prior)

    def begin(self, prior: float) -> None:
        """Begin at the random start, with this prior."""
        rng = np.random.default_rng(self._settings.seed)
        for rows in (self._target, self._context):
            rng.standard_normal(dtype=np.float32, out=rows)
            rows *= np.float32(_SPREAD)
        # v = 1 against log(p/(kq)) is the best of rank one: what is left is PMI
        p = self._counts.probability
        kq = self._whole_loss.context.share - p
        with np.errstate(divide="ignore", invalid="ignore"):
            self._target[:, 0] = 1
            self._context[:, 0] = np.log(p / kq)
        alone = p == 0  # words without neighbours: nothing is known of them
        self._target[alone] = self._context[alone] = 0
        self._target_before[:] = self._target
        self._context_before[:] = self._context
        self.state = {
            "starting": self._first_loss.size < self._whole_loss.size,
            **_stage(),
            "loss": math.nan,
            "prior": prior,
        }

    @property
    def _loss(self) -> Loss:
        """The loss that is minimised now: of the most frequent words, or of all."""
        return self._first_loss if self.state["starting"] else self._whole_loss

    @property
    def holds_out(self) -> bool:
        """True if there are held-out counts."""
        return self._held_out is not None

    def held_out_loss(self) -> float:
        """Return L/N over the held-out counts; NaN where there are none."""
        if self._held_out is None:
            return math.nan
        return self._held_out.value(self._target, self._context)

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The vectors of both sides, now and one iteration before."""
        return {
            "target": self._target,
            "context": self._context,
            "target_before": self._target_before,
            "context_before": self._context_before,
        }

    @property
    def converged(self) -> bool:
        """True if the loss of all words has nearly stopped falling.

        Estimated losses may rise by their noise, which is small beside the default tolerance.
        """
        losses = self.state["losses"]
        if self.state["starting"] or min(len(losses) - 1, self.state["since"]) < _PATIENCE:
            return False
        fall = (losses[-1 - _PATIENCE] - losses[-1]) / _PATIENCE
        return bool(fall < self._settings.tolerance * abs(losses[-1]))

    @property
    def done(self) -> float:
        """The part of all iterations that is done; it may converge sooner.

        The start counts as one iteration over all words.
        """
        starts = int(self._first_loss.size < self._whole_loss.size)
        begun = self.state["iteration"] / START if self.state["starting"] else starts
        return float((begun + self._iterations) / (starts + self._settings.epochs))

    @property
    def _iterations(self) -> int:
        """The number of iterations over all words."""
        return 0 if self.state["starting"] else int(self.state["iteration"])

    @property
    def finished(self) -> bool:
        """True if it has converged, or all iterations are done."""
        return self._iterations >= self._settings.epochs or self.converged

    def step(self) -> Step:
        """Make a step for the target vectors, then one for the context vectors."""
        state, settings = self.state, self._settings
        since, turn = state["since"], state["iteration"]
        momentum = np.float32(min(_MOMENTUM, max(0.5, 1 - 3 / (since + 6))) if since else 0)
        rate = np.float32(settings.rate * state["damping"] * max(0.6, (10 / (turn + 10)) ** 0.5))
        loss = self._loss
        if state["prior"]:
            self._balance()
        _look_ahead(self._target, self._target_before, momentum)
        _look_ahead(self._context, self._context_before, momentum)
        sides = (
            (loss.target, self._target, self._context, loss.context.share),
            (loss.context, self._context, self._target, loss.target.share),
        )
        penalty = self._penalty()
        value, _ = (self._descend(*side, rate, turn) for side in sides)  # the loss before both
        losses = [*state["losses"], value + penalty][-max(_PATIENCE, loss.stride) - 1 :]
        if _rises(losses, loss.stride):
            # The steps are too wide for these counts: go on with narrower ones, without momentum.
            since, damping = 0, 0.7 * state["damping"]
        else:
            since, damping = since + 1, state["damping"]
        self.state |= {
            "iteration": turn + 1,
            "since": since,
            "damping": damping,
            "losses": losses,
        }
        if not state["starting"]:
            self.state["loss"] = value
        elif turn + 1 >= START:
            self.state |= {"starting": False, **_stage()}
        pairs = int(self._counts.row_starts[loss.size])
        return Step(self.done, self._iterations, pairs, self.state["loss"])

    def _balance(self) -> None:
        """Bring the two sides to V'V = U'U, as the minimum of the prior has them.

        The loss stays the same, so steps alone would take long to balance them.
        """
        size = self._loss.size
        even = np.full(size, 1 / size)
        left, right = balancing_maps(self._target[:size], self._context[:size], even)
        for rows in (self._target, self._target_before):
            turn_rows(rows, left)
        for rows in (self._context, self._context_before):
            turn_rows(rows, right)

    def _descend(
        self,
        side: Side,
        rows: Matrix,
        others: Matrix,
        curvature: npt.NDArray[np.float64],
        rate: np.float32,
        turn: int,
    ) -> float:
        """Make a preconditioned step of `rows`, in place; return the loss before it."""
        loss = self._loss
        metric = second_moment(others[: loss.size], curvature[: loss.size] / 4)
        metric += _RIDGE * np.trace(metric) / len(metric) * np.eye(len(metric))
        if not np.isfinite(metric).all():  # it has no inverse
            rows[:] = np.nan
            return math.nan
        size, axes = (part.astype(np.float32) for part in np.linalg.eigh(metric))
        weight = np.maximum(side.share * self._counts.total, 1e-30)
        ridge = (self.state["prior"] / weight).astype(np.float32)[:, None]
        ridge[side.share == 0] = 0  # words without neighbours are not moved
        value = 0.0
        for here, gradient, part in loss.blocks(side, rows, others, turn):
            gradient += ridge[here] * rows[here]
            rows[here] -= rate * ((gradient @ axes / (size + ridge[here])) @ axes.T)
            value += part
        return value

    def _penalty(self) -> float:
        """Return the prior's part of the penalised loss, for each of the N pairs."""
        trained = (rows[: self._loss.size] for rows in (self._target, self._context))
        squares = sum(float(np.vdot(rows, rows)) for rows in trained)
        return float(self.state["prior"] / 2 * squares / self._counts.total)

    def space(self) -> Space:
        """Balance the two sides in place, which ends the training, and return the vectors."""
        settings = self._settings
        counted = self._counts.settings
        if self.state["prior"]:
            self._balance()
        else:
            balance(self._target, self._context, self._counts.probability)
        held_out = self.held_out_loss()
        losses = self.state["losses"]
        return Space(
            self._counts.vocabulary,
            self._target,
            self._context,
            marginal=self._counts.marginal,
            provenance=Provenance(
                origin="trained by andornot",
                model="sgns",
                window=counted["window"],
                weighting=counted["weights"],
                negatives=settings.negative,
                negative_exponent=settings.exponent,
                subsample=counted["sample"],
                epochs=self._iterations,
                settings={
                    "solver": "exact",
                    "rate": settings.rate,
                    "seed": settings.seed,
                    "threads": self._threads,
                    "converged": self.converged,
                    **corpus_settings(counted["corpus"], counted["corpus_key"]),
                    "prior": self.state["prior"],
                    "loss": self.state["loss"] if losses else None,
                    "penalised_loss": losses[-1] if losses else None,
                    "held_out": settings.held_out,
                    "held_out_loss": held_out if math.isfinite(held_out) else None,
                },
            ),
        )


def _stage() -> dict[str, Any]:
    """Return the state at the beginning of a stage: of the start, or of all words.

    The momentum begins anew. With that of the most frequent words the others overshoot.
    """
    return {"iteration": 0, "since": 0, "damping": 1.0, "losses": []}  # losses: penalised


def _rises(losses: list[float], stride: int) -> bool:
    """Return whether the loss goes up, where the same columns were computed.

    >>> _rises([3.0, 2.9, 2.91], 1), _rises([3.0, 2.9, 2.91], 2), _rises([3.0, 2.9, 3.5], 2)
    (True, False, True)
    """
    if len(losses) > stride and losses[-1] > losses[-1 - stride] * (1 + 1e-4):
        return True
    return len(losses) > 1 and losses[-1] > losses[-2] * (1 + 1e-2)


def _look_ahead(now: Matrix, before: Matrix, momentum: np.float32) -> None:
    """Move on by the momentum, in place: `before` becomes the present."""
    for part in parts(now):  # no third matrix
        ahead = now[part] + momentum * (now[part] - before[part])
        before[part] = now[part]
        now[part] = ahead
