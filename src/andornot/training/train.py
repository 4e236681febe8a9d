"""The one door to all trainers: text or counts in, a space out."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import asdict, replace
from os import PathLike
from pathlib import Path
from typing import Any

from andornot.choices import Model, Solver, Weights
from andornot.cooccurrence import Cooccurrence, count
from andornot.cooccurrence.counting import DEFAULT_MEMORY
from andornot.corpus import Corpus
from andornot.errors import AndornotError, FileError
from andornot.files import Progress
from andornot.formats import SUFFIXES, save
from andornot.kernels import thread_count
from andornot.space import Space
from andornot.training import checkpoints
from andornot.training.glove import ExactGloVe, SampledGloVe
from andornot.training.running import DivergedTrainingError, run
from andornot.training.settings import Plan, Settings
from andornot.training.sgns_exact import ExactSGNS
from andornot.training.sgns_sampled import SampledSGNS
from andornot.training.threads import warn_of_too_many
from andornot.training.trainer import Trainer, Watcher
from andornot.vocabulary import Vocabulary

TOKENS_PER_WORD = 100
"""Exact SGNS pays where the text has so many tokens for each word of the vocabulary.

See docs/training.md for the measurements: an exact iteration takes time in proportion to the
vocabulary, and about five of them reach the loss of five epochs of sampled training.
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
    settings.check()
    place = None if output is None else check_output(Path(output), resume, force)
    number = thread_count(threads)
    if number < 1:
        raise AndornotError(f"threads is {number}; it must be at least 1")
    warn_of_too_many(number)
    counted = None if place is None else place.with_name(f".{place.name}.counts")
    trainer: Trainer
    if isinstance(source, Corpus):
        words = vocabulary if vocabulary is not None else source.choose(min_count, max_size)
        plan = replace(settings, solver=choose_solver(settings, words, source.size)).filled()
        if source.size <= plan.window:
            raise AndornotError(
                f"the corpus has {source.size} tokens, and a window of {plan.window} words "
                "takes more; take more text or a smaller window"
            )
        if plan.model == Model.SGNS and plan.solver == Solver.SAMPLED:
            _check_shrinking(weights)
            trainer = SampledSGNS(source, words, plan, number)
            identity = _identity(plan, words, source.key, Weights.LINEAR)
        else:
            counts = _count(source, words, plan, weights, memory, number, counted, counting)
            trainer, identity = _from_counts(counts, plan, number)
    else:
        _check_counts(source, settings, weights)
        plan = replace(
            settings,
            solver=choose_solver(settings),
            window=source.settings["window"],
            sample=source.settings["sample"],
        ).filled()
        trainer, identity = _from_counts(source, plan, number)
    checkpoint = None if place is None else checkpoints.checkpoint_of(place)
    if checkpoint is not None and not resume:
        checkpoints.remove(checkpoint)
    try:
        run(
            trainer,
            checkpoint=checkpoint,
            identity=identity,
            resume=resume,
            every=checkpoint_every,
            watch=watch,
        )
    except DivergedTrainingError as error:
        if place is None or not error.recovered:
            raise
        space = trainer.space()
        record = space.provenance.then("training diverged; this is its last good state")
        save(replace(space, provenance=record), place, format="native")
        raise AndornotError(f"{error} ({place} holds it)") from error
    space = trainer.space()
    if place is not None and checkpoint is not None and counted is not None:
        save(space, place, format="native")
        checkpoints.remove(checkpoint)
        shutil.rmtree(counted, ignore_errors=True)
    return space


def choose_solver(settings: Settings, words: Vocabulary | None = None, tokens: int = 0) -> Solver:
    """The solver that was asked for, or under `auto` the one that pays; no words: from counts.

    SGNS is exact on counts, and on a corpus whose vocabulary is small for its length; else sampled.
    GloVe is sampled: the exact minimum of its loss fits rare pairs too closely, and serves less
    well as vectors (docs/training.md has the figures).

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


def check_output(output: Path, resume: bool, force: bool) -> Path:
    """Stop before hours of work where its result could not be put."""
    if output.suffix in SUFFIXES and SUFFIXES[output.suffix] != "native":
        raise FileError(
            output,
            f"{output.suffix} has no room for all that is trained",
            "name it .safetensors, and convert it afterwards",
        )
    if output.exists() and not force:
        raise FileError(output, "it exists already", "add --force (force=True) to replace it")
    if not output.parent.is_dir():
        raise FileError(output, "its folder doesn't exist", "make the folder first")
    checkpoint = checkpoints.checkpoint_of(output)
    if checkpoints.exists(checkpoint) and not (resume or force):
        raise FileError(
            checkpoint,
            "an earlier run has left its state there",
            "go on with --resume, or start anew with --force",
        )
    return output.resolve()


def _check_shrinking(weights: str | None) -> None:
    if weights not in (None, Weights.LINEAR):
        raise AndornotError(
            f"sampled SGNS has word2vec's shrinking window, whose weights are linear, not "
            f"{weights}; take --solver exact for others"
        )


def _count(
    corpus: Corpus,
    words: Vocabulary,
    plan: Plan,
    weights: str | None,
    memory: int,
    threads: int,
    output: Path | None,
    progress: Progress | None,
) -> Cooccurrence:
    default = Weights.LINEAR if plan.model == Model.SGNS else Weights.HARMONIC
    return count(
        corpus,
        vocabulary=words,
        window=plan.window,
        weights=weights or default,
        sample=plan.sample,
        memory=memory,
        threads=threads,
        output=output,
        force=True,
        progress=progress,
    )


def _check_counts(counts: Cooccurrence, settings: Settings, weights: str | None) -> None:
    """Counts bring their window, weights and subsampling with them: what was asked must agree."""
    if settings.model == Model.SGNS and settings.solver == Solver.SAMPLED:
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


def _from_counts(counts: Cooccurrence, plan: Plan, threads: int) -> tuple[Trainer, dict[str, Any]]:
    size = len(counts.vocabulary)
    if plan.solver == Solver.EXACT and plan.dim > size:
        raise AndornotError(
            f"dim is {plan.dim} and there are {size:,} words; the exact solver needs as many words "
            "as dimensions: lower dim or the minimal count"
        )
    trainer: Trainer
    if plan.model == Model.SGNS:
        trainer = ExactSGNS(counts, plan, threads)
    elif plan.solver == Solver.EXACT:
        trainer = ExactGloVe(counts, plan, threads)
    else:
        trainer = SampledGloVe(counts, plan, threads)
    known = counts.settings
    return trainer, _identity(plan, counts.vocabulary, known["corpus_key"], known["weights"])


def _identity(plan: Plan, words: Vocabulary, corpus_key: str, weights: str) -> dict[str, Any]:
    """What a checkpoint must share with the run that goes on from it."""
    digest = hashlib.sha256(words.utf8.tobytes() + words.offsets.tobytes()).hexdigest()[:16]
    return {
        **asdict(plan),
        "weights": str(weights),
        "vocabulary": f"{len(words):,} words ({digest})",
        "corpus": corpus_key,
    }
