"""Open counts wherever they are: a local folder of arrays or of Parquet, or an address."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from andornot.base.errors import FileError
from andornot.base.folders import is_folder_of, read_record, recover, size_of
from andornot.base.regular_files import unchanged
from andornot.cooccurrence.parquet import ParquetFolder, is_address, load_parquet
from andornot.cooccurrence.store import KIND, Cooccurrence, load_folder

__all__ = ["is_address", "is_counts", "load_counts", "stored_bytes"]


def load_counts(path: str | PathLike[str]) -> Cooccurrence:
    """Open counts: a folder that `andornot count` wrote, or the address of one.

    Addresses are those of pyarrow's file systems, such as hdfs://... and s3://... The entries stay
    where they are, and are checked when they are read.

    Raises:
        FileError: If there are no counts, or damaged ones.
    """
    if is_address(path):
        return _load(path, ParquetFolder.open(path).record())
    if Path(path).is_file():
        raise FileError(
            path, "this is a file, not a folder of counts", "make them: `andornot count`"
        )
    recover(Path(path))
    with unchanged(path):
        return _load(path, read_record(Path(path)))


def _load(path: str | PathLike[str], record: dict[str, Any]) -> Cooccurrence:
    """Open counts that have this record."""
    if record.get("kind") != KIND:
        raise FileError(path, "this is not a folder of counts", "make them: `andornot count`")
    if "parquet" in record:
        return load_parquet(ParquetFolder.open(path), record)
    if is_address(path):
        raise FileError(
            path, "these counts are arrays, which are mapped", "copy the folder to a local disk"
        )
    return load_folder(Path(path))


def is_counts(path: str | PathLike[str]) -> bool:
    """Return True if a folder of counts is at this path; an address always is one.

    >>> is_counts("examples"), is_counts("s3://bucket/counts")
    (False, True)
    """
    return is_address(path) or is_folder_of(Path(path), KIND)


def stored_bytes(path: str | PathLike[str]) -> int:
    """Return the size of the files of counts."""
    if not is_address(path):
        return size_of(Path(path))
    files = ParquetFolder.open(path).record()["parquet"]["files"]
    return sum(int(file["bytes"]) for file in files)
