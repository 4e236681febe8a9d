"""Description of a dataset and of its download."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Download:
    """A download: a file, or the part `inside` of an archive.

    At least one checksum must be known: `checksum` is that of the downloaded file, written as
    `algorithm:digest`; `content` is the `content_digest` of the unpacked dataset, over the files
    that match `covered`.
    """

    url: str
    size: int | None = None
    checksum: str | None = None
    inside: str = ""
    content: str | None = None
    covered: str = "*"

    def __post_init__(self) -> None:
        if self.checksum is None and self.content is None:
            raise ValueError(f"{self.url}: a download needs a checksum")


def content_digest(path: Path, covered: str = "*") -> str:
    """Return a digest of a file, or of the names and contents of a folder's files.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.txt").write_text("king")
    ...     content_digest(Path(folder))[:8], content_digest(Path(folder, "a.txt"))[:8]
    ('0185b328', 'e81dfe69')
    """
    if path.is_file():
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    files = sorted(file for file in path.glob(covered) if file.is_file())
    lines = [f"{file.relative_to(path).as_posix()} {content_digest(file)}\n" for file in files]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


@dataclass(frozen=True)
class Dataset:
    """A dataset: its relative path, its reader, and its source.

    `holds` is a pattern of a file that identifies the right folder; `note` tells how to get a
    dataset that can't be fetched.
    """

    name: str
    file: str
    home: str
    licence: str
    reader: str
    download: Download | None = None
    holds: str = ""
    note: str = ""

    def is_at(self, path: Path) -> bool:
        """Return True if the path is the file, or the folder, of this dataset."""
        return any(path.glob(self.holds)) if self.holds else path.is_file()
