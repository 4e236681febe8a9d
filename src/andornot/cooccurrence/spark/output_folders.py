"""The folder of Parquet counts as Spark writes it: any file system that Hadoop knows.

The data goes to folders with names of their own. The record is written last, under a temporary
name, and then renamed: without a record the folder holds nothing, whatever a failed run has left.
"""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from andornot.base.errors import FileError
from andornot.base.folders import RECORD
from andornot.base.remedies import option
from andornot.cooccurrence.store import KIND

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PAIRS_PREFIX, WORDS_PREFIX = "pairs-", "words-"
_RECORD_PREFIX = ".record-"
_OWN = (PAIRS_PREFIX, WORDS_PREFIX, _RECORD_PREFIX, "._", f".{_RECORD_PREFIX}", f".{RECORD}")


class OutputFolder:
    """A folder of counts in the making, by its address; `pairs` and `words` are its parts."""

    def __init__(self, session: SparkSession, address: str) -> None:
        context: Any = session.sparkContext
        self._jvm = context._jvm
        self._conf = context._jsc.hadoopConfiguration()
        self._gateway = context._gateway
        given = self._path(address)
        self._files = given.getFileSystem(self._conf)
        self._folder = self._files.makeQualified(given)
        self.address = str(self._folder.toString())
        self._run = secrets.token_hex(6)
        self.pairs = f"{PAIRS_PREFIX}{self._run}"
        self.words = f"{WORDS_PREFIX}{self._run}"

    def child(self, name: str) -> str:
        """Return the address of something in this folder."""
        return str(self._jvm.org.apache.hadoop.fs.Path(self._folder, name).toString())

    def check(self, *, force: bool) -> None:
        """Check that counts may be written here, before the work begins.

        Raises:
            FileError: If something is there that may not be replaced.
        """
        if not self._files.exists(self._folder):
            return
        if not self._files.getFileStatus(self._folder).isDirectory():
            raise FileError(self.address, "this is a file", "name a folder to write")
        names = self._names()
        if RECORD not in names:
            if all(name.startswith(_OWN) for name in names):
                return  # empty, or what a run that failed has left
            raise FileError(self.address, f"this is not a folder of {KIND}", "name another folder")
        if self._kind() != KIND:
            raise FileError(self.address, f"this is not a folder of {KIND}", "name another folder")
        if not force:
            raise FileError(
                self.address, "it exists already", f"add {option('force', True)} to replace it"
            )

    def finish(self, record: dict[str, Any]) -> None:
        """Write the record, which makes the counts valid, and remove everything older."""
        temporary = self._path(self.child(f"{_RECORD_PREFIX}{self._run}"))
        stream = self._files.create(temporary, True)
        stream.write(json.dumps(record, ensure_ascii=False, indent=1).encode("utf-8", "replace"))
        stream.close()
        options = self._jvm.org.apache.hadoop.fs.Options.Rename
        overwrite = self._gateway.new_array(options, 1)
        overwrite[0] = options.OVERWRITE
        files = self._jvm.org.apache.hadoop.fs.FileContext.getFileContext(
            self._folder.toUri(), self._conf
        )
        files.rename(temporary, self._path(self.child(RECORD)), overwrite)
        for name in self._names():
            if name not in (RECORD, f".{RECORD}.crc", self.pairs, self.words):
                self._remove(name)

    def give_up(self) -> None:
        """Remove what this run has written, and the folder if nothing else is in it."""
        with suppress(Exception):  # of the file system, which may be the reason for giving up
            for name in (self.pairs, self.words, f"{_RECORD_PREFIX}{self._run}"):
                self._remove(name)
            if not self._names():
                self._files.delete(self._folder, False)

    def _path(self, address: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(address)

    def _names(self) -> list[str]:
        return [str(each.getPath().getName()) for each in self._files.listStatus(self._folder)]

    def _remove(self, name: str) -> None:
        self._files.delete(self._path(self.child(name)), True)

    def _kind(self) -> object:
        """Return the kind that the record names; None if it is not a record."""
        stream = self._files.open(self._path(self.child(RECORD)))
        try:
            record = json.loads(bytes(stream.readAllBytes()))
        except ValueError:
            return None
        finally:
            stream.close()
        return record.get("kind") if isinstance(record, dict) else None
