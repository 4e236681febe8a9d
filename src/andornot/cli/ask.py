"""`andornot ask`: answer queries given as arguments, on standard input, or at a prompt."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from andornot.base import defaults
from andornot.base.choices import Measure, OrWeights, Postprocess, Undecodable
from andornot.cli.asking import ask_queries
from andornot.cli.options import (
    CorpusOption,
    CountsOption,
    FrequencyOption,
    FromOption,
    GloveVocabOption,
    JsonOption,
    KOption,
    LengthOption,
    PatternOption,
    SpaceOption,
    UndecodableOption,
)


def ask(
    query: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="QUERY",
            help="For example 'royal & woman', 'violin | piano', 'apple & !fruit', "
            "'!day @ {day, night, morning, evening}', '\"a person who studies stars\"', or one "
            "word. Without a query, read one per line from standard input, or open a prompt.",
        ),
    ] = None,
    space: SpaceOption = None,
    k: KOption = defaults.K,
    postprocess: Annotated[
        Postprocess | None,
        typer.Option(
            help="Post-processing. Default: frequency, or uniform without counts; none for "
            "vectors that are post-processed already.",
        ),
    ] = None,
    weights: Annotated[
        OrWeights | None,
        typer.Option(help="Weights of the words of an OR and of a category. Default: uniform."),
    ] = None,
    paper: Annotated[
        bool,
        typer.Option(
            "--paper", help="Use the paper's settings: frequency centring and frequency weights."
        ),
    ] = False,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact",
            help="Compute AND, OR and NOT from the model's PMI; needs context vectors and counts.",
        ),
    ] = False,
    measure: Annotated[
        Measure,
        typer.Option(help="Rank by cosine, or by the model's PMI (needs context vectors)."),
    ] = defaults.MEASURE,
    everywhere: Annotated[
        bool,
        typer.Option(
            "--everywhere", help="NOT and given: rank the whole vocabulary, not the category."
        ),
    ] = False,
    keep_operands: Annotated[
        bool, typer.Option("--keep-operands", help="Keep query words in the results.")
    ] = False,
    among: Annotated[
        str | None,
        typer.Option(metavar="WORDS", help="Rank only these: 'word, word', or a category's name."),
    ] = None,
    pattern: PatternOption = None,
    length: LengthOption = None,
    frequency: FrequencyOption = defaults.FREQUENCY,
    categories: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File of named categories, `name: word, word` per line."),
    ] = None,
    counts: CountsOption = None,
    corpus: CorpusOption = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the formula with its numbers.")
    ] = False,
    against: Annotated[
        str | None,
        typer.Option(metavar="COUNTS", help="Explain, and compare with the PMI of these counts."),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.svg",
            help="Draw the answer too: the height of a word is its score. Takes one query.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing plot.")] = False,
    as_json: JsonOption = False,
    format: FromOption = None,
    glove_vocab: GloveVocabOption = None,
    undecodable: UndecodableOption = Undecodable.STRICT,
) -> None:
    """Ask for words by AND, OR and NOT.

    Put -- before a query that starts with -.
    """
    ask_queries(
        query,
        space=space,
        k=k,
        postprocess=postprocess,
        weights=weights,
        paper=paper,
        exact=exact,
        measure=measure,
        everywhere=everywhere,
        keep_operands=keep_operands,
        among=among,
        pattern=pattern,
        length=length,
        frequency=frequency,
        categories=categories,
        counts=counts,
        corpus=corpus,
        explain=explain,
        against=against,
        plot=plot,
        force=force,
        as_json=as_json,
        format=format,
        glove_vocab=glove_vocab,
        undecodable=undecodable,
    )
