"""The second stage of counting on Spark: the pairs of words, written by ranges of rows.

Each task counts the pairs of its part of the text and adds them up before anything is sent. Spark
then brings the fragments of each range together and sorts them by row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError
from andornot.cooccurrence.runs import MemoryPlan
from andornot.cooccurrence.spark.ranges import ENTRIES_PER_RANGE, expected_entries, plan_ranges
from andornot.cooccurrence.spark.sessions import watched
from andornot.cooccurrence.windows import WindowPlan
from andornot.words.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from andornot.cooccurrence.spark.tasks import TextForm

MOST_RANGES = 99_999
"""Spark numbers its files with five digits, and their order is that of their names."""

_ENTRIES_IN_A_ROW_GROUP = 1 << 20


def count_pairs(
    session: SparkSession,
    lines: DataFrame,
    form: TextForm,
    words: Vocabulary,
    windows: WindowPlan,
    plan: MemoryPlan,
    partitions: int | None,
    address: str,
) -> int:
    """Count the pairs of words, and write them as Parquet; return how many there are.

    Args:
        session: The session of Spark.
        lines: The lines of the text.
        form: The way of reading it.
        words: The words, with their counts in the text.
        windows: The weights of the distances.
        plan: The sizes that keep a task within its memory.
        partitions: The number of ranges of rows; None: by the expected number of pairs.
        address: The folder to write.

    Raises:
        AndornotError: If no two words occur near each other.
    """
    from andornot.cooccurrence.spark import tasks

    assert words.counts is not None
    context: Any = session.sparkContext
    occurrences = words.counts.values * (windows.keep if len(windows.keep) else 1.0)
    contexts = 2.0 * len(windows.weights)
    splits = max(1, lines.rdd.getNumPartitions())
    if partitions is None:
        entries = expected_entries(occurrences, contexts, splits).sum()
        partitions = max(context.defaultParallelism, int(entries // ENTRIES_PER_RANGE) + 1)
        partitions = min(partitions, MOST_RANGES)
    ranges = plan_ranges(occurrences, contexts, splits, partitions)
    keys = _keys(session, partitions)
    shared = context.broadcast((np.array(words.utf8), np.array(words.offsets)))
    size, unit = len(words), windows.unit

    def count(batches: Iterable[Any]) -> Iterator[Any]:
        from andornot.cooccurrence.spark import tasks

        return tasks.count_pairs(batches, form, shared.value, windows, plan, ranges, keys)

    def merge(batches: Iterable[Any]) -> Iterator[Any]:
        from andornot.cooccurrence.spark import tasks

        return tasks.merge_pairs(batches, size, unit)

    try:
        with watched(session, "counting pairs"):
            (
                lines.mapInArrow(count, tasks.FRAGMENTS)
                .repartition(partitions, "key")
                .sortWithinPartitions("row")
                .mapInArrow(merge, tasks.PAIRS)
                .write.option("parquet.block.row.count.limit", _ENTRIES_IN_A_ROW_GROUP)
                .parquet(address)
            )
    finally:
        shared.destroy()
    pairs = int(session.read.schema(tasks.PAIRS).parquet(address).count())
    if not pairs:
        raise AndornotError(
            "no two words of the vocabulary ever occur near each other; nothing can be counted"
        )
    return pairs


def _keys(session: SparkSession, partitions: int) -> npt.NDArray[np.int32]:
    """Return for each partition a key that Spark sends to it, by Spark's own hash."""
    from pyspark.sql import functions as sql

    keys = np.full(partitions, -1, dtype=np.int32)
    start, size = 0, 16 * partitions + 64
    while (keys < 0).any():
        key = sql.col("id").cast("int")
        place = sql.pmod(sql.hash(key), sql.lit(partitions))
        table = session.range(start, start + size).select(key, place).toArrow()
        found, places = (column.to_numpy() for column in table.columns)
        keys[places[::-1]] = found[::-1]
        start += size
    return keys
