"""GloVe from counts: what both solvers share, and AdaGrad as in the original program."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.parallel import run_parallel
from andornot.cooccurrence import Cooccurrence
from andornot.space import Space
from andornot.training.drawing import generator
from andornot.training.glove_kernels import (
    Factors,
    Pairs,
    find_held_out,
    train_rows,
)
from andornot.training.settings import ResolvedSettings
from andornot.training.trainer import Step
from andornot.words.provenance import Provenance

_CHUNK = 1 << 21  # pairs that a thread lays out at a time: 32 MB
_FEWEST_CHUNKS = 16  # of smaller matrices, so that all threads have work
_HELD_OUT = 20_000  # pairs, or one in _ONE_IN of a smaller matrix
_ONE_IN = 20
_FEWEST_HELD_OUT = 1000  # with fewer, none is


class FromCounts:
    """The part that both solvers share: counts, factors, held-out pairs, the resulting space.

    Some pairs, chosen by a hash, are left out of the training, and the held-out loss is theirs.
    Counts of another part of the text would not do: GloVe predicts log x of pairs that were seen,
    and a pair that is seen in a small part has a larger x there than it has on average.
    """

    units = "pairs"
    solver = ""
    blas_threads = 1
    worst: float
    factors: Factors
    state: dict[str, Any]

    def __init__(self, counts: Cooccurrence, settings: ResolvedSettings, threads: int) -> None:
        self._counts = counts
        self._settings = settings
        self._threads = threads
        self._pairs = Pairs(
            counts.row_starts,
            counts.columns,
            counts.values,
            settings.x_max,
            settings.alpha,
            one_in_of(counts.pairs) if settings.held_out else 0,
        )
        self._held_out = self._find_held_out()

    def _factors(self, vectors: Any, biases: Any) -> Factors:
        """Factors of the right shapes, from functions of a shape."""
        shape = (len(self._counts.vocabulary), self._settings.dim)
        return Factors(vectors(shape), vectors(shape), biases(shape[0]), biases(shape[0]))

    def _find_held_out(self) -> tuple[npt.NDArray[Any], ...]:
        """Find the held-out pairs: rows, columns, logarithms and weights."""
        one_in = self._pairs.one_in
        room = 2 * self._counts.pairs // one_in + 100 if one_in else 0
        rows, indices = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int64)
        found = find_held_out(self._pairs, rows, indices)
        x = self._counts.values[indices[:found]].astype(np.float64)
        weights = np.minimum(1, x / self._settings.x_max) ** self._settings.alpha
        return rows[:found], self._counts.columns[indices[:found]], np.log(x), weights

    @property
    def _trained_pairs(self) -> int:
        return max(1, self._counts.pairs - len(self._held_out[0]))

    @property
    def holds_out(self) -> bool:
        """Whether any pair is held out."""
        return len(self._held_out[0]) > 0

    def held_out_loss(self) -> float:
        """Return the mean loss of the held-out pairs; NaN where there are none."""
        rows, columns, logs, weights = self._held_out
        if not self.holds_out:
            return math.nan
        v, u, a, b = self.factors
        scores = np.einsum("ij,ij->i", v[rows], u[columns]) + a[rows] + b[columns]
        return float((weights * (scores - logs) ** 2).mean() / 2)

    def _space(self, factors: Factors, epochs: int, loss: float, more: dict[str, Any]) -> Space:
        settings, counted = self._settings, self._counts.settings
        held_out = self.held_out_loss()
        return Space(
            self._counts.vocabulary,
            *factors,
            marginal=self._counts.marginal,
            provenance=Provenance(
                origin="trained by andornot",
                model="glove",
                window=counted["window"],
                weighting=counted["weights"],
                subsample=counted["sample"],
                epochs=epochs,
                settings={
                    "solver": self.solver,
                    "rate": settings.rate,
                    "x_max": settings.x_max,
                    "alpha": settings.alpha,
                    "seed": settings.seed,
                    "threads": self._threads,
                    "corpus": counted["corpus"],
                    "corpus_key": counted["corpus_key"],
                    "loss": loss if math.isfinite(loss) else None,
                    "held_out": len(self._held_out[0]),
                    "held_out_loss": held_out if math.isfinite(held_out) else None,
                    **more,
                },
            ),
        )


class SampledGloVe(FromCounts):
    """GloVe by AdaGrad, pair after pair, in lock-free threads and float32.

    `running` is the mean loss of the pairs of an epoch as they were trained, which is what the
    original program prints.
    """

    solver = "sampled"

    def __init__(self, counts: Cooccurrence, settings: ResolvedSettings, threads: int) -> None:
        super().__init__(counts, settings, threads)
        rng = np.random.default_rng(settings.seed)

        def start(shape: Any) -> npt.NDArray[np.float32]:
            uniform: npt.NDArray[np.float32] = rng.random(shape, dtype=np.float32)
            return (uniform - np.float32(0.5)) / np.float32(settings.dim)

        def ones(shape: Any) -> npt.NDArray[np.float32]:
            return np.ones(shape, dtype=np.float32)

        self.factors = self._factors(start, start)
        self._sums = self._factors(ones, ones)
        self._chunks = self._cut()
        self.running: list[float] = []
        _, _, logs, weights = self._held_out
        self.worst = 10 * float((weights * logs**2).mean()) if len(logs) else math.inf
        self.state = {"chunk": 0, "loss": math.nan, "sum": 0.0, "pairs": 0}

    def _cut(self) -> list[int]:
        """Where the rows, in an epoch's random order, are cut into chunks of about equal size."""
        chunks = chunks_of(self._counts)
        return [int(row) for row in np.linspace(0, len(self._counts.vocabulary), chunks + 1)]

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Vectors, biases and AdaGrad's sums."""
        names = Factors._fields
        return dict(zip(names, self.factors, strict=True)) | {
            f"{name}_sums": array for name, array in zip(names, self._sums, strict=True)
        }

    @property
    def done(self) -> float:
        """The part of the training that is done."""
        return float(self.state["chunk"] / ((len(self._chunks) - 1) * self._settings.epochs))

    @property
    def finished(self) -> bool:
        """Whether all epochs are done."""
        return bool(self.state["chunk"] >= (len(self._chunks) - 1) * self._settings.epochs)

    def step(self) -> Step:
        """Train on some chunks."""
        settings, state = self._settings, self.state
        chunks = len(self._chunks) - 1
        epoch, first = divmod(state["chunk"], chunks)
        numbers = range(first, min(first + in_a_step(self._threads, chunks), chunks))
        order = np.random.default_rng([settings.seed, epoch]).permutation(
            np.arange(len(self._counts.vocabulary), dtype=np.int32)
        )

        def train(chunk: int) -> tuple[float, int]:
            rows = order[self._chunks[chunk] : self._chunks[chunk + 1]]
            state = generator(settings.seed, epoch, chunk)
            return train_rows(rows, self._pairs, self.factors, self._sums, settings.rate, state)

        with ThreadPoolExecutor(self._threads) as pool:
            results = run_parallel(pool, [partial(train, number) for number in numbers])
        loss = state["sum"] + sum(part for part, _ in results)
        pairs = state["pairs"] + sum(count for _, count in results)
        done = epoch * chunks + numbers[-1] + 1
        self.state |= {"chunk": done, "sum": loss, "pairs": pairs}
        if done % chunks == 0:
            self.running.append(loss / max(1, pairs))
            self.state |= {"sum": 0.0, "pairs": 0, "loss": self.running[-1]}
        trained = sum(count for _, count in results)
        known = float(self.state["loss"])
        return Step(self.done, done / chunks, trained, known, self.held_out_loss())

    def space(self) -> Space:
        """The vectors as they are now, v and u apart."""
        epochs = self.state["chunk"] // (len(self._chunks) - 1)
        return self._space(self.factors, epochs, self.state["loss"], {})


def one_in_of(pairs: int) -> int:
    """Return of how many pairs one is held out; 0 for none, where there are few.

    >>> one_in_of(100), one_in_of(100_000), one_in_of(10_000_000)
    (0, 20, 500)
    """
    return max(_ONE_IN, pairs // _HELD_OUT) if pairs >= _ONE_IN * _FEWEST_HELD_OUT else 0


def chunks_of(counts: Cooccurrence) -> int:
    """Return the number of chunks for the pairs."""
    return max(_FEWEST_CHUNKS, -(-counts.pairs // _CHUNK))


def in_a_step(threads: int, chunks: int) -> int:
    """How many chunks are worked on before progress is shown: all where they are small."""
    return chunks if chunks <= _FEWEST_CHUNKS else 2 * threads
