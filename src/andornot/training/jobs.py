"""The one door to all trainers: text or counts in, a space out."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from andornot.base.choices import Model, Solver, WindowWeighting
from andornot.base.errors import AndornotError
from andornot.base.files import Progress
from andornot.base.folders import is_folder_of
from andornot.base.parallel import thread_count
from andornot.cooccurrence import Cooccurrence, count, load_counts
from andornot.cooccurrence.counting import DEFAULT_MEMORY, count_words
from andornot.cooccurrence.store import KIND
from andornot.corpus import Corpus
from andornot.formats import save
from andornot.space import Space
from andornot.training import checkpoints
from andornot.training.glove import ExactGloVe, SampledGloVe
from andornot.training.output_paths import OutputPaths, check_output_paths
from andornot.training.running import DivergedTrainingError, run
from andornot.training.settings import ResolvedSettings, Settings
from andornot.training.sgns_exact import ExactSGNS
from andornot.training.sgns_sampled import SampledSGNS
from andornot.training.threads import blas_threads, warn_of_too_many
from andornot.training.trainer import Trainer, Watcher
from andornot.words.vocabulary import Vocabulary

TOKENS_PER_WORD = 100
"""Exact SGNS pays where the text has so many tokens for each word of the vocabulary.

An exact iteration takes time in proportion to the vocabulary, sampled training to the text. It was
measured down to 209 tokens for each word, where exact takes half the time of five sampled epochs to
their loss (results/training-crossover.md); by its growth both take the same at about 120.
"""


def train(
    source: Corpus | Cooccurrence,
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
    checkpoint_every: float = 120.0,
    counting: Progress | None = None,
    watch: Watcher | None = None,
) -> Space:
    """Train vectors on a corpus, or on counts of one; every trainer but sampled SGNS takes both.

    `weights`, where given, must be those of the counts, or are those to count with: by default
    linear for SGNS (word2vec's) and harmonic for GloVe. `min_count`, `max_size` and `vocabulary`
    choose the words of a corpus. With `output`, the space is written there at the end, the state is
    saved beside it every `checkpoint_every` seconds, and `resume` goes on from there.

    >>> from andornot.corpus import open_corpus
    >>> corpus = open_corpus(["examples/nursery.txt"], tokenizer="words")
    >>> space = train(corpus, Settings(dim=4, epochs=2), min_count=2, threads=1)
    >>> space.dim, space.context is not None, space.provenance.negatives
    (4, True, 15)
    """
    settings = settings or Settings()
    places = None if output is None else check_output_paths(output, resume, force)
    number = thread_count(threads)
    if number < 1:
        raise AndornotError(f"threads is {number}; it must be at least 1")
    warn_of_too_many(number)
    if isinstance(source, Corpus):
        words = source.choose(min_count, max_size) if vocabulary is None else vocabulary
        job = _job_of_corpus(source, words, settings, weights)
    else:
        job = _job_of_counts(source, settings, weights)
    if places and resume and places.checkpoint.exists():
        checkpoints.check(places.checkpoint, job.identity)  # before anything is counted
    trainer = _trainer(source, job, number, memory, places, counting)
    if places and not resume:
        checkpoints.remove(places.checkpoint)
    with blas_threads(trainer.blas_threads):
        try:
            run(
                trainer,
                checkpoint=None if places is None else places.checkpoint,
                identity=job.identity,
                resume=resume,
                every=checkpoint_every,
                watch=watch,
            )
        except DivergedTrainingError as error:
            if places and error.recovered:
                space = trainer.space()
                record = space.provenance.then("training diverged; this is its last good state")
                save(replace(space, provenance=record), places.output, format="native")
                places.clean_up()
                raise AndornotError(f"{error} ({places.output} holds it)") from error
            if places:
                places.clean_up()
            raise
        space = trainer.space()
    if places:
        save(space, places.output, format="native")
        places.clean_up()
    return space


def choose_solver(settings: Settings, words: Vocabulary | None = None, tokens: int = 0) -> Solver:
    """The solver that was asked for, or under `auto` the one that pays; no words: from counts.

    SGNS is exact on counts, and on a corpus whose vocabulary is small for its length; else sampled.
    GloVe is sampled: the exact minimum of its loss fits rare pairs too closely, and serves less
    well as vectors (`benchmarks/training.py glove` prints both).

    >>> choose_solver(Settings(dim=2), Vocabulary(["a", "b"]), tokens=1000)
    <Solver.EXACT: 'exact'>
    """
    if settings.solver != Solver.AUTO:
        return settings.solver
    if settings.model == Model.GLOVE:
        return Solver.SAMPLED
    if words is None:
        return Solver.EXACT
    fits = settings.dim <= len(words)
    pays = tokens >= TOKENS_PER_WORD * len(words)
    return Solver.EXACT if fits and pays else Solver.SAMPLED


@dataclass(frozen=True)
class _Job:
    """What is to be trained: the plan, the words, how distances weigh, and on which text."""

    plan: ResolvedSettings
    words: Vocabulary
    weights: str
    corpus_key: str

    @property
    def identity(self) -> dict[str, Any]:
        """What a checkpoint must share with the run that goes on from it."""
        words = self.words
        digest = hashlib.sha256(words.utf8.tobytes() + words.offsets.tobytes()).hexdigest()[:16]
        return {
            **asdict(self.plan),
            "weights": str(self.weights),
            "vocabulary": f"{len(words):,} words ({digest})",
            "corpus": self.corpus_key,
        }


def _job_of_corpus(
    corpus: Corpus, words: Vocabulary, settings: Settings, weights: str | None
) -> _Job:
    words = count_words(corpus, words, corpus.numbers_in(words))
    plan = replace(settings, solver=choose_solver(settings, words, corpus.size)).resolved()
    if corpus.size <= plan.window:
        raise AndornotError(
            f"the corpus has {corpus.size} tokens, and a window of {plan.window} words takes more; "
            "take more text or a smaller window"
        )
    if _reads_text(plan) and weights not in (None, WindowWeighting.LINEAR):
        raise AndornotError(
            f"sampled SGNS has word2vec's shrinking window, whose weights are linear, not "
            f"{weights}; take --solver exact for others"
        )
    default = WindowWeighting.LINEAR if plan.model == Model.SGNS else WindowWeighting.HARMONIC
    _check_size(plan, words)
    return _Job(plan, words, weights or default, corpus.key)


def _job_of_counts(counts: Cooccurrence, settings: Settings, weights: str | None) -> _Job:
    _check_counts(counts, settings, weights)
    known = counts.settings
    plan = replace(
        settings,
        solver=choose_solver(settings),
        window=known["window"],
        sample=known["sample"],
    ).resolved()
    _check_size(plan, counts.vocabulary)
    return _Job(plan, counts.vocabulary, known["weights"], known["corpus_key"])


def _reads_text(plan: Settings) -> bool:
    return (plan.model, plan.solver) == (Model.SGNS, Solver.SAMPLED)


def _check_size(plan: ResolvedSettings, words: Vocabulary) -> None:
    if plan.solver == Solver.EXACT and plan.dim > len(words):
        raise AndornotError(
            f"dim is {plan.dim} and there are {len(words):,} words; the exact solver needs as many "
            "words as dimensions: lower dim or the minimal count"
        )


def _trainer(
    source: Corpus | Cooccurrence,
    job: _Job,
    threads: int,
    memory: int,
    places: OutputPaths | None,
    progress: Progress | None,
) -> Trainer:
    """The trainer of a job; text is counted first where it must be."""
    if isinstance(source, Corpus) and _reads_text(job.plan):
        return SampledSGNS(source, job.words, job.plan, threads)
    counts = source
    if isinstance(counts, Corpus):
        output = None if places is None else places.counts
        counts = _count(counts, job, memory, threads, output, progress)
    if job.plan.model == Model.SGNS:
        return ExactSGNS(counts, job.plan, threads)
    if job.plan.solver == Solver.EXACT:
        return ExactGloVe(counts, job.plan, threads)
    return SampledGloVe(counts, job.plan, threads)


def _count(
    corpus: Corpus,
    job: _Job,
    memory: int,
    threads: int,
    output: Path | None,
    progress: Progress | None,
) -> Cooccurrence:
    """Count the text, or open what an interrupted run has counted of the same."""
    settings: dict[str, Any] = {
        "window": job.plan.window,
        "weights": job.weights,
        "sample": job.plan.sample,
    }
    if output is not None and is_folder_of(output, KIND):
        kept = load_counts(output)
        same = {**settings, "corpus_key": corpus.key}
        if kept.vocabulary.words == job.words.words and same.items() <= kept.settings.items():
            return kept
    return count(
        corpus,
        vocabulary=job.words,
        memory=memory,
        threads=threads,
        output=output,
        force=True,
        progress=progress,
        **settings,
    )


def _check_counts(counts: Cooccurrence, settings: Settings, weights: str | None) -> None:
    """Counts bring their window, weights and subsampling with them: what was asked must agree."""
    if _reads_text(settings):
        raise AndornotError(
            "sampled SGNS reads the text itself, and these are counts; name the corpus, or "
            "take --solver exact"
        )
    asked = {"window": settings.window, "sample": settings.sample, "weights": weights}
    for name, value in asked.items():
        if value is not None and value != counts.settings[name]:
            raise AndornotError(
                f"{name} is {value}, and the counts were made with {name} "
                f"{counts.settings[name] or 'none'}; count again, or ask for what they have"
            )
