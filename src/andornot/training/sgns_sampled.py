"""Sampled SGNS: word2vec's algorithm over the stream of tokens, in lock-free threads."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError
from andornot.base.parallel import run_parallel, spans
from andornot.base.remedies import option
from andornot.cooccurrence.counting import count_held_out
from andornot.cooccurrence.windows import keep_probabilities
from andornot.corpus import Corpus
from andornot.corpus.blocks import TextPart
from andornot.corpus.corpus import keep_known
from andornot.space import Space
from andornot.training.corpus_names import corpus_settings
from andornot.training.drawing import alias_table, generator
from andornot.training.held_out import HeldOutSample
from andornot.training.settings import ResolvedSettings
from andornot.training.sgns_gradient import Loss, head_of
from andornot.training.sgns_kernels import grouping, subsample, train_stretch
from andornot.training.threads import blas_threads
from andornot.training.trainer import Step
from andornot.words.counts import noise_weights
from andornot.words.provenance import Provenance
from andornot.words.vocabulary import Vocabulary

ROUND = 1 << 20  # tokens between two moments at which progress is shown and state can be saved
_LEAST_RATE = 1e-4  # of the first, as in word2vec


class SampledSGNS:
    """Train on a corpus, a round of tokens at a time; `settings` are resolved.

    The rate falls linearly to the end. Every n-th block of the corpus is left out of the training,
    and the loss shown is that of its pairs.
    """

    units = "words"
    blas_threads = 1  # each of our threads has its own small products

    def __init__(
        self,
        corpus: Corpus,
        vocabulary: Vocabulary,
        settings: ResolvedSettings,
        threads: int,
        memory: int,
    ) -> None:
        assert vocabulary.counts is not None
        self._corpus = corpus
        self._vocabulary = vocabulary
        self._settings = settings
        self._threads = threads
        self._numbers = corpus.numbers_in(vocabulary)
        counts = vocabulary.counts.values
        negatives = noise_weights(counts, settings.exponent)
        self._tables = alias_table(negatives)
        kept = np.ones(len(counts))
        self._kept: npt.NDArray[np.uint64] | None = None
        if settings.sample is not None:
            kept = keep_probabilities(counts, settings.sample)
            self._kept = (kept * 2.0**32).astype(np.uint64)
        self._largest = float((counts * kept).max() / (counts @ kept))
        rng = np.random.default_rng(settings.seed)
        shape = (len(vocabulary), settings.dim)
        self._target = (rng.random(shape, dtype=np.float32) - np.float32(0.5)) / np.float32(
            settings.dim
        )
        self._context = np.zeros(shape, dtype=np.float32)
        self._mass = np.zeros(len(vocabulary))
        self.worst = 10 * (settings.negative + 1) * math.log(2)  # of vectors of zero
        self.state: dict[str, Any] = {"round": 0}
        self._part = TextPart(settings.held_out, held_out=False) if settings.held_out else None
        self._held_out, self._sample = None, None
        if settings.held_out:
            held_out = count_held_out(
                corpus,
                vocabulary,
                settings.held_out,
                window=settings.window_size,
                sample=settings.sample,
                memory=memory,
                threads=threads,
            )
            if held_out.pairs:
                self._held_out = held_out
                self._sample = HeldOutSample(held_out, negatives, rng)
        if not self._has_pairs():
            raise AndornotError(
                "no two words of the vocabulary are ever near each other; there is nothing to "
                "train on"
            )

    # --- the stream ------------------------------------------------------------------------

    @property
    def _rounds(self) -> int:
        """The number of rounds in an epoch."""
        return -(-len(self._corpus.tokens) // ROUND)

    def _known(self, start: int, stop: int) -> npt.NDArray[np.int32]:
        """Return the tokens of a stretch of the corpus that are known and not held out."""
        tokens = self._corpus.tokens[start:stop]
        if self._part is not None:
            tokens = self._part.take(tokens, start)
        out = np.empty(len(tokens), dtype=np.int32)
        return out[: keep_known(tokens, self._numbers, out)]

    def _has_pairs(self) -> bool:
        """Return whether two words are ever next to each other; read only as far as needed."""
        for number in range(self._rounds):
            tokens = self._known(number * ROUND, (number + 1) * ROUND)
            if ((tokens[1:] >= 0) & (tokens[:-1] >= 0)).any():
                return True
        return False

    # --- training --------------------------------------------------------------------------

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The vectors of both sides, and the pairs each word was in."""
        return {"target": self._target, "context": self._context, "mass": self._mass}

    @property
    def done(self) -> float:
        """The part of the training that is done."""
        return float(self.state["round"] / (self._rounds * self._settings.epochs))

    @property
    def finished(self) -> bool:
        """True if all rounds of all epochs are done."""
        return bool(self.state["round"] >= self._rounds * self._settings.epochs)

    def _rate(self, round_number: float) -> float:
        settings = self._settings
        left = 1 - round_number / (self._rounds * settings.epochs)
        return settings.rate * max(_LEAST_RATE, left)

    def step(self) -> Step:
        """Train on a round of the stream, cut into as many stretches as there are threads."""
        settings = self._settings
        number = self.state["round"]
        start = number % self._rounds * ROUND
        tokens = self._known(start, start + ROUND)
        seen = len(tokens)
        if self._kept is not None:
            state = generator(settings.seed, number, self._threads)
            tokens = tokens[: subsample(tokens, self._kept, state)]
        first, last = self._rate(number), self._rate(number + 1)
        pieces = spans(len(tokens), self._threads)
        masses = [np.zeros(len(self._mass)) for _ in pieces]

        def train(thread: int) -> None:
            train_stretch(
                tokens,
                *pieces[thread],
                self._target,
                self._context,
                *self._tables,
                settings.window_size,
                settings.negative,
                grouping(self._largest, settings.window_size, settings.negative, first),
                first,
                last,
                generator(settings.seed, number, thread),
                masses[thread],
            )

        if pieces:
            with ThreadPoolExecutor(len(pieces)) as pool:
                run_parallel(pool, [partial(train, t) for t in range(len(pieces))])
        self._mass += sum(masses)
        self.state = {"round": number + 1}
        epoch = (number + 1) / self._rounds
        estimate = math.nan
        if self._sample is not None:
            estimate = self._sample.loss(self._target, self._context, settings.negative)
        return Step(epoch / settings.epochs, epoch, seen, math.nan, estimate)

    def _held_out_loss(self) -> float | None:
        """Return L/N over the held-out counts, or None if there are none."""
        if self._held_out is None:
            return None
        settings, head = self._settings, head_of(len(self._vocabulary))
        loss = Loss(self._held_out, settings.negative, settings.exponent, self._threads, head)
        with blas_threads(self._threads):  # one large product instead of many small ones
            return loss.value(self._target, self._context)

    def space(self) -> Space:
        """Return the current vectors, with the marginal of the training."""
        settings = self._settings
        epochs = self.state["round"] / self._rounds
        if not self._mass.any():
            raise AndornotError(
                f"subsampling left no two words together; raise {option('sample')}, or take more "
                "text"
            )
        return Space(
            self._vocabulary,
            self._target,
            self._context,
            marginal=self._mass / epochs,
            provenance=Provenance(
                origin="trained by andornot",
                model="sgns",
                window=settings.window,
                weighting="linear",
                negatives=settings.negative,
                negative_exponent=settings.exponent,
                subsample=settings.sample,
                epochs=round(epochs),
                settings={
                    "solver": "sampled",
                    "rate": settings.rate,
                    "seed": settings.seed,
                    "threads": self._threads,
                    **corpus_settings(self._corpus.record.get("files", []), self._corpus.key),
                    "held_out": settings.held_out,
                    "held_out_loss": self._held_out_loss(),
                },
            ),
        )
