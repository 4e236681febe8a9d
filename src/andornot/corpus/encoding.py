"""Write a corpus: convert blocks of text to token ids, then sort the ids by frequency."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError, AndornotWarning
from andornot.base.folders import FolderWriter
from andornot.base.formatting import counted
from andornot.base.parallel import run_parallel
from andornot.base.remedies import option
from andornot.corpus.reading import read_blocks
from andornot.corpus.token_table import TokenTable
from andornot.corpus.tokenizing import find_words

KIND = "andornot corpus"
VERSION = 1  # of the tokenizers and the layout; a new version invalidates cached corpora
_TOKENS_AT_A_TIME = 1 << 22
_CONVERTING = "convert the text, such as with `iconv -f latin1 -t utf-8`"


def tokenise(
    files: Sequence[Path],
    tokenizer: str,
    strict: bool,
    threads: int,
    writer: FolderWriter,
    *,
    without_markup: bool,
    separator: bytes = b"",
) -> dict[str, Any]:
    """Write tokens, words and counts of a text to a folder, and return its record.

    Each thread assigns ids with its own table. At the end, the tables are merged, the types are
    sorted, and the ids on disk are replaced in place.

    Args:
        files: The files to read.
        tokenizer: "whitespace" or "words".
        strict: Raise an error for bytes that are not UTF-8, instead of replacing them.
        threads: The number of threads.
        writer: The folder to write.
        without_markup: Remove markup from each line.
        separator: The bytes between tokens; default: white space.
    """
    tables = [TokenTable(separator) for _ in range(threads)]
    pieces: list[tuple[int, int]] = []  # number of ids, and their table
    broken = 0

    def number(group: list[bytearray]) -> None:
        nonlocal broken
        tasks = [
            partial(number_block, table, block, tokenizer)
            for table, block in zip(tables, group, strict=False)
        ]
        for thread, (numbers, bad) in enumerate(run_parallel(pool, tasks)):
            writer.append("tokens", numbers)
            pieces.append((len(numbers), thread))
            broken += bad

    with ThreadPoolExecutor(threads) as pool:
        group: list[bytearray] = []
        for block in read_blocks(
            files, "tokenising", without_markup=without_markup, separator=separator
        ):
            group.append(block)
            if len(group) == threads:
                number(group)
                group = []
        if group:
            number(group)
    whole = tables[0]
    to_whole = [np.arange(len(whole), dtype=np.int32)]
    to_whole += [whole.absorb(table) for table in tables[1:]]
    if not len(whole):
        raise AndornotError(f"there are no tokens in {named(files)}; the corpus is empty")
    types, merged, bad_tokens = decode_types(whole)
    found = {"broken_bytes": broken, "broken_tokens": bad_tokens}
    check_broken(files, found, strict=strict)
    return found | write_types(
        writer,
        types,
        np.bincount(merged, weights=whole.counts).astype(np.float64),
        pieces,
        [merged[numbers] for numbers in to_whole],
    )


def number_block(
    table: TokenTable, block: bytearray, tokenizer: str
) -> tuple[npt.NDArray[np.int32], int]:
    """Return the ids of the tokens of a block of text, and the number of its broken bytes."""
    text = np.frombuffer(block, dtype=np.uint8)
    broken = 0
    if tokenizer == "words":
        text, broken = find_words(text)
    return table.number(text), broken


def decode_types(
    table: TokenTable,
) -> tuple[list[bytes], npt.NDArray[np.int64], int]:
    """Return the types in valid UTF-8, the type of each token, and the number of broken tokens.

    Invalid bytes are replaced, after which two tokens may be equal.
    """
    data, bounds = table.utf8.tobytes(), table.offsets.tolist()
    tokens = [data[start:stop] for start, stop in pairwise(bounds)]
    bad_tokens = 0
    if not data.isascii():
        for number, token in enumerate(tokens):
            try:
                token.decode("utf-8")
            except UnicodeDecodeError:
                tokens[number] = token.decode("utf-8", "replace").encode()
                bad_tokens += int(table.counts[number])
    if not bad_tokens:
        return tokens, np.arange(len(tokens)), 0
    numbers: dict[bytes, int] = {}
    merged = np.array([numbers.setdefault(token, len(numbers)) for token in tokens])
    return list(numbers), merged, bad_tokens


def check_broken(files: Sequence[str | Path], record: dict[str, Any], *, strict: bool) -> None:
    """Raise an error for bytes that are not UTF-8, if these are refused."""
    if strict and (record["broken_bytes"] or record["broken_tokens"]):
        raise AndornotError(
            f"{named(files)}: {_broken(record)} not UTF-8; {_CONVERTING}, or leave out "
            f"{option('strict')} to have them replaced"
        )


def report_broken(files: Sequence[str], record: dict[str, Any]) -> None:
    """Warn about replaced bytes, also if the corpus comes from the cache."""
    if record.get("broken_bytes") or record.get("broken_tokens"):
        effect = "such bytes were replaced by U+FFFD"
        if record.get("broken_bytes"):
            effect = "such bytes were replaced, and words with them are cut"
        warnings.warn(
            f"{named(files)}: {_broken(record)} not UTF-8; {effect}; {_CONVERTING}, or refuse it "
            f"with {option('strict', True)}",
            AndornotWarning,
            stacklevel=3,
        )


def _broken(record: dict[str, Any]) -> str:
    """Return the number of bytes or tokens that are not UTF-8, with a verb."""
    kind = "byte" if record.get("broken_bytes") else "token"
    count = record[f"broken_{kind}s"]
    return f"{counted(count, kind)} {'is' if count == 1 else 'are'}"


def named(files: Sequence[str | Path]) -> str:
    """Name the files of a text in a message: the first, and the number of others.

    >>> named(["a.txt", "b.txt"])
    'a.txt and 1 more files'
    """
    return str(files[0]) + (f" and {len(files) - 1:,} more files" if len(files) > 1 else "")


def write_types(
    writer: FolderWriter,
    types: Sequence[bytes],
    counts: npt.NDArray[np.float64],
    pieces: Sequence[tuple[int, int]],
    renumberings: Sequence[npt.NDArray[Any]],
) -> dict[str, Any]:
    """Sort the types by count, then by bytes; update the token ids; write the types.

    Args:
        writer: The folder, which has the tokens already.
        types: The bytes of each type.
        counts: The count of each type.
        pieces: The lengths of the parts of the token stream, and for each the index of its
            renumbering.
        renumberings: Arrays that map token ids to types.

    Returns:
        The numbers of tokens and types, for the record.
    """
    seen = np.flatnonzero(counts).tolist()
    by_bytes = np.array(sorted(seen, key=types.__getitem__))
    order = by_bytes[np.argsort(-counts[by_bytes], kind="stable")]
    rank = np.zeros(len(types), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    tokens = writer.written("tokens")
    # one more entry at the end, so that the id -1 of a sentence end stays -1
    finals = [np.append(rank[numbers], np.int32(-1)) for numbers in renumberings]
    start = 0
    for length, which in pieces:
        for first in range(start, start + length, _TOKENS_AT_A_TIME):
            last = min(first + _TOKENS_AT_A_TIME, start + length)
            tokens[first:last] = finals[which][tokens[first:last]]
        start += length
    ordered = [types[i] for i in order]
    writer.append("words", np.frombuffer(b"".join(ordered), dtype=np.uint8))
    offsets = np.zeros(len(ordered) + 1, dtype=np.int64)
    np.cumsum([len(word) for word in ordered], out=offsets[1:])
    writer.append("word_offsets", offsets)
    writer.append("counts", counts[order].astype(np.float64))
    return {"tokens": int(counts.sum()), "types": len(ordered)}
