"""Counts as a folder of Parquet, written here without Spark."""

import hashlib
import json

import numpy as np

from andornot.base.folders import RECORD
from andornot.cooccurrence.store import KIND


def write_parquet_counts(counts, folder, files=3, group=7, **options):
    """Write counts as Spark does: files of entries in order, a table of words, and the record.

    Args:
        counts: The counts.
        folder: The folder to make.
        files: The number of files of entries.
        group: The entries of a group of rows.
        options: How pyarrow writes each file.
    """
    import pyarrow as pa
    from pyarrow import parquet

    options = {"write_page_checksum": True} | options
    lengths = np.diff(counts.row_starts)
    block = counts.rows(0, len(lengths))
    bounds = np.linspace(0, counts.pairs, files + 1).astype(int)
    listed = []
    for number in range(files):
        here = slice(bounds[number], bounds[number + 1])
        table = pa.table(
            {
                "row": block.row_ids[here],
                "column": block.columns[here],
                "count": block.values[here].astype(float),
            }
        )
        name = f"pairs-0a/part-{number:05}.parquet"
        (folder / "pairs-0a").mkdir(parents=True, exist_ok=True)
        parquet.write_table(table, folder / name, row_group_size=group, **options)
        listed.append((name, len(table)))
    words = {
        "id": np.arange(len(lengths), dtype=np.int32),
        "word": list(counts.vocabulary.words),
        "count": np.array(counts.vocabulary.counts.values),
        "sum": counts.marginal,
        "pairs": lengths.astype(np.int64),
    }
    (folder / "words-0a").mkdir()
    parquet.write_table(pa.table(words), folder / "words-0a" / "part-00000.parquet", **options)
    listed.append(("words-0a/part-00000.parquet", 0))
    record = {
        "kind": KIND,
        "arrays": {},
        "settings": counts.settings,
        "parquet": {"files": [describe(folder, *file) for file in listed]},
    }
    (folder / RECORD).write_text(json.dumps(record))
    return folder


def describe(folder, name, pairs):
    """What the record says of a file."""
    data = (folder / name).read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    return {"name": name, "bytes": len(data), "sha256": digest, "pairs": pairs}


def change_record(folder, change):
    """Change the record of a folder in place."""
    path = folder / RECORD
    record = json.loads(path.read_text())
    change(record)
    path.write_text(json.dumps(record))
