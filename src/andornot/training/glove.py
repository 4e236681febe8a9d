"""GloVe from counts: what both solvers share, and AdaGrad as in the original program."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.parallel import run_parallel
from andornot.base.remedies import option
from andornot.cooccurrence import Cooccurrence
from andornot.cooccurrence.counting import DEFAULT_MEMORY
from andornot.cooccurrence.row_blocks import RowBlock, pairs_within
from andornot.space import Space
from andornot.training.corpus_names import corpus_settings
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
_NO_IDS, _NO_VALUES = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float32)


class FromCounts:
    """The part that both solvers share: counts, factors, held-out pairs, the resulting space.

    Counts that are not in memory are read in blocks of rows, which take about `memory` bytes. Some
    pairs, chosen by a hash, are left out of the training, and the held-out loss is theirs.
    Counts of another part of the text would not do: GloVe predicts log x of pairs that were seen,
    and a pair that is seen in a small part has a larger x there than it has on average.
    """

    units = "pairs"
    solver = ""
    blas_threads = 1
    worst: float
    factors: Factors
    state: dict[str, Any]

    def __init__(
        self,
        counts: Cooccurrence,
        settings: ResolvedSettings,
        threads: int,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        self._counts = counts
        self._settings = settings
        self._threads = threads
        self._memory = memory
        self._one_in = one_in_of(counts.pairs) if settings.held_out else 0
        self._held_out = self._find_held_out()

    def _factors(self, vectors: Any, biases: Any) -> Factors:
        """Make factors of the right shapes by functions of a shape."""
        shape = (len(self._counts.vocabulary), self._settings.dim)
        return Factors(vectors(shape), vectors(shape), biases(shape[0]), biases(shape[0]))

    def _pairs_of(self, block: RowBlock) -> Pairs:
        """Return a block of rows with the settings of the weights of its pairs."""
        return Pairs(*block, self._settings.x_max, self._settings.alpha, self._one_in)

    def _find_held_out(self) -> tuple[npt.NDArray[Any], ...]:
        """Find the held-out pairs: rows, columns, logarithms and weights."""
        found: list[tuple[npt.NDArray[Any], ...]] = [(_NO_IDS, _NO_IDS, _NO_VALUES)]
        if self._one_in:
            for block in self._counts.blocks(pairs_within(self._memory)):
                rows, indices = find_held_out(self._pairs_of(block))
                found.append((rows, block.columns[indices], block.values[indices]))
        rows, columns, values = map(np.concatenate, zip(*found, strict=True))
        x = values.astype(np.float64)
        weights = np.minimum(1, x / self._settings.x_max) ** self._settings.alpha
        return rows, columns, np.log(x), weights

    @property
    def _trained_pairs(self) -> int:
        return max(1, self._counts.pairs - len(self._held_out[0]))

    @property
    def holds_out(self) -> bool:
        """True if any pair is held out."""
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
                    **corpus_settings(counted["corpus"], counted["corpus_key"]),
                    "loss": loss if math.isfinite(loss) else None,
                    "held_out": len(self._held_out[0]),
                    "held_out_loss": held_out if math.isfinite(held_out) else None,
                    **more,
                },
            ),
        )


class SampledGloVe(FromCounts):
    """GloVe by AdaGrad, pair after pair, in lock-free threads and float32.

    An epoch has a random order of all rows, from a generator with the seed and the epoch. Counts in
    memory are one block, and its rows are trained in that order. Other counts are cut into blocks
    of consecutive rows. The blocks are in a random order, from a generator with the seed,
    the epoch and the number of blocks; the rows of each are in the order of the epoch. So the
    result depends on the number of blocks, as it depends on the seed; `state` has that number, and
    a run with another number can't resume from it.

    `running` is the mean loss of the pairs of an epoch as they were trained, which is what the
    original program prints.
    """

    solver = "sampled"

    def __init__(
        self,
        counts: Cooccurrence,
        settings: ResolvedSettings,
        threads: int,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        super().__init__(counts, settings, threads, memory)
        rng = np.random.default_rng(settings.seed)

        def start(shape: Any) -> npt.NDArray[np.float32]:
            uniform: npt.NDArray[np.float32] = rng.random(shape, dtype=np.float32)
            return (uniform - np.float32(0.5)) / np.float32(settings.dim)

        def ones(shape: Any) -> npt.NDArray[np.float32]:
            return np.ones(shape, dtype=np.float32)

        self.factors = self._factors(start, start)
        self._sums = self._factors(ones, ones)
        size = counts.pairs if counts.in_memory else pairs_within(memory)
        self._blocks = list(counts.cuts(size))
        self._chunks = chunks_of(max(map(self._size, self._blocks)))  # of each block
        self._block: Pairs | None = None  # the one that is trained
        self.running: list[float] = []
        _, _, logs, weights = self._held_out
        self.worst = 10 * float((weights * logs**2).mean()) if len(logs) else math.inf
        self._state: dict[str, Any] = {
            "chunk": 0,
            "loss": math.nan,
            "sum": 0.0,
            "pairs": 0,
            "blocks": len(self._blocks),
        }

    def _size(self, rows: tuple[int, int]) -> int:
        """Return the number of pairs of a block."""
        first, last = rows
        return int(self._counts.row_starts[last] - self._counts.row_starts[first])

    @property
    def state(self) -> dict[str, Any]:
        """The chunks that are done, the loss and pairs of this epoch, and the number of blocks."""
        return self._state

    @state.setter
    def state(self, state: dict[str, Any]) -> None:
        if state["blocks"] != len(self._blocks):
            raise ValueError(
                f"it was made with {state['blocks']} blocks of counts, and this run has "
                f"{len(self._blocks)}: give {option('memory')} as before"
            )
        self._state = state

    @property
    def _epoch(self) -> int:
        """The number of chunks in an epoch."""
        return self._chunks * len(self._blocks)

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
        return float(self.state["chunk"] / (self._epoch * self._settings.epochs))

    @property
    def finished(self) -> bool:
        """True if all epochs are done."""
        return bool(self.state["chunk"] >= self._epoch * self._settings.epochs)

    def step(self) -> Step:
        """Train on some chunks of a block."""
        settings, state = self._settings, self.state
        epoch, position = divmod(state["chunk"], self._epoch)
        turn, first = divmod(position, self._chunks)
        number, block = self._block_of(epoch, turn)
        order = np.random.default_rng([settings.seed, epoch]).permutation(
            np.arange(len(self._counts.vocabulary), dtype=np.int32)
        )
        words = self._blocks[number]
        rows = order[(order >= words[0]) & (order < words[1])]
        cuts = [int(row) for row in np.linspace(0, len(rows), self._chunks + 1)]
        last = min(first + in_a_step(self._threads, self._chunks), self._chunks)

        def train(chunk: int) -> tuple[float, int]:
            generated = generator(settings.seed, epoch, number * self._chunks + chunk)
            chosen = rows[cuts[chunk] : cuts[chunk + 1]]
            return train_rows(chosen, block, self.factors, self._sums, settings.rate, generated)

        with ThreadPoolExecutor(self._threads) as pool:
            results = run_parallel(pool, [partial(train, chunk) for chunk in range(first, last)])
        loss = state["sum"] + sum(part for part, _ in results)
        pairs = state["pairs"] + sum(count for _, count in results)
        done = state["chunk"] + last - first
        state |= {"chunk": done, "sum": loss, "pairs": pairs}
        if done % self._epoch == 0:
            self.running.append(loss / max(1, pairs))
            state |= {"sum": 0.0, "pairs": 0, "loss": self.running[-1]}
        trained = sum(count for _, count in results)
        known = float(self.state["loss"])
        return Step(self.done, done / self._epoch, trained, known, self.held_out_loss())

    def _block_of(self, epoch: int, turn: int) -> tuple[int, Pairs]:
        """Return the block whose turn it is in an epoch: its number, and its pairs in memory."""
        blocks = len(self._blocks)
        order = np.random.default_rng([self._settings.seed, epoch, blocks]).permutation(blocks)
        first, last = self._blocks[order[turn]]
        if self._block is None or self._block.first != first:
            self._block = None  # before the next one is read
            self._block = self._pairs_of(self._counts.rows(first, last))
        return int(order[turn]), self._block

    def space(self) -> Space:
        """Return the current vectors, v and u separately."""
        epochs = self.state["chunk"] // self._epoch
        blocks = {"blocks": len(self._blocks)} if len(self._blocks) > 1 else {}
        return self._space(self.factors, epochs, self.state["loss"], blocks)


def one_in_of(pairs: int) -> int:
    """Return n if one pair in n is held out; 0 if there are too few pairs to hold out any.

    >>> one_in_of(100), one_in_of(100_000), one_in_of(10_000_000)
    (0, 20, 500)
    """
    return max(_ONE_IN, pairs // _HELD_OUT) if pairs >= _ONE_IN * _FEWEST_HELD_OUT else 0


def chunks_of(pairs: int) -> int:
    """Return the number of chunks for this number of pairs."""
    return max(_FEWEST_CHUNKS, -(-pairs // _CHUNK))


def in_a_step(threads: int, chunks: int) -> int:
    """Return how many chunks are worked on before progress is shown: all where they are small."""
    return chunks if chunks <= _FEWEST_CHUNKS else 2 * threads
