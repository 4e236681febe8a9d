"""The last stage of counting on Spark: the sums of the rows, the checksums, and the record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from andornot.base.errors import AndornotError
from andornot.cooccurrence.spark.output_folders import OutputFolder
from andornot.cooccurrence.spark.sessions import watched
from andornot.cooccurrence.store import KIND
from andornot.words.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class RecordStage:
    """Completes a folder whose pairs are written."""

    session: SparkSession
    folder: OutputFolder

    def write(self, words: Vocabulary, unit: float, pairs: int, settings: dict[str, Any]) -> None:
        """Write the words with the sums of their rows, and the record with all checksums."""
        with watched(self.session, "checking the counts"):
            self._write_words(words, unit)
            files = self._checksums()
        if sum(file["pairs"] for file in files) != pairs:
            raise AndornotError(
                f"{self.folder.address}: files of this count are missing; did another run write "
                "there? Run it again"
            )
        parquet = {"pairs": self.folder.pairs, "words": self.folder.words, "files": files}
        record = {"kind": KIND, "arrays": {}, "settings": settings, "parquet": parquet}
        self.folder.finish(record)

    def _write_words(self, words: Vocabulary, unit: float) -> None:
        """Write the words with their counts, the sums of their rows and the lengths of these."""
        import pyarrow as pa
        from pyspark.sql import functions as sql

        assert words.counts is not None
        units = sql.round(sql.col("count") / unit).cast("bigint")  # whole again, so exact
        sums = (
            self._entries()
            .groupBy("row")
            .agg(sql.sum(units).alias("units"), sql.count("row").alias("pairs"))
        )
        table = sums.toArrow()
        rows = table["row"].to_numpy()
        marginal, lengths = np.zeros(len(words)), np.zeros(len(words), dtype=np.int64)
        marginal[rows] = table["units"].to_numpy() * unit
        lengths[rows] = table["pairs"].to_numpy()
        columns = {
            "id": pa.array(np.arange(len(words), dtype=np.int32)),
            "word": pa.array(words.words, pa.string()),
            "count": pa.array(np.array(words.counts.values)),
            "sum": pa.array(marginal),
            "pairs": pa.array(lengths),
        }
        frame = self.session.createDataFrame(pa.table(columns))
        frame.coalesce(1).sortWithinPartitions("id").write.parquet(
            self.folder.child(self.folder.words)
        )

    def _checksums(self) -> list[dict[str, Any]]:
        """Return the name, size, checksum and number of pairs of each file, in order."""
        from pyspark.sql import functions as sql

        folders = [self.folder.child(self.folder.pairs), self.folder.child(self.folder.words)]
        files = (
            self.session.read.format("binaryFile")
            .option("pathGlobFilter", "*.parquet")
            .load(folders)
            .select("path", "length", sql.sha2("content", 256).alias("sha256"))
            .collect()
        )
        name = sql.col("_metadata.file_name")
        counted = self._entries().groupBy(name.alias("name")).count().collect()
        pairs = {row["name"]: row["count"] for row in counted}
        found = []
        for file in files:
            folder, own = file["path"].rsplit("/", 2)[1:]
            is_pairs = folder == self.folder.pairs
            found.append(
                {
                    "name": f"{folder}/{own}",
                    "bytes": file["length"],
                    "sha256": file["sha256"],
                    "pairs": pairs.get(own, 0) if is_pairs else 0,
                }
            )
        return sorted(found, key=lambda file: str(file["name"]))

    def _entries(self) -> DataFrame:
        """Return the pairs as they were written."""
        from andornot.cooccurrence.spark import tasks

        return self.session.read.schema(tasks.PAIRS).parquet(self.folder.child(self.folder.pairs))
