"""What can be done with a space: ask, info, convert, evaluate, as they are typed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from andornot.base import defaults
from andornot.base.choices import Measure, OrWeights, Postprocess, Undecodable, Vectors, WriteFormat
from andornot.cli.options import (
    CorpusOption,
    FromOption,
    SpaceArgument,
    UndecodableOption,
    VocabOption,
    chosen,
    loading,
)


def info(
    space: SpaceArgument = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    format: FromOption = None,
    vocab: VocabOption = None,
    undecodable: UndecodableOption = Undecodable.STRICT,
) -> None:
    """Show what a space, or a folder of counts, holds.

    And how it was made.
    """
    from andornot.base.folders import recover
    from andornot.formats.detection import is_model

    path = chosen(space)
    recover(path)
    if path.is_dir() and not is_model(path):
        from andornot.cli.count import show_counts

        return show_counts(path, as_json)
    from andornot.cli.info import show_info

    return show_info(path, loading(format, vocab, undecodable), as_json)


def convert(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="IN", help="A file of vectors, a model, or `default`: the default model."
        ),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            help="Where to write: .safetensors is native and keeps everything, .vec fastText "
            "text, .txt word2vec text, .bin word2vec binary; .gz, .bz2, .xz compress. A folder "
            "with --to model2vec.",
        ),
    ],
    counts: Annotated[
        str | None,
        typer.Option(
            metavar="SOURCE",
            help="Word counts: a file with a word and its count on each line, wordfreq, "
            "wordfreq:LANGUAGE, or rank (an estimate from the order of the words).",
        ),
    ] = None,
    corpus: CorpusOption = None,
    top: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Keep the N most frequent words.")
    ] = None,
    postprocess: Annotated[
        Postprocess, typer.Option(help="What is done to the vectors before they are written.")
    ] = defaults.CONVERT_POSTPROCESS,
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
    """Convert a space to another format.

    With counts added, or cut to its most frequent words, where that is asked for.
    """
    from andornot.cli.convert import convert_space

    convert_space(
        chosen(source),
        target,
        options=loading(format, vocab, undecodable),
        to=to and to.value,
        counts=counts,
        corpus=corpus,
        top=top,
        postprocess=postprocess.value,
        vectors=vectors.value,
        quantised=quantise,
        save_counts=save_counts,
        force=force,
    )


def ask(
    query: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="QUERY",
            help="Such as 'royal & woman', 'violin | piano', "
            "'!day @ {day, night, morning, evening}', or a word for its neighbours; without one, "
            "lines of standard input, or a prompt.",
        ),
    ] = None,
    space: Annotated[
        Path | None,
        typer.Option(
            "--space",
            "-s",
            metavar="SPACE",
            help="A file of vectors, or a model; else the default model.",
        ),
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, metavar="N", help="How many words to show.")] = (
        defaults.K
    ),
    postprocess: Annotated[
        Postprocess | None,
        typer.Option(
            help="Post-processing. Default: frequency, or uniform without counts; none for "
            "vectors that were post-processed already.",
        ),
    ] = None,
    weights: Annotated[
        OrWeights | None,
        typer.Option(help="OR weights. Default: frequency, or uniform without counts."),
    ] = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="OR and NOT from PMI itself; needs context vectors.")
    ] = False,
    measure: Annotated[
        Measure, typer.Option(help="Rank by the cosine, or by PMI with context vectors.")
    ] = defaults.MEASURE,
    everywhere: Annotated[
        bool,
        typer.Option("--everywhere", help="NOT: rank the whole vocabulary, not its category."),
    ] = False,
    keep_operands: Annotated[
        bool, typer.Option("--keep-operands", help="Words of the query may be answers too.")
    ] = False,
    among: Annotated[
        str | None,
        typer.Option(metavar="WORDS", help="Rank these alone: 'word, word', or a category's name."),
    ] = None,
    categories: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Named categories: `name: word, word` on each line."),
    ] = None,
    counts: Annotated[
        str | None,
        typer.Option(
            metavar="SOURCE", help="Word counts: a file, wordfreq, or rank (an estimate)."
        ),
    ] = None,
    corpus: CorpusOption = None,
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
    """Ask for words by AND, OR and NOT.

    Put -- before a query that starts with -.
    """
    from andornot.cli.ask import ask_space

    ask_space(
        query or [],
        chosen(space),
        loading(format, vocab, undecodable),
        counts=counts,
        corpus=corpus,
        categories=categories,
        postprocess=postprocess and postprocess.value,
        weights=weights and weights.value,
        exact=exact,
        explained=explain,
        against=against,
        as_json=as_json,
        asking={
            "k": k,
            "measure": measure.value,
            "everywhere": everywhere,
            "keep_operands": keep_operands,
            "among": _among(among),
        },
    )


def _among(text: str | None) -> list[str] | str | None:
    """The words of a list, or the name of a category.

    >>> _among("{king, queen}"), _among("royals")
    (['king', 'queen'], 'royals')
    """
    if text is None or not ("," in text or text.startswith("{")):
        return text
    return [word.strip() for word in text.strip("{} ").split(",") if word.strip()]


def evaluate(
    space: SpaceArgument = None,
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
    postprocess: Annotated[
        Postprocess, typer.Option(help="What is done to the vectors first.")
    ] = defaults.EVALUATE_POSTPROCESS,
    sections: Annotated[bool, typer.Option("--sections", help="Analogies by section too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    format: FromOption = None,
    vocab: VocabOption = None,
    undecodable: UndecodableOption = Undecodable.STRICT,
) -> None:
    """Score vectors by word similarity and analogies.

    WordSim-353, SimLex-999, MTurk-771 and the Google analogies, found by ANDORNOT_DATA or fetched
    by `andornot data fetch`, or files of your own.
    """
    from andornot.cli.evaluate import evaluate_space

    evaluate_space(
        chosen(space),
        loading(format, vocab, undecodable),
        pairs=pairs or [],
        questions=analogies or [],
        method=postprocess.value,
        sections=sections,
        as_json=as_json,
    )
