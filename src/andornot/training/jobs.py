"""From a corpus or counts to a space: what is to be trained, and the training itself."""

from __future__ import annotations

import hashlib
import math
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from andornot.base.choices import LINE_WINDOW, Model, Solver, WindowWeighting
from andornot.base.errors import AndornotError, FileError, UsageError
from andornot.base.folders import is_folder_of
from andornot.base.parallel import thread_count
from andornot.base.remedies import option
from andornot.cooccurrence import Cooccurrence, count, load_counts
from andornot.cooccurrence.counting import DEFAULT_MEMORY, count_words
from andornot.cooccurrence.store import KIND
from andornot.cooccurrence.windows import window_weights
from andornot.corpus import Corpus, open_corpus
from andornot.corpus.blocks import check_held_out, default_every
from andornot.corpus.token_lists import Paths, TokenLists
from andornot.formats import save
from andornot.space import Space
from andornot.training import checkpoints
from andornot.training.balancing import scores_beyond
from andornot.training.durations import training_seconds
from andornot.training.glove import SampledGloVe, one_in_of
from andornot.training.glove_exact import ExactGloVe
from andornot.training.output_paths import OutputPaths, check_output_paths
from andornot.training.prior_path import PriorPath, prior_path
from andornot.training.running import DivergedTrainingError, run
from andornot.training.settings import ResolvedSettings, Settings
from andornot.training.sgns_exact import ExactSGNS
from andornot.training.sgns_sampled import SampledSGNS
from andornot.training.solver_choice import choose_solver
from andornot.training.threads import blas_threads, warn_of_too_many
from andornot.training.trainer import ExactTrainer, Trainer, Watcher
from andornot.words.vocabulary import Vocabulary

CHECKPOINT_EVERY = 120.0  # seconds


def train(
    source: Corpus | Cooccurrence | Paths | TokenLists,
    settings: Settings | None = None,
    *,
    weights: str | None = None,
    min_count: int = 5,
    max_size: int | None = None,
    vocabulary: Vocabulary | None = None,
    threads: int | None = None,
    memory: int = DEFAULT_MEMORY,
    output: str | PathLike[str] | None = None,
    resume: bool = False,
    force: bool = False,
    checkpoint_every: float = CHECKPOINT_EVERY,
    watch: Watcher | None = None,
) -> Space:
    """Train vectors on a text, or on counts of one.

    Every trainer but sampled SGNS takes both.

    Args:
        source: The text (a corpus, or what `open_corpus` makes one of: paths, or an iterable of
            token lists), or its co-occurrence counts.
        settings: The settings; default: exact or sampled SGNS, whichever pays.
        weights: How distance weighs in a window. Counts must have been made with these weights.
            Default: linear for SGNS (as word2vec), harmonic for GloVe.
        min_count: Leave out words of the corpus that are rarer.
        max_size: Keep at most this many words of the corpus, the most frequent ones.
        vocabulary: The words to train, instead of a choice by `min_count` and `max_size`.
        threads: Default: all cores.
        memory: About how many bytes counting may use. Counts that take more are read from disk in
            blocks of rows, in every iteration.
        output: Write the space to this file at the end, and save the state beside it on the way.
        resume: Go on from the saved state.
        force: Replace an existing output, or start again in spite of a saved state.
        checkpoint_every: Seconds between two saves of the state.
        watch: Called after each step.

    >>> from andornot.corpus import open_corpus
    >>> corpus = open_corpus(["examples/nursery.txt"], tokenizer="words")
    >>> space = train(corpus, Settings(dim=4, epochs=2), min_count=2, threads=1)
    >>> space.dim, space.context is not None, space.provenance.negatives
    (4, True, 15)
    >>> baskets = [["bread", "butter"], ["bread", "jam"], ["butter", "jam"]]
    >>> train(baskets, Settings(dim=2, window="line"), min_count=1, threads=1).words
    ('bread', 'butter', 'jam')
    """
    paths = None if output is None else check_output_paths(output, resume, force)
    if not isinstance(source, Corpus | Cooccurrence):
        source = open_corpus(source, threads=threads)
    job = plan_training(
        source,
        settings or Settings(),
        weights=weights,
        min_count=min_count,
        max_size=max_size,
        vocabulary=vocabulary,
    )
    return job.run(
        paths,
        resume=resume,
        threads=threads,
        memory=memory,
        checkpoint_every=checkpoint_every,
        watch=watch,
    )


def plan_training(
    source: Corpus | Cooccurrence,
    settings: Settings,
    *,
    weights: str | None = None,
    min_count: int = 5,
    max_size: int | None = None,
    vocabulary: Vocabulary | None = None,
) -> TrainingJob:
    """Choose the words and the solver of a training; the arguments are those of `train`.

    Raises:
        AndornotError: If the text or the counts don't fit the settings.
    """
    if isinstance(source, Cooccurrence):
        return _plan_for_counts(source, settings, weights)
    words = source.choose(min_count, max_size) if vocabulary is None else vocabulary
    return _plan_for_corpus(source, words, settings, weights)


@dataclass(frozen=True)
class TrainingJob:
    """A training that is ready to run: its source, settings, words and window weights.

    `reason` says why the solver was chosen. The held-out loss chooses the prior if `chooses_prior`,
    else that of the settings is taken.
    """

    source: Corpus | Cooccurrence
    settings: ResolvedSettings
    words: Vocabulary
    weights: str
    corpus_key: str
    reason: str
    chooses_prior: bool = False

    @property
    def identity(self) -> dict[str, Any]:
        """What a checkpoint must share with the run that goes on from it."""
        words = self.words
        digest = hashlib.sha256(words.utf8.tobytes() + words.offsets.tobytes()).hexdigest()[:16]
        return {
            **asdict(self.settings),
            "version": self.settings.version,
            "prior": "auto" if self.chooses_prior else self.settings.prior,
            "weights": str(self.weights),
            "vocabulary": f"{len(words):,} words ({digest})",
            "corpus": self.corpus_key,
        }

    def seconds(self, threads: int | None = None) -> float:
        """Return about how long the training takes, counting included."""
        counts = self.source if isinstance(self.source, Cooccurrence) else None
        return training_seconds(
            self.settings,
            words=len(self.words),
            threads=thread_count(threads),
            tokens=self.source.size if isinstance(self.source, Corpus) else 0,
            lines=self.source.lines if isinstance(self.source, Corpus) else 0,
            pairs=None if counts is None else counts.pairs,
            choosing=self.chooses_prior,
        )

    def run(
        self,
        paths: OutputPaths | None = None,
        *,
        resume: bool = False,
        threads: int | None = None,
        memory: int = DEFAULT_MEMORY,
        checkpoint_every: float = CHECKPOINT_EVERY,
        watch: Watcher | None = None,
    ) -> Space:
        """Train to the end; the arguments are those of `train`, with its output checked."""
        number = thread_count(threads)
        if number < 1:
            raise UsageError(f"threads must be at least 1, got {number}")
        warn_of_too_many(number)
        with nullcontext() if paths is None else paths.held():
            return self._run(number, paths, resume, memory, checkpoint_every, watch)

    def _run(
        self,
        threads: int,
        paths: OutputPaths | None,
        resume: bool,
        memory: int,
        checkpoint_every: float,
        watch: Watcher | None,
    ) -> Space:
        """Train to the end, with the output held."""
        if paths and resume and paths.checkpoint.exists():
            checkpoints.check(paths.checkpoint, self.identity)  # before anything is counted
        trainer = self._trainer(threads, memory, paths)
        if paths and not resume:
            checkpoints.remove(paths.checkpoint)
        with blas_threads(trainer.blas_threads):
            try:
                run(
                    trainer,
                    checkpoint=None if paths is None else paths.checkpoint,
                    identity=self.identity,
                    resume=resume,
                    every=checkpoint_every,
                    watch=watch,
                    label=f"training {self.settings.model}, {self.settings.solver}",
                )
            except DivergedTrainingError as error:
                if paths and error.recovered:
                    space = trainer.space()
                    record = space.provenance.then("training diverged; this is its last good state")
                    kept = replace(space, provenance=record)
                    save(kept, paths.output, format="native", force=True)
                    paths.clean_up()
                    raise DivergedTrainingError(
                        f"{error} ({paths.output} holds it)", recovered=True
                    ) from error
                if paths:
                    paths.clean_up()
                raise
            space = self._within_bounds(trainer.space())
        if paths:
            save(space, paths.output, format="native", force=True)  # checked before the work
            paths.clean_up()
        return space

    def _within_bounds(self, space: Space) -> Space:
        """Keep v.u at most log N, the largest PMI that N counts can give.

        Beyond it are only words that diverged, such as those of a bare minimum that is at infinity.
        """
        assert space.context is not None
        assert space.marginal is not None
        limit = math.log(space.marginal.sum())
        ids, highest = scores_beyond(space.target, space.context, limit)
        if not len(ids):
            return space
        target = np.array(space.target)
        target[ids] *= (np.float32(limit) / highest)[:, None]
        record = space.provenance.then(
            f"shortened {len(ids):,} vectors after the losses: no v.u above log N"
        )
        return replace(space, target=target, provenance=record)

    def _trainer(self, threads: int, memory: int, paths: OutputPaths | None) -> Trainer:
        """Make the trainer; count the text first where it must be counted."""
        settings = self.settings
        if isinstance(self.source, Corpus) and _reads_text(settings):
            return SampledSGNS(self.source, self.words, settings, threads, memory)
        counts = self.source
        if isinstance(counts, Corpus):
            counts = self._count(counts, memory, threads, None if paths is None else paths.counts)
        counts = counts.loaded(memory)
        if settings.solver == Solver.EXACT:
            kind = ExactSGNS if settings.model == Model.SGNS else ExactGloVe
            trainer: ExactTrainer = kind(counts, settings, threads, memory)
            if self.chooses_prior and trainer.holds_out:
                return PriorPath(trainer, prior_path(settings.model, counts.total))
            return trainer
        return SampledGloVe(counts, settings, threads, memory)

    def _count(
        self, corpus: Corpus, memory: int, threads: int, output: Path | None
    ) -> Cooccurrence:
        """Count the text, or open what an interrupted run has counted of the same."""
        asked: dict[str, Any] = {
            "window": self.settings.window,
            "weights": self.weights,
            "sample": self.settings.sample,
            "held_out": _blocks_held_out(self.settings) or None,
        }
        if output is not None and is_folder_of(output, KIND):
            same = {**asked, "corpus_key": corpus.key}
            with suppress(FileError):  # damaged ones are counted again
                kept = load_counts(output)
                if kept.vocabulary.words == self.words.words and all(
                    kept.settings.get(name) == value for name, value in same.items()
                ):
                    return kept
        return count(
            corpus,
            vocabulary=self.words,
            memory=memory,
            threads=threads,
            output=output,
            force=True,
            **asked,
        )


def _plan_for_corpus(
    corpus: Corpus, words: Vocabulary, settings: Settings, weights: str | None
) -> TrainingJob:
    if len(words) < 2:
        raise AndornotError(
            f"only one word, {words.word(0)!r}, is left to train on; lower "
            f"{option('min_count')}, raise {option('max_size')}, or take "
            f"{option('tokenizer', 'words')} for text that people wrote"
        )
    words = count_words(corpus, words, corpus.numbers_in(words))
    chosen = choose_solver(settings, len(words), corpus.size)
    resolved = replace(settings, solver=chosen.solver).resolved(_tokens_of(words))
    if resolved.window != LINE_WINDOW and corpus.size <= resolved.window_size:
        raise AndornotError(
            f"the corpus has {corpus.size} tokens, and a window of {resolved.window} words takes "
            "more; take more text or a smaller window"
        )
    default = WindowWeighting.LINEAR if resolved.model == Model.SGNS else WindowWeighting.HARMONIC
    weights = window_weights(resolved.window, weights, default.value)
    if _reads_text(resolved) and weights != WindowWeighting.LINEAR:
        raise UsageError(
            f"sampled SGNS has word2vec's shrinking window, whose weights are linear, not "
            f"{weights}; take {option('solver', 'exact')} for others"
        )
    _check_size(resolved, words)
    if resolved.model == Model.SGNS:
        size = len(corpus.tokens)
        if settings.held_out:
            check_held_out(size, settings.held_out)
        if settings.held_out is None:
            resolved = replace(resolved, held_out=default_every(size))
    return TrainingJob(
        corpus,
        resolved,
        words,
        weights,
        corpus.key,
        chosen.reason,
        _chooses_prior(settings, resolved),
    )


def _plan_for_counts(counts: Cooccurrence, settings: Settings, weights: str | None) -> TrainingJob:
    if _reads_text(settings):
        raise UsageError(
            "sampled SGNS reads the text itself, and these are counts; name the corpus, or "
            f"take {option('solver', 'exact')}"
        )
    known = counts.settings
    asked = {"window": settings.window, "sample": settings.sample, "weights": weights}
    held_out = known.get("held_out") or 0  # what older counts don't say
    if settings.model == Model.SGNS and settings.held_out not in (None, held_out):
        raise UsageError(
            f"held_out is {settings.held_out}, and the counts were made with held_out {held_out}; "
            "count again, or leave it off"
        )
    for name, value in asked.items():
        if value is not None and value != known[name]:
            raise UsageError(
                f"{name} is {value}, and the counts were made with {name} {known[name] or 'none'}; "
                "count again, or ask for what they have"
            )
    chosen = choose_solver(settings)
    resolved = replace(
        settings, solver=chosen.solver, window=known["window"], sample=known["sample"]
    ).resolved(_tokens_of(counts.vocabulary))
    if settings.model == Model.SGNS:
        resolved = replace(resolved, held_out=0 if counts.held_out is None else held_out)
    elif not one_in_of(counts.pairs):
        resolved = replace(resolved, held_out=0)
    _check_size(resolved, counts.vocabulary)
    return TrainingJob(
        counts,
        resolved,
        counts.vocabulary,
        known["weights"],
        known["corpus_key"],
        chosen.reason,
        _chooses_prior(settings, resolved),
    )


def _tokens_of(words: Vocabulary) -> float:
    """Return how many tokens of the text are words of the vocabulary."""
    assert words.counts is not None  # they were counted in the text
    return float(words.counts.values.sum())


def _chooses_prior(settings: Settings, resolved: ResolvedSettings) -> bool:
    """Whether the held-out loss chooses the prior: none is given, and something is held out."""
    exact = resolved.solver == Solver.EXACT
    return exact and settings.prior is None and bool(resolved.held_out)


def _blocks_held_out(settings: ResolvedSettings) -> int:
    """Of how many blocks of the text one is held out; 0 for none, and for GloVe."""
    return settings.held_out if settings.model == Model.SGNS else 0


def _reads_text(settings: Settings) -> bool:
    return (settings.model, settings.solver) == (Model.SGNS, Solver.SAMPLED)


def _check_size(settings: ResolvedSettings, words: Vocabulary) -> None:
    if settings.solver == Solver.EXACT and settings.dim > len(words):
        raise AndornotError(
            f"dim is {settings.dim} and there are {len(words):,} words; the exact solver needs as "
            f"many words as dimensions; lower {option('dim')} or {option('min_count')}"
        )
