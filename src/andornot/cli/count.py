"""`andornot count`: count co-occurrences in a text."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from andornot.base.choices import Engine, Tokenizer, WindowWeighting
from andornot.base.errors import FileError, UsageError
from andornot.cli import options
from andornot.cli.options import (
    MarkupOption,
    MaxSizeOption,
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
            "a sentence or document per line, or a single long line. With --engine spark: any "
            "address that Spark reads.",
        ),
    ],
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="COUNTS",
            help="Output folder. With --engine spark: any address that Spark writes.",
        ),
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
        str | None,
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
            help="Hold out every N-th block of 10,000 tokens, by which `train` chooses the prior.",
        ),
    ] = None,
    tokenizer: Annotated[Tokenizer, typer.Option(help=options.TOKENIZER_HELP)] = options.TOKENIZER,
    separator: SeparatorOption = None,
    phrases: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Phrases to merge into one token, one per line."),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Approximate memory limit for counting. Default: 4GB; 512MiB for each task of "
            "Spark.",
        ),
    ] = None,
    threads: ThreadsOption = None,
    strict: StrictOption = False,
    without_markup: MarkupOption = False,
    engine: Annotated[
        Engine, typer.Option(help="Where to count: on this machine, or on Apache Spark.")
    ] = Engine.LOCAL,
    master: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Spark: the cluster, such as spark://HOST:7077, yarn or local[2]. Default: that "
            "of spark-submit.",
        ),
    ] = None,
    spark_conf: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Spark: a property of Spark; may be repeated."),
    ] = None,
    py_archive: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Spark: ship andornot to the workers: its .zip or .whl, or a .tar.gz of a whole "
            "environment.",
        ),
    ] = None,
    partitions: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Spark: write N files. Default: by the expected number of pairs."
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace existing counts, and the file of --save-vocab.")
    ] = False,
) -> None:
    """Count how often words co-occur in a text."""
    if separator is not None and phrases is not None:
        raise UsageError("--phrases and --separator can't be combined; leave one out")
    for_spark = {
        "--master": master,
        "--spark-conf": spark_conf,
        "--py-archive": py_archive,
        "--partitions": partitions,
    }
    if engine == Engine.LOCAL and (given := [name for name in for_spark if for_spark[name]]):
        raise UsageError(f"{given[0]} needs --engine spark; add it, or leave {given[0]} out")
    if engine == Engine.SPARK and held_out:
        raise UsageError(
            "--held-out counts blocks in the order of the text, which tasks on Spark don't know; "
            "leave it out, or count with --engine local"
        )
    if engine == Engine.SPARK and threads is not None:
        raise UsageError("Spark decides how many tasks run at once; leave out --threads")
    size = None if memory is None else parse_size(memory)
    parsed_window = parse_window(window)
    from andornot.base.outputs import check_output
    from andornot.cooccurrence.windows import check_sample
    from andornot.corpus.blocks import check_every
    from andornot.corpus.corpus import least_count

    check_every(held_out)
    if sample is not None:
        check_sample(sample)
    least_count(min_count, max_size, None if vocab is None else "--vocab fixes")
    if save_vocab is not None:
        inputs = [*corpus, *(str(given) for given in (vocab, phrases) if given is not None)]
        _check_words_file(save_vocab, output, inputs)
        check_output(save_vocab, force=force)
    if engine == Engine.LOCAL:
        from andornot.cooccurrence.store import KIND

        check_output(output, force=force, kind=KIND)  # before the text is read
    choice: dict[str, Any] = {
        "vocabulary": None if vocab is None else _read_vocabulary(vocab),
        "min_count": min_count,
        "max_size": max_size,
        "window": parsed_window,
        "weights": None if window_weights is None else window_weights.value,
        "sample": sample,
        "force": force,
    }
    if size is not None:
        choice["memory"] = size
    merged = None if phrases is None else _read_phrases(phrases, tokenizer)
    text_form: dict[str, Any] = {
        "tokenizer": tokenizer.value,
        "separator": parse_separator(separator),
        "strict": strict,
        "without_markup": without_markup,
    }
    began = time.perf_counter()
    if engine == Engine.SPARK:
        from andornot.cooccurrence.spark.engine import count_on_spark
        from andornot.cooccurrence.spark.sessions import spark_session

        with spark_session(master, _parse_conf(spark_conf or []), py_archive) as session:
            written = count_on_spark(
                corpus,
                output,
                session,
                phrases=merged,
                partitions=partitions,
                **choice,
                **text_form,
            )
        result = _Result(written.vocabulary, written.pairs, written.tokens)
        found = written.phrases
    else:
        from andornot import cooccurrence
        from andornot.corpus import open_corpus
        from andornot.corpus.edits import merge_phrases

        text = open_corpus(corpus, threads=threads, **text_form)
        if merged is not None:
            text = merge_phrases(text, merged)
            found = text.record["phrases"]
        counts = cooccurrence.count(
            text, held_out=held_out, threads=threads, output=output, **choice
        )
        held = None if counts.held_out is None else counts.held_out.pairs
        result = _Result(counts.vocabulary, counts.pairs, text.size, held)
    if save_vocab is not None:
        check_output(save_vocab, force=force)  # again, because counting takes long
        result.vocabulary.write(save_vocab)
    seconds = time.perf_counter() - began
    if merged is not None:
        print(f"{found:,} of {len(merged):,} phrases were found and merged")
    if result.held_out is not None:
        print(f"held out: {result.held_out:,} pairs of one block in {held_out}")
    print(
        f"{output}: {result.pairs:,} pairs of {len(result.vocabulary):,} words from "
        f"{result.tokens:,} tokens in {seconds:.1f} s ({result.tokens / seconds:,.0f} tokens/s)"
    )


def _check_words_file(path: Path, output: str, inputs: list[str]) -> None:
    """Refuse a file of words that would damage the counts, or replace what is read."""
    from andornot.base.outputs import is_within
    from andornot.cooccurrence.loading import is_address

    if not is_address(output) and is_within(path, output):
        raise FileError(path, f"it is inside the output {output}", "name a file outside of it")
    for given in inputs:
        if given != "-" and not is_address(given) and path.exists() and is_within(path, given):
            raise FileError(path, "it is a file that this command reads", "name another file")


class _Result(NamedTuple):
    """The figures of the counts that were written, by either engine."""

    vocabulary: Vocabulary
    pairs: int
    tokens: int
    held_out: int | None = None


def _parse_conf(properties: list[str]) -> dict[str, str]:
    """Return properties of Spark by their names."""
    parsed = {}
    for text in properties:
        name, equals, value = text.partition("=")
        if not equals or not name.startswith("spark."):
            raise UsageError(f"--spark-conf must be spark.NAME=VALUE, got {text!r}")
        parsed[name] = value
    return parsed


def _read_vocabulary(path: str) -> Vocabulary:
    """Read the words of a file, or of other counts."""
    from andornot.cooccurrence.loading import is_address, load_counts
    from andornot.words.vocabulary import Vocabulary

    is_folder = is_address(path) or Path(path).is_dir()
    return load_counts(path).vocabulary if is_folder else Vocabulary.read(path)


def _read_phrases(path: Path, tokenizer: Tokenizer) -> list[str]:
    """Read the distinct phrases of a file, tokenized like the corpus."""
    import numpy as np

    from andornot.base.files import read_list
    from andornot.corpus.tokenizing import find_words
    from andornot.corpus.white_space import split_at_white_space

    text = read_list(path)
    try:
        if tokenizer == Tokenizer.WORDS:
            text = find_words(np.frombuffer(text, dtype=np.uint8))[0].tobytes()
        lines = text.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise FileError(path, "bytes that are not UTF-8", "convert it to UTF-8") from error
    spaced = (" ".join(split_at_white_space(line)) for line in lines if line.strip())
    phrases = list(dict.fromkeys(spaced))
    if not phrases:
        raise FileError(path, "the file has no phrases", "write one phrase per line")
    return phrases
