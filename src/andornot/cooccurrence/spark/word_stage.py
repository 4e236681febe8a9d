"""The first stage of counting on Spark: the words of the text and how often they occur.

The driver receives only the words that are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from andornot.base.errors import AndornotError
from andornot.cooccurrence.counting import with_corpus_counts
from andornot.cooccurrence.spark.sessions import watched
from andornot.corpus.corpus import no_frequent_word, no_known_word
from andornot.words.counts import Counts, CountsOrigin
from andornot.words.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from andornot.cooccurrence.spark.tasks import TextForm


class FoundWords(NamedTuple):
    """The words of a text, and figures about it."""

    words: Vocabulary
    tokens: int
    phrases: int  # distinct ones that were merged
    record: dict[str, Any]  # how much of the text was not UTF-8


def count_words(
    session: SparkSession,
    lines: DataFrame,
    form: TextForm,
    vocabulary: Vocabulary | None,
    min_count: int,
    max_size: int | None,
) -> FoundWords:
    """Count the types of a text, and choose the words to count pairs of.

    Args:
        session: The session of Spark.
        lines: The lines of the text.
        form: The way of reading it.
        vocabulary: The words; default: the frequent ones.
        min_count: Leave out words that are rarer.
        max_size: Keep at most this many words, the most frequent ones.

    Raises:
        AndornotError: If no word is left.
    """
    from pyspark.sql import functions as sql

    from andornot.cooccurrence.spark import tasks

    def task(batches: Iterable[Any]) -> Iterator[Any]:
        from andornot.cooccurrence.spark import tasks

        return tasks.count_types(batches, form)

    types = (
        lines.mapInArrow(task, tasks.TYPES).groupBy("token").agg(sql.sum("count").alias("count"))
    )
    given = [] if vocabulary is None else [word.encode() for word in vocabulary.words]
    kept = _marked(session, types, set(given))
    if vocabulary is None:
        kept = kept.where(sql.col("asked") | (sql.col("count") >= min_count))
    else:
        kept = kept.where("asked")
    if max_size is not None:
        room = max_size + len(form.phrases) + len(tasks.FIGURES)
        kept = kept.orderBy(sql.desc("asked"), sql.desc("count"), "token").limit(room)
    with watched(session, "counting words"):
        table = kept.select("token", "count").toArrow()
    counts = dict(zip(table["token"].to_pylist(), table["count"].to_pylist(), strict=True))
    tokens = counts.pop(tasks.TOKENS, 0)
    record = {
        "broken_bytes": counts.pop(tasks.BROKEN_BYTES, 0),
        "broken_tokens": counts.pop(tasks.BROKEN_TOKENS, 0),
    }
    if not tokens:
        raise AndornotError(f"there are no tokens in {form.name}; the corpus is empty")
    merged = [name for name in counts if name.startswith(tasks.PHRASE)]
    for name in merged:
        del counts[name]
    if vocabulary is None:
        words = _chosen(counts, min_count, max_size)
        if words is None:
            others = _marked(session, types, set()).where(~sql.col("asked"))
            best = others.orderBy(sql.desc("count"), "token").first()
            assert best is not None
            raise no_frequent_word(min_count, best["token"].decode(), best["count"])
    else:
        if not any(word in counts for word in given):
            raise no_known_word(len(vocabulary))
        values = np.array([counts.get(word, 0) for word in given], dtype=np.float64)
        words = with_corpus_counts(vocabulary, values)
    return FoundWords(words, tokens, len(merged), record)


def _marked(session: SparkSession, types: DataFrame, words: set[bytes]) -> DataFrame:
    """Add a column `asked`: whether a type is one of these words, or a figure about the text."""
    import pyarrow as pa
    from pyspark.sql import functions as sql

    from andornot.cooccurrence.spark import tasks

    asked = sql.substring("token", 1, 1) == sql.lit(bytearray(tasks.FIGURE))
    if not words:
        return types.withColumn("asked", asked)
    tokens = pa.array(sorted(words), pa.binary())
    names = session.createDataFrame(pa.table({"token": tokens, "name": tokens}))
    joined = types.join(sql.broadcast(names), "token", "left")
    return joined.withColumn("asked", asked | sql.col("name").isNotNull())


def _chosen(counts: dict[bytes, int], min_count: int, max_size: int | None) -> Vocabulary | None:
    """Return the words that are frequent enough, the most frequent first, then by their bytes."""
    frequent = [word for word, count in counts.items() if count >= min_count]
    ordered = sorted(frequent, key=lambda word: (-counts[word], word))[:max_size]
    if not ordered:
        return None
    offsets = np.zeros(len(ordered) + 1, dtype=np.int64)
    np.cumsum([len(word) for word in ordered], out=offsets[1:])
    values = np.array([counts[word] for word in ordered], dtype=np.float64)
    origin = Counts(values, CountsOrigin.TRAINING, "counted in the corpus")
    return Vocabulary.from_utf8(np.frombuffer(b"".join(ordered), np.uint8), offsets, origin)
