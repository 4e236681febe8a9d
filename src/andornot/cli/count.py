"""`andornot count`: count co-occurrences in a text."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from andornot.base.choices import Tokenizer, WindowWeighting
from andornot.base.errors import FileError, UsageError
from andornot.cli import options
from andornot.cli.options import (
    MarkupOption,
    MaxSizeOption,
    MemoryOption,
    MinCountOption,
    SampleOption,
    SeparatorOption,
    StrictOption,
    ThreadsOption,
    parse_separator,
    parse_size,
    parse_window,
)

if TYPE_CHECKING:
    from andornot.words.vocabulary import Vocabulary


def count(
    corpus: Annotated[
        list[str],
        typer.Argument(
            metavar="CORPUS",
            help="Text files or folders, compressed or not, or - for standard input; "
            "a sentence or document per line, or a single long line.",
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="COUNTS", help="Output folder.")
    ],
    window: Annotated[
        str,
        typer.Option(
            metavar="N|line",
            help="Number of words on each side, or line to pair all words of a line.",
        ),
    ] = "5",
    window_weights: Annotated[
        WindowWeighting | None,
        typer.Option(
            help="Weights by distance: flat, linear (word2vec), harmonic (GloVe). Default: linear; "
            "flat with --window line."
        ),
    ] = None,
    min_count: MinCountOption = None,
    max_size: MaxSizeOption = None,
    vocab: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Words to count: a file with a word and its count per line, or other counts.",
        ),
    ] = None,
    save_vocab: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the words and their counts.")
    ] = None,
    sample: SampleOption = None,
    held_out: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Hold out every N-th block of 10,000 tokens, from which `train` chooses settings.",
        ),
    ] = None,
    tokenizer: Annotated[Tokenizer, typer.Option(help=options.TOKENIZER_HELP)] = options.TOKENIZER,
    separator: SeparatorOption = None,
    phrases: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Phrases to merge into one token, one per line."),
    ] = None,
    memory: MemoryOption = options.MEMORY,
    threads: ThreadsOption = None,
    strict: StrictOption = False,
    without_markup: MarkupOption = False,
    force: Annotated[bool, typer.Option("--force", help="Replace existing counts.")] = False,
) -> None:
    """Count how often words co-occur in a text."""
    if vocab is not None and (min_count is not None or max_size is not None):
        raise UsageError("--vocab fixes the vocabulary; leave out --min-count and --max-size")
    if separator is not None and phrases is not None:
        raise UsageError("--phrases and --separator can't be combined; leave one out")
    size = parse_size(memory)
    from andornot import cooccurrence
    from andornot.base.outputs import check_output
    from andornot.cooccurrence.store import KIND
    from andornot.corpus import open_corpus
    from andornot.corpus.blocks import check_every
    from andornot.corpus.edits import merge_phrases

    check_every(held_out)
    check_output(output, force=force, kind=KIND)  # before reading the text, which may take long
    if save_vocab is not None:
        check_output(save_vocab, force=True)
    words = None if vocab is None else _read_vocabulary(vocab)
    merged = None if phrases is None else _read_phrases(phrases, tokenizer)
    began = time.perf_counter()
    text = open_corpus(
        corpus,
        tokenizer=tokenizer.value,
        separator=parse_separator(separator),
        strict=strict,
        without_markup=without_markup,
        threads=threads,
    )
    if merged is not None:
        text = merge_phrases(text, merged)
        found = sum("_".join(phrase.split()) in text.vocabulary for phrase in merged)
        print(f"{found:,} of {len(merged):,} phrases were found and merged")
    counts = cooccurrence.count(
        text,
        vocabulary=words,
        min_count=options.MIN_COUNT if min_count is None else min_count,
        max_size=max_size,
        window=parse_window(window),
        weights=None if window_weights is None else window_weights.value,
        sample=sample,
        held_out=held_out,
        memory=size,
        threads=threads,
        output=output,
        force=force,
    )
    if save_vocab is not None:
        counts.vocabulary.write(save_vocab)
    seconds = time.perf_counter() - began
    if counts.held_out is not None:
        print(f"held out: {counts.held_out.pairs:,} pairs of one block in {held_out}")
    print(
        f"{output}: {counts.pairs:,} pairs of {len(counts.vocabulary):,} words "
        f"from {text.size:,} tokens in {seconds:.1f} s ({text.size / seconds:,.0f} tokens/s)"
    )


def _read_vocabulary(path: Path) -> Vocabulary:
    """Read the vocabulary of a file, or of a folder of counts."""
    from andornot.cooccurrence import load_counts
    from andornot.words.vocabulary import Vocabulary

    return load_counts(path).vocabulary if path.is_dir() else Vocabulary.read(path)


def _read_phrases(path: Path, tokenizer: Tokenizer) -> list[str]:
    """Read the phrases of a file, tokenized like the corpus."""
    import numpy as np

    from andornot.base.files import Source
    from andornot.corpus.tokenizing import find_words

    with Source(path) as source:
        try:
            text = source.read()
            if tokenizer == Tokenizer.WORDS:
                text = find_words(np.frombuffer(text, dtype=np.uint8))[0].tobytes()
            lines = text.decode("utf-8").splitlines()
        except UnicodeDecodeError as error:
            raise FileError(path, "bytes that are not UTF-8", "convert it to UTF-8") from error
    phrases = [line.strip() for line in lines if line.strip()]
    if not phrases:
        raise FileError(path, "the file has no phrases", "write one phrase per line")
    return phrases
