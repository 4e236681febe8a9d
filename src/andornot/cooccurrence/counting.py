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
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.choices import WindowWeighting
from andornot.base.errors import AndornotError, AndornotWarning, FileError
from andornot.base.files import writing
from andornot.base.folders import locked, new_folder
from andornot.base.formatting import counted
from andornot.base.outputs import check_output
from andornot.base.parallel import thread_count
from andornot.base.progress import stage
from andornot.cooccurrence.row_blocks import ArrayEntries
from andornot.cooccurrence.runs import Finish, Job, MemoryPlan, plan_memory
from andornot.cooccurrence.store import (
    HELD_OUT,
    KIND,
    Cooccurrence,
    Memory,
    Prefixed,
    load_folder,
    write_rows,
    write_words,
)
from andornot.cooccurrence.windows import WindowPlan, plan_windows, window_weights
from andornot.corpus.blocks import TextPart, check_held_out
from andornot.corpus.corpus import Corpus, digest_of, least_count, open_corpus
from andornot.corpus.token_lists import Paths, TokenLists
from andornot.words.counts import Counts, CountsOrigin
from andornot.words.vocabulary import Vocabulary

DEFAULT_MEMORY = 4 << 30


def count(
    source: Corpus | Paths | TokenLists,
    *,
    vocabulary: Vocabulary | None = None,
    min_count: int | None = None,
    max_size: int | None = None,
    window: int | str = 5,
    weights: str | None = None,
    sample: float | None = None,
    held_out: int | None = None,
    memory: int = DEFAULT_MEMORY,
    threads: int | None = None,
    output: str | PathLike[str] | None = None,
    force: bool = False,
) -> Cooccurrence:
    """Count how often words occur within `window` words of each other, on both sides.

    Args:
        source: The text: a corpus, or what `open_corpus` makes one of. Words outside the
            vocabulary are removed before windows are laid.
        vocabulary: The words to count. Default: those that occur `min_count` times, at most
            `max_size`.
        min_count: Leave out words that are rarer; 5 by default.
        max_size: Keep at most this many words, the most frequent ones; default: all.
        window: Words on each side; or "line" to count every pair of a line, for items without an
            order. In a line of over 1,001 items, those more than 1,000 apart are not counted.
        weights: "flat", "linear" or "harmonic" in the distance. Default: linear, and flat for a
            line.
        sample: Count what is expected under word2vec's subsampling with this threshold.
        held_out: Keep every n-th block of 10,000 tokens apart, and count it by itself: the
            `held_out` of the result. Default, and 0: none.
        memory: About how many bytes may be used, whatever the size of the corpus.
        threads: Default: all cores.
        output: Write the counts to this folder and map them from there. An interrupted run goes on
            where it stopped.
        force: Replace existing counts.

    >>> from andornot.corpus import open_corpus
    >>> corpus = open_corpus(["examples/nursery.txt"], tokenizer="words")
    >>> count(corpus, min_count=3, window=2).total
    35.0
    >>> baskets = [["bread", "butter", "jam"], ["bread", "butter"]]
    >>> count(baskets, min_count=1, window="line").matrix().toarray().tolist()
    [[0.0, 2.0, 1.0], [2.0, 0.0, 1.0], [1.0, 1.0, 0.0]]
    """
    if output is not None:
        check_output(output, force=force, kind=KIND)  # before a text is read
    given = vocabulary is not None
    least = least_count(min_count, max_size, "vocabulary fixes" if given else None)
    corpus = source if isinstance(source, Corpus) else open_corpus(source, threads=threads)
    weights = window_weights(window, weights, WindowWeighting.LINEAR.value)
    held_out = held_out or None
    if held_out is not None:
        check_held_out(len(corpus.tokens), held_out)
    words = vocabulary if vocabulary is not None else corpus.choose(least, max_size)
    chosen = {
        "min_count": None if given else least,
        "max_size": max_size,
        "vocabulary": "given" if given else "of the corpus",
    }
    work = _Work.plan(corpus, words, window, weights, sample, held_out, chosen, memory, threads)
    if output is None:
        if held_out is None:
            return work.in_memory(None)
        apart = work.in_memory(TextPart(held_out, held_out=True))
        rest = work.in_memory(TextPart(held_out, held_out=False))
        return replace(rest, held_out=apart if apart.pairs else None)
    return work.in_folder(output, force=force)


def count_held_out(
    corpus: Corpus,
    vocabulary: Vocabulary,
    every: int,
    *,
    window: int,
    sample: float | None,
    memory: int,
    threads: int,
) -> Cooccurrence:
    """Count only every n-th block of a text, with linear weights, as `count` holds it out.

    Args:
        corpus: The text.
        vocabulary: The words, with their counts.
        every: n, the distance between two blocks.
        window: The largest distance of two words.
        sample: The threshold of subsampling, or None.
        memory: The number of bytes to keep in memory.
        threads: The number of threads.
    """
    work = _Work.plan(corpus, vocabulary, window, "linear", sample, every, {}, memory, threads)
    return work.in_memory(TextPart(every, held_out=True))


@dataclass(frozen=True)
class _Work:
    """Counting with one set of settings: the words with their counts, and the sizes of the work."""

    corpus: Corpus
    words: Vocabulary
    numbers: npt.NDArray[np.int32]
    windows: WindowPlan
    sizes: MemoryPlan
    settings: dict[str, Any]

    @classmethod
    def plan(
        cls,
        corpus: Corpus,
        words: Vocabulary,
        window: int | str,
        weights: str,
        sample: float | None,
        held_out: int | None,
        chosen: dict[str, Any],
        memory: int,
        threads: int | None,
    ) -> _Work:
        """Check the settings, and plan the work.

        Args:
            corpus: The text.
            words: The words to count.
            window: The largest distance of two words, or "line".
            weights: The weights of the distances.
            sample: The threshold of subsampling, or None.
            held_out: The distance between two blocks that are held out, or None.
            chosen: The settings by which the words were chosen.
            memory: The number of bytes to keep in memory.
            threads: The number of threads; default: all cores.
        """
        numbers = corpus.numbers_in(words)
        words = count_words(corpus, words, numbers)
        assert words.counts is not None
        occurrences = words.counts.values
        windows = plan_windows(window, weights, sample, occurrences)
        settings = {
            "window": window,
            "weights": weights,
            "sample": sample,
            "held_out": held_out,
            **chosen,
            "corpus": corpus.record.get("files", []),
            "corpus_key": corpus.key,
            "tokens": int(occurrences.sum()),
        }
        sizes = plan_memory(memory, len(words), thread_count(threads))
        return cls(corpus, words, numbers, windows, sizes, settings)

    def in_memory(self, part: TextPart | None) -> Cooccurrence:
        """Count a part of the text; the counts are kept in memory."""
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="andornot-")))
            kept = Memory()
            row_starts, marginal = self._begin(stack, folder, part)(kept)
            entries = ArrayEntries(kept.take("columns"), kept.take("values"))
        return Cooccurrence(self.words, row_starts, entries, marginal, self.settings)

    def in_folder(self, output: str | PathLike[str], *, force: bool) -> Cooccurrence:
        """Count the text to a folder; its held-out blocks, if any, to arrays of their own."""
        every = self.settings["held_out"]
        parts: dict[str, TextPart | None] = {"": None}
        if every is not None:
            parts = {
                HELD_OUT: TextPart(every, held_out=True),
                "": TextPart(every, held_out=False),
            }
        target = check_output(output, force=force, kind=KIND)
        home = parts_folder(target)
        with writing(output):
            home.mkdir(exist_ok=True)
        with ExitStack() as stack:
            stack.enter_context(locked(home / "lock", Path(output)))
            chunk = self.sizes.chunk
            work = _work_folder(home, [self.settings, digest_of(self.words.words), chunk])
            try:
                with new_folder(target, replace=force, work=work) as writer:
                    for prefix, part in parts.items():
                        sink = Prefixed(writer, prefix)
                        with ExitStack() as inner:
                            finish = self._begin(inner, work / f"{prefix}part", part)
                            write_rows(sink, *finish(sink))
                    write_words(writer, self.words)
                    writer.finish(KIND, {"settings": self.settings})
            except FileError as error:
                raise AndornotError(
                    f"{error}; what was counted so far is kept in {home} for the next try"
                ) from error
            except AndornotError:  # another try would end the same way
                shutil.rmtree(home, ignore_errors=True)
                raise
            shutil.rmtree(home, ignore_errors=True)
        return load_folder(target)

    def _begin(self, stack: ExitStack, work: Path, part: TextPart | None) -> Finish:
        """Do all but the last step of counting a part of the text, in a folder of its own."""
        held_out = part is not None and part.held_out
        label = "counting what is held out" if held_out else "counting"
        size = self.corpus.size // part.every if part is not None and held_out else self.corpus.size
        pool = stack.enter_context(ThreadPoolExecutor(self.sizes.threads))
        report = stack.enter_context(stage(label, size, "tokens"))
        work.mkdir(exist_ok=True)
        job = Job(work, len(self.words), self.windows, self.sizes, pool, report, part)
        return job.count(self.corpus, self.numbers)


def count_words(corpus: Corpus, words: Vocabulary, numbers: npt.NDArray[np.int32]) -> Vocabulary:
    """Return the vocabulary with its counts in this corpus, wherever it came from."""
    own = corpus.vocabulary.counts
    assert own is not None
    known = numbers >= 0
    values = np.zeros(len(words))
    values[numbers[known]] = own.values[known]
    return with_corpus_counts(words, values)


def with_corpus_counts(words: Vocabulary, values: npt.NDArray[np.float64]) -> Vocabulary:
    """Return the vocabulary with these counts in a corpus; warn of words that never occur."""
    unseen = int(np.count_nonzero(values == 0))
    if unseen:
        warnings.warn(
            f"{unseen:,} of the {counted(len(words), 'word')} of the vocabulary never "
            f"{'occurs' if unseen == 1 else 'occur'} in the corpus",
            AndornotWarning,
            stacklevel=3,
        )
    return words.with_counts(Counts(values, CountsOrigin.TRAINING, "counted in the corpus"))


def parts_folder(target: Path) -> Path:
    """The folder for parts of counts that are not complete yet.

    >>> parts_folder(Path("counts")).name
    '.counts.parts'
    """
    return target.with_name(f".{target.name}.parts")


def _work_folder(home: Path, settings: Any) -> Path:
    """Return the parts of an interrupted run with the same settings; remove all others."""
    work = home / digest_of(settings)
    for other in home.iterdir():
        if other.is_dir() and other != work:
            shutil.rmtree(other, ignore_errors=True)
    work.mkdir(exist_ok=True)
    for half_made in work.rglob(".*.tmp"):
        shutil.rmtree(half_made, ignore_errors=True)
    return work
