"""Options that several commands share, and functions that parse their values."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from andornot.base.choices import (
    LINE_WINDOW,
    FrequencyFilter,
    ReadFormat,
    Tokenizer,
    Undecodable,
)
from andornot.base.errors import UsageError

SpaceArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="SPACE",
        help="Vector file in any known format, folder of a BERT-like model, or its name "
        "on the hub (hf:NAME). Default: the model that comes with andornot.",
    ),
]
SpaceOption = Annotated[
    Path | None,
    typer.Option(
        "--space",
        "-s",
        metavar="SPACE",
        help="Vector file or model folder. Default: the model that comes with andornot.",
    ),
]
FromOption = Annotated[
    ReadFormat | None,
    typer.Option(
        "--from",
        metavar="FORMAT",
        help=f"Input format, if it isn't detected from the content: {', '.join(ReadFormat)}.",
    ),
]
GloveVocabOption = Annotated[
    Path | None,
    typer.Option(
        "--glove-vocab",
        metavar="FILE",
        help="Word list of a GloVe binary file. Default: vocab.txt in the same folder.",
    ),
]
UndecodableOption = Annotated[
    Undecodable,
    typer.Option(help="strict: refuse words that are not UTF-8; replace: replace their bytes."),
]
CountsOption = Annotated[
    str | None,
    typer.Option(
        metavar="SOURCE",
        help="Word counts to add: a file with a word and its count on each line, wordfreq, "
        "wordfreq:LANGUAGE, or rank (an estimate from the word order).",
    ),
]
CorpusOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TEXT",
        help="Text file in which to count the tokens of a model with its own tokenizer.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
KOption = Annotated[int, typer.Option("-k", min=1, metavar="N", help="Number of words to show.")]
PatternOption = Annotated[
    str | None,
    typer.Option(
        metavar="PATTERN",
        help="Rank only words that match: * matches any characters, ? matches one, as in 'a*'.",
    ),
]
LengthOption = Annotated[
    str | None, typer.Option(metavar="N|N-M", help="Rank only words of N, or N to M, characters.")
]
FrequencyOption = Annotated[
    FrequencyFilter,
    typer.Option(
        help="Rank only common words (the 10,000 most frequent) or rare words (beyond the 30,000 "
        "most frequent). Needs counts."
    ),
]
MinCountOption = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Ignore words that occur less often. Default: 5."),
]
MaxSizeOption = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Keep the N most frequent words.")
]
SampleOption = Annotated[
    float | None,
    typer.Option(
        metavar="RATE",
        help="Subsample frequent words as word2vec does, such as 1e-3. Default: off.",
    ),
]
TOKENIZER_HELP = "whitespace: split at white space; words: lower-case Unicode words."
MemoryOption = Annotated[
    str, typer.Option(metavar="SIZE", help="Approximate memory limit for counts.")
]
ThreadsOption = Annotated[
    int | None, typer.Option(metavar="N", min=1, help="Number of threads. Default: all cores.")
]
MarkupOption = Annotated[
    bool,
    typer.Option(
        "--without-markup", help="Remove leftover wiki templates, tags, entities and URLs."
    ),
]
StrictOption = Annotated[bool, typer.Option("--strict", help="Refuse bytes that are not UTF-8.")]

SeparatorOption = Annotated[
    str | None,
    typer.Option(
        metavar="CHARACTER|TAB",
        help="Character between the tokens of a line; tokens may contain spaces. Default: white "
        "space.",
    ),
]

MEMORY = "4GB"
TOKENIZER = Tokenizer.WHITESPACE

_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)(i?)b?\s*", re.IGNORECASE)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}


def parse_size(text: str) -> int:
    """Parse a size such as 4GB and return the number of bytes.

    >>> parse_size("4GB"), parse_size("512 MiB"), parse_size("1.5g")
    (4000000000, 536870912, 1500000000)
    """
    match = _SIZE.fullmatch(text)
    if not match:
        raise UsageError(f"memory must be a size such as 500MB, 2GB or 1.5GiB, got {text!r}")
    base = 1024 if match[3] else 1000
    return int(float(match[1]) * base ** _POWERS[match[2].lower()])


def parse_window(text: str) -> int | str:
    """Parse a window size: a number of words, or "line".

    >>> parse_window("5"), parse_window("line")
    (5, 'line')
    """
    if text == LINE_WINDOW:
        return text
    try:
        return int(text)
    except ValueError as error:
        raise UsageError(
            f"--window must be a number of words, or {LINE_WINDOW}, got {text!r}"
        ) from error


def parse_separator(text: str | None) -> str | None:
    r"""Return the separator: the given character, or a tab for TAB.

    >>> parse_separator("TAB"), parse_separator("|")
    ('\t', '|')
    """
    return "\t" if text in ("TAB", "\\t") else text
