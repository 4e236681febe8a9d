"""Counting co-occurrences: in chunks of the stream, each to a sorted run, then a merge.

A chunk is counted row by row (see `windows`), so that a run is sorted as it is written. One chunk
is enough for most corpora; then its run is the result. The size of a chunk follows from the memory
that may be used, and changes nothing in the counts.
"""

from __future__ import annotations

import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.cooccurrence.runs import Job, plan_memory
from andornot.cooccurrence.store import KIND, Cooccurrence, Memory, load_counts, write_rest
from andornot.cooccurrence.windows import keep_probabilities, weights_by_distance
from andornot.corpus.corpus import Corpus, digest_of
from andornot.counts import Counts, CountsOrigin
from andornot.errors import FileError
from andornot.files import Progress, writing
from andornot.folders import new_folder, recover
from andornot.kernels import thread_count
from andornot.vocabulary import Vocabulary

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
    progress: Progress | None = None,
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
    words = _with_counts_of(corpus, words, numbers)
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
    with ExitStack() as stack:
        if output is None:
            work = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="andornot-")))
        else:
            output = Path(output)
            check_output(output, force)
            work = _work_folder(output, [settings, digest_of(words.words), plan.chunk])
        pool = stack.enter_context(ThreadPoolExecutor(plan.threads))
        job = Job(work, len(words), weighting, keep, plan, pool, progress)
        stack.enter_context(writing(work))
        finish = job.count(corpus, numbers, unit)
        if output is None:
            kept = Memory()
            row_starts, marginal = finish(kept)
            columns, values = kept.take("columns"), kept.take("values")
            return Cooccurrence(words, row_starts, columns, values, marginal, settings)
        with new_folder(output) as writer:
            row_starts, marginal = finish(writer)
            write_rest(writer, words, row_starts, marginal)
            writer.finish(KIND, {"settings": settings})
        shutil.rmtree(work.parent, ignore_errors=True)
    return load_counts(output)


def check_output(output: Path, force: bool) -> None:
    """Stop early where the counts could not be put in their place in the end."""
    recover(output)
    if output.exists() and not force:
        raise FileError(output, "it exists already", "add --force (force=True) to replace it")
    if not output.resolve().parent.is_dir():
        raise FileError(output, "its folder doesn't exist", "make the folder first")


def _with_counts_of(
    corpus: Corpus, words: Vocabulary, numbers: npt.NDArray[np.int32]
) -> Vocabulary:
    """The vocabulary with its counts in this corpus, wherever it came from."""
    own = corpus.vocabulary.counts
    assert own is not None
    known = numbers >= 0
    values = np.zeros(len(words))
    values[numbers[known]] = own.values[known]
    return words.with_counts(Counts(values, CountsOrigin.TRAINING, "counted in the corpus"))


def _work_folder(output: Path, settings: Any) -> Path:
    """Where an interrupted run of the same settings has left its parts; parts of others go."""
    home = output.with_name(f".{output.name}.parts")
    work = home / digest_of(settings)
    with writing(output):
        if home.exists():
            for other in home.iterdir():
                if other != work:
                    shutil.rmtree(other, ignore_errors=True)
        work.mkdir(parents=True, exist_ok=True)
    return work
