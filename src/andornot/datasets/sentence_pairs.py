"""Read Semantic Textual Similarity: pairs of sentences with ratings of their similarity."""

from __future__ import annotations

import math
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from andornot.base.errors import FileError
from andornot.datasets.lines import text_lines


class SentencePair(NamedTuple):
    """Two sentences and the rating of their similarity, from 0 to 5."""

    first: str
    second: str
    rating: float


def read_sts(folder: str | PathLike[str]) -> dict[str, list[SentencePair]]:
    """Read the datasets of one year: each STS.input.NAME.txt with its STS.gs.NAME.txt.

    Pairs without a rating, and columns after the second, are ignored. A dataset without
    sentences, such as STS13's SMT, is omitted.

    For example `len(read_sts(locate("sts12"))["MSRpar"])` is 750.
    """
    inputs = sorted(Path(folder).glob("STS*.input.*.txt"))
    if not inputs:
        raise FileError(folder, "the folder has no STS.input.NAME.txt", "name another folder")
    return {path.name.partition(".input.")[2].removesuffix(".txt"): _pairs(path) for path in inputs}


def _pairs(path: Path) -> list[SentencePair]:
    gold = path.with_name(path.name.replace(".input.", ".gs."))
    sentences, ratings = text_lines(path), text_lines(gold)
    if len(sentences) != len(ratings):
        raise FileError(
            gold, f"{len(ratings):,} ratings for {len(sentences):,} pairs", "get both files again"
        )
    pairs = []
    for number, (line, rating) in enumerate(zip(sentences, ratings, strict=True), start=1):
        if not rating.strip():
            continue
        fields = line.split("\t")
        if len(fields) < 2:
            raise FileError(
                path,
                f"expected two sentences, got {line[:40]!r}",
                "separate them by a tab",
                line=number,
            )
        pairs.append(
            SentencePair(fields[0].strip(), fields[1].strip(), _rating(gold, rating, number))
        )
    return pairs


def _rating(path: Path, text: str, line: int) -> float:
    try:
        rating = float(text)
    except ValueError:
        rating = math.nan
    if not 0 <= rating <= 5:
        raise FileError(
            path, f"expected a number from 0 to 5, got {text[:40]!r}", "correct it", line=line
        )
    return rating
