"""The command `andornot`. Each command imports what it needs when it runs: --help is quick."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from andornot import __version__
from andornot.choices import (
    Measure,
    Model,
    OrWeights,
    Postprocess,
    ReadFormat,
    Solver,
    Tokenizer,
    Undecodable,
    Vectors,
    Weights,
    WriteFormat,
)
from andornot.errors import AndornotError

INTERRUPTED = 130  # the exit code after Ctrl-C, as shells have it

app = typer.Typer(
    help="AND, OR and NOT for word embeddings.",
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


SpaceArgument = Annotated[
    Path,
    typer.Argument(
        metavar="SPACE", help="A file of vectors in any known format, or a folder of counts."
    ),
]
FromOption = Annotated[
    ReadFormat | None,
    typer.Option("--from", help="The format of the input, where its content doesn't tell."),
]
VocabOption = Annotated[
    Path | None, typer.Option("--vocab", metavar="FILE", help="The words of a GloVe binary.")
]
UndecodableOption = Annotated[
    Undecodable, typer.Option(help="Refuse words that are not UTF-8, or replace their bytes.")
]


def _version(wanted: bool) -> None:
    if wanted:
        print(f"andornot {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """AND, OR and NOT for word embeddings."""


@app.command()
def info(
    space: SpaceArgument,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    format: FromOption = None,
    vocab: VocabOption = None,
    undecodable: UndecodableOption = Undecodable.STRICT,
) -> None:
    """Show what a space, or a folder of co-occurrence counts, holds and how it was made."""
    from andornot.folders import recover

    recover(space)
    if space.is_dir():
        from andornot.cli.count import show_counts

        return show_counts(space, as_json)
    from andornot.cli.info import show_info

    return show_info(space, _loading(format, vocab, undecodable), as_json)


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A file of vectors.")],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            help="Where to write: .safetensors is native and keeps everything, .vec fastText "
            "text, .txt word2vec text, .bin word2vec binary; .gz, .bz2, .xz compress.",
        ),
    ],
    counts: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Word counts: a file with a word and its count on each line, wordfreq, "
            "wordfreq:LANGUAGE, or rank (an estimate from the order of the words).",
        ),
    ] = None,
    top: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Keep the N most frequent words.")
    ] = None,
    to: Annotated[
        WriteFormat | None,
        typer.Option(help="The format to write, where the name doesn't tell."),
    ] = None,
    vectors: Annotated[
        Vectors, typer.Option(help="Which vectors to write to a format with room for one.")
    ] = Vectors.TARGET,
    quantise: Annotated[
        bool,
        typer.Option("--quantise", help="Native only: vectors in 8 bits, a quarter of the size."),
    ] = False,
    save_counts: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the counts too, a word and its count per line."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace existing files.")] = False,
    format: FromOption = None,
    vocab: VocabOption = None,
    undecodable: UndecodableOption = Undecodable.STRICT,
) -> None:
    """Convert a space to another format, with counts added or cut to its most frequent words."""
    from andornot.cli.convert import convert_space

    convert_space(
        source,
        target,
        options=_loading(format, vocab, undecodable),
        to=to and to.value,
        counts=counts,
        top=top,
        vectors=vectors.value,
        quantised=quantise,
        save_counts=save_counts,
        force=force,
    )


@app.command()
def count(
    corpus: Annotated[
        list[str],
        typer.Argument(
            metavar="CORPUS",
            help="Text files or folders, compressed or not, or - for standard input; "
            "a sentence or document on each line, or one endless line.",
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="COUNTS", help="The folder to write.")
    ],
    window: Annotated[int, typer.Option(min=1, help="Words on each side.")] = 5,
    weights: Annotated[
        Weights,
        typer.Option(help="By distance: flat, linear (word2vec's), harmonic (GloVe's)."),
    ] = Weights.LINEAR,
    min_count: Annotated[
        int | None, typer.Option(min=1, help="Leave out rarer words; by default under 5.")
    ] = None,
    max_size: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="At most so many words.")
    ] = None,
    vocab: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The words to count: a file with one and its count on each line, or other counts.",
        ),
    ] = None,
    save_vocab: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the words and their counts too.")
    ] = None,
    sample: Annotated[
        float | None,
        typer.Option(help="The expected counts under word2vec's subsampling, such as 1e-3."),
    ] = None,
    tokenizer: Annotated[
        Tokenizer,
        typer.Option(help="Tokens as they stand, or lower-case Unicode words."),
    ] = Tokenizer.WHITESPACE,
    phrases: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Phrases to merge into one token, one on each line."),
    ] = None,
    memory: Annotated[str, typer.Option(metavar="SIZE", help="About how much to use.")] = "4GB",
    threads: Annotated[int | None, typer.Option(min=1, help="By default all cores.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse bytes that are not UTF-8.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace existing counts.")] = False,
) -> None:
    """Count how often words stand near each other in a text."""
    if vocab is not None and (min_count is not None or max_size is not None):
        raise typer.BadParameter("--vocab names the words: leave off --min-count and --max-size")
    from andornot.cli.count import count_corpus

    count_corpus(
        corpus,
        output,
        window=window,
        weights=weights.value,
        min_count=5 if min_count is None else min_count,
        max_size=max_size,
        vocabulary=vocab,
        save_vocab=save_vocab,
        sample=sample,
        tokenizer=tokenizer.value,
        phrases=phrases,
        memory=memory,
        threads=threads,
        strict=strict,
        force=force,
    )


@app.command()
def train(
    source: Annotated[
        list[str],
        typer.Argument(
            metavar="CORPUS_OR_COUNTS",
            help="Text files or folders, compressed or not, or - for standard input; "
            "or a folder of counts that `andornot count` wrote.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="SPACE", help="The .safetensors file to write."),
    ],
    model: Annotated[Model, typer.Option(help="Skip-gram with negative samples, or GloVe.")] = (
        Model.SGNS
    ),
    solver: Annotated[
        Solver,
        typer.Option(help="Stochastic steps, the whole loss, or what pays for this input."),
    ] = Solver.AUTO,
    dim: Annotated[int, typer.Option(help="The dimension of the vectors.")] = 300,
    window: Annotated[
        int | None, typer.Option(help="Words on each side; by default 5, or that of the counts.")
    ] = None,
    weights: Annotated[
        Weights | None,
        typer.Option(
            help="By distance; by default linear for sgns, harmonic for glove, or those "
            "of the counts."
        ),
    ] = None,
    negative: Annotated[int, typer.Option(help="sgns: k, negatives for each pair.")] = 15,
    exponent: Annotated[
        float, typer.Option(help="sgns: negatives are drawn from count^EXPONENT.")
    ] = 0.75,
    x_max: Annotated[float, typer.Option(help="glove: counts from here on weigh 1.")] = 100.0,
    alpha: Annotated[float, typer.Option(help="glove: lower ones (x/x_max)^ALPHA.")] = 0.75,
    epochs: Annotated[
        int | None,
        typer.Option(
            help="Passes over the text or the counts; by default 5 (sgns) and 25 (glove) sampled, "
            "at most 60 and 20 exact."
        ),
    ] = None,
    rate: Annotated[
        float | None, typer.Option(help="The first step width; each solver has its own default.")
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(help="exact: stop when an epoch improves the loss by a smaller part."),
    ] = None,
    min_count: Annotated[
        int | None, typer.Option(help="Leave out rarer words; by default under 5.")
    ] = None,
    max_size: Annotated[int | None, typer.Option(metavar="N", help="At most so many words.")] = (
        None
    ),
    sample: Annotated[
        float | None, typer.Option(help="Subsampling as in word2vec, such as 1e-3; off by default.")
    ] = None,
    tokenizer: Annotated[
        Tokenizer | None,
        typer.Option(help="Tokens as they stand (the default), or lower-case Unicode words."),
    ] = None,
    seed: Annotated[
        int, typer.Option(help="One thread and the same seed: the same vectors, bit by bit.")
    ] = 1,
    threads: Annotated[int | None, typer.Option(min=1, help="By default all cores.")] = None,
    memory: Annotated[
        str, typer.Option(metavar="SIZE", help="About how much to use for counting.")
    ] = "4GB",
    checkpoint_minutes: Annotated[
        float, typer.Option(metavar="MINUTES", min=0, help="How often the state is saved.")
    ] = 2.0,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from SPACE.checkpoint, after any end.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse bytes that are not UTF-8.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace an existing space or checkpoint.")
    ] = False,
) -> None:
    """Train vectors, keeping targets, contexts, biases and frequencies together."""
    from andornot.cli.train import train_space
    from andornot.training import Settings

    settings = Settings(
        model=model,
        solver=solver,
        dim=dim,
        window=window,
        negative=negative,
        exponent=exponent,
        sample=sample,
        x_max=x_max,
        alpha=alpha,
        epochs=epochs,
        rate=rate,
        tolerance=tolerance,
        seed=seed,
    )
    train_space(
        source,
        output,
        settings,
        min_count=min_count,
        max_size=max_size,
        tokenizer=tokenizer and tokenizer.value,
        strict=strict,
        memory=memory,
        threads=threads,
        resume=resume,
        force=force,
        checkpoint_minutes=checkpoint_minutes,
        weights=weights and weights.value,
    )


@app.command()
def ask(
    space: Annotated[
        Path, typer.Option("--space", "-s", metavar="SPACE", help="A file of vectors.")
    ],
    query: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[QUERY]...",
            help="Such as 'royal & woman', 'box | instance', '!mother @ {mother, father}'; without "
            "one, lines of standard input, or a prompt.",
        ),
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many words to show.")] = 10,
    postprocess: Annotated[
        Postprocess, typer.Option(help="What is done to the vectors first.")
    ] = Postprocess.FREQUENCY,
    weights: Annotated[
        OrWeights, typer.Option(help="How OR weighs its operands.")
    ] = OrWeights.FREQUENCY,
    exact: Annotated[
        bool, typer.Option("--exact", help="OR and NOT from PMI itself; needs context vectors.")
    ] = False,
    measure: Annotated[
        Measure, typer.Option(help="Rank by the cosine, or by PMI with context vectors.")
    ] = Measure.COSINE,
    everywhere: Annotated[
        bool,
        typer.Option("--everywhere", help="NOT: rank the whole vocabulary, not its category."),
    ] = False,
    keep_operands: Annotated[
        bool, typer.Option("--keep-operands", help="Words of the query may be answers too.")
    ] = False,
    categories: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Named categories: `name: word, word` on each line."),
    ] = None,
    counts: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Word counts: a file, wordfreq, or rank."),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the formula with its numbers.")
    ] = False,
    against: Annotated[
        Path | None,
        typer.Option(metavar="COUNTS", help="Explain, and compare with the PMI of these counts."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    format: FromOption = None,
    vocab: VocabOption = None,
    undecodable: UndecodableOption = Undecodable.STRICT,
) -> None:
    """Ask for words by AND, OR and NOT. A query that begins with - stands after --."""
    from andornot.cli.ask import ask_space

    ask_space(
        query or [],
        space,
        _loading(format, vocab, undecodable),
        counts=counts,
        categories=categories,
        postprocess=postprocess.value,
        weights=weights.value,
        exact=exact,
        explained=explain,
        against=against,
        as_json=as_json,
        asking={
            "k": k,
            "measure": measure.value,
            "everywhere": everywhere,
            "keep_operands": keep_operands,
        },
    )


@app.command()
def evaluate(
    space: Annotated[Path, typer.Argument(metavar="SPACE", help="A file of vectors.")],
    pairs: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Rated word pairs instead: a word, a word and a number, separated by tabs.",
        ),
    ] = None,
    analogies: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Analogy questions instead: four words on each line."),
    ] = None,
    sections: Annotated[bool, typer.Option("--sections", help="Analogies by section too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    format: FromOption = None,
    vocab: VocabOption = None,
    undecodable: UndecodableOption = Undecodable.STRICT,
) -> None:
    """Score vectors on WordSim-353, SimLex-999, MTurk-771 and the Google analogies."""
    from andornot.cli.evaluate import evaluate_space

    evaluate_space(
        space,
        _loading(format, vocab, undecodable),
        pairs=pairs or [],
        questions=analogies or [],
        sections=sections,
        as_json=as_json,
    )


def _loading(
    format: ReadFormat | None, vocab: Path | None, undecodable: Undecodable
) -> dict[str, Any]:
    return {
        "format": format and format.value,
        "vocabulary": vocab,
        "undecodable": undecodable.value,
    }


def main() -> None:
    """Run the command: exit 0, 1 when it failed, 2 when it was called wrongly."""
    from andornot.cli.console import shown_warnings

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that isn't UTF-8
    try:
        with shown_warnings():
            app()
    except SystemExit as stop:
        if stop.code == INTERRUPTED:
            kept = ", and count can go on from here" if sys.argv[1:2] == ["count"] else ""
            print(f"interrupted; no output was changed{kept}", file=sys.stderr)
        raise
    except AndornotError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except MemoryError:
        print("error: there is not enough memory for this file", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:  # the reader of a pipe has gone: nothing left to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
