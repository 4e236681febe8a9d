"""Read the text of a corpus from files, folders or standard input, in blocks of whole tokens."""

from __future__ import annotations

import codecs
import hashlib
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from os import PathLike
from pathlib import Path

from andornot.base.errors import AndornotError, FileError
from andornot.base.files import Source, reading
from andornot.base.folders import RECORD
from andornot.base.progress import Report, stage
from andornot.base.regular_files import check_regular, open_regular
from andornot.corpus.markup import strip_markup

STANDARD_INPUT = "-"
BLOCK = 1 << 21
_LOOKED_AT = 1 << 16  # bytes inspected at the beginning of a file
_FEWEST_NUMBERS = 5  # numbers per line of a vector file, unless its header declares them
_WHITE_SPACE = (b" ", b"\n", b"\t", b"\r")


def find_files(paths: Sequence[str | PathLike[str]]) -> list[Path]:
    """Return the files of a corpus: the given files, and all files of given folders, by name.

    Links are followed. Hidden files, and folders written by andornot, are ignored. `-` is standard
    input.
    """
    if not paths:
        raise AndornotError("no corpus was given; name files, folders, or - for standard input")
    files: list[Path] = []
    for given in paths:
        path = Path(given)
        if str(given) == STANDARD_INPUT:
            files.append(path)
            continue
        with reading(path):
            if path.is_dir():
                if (path / RECORD).exists():
                    problem = "andornot wrote this folder, and it is not a text"
                    raise FileError(path, problem, f"if it has counts, {RECORD} may be damaged")
                inside = sorted(_walk(path, set()))
                if not inside:
                    raise FileError(path, "the folder contains no files", "name another folder")
                files += inside
                continue
            if not stat.S_ISREG(path.stat().st_mode):
                raise FileError(path, "this is a pipe or a device", "pipe it to standard input: -")
            files.append(path)
    return files


def _walk(folder: Path, seen: set[str]) -> Iterator[Path]:
    """Yield every file below a folder; an unreadable file is an error."""
    real = os.path.realpath(folder)
    if real in seen or (folder / RECORD).exists():
        return
    seen.add(real)
    for item in folder.iterdir():
        if item.name.startswith("."):
            continue
        status = check_regular(item, "move it out of the folder")
        if stat.S_ISDIR(status.st_mode):
            with reading(item):
                yield from _walk(item, seen)
        else:
            yield item


def content_key(files: Sequence[Path]) -> str | None:
    """Return a digest of the content of the files, or None if standard input is among them."""
    digest = hashlib.sha256()
    for path in files:
        if str(path) == STANDARD_INPUT:
            return None
        with open_regular(path) as file, reading(path):
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def read_blocks(
    files: Sequence[Path],
    label: str = "reading",
    *,
    without_markup: bool = False,
    separator: bytes = b"",
) -> Iterator[bytearray]:
    """Yield the text of the files in blocks of about two megabytes, each ending with white space.

    The next block is read and decompressed in the background. A line end is added to the end of
    each file.

    Args:
        files: The files, or - for standard input.
        label: The name of the stage, for the progress.
        without_markup: Remove markup from each line.
        separator: End blocks with this separator or a line end, instead of white space.
    """
    megabytes = sum(path.stat().st_size for path in files if path.is_file()) / 1e6
    with ThreadPoolExecutor(1) as ahead, stage(label, megabytes, "MB") as report:
        blocks = _blocks(files, report, without_markup, separator)
        coming = ahead.submit(next, blocks, None)
        while (block := coming.result()) is not None:
            coming = ahead.submit(next, blocks, None)
            yield block


def _blocks(
    files: Sequence[Path], report: Report, without_markup: bool, separator: bytes
) -> Iterator[bytearray]:
    for number, path in enumerate(files):
        with _Standard() if str(path) == STANDARD_INPUT else Source(path) as source:
            pieces = iter(partial(source.read, BLOCK), b"")
            for block in cut_blocks(
                pieces, path, without_markup=without_markup, separator=separator
            ):
                report((number + source.done) / len(files))
                yield block


def cut_blocks(
    pieces: Iterable[bytes], path: str | PathLike[str], *, without_markup: bool, separator: bytes
) -> Iterator[bytearray]:
    r"""Cut a text into blocks that end with white space, or with a separator.

    Args:
        pieces: The bytes of the text, in pieces of any size that are not empty.
        path: What an error names.
        without_markup: Remove markup from each line.
        separator: The bytes between two tokens of a line; none for white space.

    Raises:
        FileError: If this is not a text of separate tokens.

    >>> blocks = cut_blocks([b"one tw", b"o three"], "a.txt", without_markup=False, separator=b"")
    >>> [bytes(block) for block in blocks]
    [b'one ', b'two ', b'three\n']
    """
    between = (separator,) if separator else _WHITE_SPACE
    tail = b""
    is_first = True
    for piece in pieces:
        block = bytearray(tail + piece)
        if is_first:
            block = block.removeprefix(codecs.BOM_UTF8)
            _refuse_vectors(path, block)
            is_first = False
        end = _end_of(block, between, at_a_line=without_markup or bool(separator))
        if not end and len(block) > 4 * BLOCK:
            raise FileError(
                path,
                f"{len(block):,} bytes without a {'separator' if separator else 'space'}",
                "this is not a text of separate tokens; check what it is",
            )
        if 0 in block:
            raise FileError(
                path,
                "it holds zero bytes: it is a binary file or UTF-16, not UTF-8 text",
                "name a text, or convert it to UTF-8",
            )
        tail = bytes(block[end:])
        del block[end:]
        if block:
            yield bytearray(strip_markup(bytes(block))) if without_markup else block
    yield bytearray(strip_markup(tail) if without_markup else tail) + b"\n"


def _end_of(block: bytearray, between: Sequence[bytes], *, at_a_line: bool) -> int:
    """Return the length of a block up to its last line end or separator."""
    end = block.rfind(b"\n") + 1 if at_a_line else 0
    return end or max(at + len(each) if (at := block.rfind(each)) >= 0 else 0 for each in between)


def _refuse_vectors(path: str | PathLike[str], block: bytearray) -> None:
    """Refuse a file that begins with rows of numbers: it contains vectors."""
    rows = [line.split() for line in bytes(block[:_LOOKED_AT]).split(b"\n")[:-1]]
    header = rows.pop(0) if rows and len(rows[0]) == 2 else []
    lengths = {len(row) for row in rows}
    if len(rows) < 2 or len(lengths) > 1:
        return
    numbers = lengths.pop() - 1
    declared = header[1:] == [b"%d" % numbers]  # word2vec's header: words, dimensions
    if numbers < (1 if declared else _FEWEST_NUMBERS):
        return
    try:
        values = [float(field) for row in rows for field in row[1:]]
    except ValueError:
        return
    if any(value % 1 for value in values):
        raise FileError(
            path,
            f"this is a file of vectors ({numbers} numbers on each line), not a text",
            "name a text, or open it with `andornot info`",
        )


class _Standard:
    """Standard input with the interface of Source."""

    done = 0.0

    def read(self, size: int) -> bytes:
        if sys.stdin is None:
            raise FileError(STANDARD_INPUT, "standard input is closed", "name a file")
        with reading("standard input"):
            return sys.stdin.buffer.read(size)

    def __enter__(self) -> _Standard:
        return self

    def __exit__(self, *_: object) -> None:
        return None
