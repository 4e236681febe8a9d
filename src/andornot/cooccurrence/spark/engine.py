"""Counting on Spark: words first, then pairs, then a folder of Parquet that `load_counts` opens."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from andornot.base.choices import Tokenizer, WindowWeighting
from andornot.base.errors import UsageError
from andornot.base.remedies import option
from andornot.cooccurrence.runs import plan_memory
from andornot.cooccurrence.spark.output_folders import OutputFolder
from andornot.cooccurrence.spark.pair_stage import MOST_RANGES, count_pairs
from andornot.cooccurrence.spark.record_stage import RecordStage
from andornot.cooccurrence.spark.sessions import configured, one_line_errors
from andornot.cooccurrence.spark.word_stage import count_words
from andornot.cooccurrence.windows import plan_windows, window_weights
from andornot.corpus.corpus import check_separator, digest_of, least_count
from andornot.corpus.encoding import check_broken, named, report_broken
from andornot.corpus.phrase_merging import split_phrases
from andornot.corpus.reading import STANDARD_INPUT
from andornot.words.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from andornot.cooccurrence.spark.tasks import TextForm

TASK_MEMORY = 512 << 20


class SparkCounts(NamedTuple):
    """Counts that were written by Spark: where, and how many."""

    address: str
    vocabulary: Vocabulary
    pairs: int
    tokens: int
    phrases: int  # that were found in the text


def count_on_spark(
    paths: Sequence[str | PathLike[str]],
    output: str | PathLike[str],
    session: SparkSession,
    *,
    vocabulary: Vocabulary | None = None,
    min_count: int | None = None,
    max_size: int | None = None,
    window: int | str = 5,
    weights: str | None = None,
    sample: float | None = None,
    tokenizer: str = "whitespace",
    separator: str | None = None,
    strict: bool = False,
    without_markup: bool = False,
    phrases: Iterable[str] | None = None,
    memory: int = TASK_MEMORY,
    partitions: int | None = None,
    force: bool = False,
) -> SparkCounts:
    """Count the words and pairs of a text on a cluster, and write them as Parquet.

    The counts are those of `open_corpus`, `merge_phrases` and `count`, bit by bit, whatever the
    number of tasks.

    Args:
        paths: Files, folders or patterns, at any address and in any compression that Spark reads.
        output: The folder to write, at any address that Spark writes.
        session: The session of Spark; `spark_session` opens one.
        vocabulary: The words to count. Default: those that occur `min_count` times, at most
            `max_size`.
        min_count: Leave out words that are rarer; 5 by default.
        max_size: Keep at most this many words, the most frequent ones; default: all.
        window: Words on each side, or "line"; see `count`.
        weights: "flat", "linear" or "harmonic" in the distance. Default: linear, flat for a line.
        sample: Count what is expected under word2vec's subsampling with this threshold.
        tokenizer: "whitespace", or "words" for lower-case words.
        separator: One character that separates the tokens of a line, instead of white space.
        strict: Refuse bytes that are not UTF-8.
        without_markup: Remove templates, tags, entities and URLs that are left in the text.
        phrases: Merge each of these into one token.
        memory: About how many bytes of a worker one task may use.
        partitions: The number of ranges of rows, and of files. Default: by the expected number of
            pairs, at least one for each core.
        force: Replace existing counts.

    Raises:
        AndornotError: If the settings are not valid, or Spark fails.
    """
    from andornot.cooccurrence.spark.tasks import TextForm

    if not paths or STANDARD_INPUT in map(str, paths):
        raise UsageError("Spark reads files: name some, or count standard input without it")
    if tokenizer not in tuple(Tokenizer):
        raise UsageError(f"unknown tokenizer {tokenizer!r}; choose one of {', '.join(Tokenizer)}")
    if partitions is not None and not 1 <= partitions <= MOST_RANGES:
        raise UsageError(
            f"{option('partitions')} must be from 1 to {MOST_RANGES:,}, got {partitions}"
        )
    chosen = vocabulary is None
    least = least_count(min_count, max_size, None if chosen else "vocabulary fixes")
    weights = window_weights(window, weights, WindowWeighting.LINEAR.value)
    plan_windows(window, weights, sample, np.ones(1))  # refuses what is not valid
    names = [str(path) for path in paths]
    form = TextForm(
        named(names),
        tokenizer,
        check_separator(separator, tokenizer),
        without_markup,
        tuple(split_phrases(phrases)) if phrases is not None else (),
        option("py_archive"),
    )
    with one_line_errors(form.name), configured(session):
        folder = OutputFolder(session, str(output))
        folder.check(force=force)
        lines = _read_lines(session, names)
        found = count_words(session, lines, form, vocabulary, least, max_size)
        check_broken(names, found.record, strict=strict)
        report_broken(names, found.record)
        words = found.words
        assert words.counts is not None
        occurrences = words.counts.values
        windows = plan_windows(window, weights, sample, occurrences)
        settings = {
            "window": window,
            "weights": weights,
            "sample": sample,
            "held_out": None,
            "min_count": least if chosen else None,
            "max_size": max_size,
            "vocabulary": "of the corpus" if chosen else "given",
            "corpus": names,
            "corpus_key": _corpus_key(form, words),
            "tokens": int(occurrences.sum()),
        }
        try:
            plan = plan_memory(memory, len(words), 1)
            address = folder.child(folder.pairs)
            pairs = count_pairs(session, lines, form, words, windows, plan, partitions, address)
            RecordStage(session, folder).write(words, windows.unit, pairs, settings)
        except BaseException:
            folder.give_up()
            raise
    return SparkCounts(folder.address, words, pairs, found.tokens, found.phrases)


def _read_lines(session: SparkSession, names: list[str]) -> DataFrame:
    """Return the lines of a text as bytes, each with its end."""
    from pyspark.sql import functions

    reader = session.read.option("lineSep", "\n").option("recursiveFileLookup", "true")
    line = functions.col("value").cast("binary")
    return reader.text(names).select(functions.concat(line, functions.lit(bytearray(b"\n"))))


def _corpus_key(form: TextForm, words: Vocabulary) -> str:
    """Return a digest of how the text was read and of its words with their counts."""
    assert words.counts is not None
    digest = hashlib.sha256(words.utf8.tobytes())
    digest.update(words.counts.values.tobytes())
    way = [form.tokenizer, form.separator.hex(), form.without_markup, form.phrases]
    return digest_of(["spark", way, digest.hexdigest()])
