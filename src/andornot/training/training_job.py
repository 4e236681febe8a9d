"""A training that is ready to run: from its source to the space it ends with."""

from __future__ import annotations

import hashlib
import math
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from andornot.base.choices import Model, Solver
from andornot.base.errors import FileError
from andornot.base.folders import is_folder_of
from andornot.base.outputs import check_output
from andornot.base.parallel import thread_count
from andornot.base.remedies import option, remedy
from andornot.cooccurrence import Cooccurrence, count, load_counts
from andornot.cooccurrence.counting import DEFAULT_MEMORY
from andornot.cooccurrence.store import KIND
from andornot.corpus import Corpus
from andornot.formats import save
from andornot.space import Space
from andornot.training import checkpoints
from andornot.training.balancing import scores_beyond
from andornot.training.durations import training_seconds
from andornot.training.glove import SampledGloVe
from andornot.training.glove_exact import ExactGloVe
from andornot.training.output_paths import OutputPaths
from andornot.training.prior_path import PriorPath, prior_path
from andornot.training.running import DivergedTrainingError, run
from andornot.training.settings import ResolvedSettings, Settings
from andornot.training.sgns_exact import ExactSGNS
from andornot.training.sgns_sampled import SampledSGNS
from andornot.training.threads import blas_threads, warn_of_too_many
from andornot.training.trainer import ExactTrainer, Trainer, Watcher
from andornot.words.vocabulary import Vocabulary

CHECKPOINT_EVERY = 120.0  # seconds


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
        """The settings that a checkpoint must share with a run that resumes from it."""
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
        """Train to the end.

        Args:
            paths: The output, checked before; default: the space is only returned.
            resume: Go on from the checkpoint.
            threads: The number of threads; default: all cores.
            memory: The number of bytes for counts in memory.
            checkpoint_every: The seconds between two checkpoints.
            watch: A function that is called after each step.
        """
        number = thread_count(threads)
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
                    self._check_output(trainer, paths)
                    space = trainer.space()
                    record = space.provenance.then("training diverged; this is its last good state")
                    kept = replace(space, provenance=record)
                    save(kept, paths.output, format="native", force=paths.force)
                    paths.clean_up()
                    raise DivergedTrainingError(
                        f"{error} ({paths.output} holds it)", recovered=True
                    ) from error
                if paths:
                    paths.clean_up()
                raise
            if paths:
                self._check_output(trainer, paths)  # before the vectors are changed in place
            space = self._within_bounds(trainer.space())
        if paths:
            save(space, paths.output, format="native", force=paths.force)
            paths.clean_up()
        return space

    def _check_output(self, trainer: Trainer, paths: OutputPaths) -> None:
        """Check the output again; if it can't be written, save the trained state.

        Raises:
            FileError: If it can't be written, such as one that another program has created.
        """
        try:
            check_output(paths.output, force=paths.force)
        except FileError as error:
            checkpoints.save(paths.checkpoint, trainer, self.identity)
            again = remedy(python="train again", command="give the same command")
            raise FileError(
                paths.output,
                error.problem,
                f"what was trained is kept in {paths.checkpoint}: make room for the output, then "
                f"{again} with {option('resume', True)}",
            ) from error

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
        if isinstance(self.source, Corpus) and reads_text(settings):
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
        """Count the text, or open the counts that an interrupted run has made of it."""
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


def reads_text(settings: Settings) -> bool:
    """Return whether the solver reads the text itself, instead of its counts."""
    return (settings.model, settings.solver) == (Model.SGNS, Solver.SAMPLED)


def _blocks_held_out(settings: ResolvedSettings) -> int:
    """Return of how many blocks of the text one is held out; 0 for none, and for GloVe."""
    return settings.held_out if settings.model == Model.SGNS else 0
