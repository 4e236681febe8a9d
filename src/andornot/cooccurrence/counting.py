"""Counting co-occurrences: in chunks of the stream, each to a sorted run, then a merge.

A chunk is counted row by row (see `windows`), so that a run is sorted as it is written. One chunk
is enough for most corpora; then its run is the result. The size of a chunk follows from the memory
that may be used, and changes nothing in the counts.
"""

from __future__ import annotations

import shutil
import tempfile
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError, AndornotWarning, FileError
from andornot.base.files import writing
from andornot.base.folders import locked, new_folder
from andornot.base.outputs import check_output
from andornot.base.parallel import thread_count
from andornot.base.progress import stage
from andornot.cooccurrence.runs import Job, plan_memory
from andornot.cooccurrence.store import (
    KIND,
    Cooccurrence,
    Memory,
    load_counts,
    write_rest,
)
from andornot.cooccurrence.windows import keep_probabilities, reach_of, weights_by_distance
from andornot.corpus.corpus import Corpus, digest_of
from andornot.words.counts import Counts, CountsOrigin
from andornot.words.vocabulary import Vocabulary

DEFAULT_MEMORY = 4 << 30


def count(
    corpus: Corpus,
    *,
    vocabulary: Vocabulary | None = None,
    min_count: int = 5,
    max_size: int | None = None,
    window: int = 5,
    weights: str = "linear",
    sample: float | None = None,
    memory: int = DEFAULT_MEMORY,
    threads: int | None = None,
    output: str | PathLike[str] | None = None,
    force: bool = False,
) -> Cooccurrence:
    """Count how often words stand within `window` words of each other, on both sides.

    Words outside the vocabulary (`vocabulary`, or those that come `min_count` times, at most
    `max_size`) are removed before windows are laid. `weights` are "flat", "linear" or "harmonic"
    in the distance. With `sample`, the expected counts under word2vec's subsampling.
    With `output`, the counts go to a folder and are mapped from there; an interrupted run goes on
    where it stopped. About `memory` bytes are used, whatever the size of the corpus.

    >>> from andornot.corpus import open_corpus
    >>> corpus = open_corpus(["examples/nursery.txt"], tokenizer="words")
    >>> count(corpus, min_count=3, window=2).total
    35.0
    """
    weighting, unit = weights_by_distance(weights, window)
    words = vocabulary if vocabulary is not None else corpus.choose(min_count, max_size)
    numbers = corpus.numbers_in(words)
    words = count_words(corpus, words, numbers)
    assert words.counts is not None
    plan = plan_memory(memory, len(words), thread_count(threads))
    settings = {
        "window": window,
        "weights": weights,
        "sample": sample,
        "min_count": min_count if vocabulary is None else None,
        "max_size": max_size if vocabulary is None else None,
        "vocabulary": "given" if vocabulary is not None else "of the corpus",
        "corpus": corpus.record.get("files", []),
        "corpus_key": corpus.key,
        "tokens": int(words.counts.values.sum()),
    }
    keep = np.empty(0) if sample is None else keep_probabilities(words.counts.values, sample)
    reach = reach_of(window, keep, words.counts.values)
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(plan.threads))
        report = stack.enter_context(stage("counting", corpus.size, "tokens"))
        if output is None:
            work = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="andornot-")))
            job = Job(work, len(words), weighting, keep, reach, plan, pool, report)
            kept = Memory()
            row_starts, marginal = job.count(corpus, numbers, unit)(kept)
            columns, values = kept.take("columns"), kept.take("values")
            return Cooccurrence(words, row_starts, columns, values, marginal, settings)
        target = check_output(output, force=force, kind=KIND)
        home = target.with_name(f".{target.name}.parts")
        with writing(output):
            home.mkdir(exist_ok=True)
        stack.enter_context(locked(home))
        work = _work_folder(home, [settings, digest_of(words.words), plan.chunk])
        job = Job(work, len(words), weighting, keep, reach, plan, pool, report)
        try:
            finish = job.count(corpus, numbers, unit)
            with new_folder(target, replace=force, work=work) as writer:
                row_starts, marginal = finish(writer)
                write_rest(writer, words, row_starts, marginal)
                writer.finish(KIND, {"settings": settings})
        except FileError as error:
            raise AndornotError(
                f"{error}; what was counted so far is kept in {home} for the next try"
            ) from error
        except AndornotError:  # another try would end the same way
            shutil.rmtree(home, ignore_errors=True)
            raise
        shutil.rmtree(home, ignore_errors=True)
    return load_counts(target)


def count_words(corpus: Corpus, words: Vocabulary, numbers: npt.NDArray[np.int32]) -> Vocabulary:
    """The vocabulary with its counts in this corpus, wherever it came from."""
    own = corpus.vocabulary.counts
    assert own is not None
    known = numbers >= 0
    values = np.zeros(len(words))
    values[numbers[known]] = own.values[known]
    unseen = int(np.count_nonzero(values == 0))
    if unseen:
        warnings.warn(
            f"{unseen:,} of the {len(words):,} words of the vocabulary never come in the corpus",
            AndornotWarning,
            stacklevel=3,
        )
    return words.with_counts(Counts(values, CountsOrigin.TRAINING, "counted in the corpus"))


def _work_folder(home: Path, settings: Any) -> Path:
    """Where an interrupted run of the same settings has left its parts; all others go."""
    work = home / digest_of(settings)
    for other in home.iterdir():
        if other.is_dir() and other != work:
            shutil.rmtree(other, ignore_errors=True)
    work.mkdir(exist_ok=True)
    for half_made in work.glob(".*.tmp"):
        shutil.rmtree(half_made, ignore_errors=True)
    return work
