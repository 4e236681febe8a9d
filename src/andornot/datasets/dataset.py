"""What is known of a set of data."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Download:
    """What can be fetched: a file, or what an archive holds at `inside`.

    `checksum` is that of the file that is downloaded, written as `algorithm:digest`.
    """

    url: str
    size: int | None = None
    checksum: str | None = None
    inside: str = ""


@dataclass(frozen=True)
class Dataset:
    """A set of data: its file or folder in a folder of data, its reader, and where to get it.

    `holds` is a pattern for a file that a folder has when it is the right one; `note` says how to
    come by a set that can't be fetched.
    """

    name: str
    file: str
    home: str
    licence: str
    reader: str
    download: Download | None = None
    holds: str = ""
    note: str = ""

    def stands_at(self, path: Path) -> bool:
        """Whether this set's file, or its folder, is at a path."""
        return any(path.glob(self.holds)) if self.holds else path.is_file()
