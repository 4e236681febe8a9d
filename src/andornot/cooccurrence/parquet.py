"""Counts in Parquet files, as Spark leaves them: on a disk, or at any address that pyarrow opens.

Nothing of a file is used before its size and its checksum are those of the record. Entries are read
by groups of rows of the file; `Cooccurrence.rows` checks each block before a kernel gets it.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError, FileError, first_line
from andornot.base.folders import RECORD, parse_record
from andornot.base.regular_files import LARGEST_JSON
from andornot.cooccurrence.checks import check_settings, check_starts
from andornot.cooccurrence.row_blocks import Columns, Values
from andornot.cooccurrence.store import Cooccurrence
from andornot.words.stored_words import check_words

_REMEDY = "it may be incomplete or damaged: make the counts again"
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_FILE_NAME = re.compile(r"(pairs|words)-[0-9a-f]+/[A-Za-z0-9][\w.=-]*\.parquet")
_HADOOP_SCHEMES = {"s3a": "s3", "s3n": "s3"}  # what Hadoop calls the same place
_HASHED_AT_A_TIME = 1 << 22
_LONGEST_GROUP = 1 << 24  # entries
_MOST_PAIRS = 2**53  # of all files; more could overflow where they are added up


def is_address(path: str | PathLike[str]) -> bool:
    """Return True for an address such as hdfs://... or s3://..., False for a local path.

    >>> is_address("s3://bucket/counts"), is_address("counts")
    (True, False)
    """
    return isinstance(path, str) and _ADDRESS.match(path) is not None


class ParquetFolder(NamedTuple):
    """A folder of Parquet counts: the file system, the path in it, and the name for errors."""

    files: Any
    path: str
    source: str | PathLike[str]

    @classmethod
    def open(cls, source: str | PathLike[str]) -> ParquetFolder:
        """Open a local path, or an address.

        Raises:
            FileError: If pyarrow can't open it.
        """
        try:
            from pyarrow import fs
        except ImportError as error:
            raise AndornotError(
                "counts in Parquet need the package pyarrow; pip install 'andornot[spark]'"
            ) from error
        if not is_address(source):
            return cls(fs.LocalFileSystem(), str(Path(source).absolute()), source)
        scheme, rest = str(source).split("://", 1)
        with _reading(source):
            files, path = fs.FileSystem.from_uri(f"{_HADOOP_SCHEMES.get(scheme, scheme)}://{rest}")
        return cls(files, path, source)

    def record(self) -> dict[str, Any]:
        """Return the record of the folder."""
        from pyarrow.fs import FileType

        path, name = f"{self.path}/{RECORD}", f"{self.source}/{RECORD}"
        with _reading(self.source):
            found = self.files.get_file_info(path)
            if found.type == FileType.Unknown:  # opening a pipe could wait for ever
                raise FileError(name, "this is a pipe or a device", _REMEDY)
            with self.files.open_input_stream(path) as file:
                raw = file.read(LARGEST_JSON + 1)
        if len(raw) > LARGEST_JSON:
            problem = f"it must have at most {LARGEST_JSON:,} bytes, and has more"
            raise FileError(name, problem, _REMEDY)
        return parse_record(raw, name)


class StoredFile(NamedTuple):
    """A file of the folder as the record describes it."""

    name: str
    bytes: int
    sha256: str
    pairs: int


class ParquetEntries:
    """The entries of all rows in some Parquet files, which follow each other."""

    def __init__(self, folder: ParquetFolder, files: Sequence[StoredFile]) -> None:
        self.source = folder.source
        self._folder = folder
        self._files = [file for file in files if file.pairs]
        self._starts = np.cumsum([0, *(file.pairs for file in self._files)])
        self._verified: set[int] = set()
        self._lock = threading.Lock()
        self._local = threading.local()  # of each thread: the file and the group it read last

    def __len__(self) -> int:
        return int(self._starts[-1])

    def read(self, start: int, stop: int) -> tuple[Columns, Values]:
        """Return the columns and values from `start` to `stop`."""
        columns, values = np.empty(stop - start, np.int32), np.empty(stop - start, np.float32)
        at = start
        while at < stop:
            number = int(np.searchsorted(self._starts, at, side="right")) - 1
            first = int(self._starts[number])
            begin, group_columns, group_values = self._group(number, at - first)
            end = min(stop, first + begin + len(group_columns))
            here, there = slice(at - start, end - start), slice(at - first - begin, None)
            columns[here] = group_columns[there][: end - at]
            values[here] = group_values[there][: end - at]
            at = end
        return columns, values

    @property
    def columns(self) -> Columns:
        """All columns."""
        return self.read(0, len(self))[0]

    @property
    def values(self) -> Values:
        """All values."""
        return self.read(0, len(self))[1]

    def _group(self, number: int, entry: int) -> tuple[int, Columns, Values]:
        """Return the group of a file that has an entry: where it begins, its columns and values."""
        cached = getattr(self._local, "group", None)
        if cached is not None and cached[0] == number:
            begin, columns, values = cached[1]
            if begin <= entry < begin + len(columns):
                return begin, columns, values
        file, starts = self._opened(number)
        group = int(np.searchsorted(starts, entry, side="right")) - 1
        with _reading(self._name(number)):
            table = file.read_row_group(group, columns=["column", "count"])
            columns = table["column"].to_numpy()
            values = table["count"].to_numpy().astype(np.float32)
        if len(columns) != starts[group + 1] - starts[group] or columns.dtype != np.int32:
            raise FileError(self._name(number), "entries are missing in it", _REMEDY)
        self._local.group = (number, (int(starts[group]), columns, values))
        return int(starts[group]), columns, values

    def _opened(self, number: int) -> tuple[Any, npt.NDArray[np.int64]]:
        """Return a file that was verified, and where its groups of rows begin."""
        cached = getattr(self._local, "file", None)
        if cached is not None and cached[0] == number:
            return cached[1], cached[2]
        with self._lock:
            if number not in self._verified:
                verify(self._folder, self._files[number])
                self._verified.add(number)
        file = open_parquet(
            self._folder, self._files[number], {"column": "int32", "count": "double"}
        )
        sizes = [file.metadata.row_group(i).num_rows for i in range(file.metadata.num_row_groups)]
        if sum(sizes) != self._files[number].pairs or max(sizes) > _LONGEST_GROUP:
            raise FileError(
                self._name(number),
                f"its {sum(sizes):,} entries are not those of the record",
                _REMEDY,
            )
        starts = np.cumsum([0, *sizes])
        self._local.file = (number, file, starts)
        return file, starts

    def _name(self, number: int) -> str:
        return f"{self.source}/{self._files[number].name}"


def verify(folder: ParquetFolder, file: StoredFile) -> None:
    """Check that a file has the checksum that the record has of it.

    Raises:
        FileError: If it has not, or can't be read.
    """
    name = f"{folder.source}/{file.name}"
    digest = hashlib.sha256()
    with _reading(name), folder.files.open_input_stream(f"{folder.path}/{file.name}") as stream:
        while block := stream.read(_HASHED_AT_A_TIME):
            digest.update(block)
    if digest.hexdigest() != file.sha256:
        raise FileError(name, "its checksum is not that of the record", _REMEDY)


def open_parquet(
    folder: ParquetFolder, file: StoredFile, types: dict[str, str], dictionary: Sequence[str] = ()
) -> Any:
    """Open a Parquet file that has columns of these types; read those of `dictionary` by ids."""
    import pyarrow as pa
    from pyarrow import parquet

    name = f"{folder.source}/{file.name}"
    with _reading(name):
        stream = folder.files.open_input_file(f"{folder.path}/{file.name}")
        footer = parquet.read_metadata(stream)
        schema = footer.schema.to_arrow_schema()
        names = schema.names
    for column, kind in types.items():
        if column not in names:
            raise FileError(name, f"it has no column {column!r}", _REMEDY)
        found = schema.field(column).type
        if column in dictionary and isinstance(found, pa.DictionaryType):
            found = found.value_type
        if str(found) != kind:
            raise FileError(name, f"its column {column!r} is {found}, not {kind}", _REMEDY)
    with _reading(name):
        return parquet.ParquetFile(
            stream,
            metadata=footer,
            page_checksum_verification=True,
            read_dictionary=list(dictionary),
        )


def load_parquet(folder: ParquetFolder, record: dict[str, Any]) -> Cooccurrence:
    """Open counts in Parquet files, without reading their entries.

    Raises:
        FileError: If the record is not valid, or a file is missing or damaged.
    """
    source = folder.source
    settings = check_settings(source, record.get("settings"))
    files = _listed_files(folder, record)
    entries = ParquetEntries(folder, [file for file in files if file.name.startswith("pairs-")])
    tables = [_read_words(folder, file) for file in files if file.name.startswith("words-")]
    if len(tables) != 1:
        raise FileError(source, f"it has {len(tables)} tables of words, not 1", _REMEDY)
    table = tables[0]
    with _reading(source):
        packed = table["word"].combine_chunks()
        _, offsets, data = packed.buffers()
    bounds = np.frombuffer(offsets, np.int32)[packed.offset : packed.offset + len(packed) + 1]
    utf8 = np.frombuffer(data or b"", np.uint8)[bounds[0] : bounds[-1]]
    counts = np.array(table["count"].to_numpy())
    words = check_words(Path(source), utf8, bounds.astype(np.int64) - bounds[0], counts)
    row_starts = np.append(0, np.cumsum(table["pairs"].to_numpy()))
    check_starts(source, row_starts, len(entries), len(words))
    if not len(entries):
        raise FileError(source, "it has no pairs of words", "make the counts again")
    return Cooccurrence(words, row_starts, entries, np.array(table["sum"].to_numpy()), settings)


_WORD_TYPES = {
    "id": "int32",
    "word": "string",
    "count": "double",
    "sum": "double",
    "pairs": "int64",
}
_WORD_BYTES = 32  # of a row without its word
_ANY_TABLE = 1 << 26  # bytes of memory that a table of words may take, if its file is small
_MOST_RATIO = 100  # of the memory to the size of a larger file


def _read_words(folder: ParquetFolder, file: StoredFile) -> Any:
    """Read the table of the words, in their order.

    The same long word could be in it a million times, which takes a few bytes in the file. So words
    are read by their ids in a dictionary, and spelt out when their length is known.
    """
    import pyarrow as pa
    from pyarrow import compute

    verify(folder, file)
    opened = open_parquet(folder, file, _WORD_TYPES, ["word"])
    source, size, tables = f"{folder.source}/{file.name}", 0, []
    with _reading(source):
        for batch in opened.iter_batches(columns=list(_WORD_TYPES)):
            words = batch["word"]
            lengths = compute.take(compute.binary_length(words.dictionary), words.indices)
            size += batch.num_rows * _WORD_BYTES + (compute.sum(lengths).as_py() or 0)
            if size > max(_ANY_TABLE, _MOST_RATIO * file.bytes):
                problem = f"its {file.bytes:,} bytes are compressed more than {_MOST_RATIO}-fold"
                raise FileError(source, problem, _REMEDY)
            spelt = {name: batch[name] for name in _WORD_TYPES} | {"word": words.cast(pa.string())}
            tables.append(pa.table(spelt))
        if not tables:
            raise FileError(folder.source, "it has no words", "make the counts again")
        table = pa.concat_tables(tables)
        ids = table["id"].to_numpy()
    if any(column.null_count for column in table.columns) or not np.array_equal(
        ids, np.arange(len(ids))
    ):
        raise FileError(source, "its words are not in order", _REMEDY)
    return table


def _listed_files(folder: ParquetFolder, record: dict[str, Any]) -> list[StoredFile]:
    """Return the files of the record, after a check that all are there in their sizes."""
    try:
        listed = [StoredFile(**entry) for entry in record["parquet"]["files"]]
        valid = all(
            isinstance(file.name, str)
            and _FILE_NAME.fullmatch(file.name)
            and isinstance(file.sha256, str)
            and isinstance(file.bytes, int)
            and isinstance(file.pairs, int)
            and 0 <= file.pairs < _MOST_PAIRS
            for file in listed
        )
        valid = valid and sum(file.pairs for file in listed) < _MOST_PAIRS
    except (TypeError, KeyError) as error:
        raise FileError(folder.source, "its record has no list of files", _REMEDY) from error
    if not valid:
        raise FileError(folder.source, "its record has no valid list of files", _REMEDY)
    with _reading(folder.source):
        found = folder.files.get_file_info([f"{folder.path}/{file.name}" for file in listed])
    for file, info in zip(listed, found, strict=True):
        if info.size != file.bytes:
            problem = "no such file" if info.size is None else f"{info.size:,} bytes"
            raise FileError(
                f"{folder.source}/{file.name}", f"{problem}, not {file.bytes:,} bytes", _REMEDY
            )
    return listed


@contextmanager
def _reading(name: str | PathLike[str]) -> Iterator[None]:
    """Turn the errors of pyarrow and of file systems into one line with a remedy."""
    from pyarrow import ArrowException

    try:
        yield
    except FileNotFoundError as error:
        raise FileError(name, "no such file", "check the path or address") from error
    except (ArrowException, OSError, ImportError, UnicodeDecodeError) as error:
        raise FileError(name, f"it can't be read ({first_line(error)})", _REMEDY) from error
