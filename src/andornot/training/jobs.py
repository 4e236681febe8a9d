"""Train vectors on a text or on counts: check the settings, choose the words and the solver."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike

from andornot.base.choices import LINE_WINDOW, Model, Solver, WindowWeighting
from andornot.base.errors import AndornotError, UsageError
from andornot.base.remedies import option
from andornot.cooccurrence import Cooccurrence
from andornot.cooccurrence.counting import DEFAULT_MEMORY, count_words
from andornot.cooccurrence.windows import window_weights
from andornot.corpus import Corpus, open_corpus
from andornot.corpus.blocks import check_held_out, default_every
from andornot.corpus.corpus import least_count
from andornot.corpus.token_lists import Paths, TokenLists
from andornot.space import Space
from andornot.training.glove import one_in_of
from andornot.training.output_paths import check_output_paths
from andornot.training.settings import ResolvedSettings, Settings
from andornot.training.solver_choice import choose_solver
from andornot.training.trainer import Watcher
from andornot.training.training_job import CHECKPOINT_EVERY, TrainingJob, reads_text
from andornot.words.vocabulary import Vocabulary


def train(
    source: Corpus | Cooccurrence | Paths | TokenLists,
    settings: Settings | None = None,
    *,
    weights: str | None = None,
    min_count: int | None = None,
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
        min_count: Leave out words of the corpus that are rarer; 5 by default.
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
    min_count: int | None = None,
    max_size: int | None = None,
    vocabulary: Vocabulary | None = None,
) -> TrainingJob:
    """Choose the words and the solver of a training.

    Args:
        source: The text, or its counts.
        settings: The settings of the training.
        weights: The weights of the distances in a window; default: those of the model.
        min_count: The smallest count of a word that is trained; 5 by default.
        max_size: The largest number of words; default: all.
        vocabulary: The words to train; default: chosen from the text.

    Raises:
        AndornotError: If the text or the counts don't fit the settings.
    """
    if isinstance(source, Cooccurrence):
        if vocabulary is not None:
            raise UsageError("counts fix the words; leave out vocabulary, or train on the corpus")
        least_count(min_count, max_size, "counts fix")
        return _plan_for_counts(source, settings, weights)
    least = least_count(min_count, max_size, None if vocabulary is None else "vocabulary fixes")
    words = source.choose(least, max_size) if vocabulary is None else vocabulary
    return _plan_for_corpus(source, words, settings, weights)


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
    resolved = replace(settings, solver=chosen.solver).resolved(_tokens_of(words), len(words))
    if resolved.window != LINE_WINDOW and corpus.size <= resolved.window_size:
        raise AndornotError(
            f"the corpus has {corpus.size} tokens, and a window of {resolved.window} words takes "
            "more; take more text or a smaller window"
        )
    default = WindowWeighting.LINEAR if resolved.model == Model.SGNS else WindowWeighting.HARMONIC
    weights = window_weights(resolved.window, weights, default.value)
    if reads_text(resolved) and weights != WindowWeighting.LINEAR:
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
    if reads_text(settings):
        raise UsageError(
            "sampled SGNS reads the text itself, and these are counts; name the corpus, or "
            f"take {option('solver', 'exact')}"
        )
    known = counts.settings
    asked = {"window": settings.window, "sample": settings.sample, "weights": weights}
    held_out = known.get("held_out") or 0  # older counts have no such setting
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
    chosen = choose_solver(settings, len(counts.vocabulary))
    resolved = replace(
        settings, solver=chosen.solver, window=known["window"], sample=known["sample"]
    ).resolved(_tokens_of(counts.vocabulary), len(counts.vocabulary))
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
    """Return whether the held-out loss chooses the prior: no prior, but something held out."""
    exact = resolved.solver == Solver.EXACT
    return exact and settings.prior is None and bool(resolved.held_out)


def _check_size(settings: ResolvedSettings, words: Vocabulary) -> None:
    if settings.solver == Solver.EXACT and settings.dim > len(words):
        raise AndornotError(
            f"dim is {settings.dim} and there are {len(words):,} words; the exact solver needs as "
            f"many words as dimensions; lower {option('dim')} or {option('min_count')}"
        )
