"""Counts in Parquet as Spark leaves them, written by pyarrow alone."""

import hashlib
import json
from pathlib import Path

from andornot.base.folders import RECORD
from andornot.cooccurrence import Cooccurrence
from andornot.cooccurrence.store import KIND


def write_parquet_counts(
    counts: Cooccurrence, path: Path, files: int = 3, group: int = 100
) -> None:
    """Write counts to a folder, in some files of pairs with groups of this many entries."""
    import pyarrow as pa

    cuts = list(counts.cuts(-(-counts.pairs // files)))
    listed = []
    for number, (first, last) in enumerate(cuts):
        block = counts.rows(first, last)
        table = pa.table(
            {"row": block.row_ids, "column": block.columns, "count": block.values.astype(float)}
        )
        listed.append(_write(table, path, f"pairs-0/part-{number}.parquet", group))
    words = counts.vocabulary
    table = pa.table(
        {
            "id": pa.array(range(len(words)), pa.int32()),
            "word": list(words),
            "count": words.counts.values,
            "sum": counts.marginal,
            "pairs": counts.row_starts[1:] - counts.row_starts[:-1],
        }
    )
    listed.append({**_write(table, path, "words-0/words.parquet", len(words)), "pairs": 0})
    record = {
        "kind": KIND,
        "arrays": {},
        "settings": counts.settings,
        "parquet": {"files": listed},
    }
    (path / RECORD).write_text(json.dumps(record))


def _write(table, path: Path, name: str, group: int) -> dict:
    from pyarrow import parquet

    file = path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(table, file, row_group_size=group)
    data = file.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    return {"name": name, "bytes": len(data), "sha256": digest, "pairs": len(table)}
