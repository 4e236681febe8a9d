"""`andornot describe`: find words by a description."""

from __future__ import annotations

from typing import Annotated

import typer

from andornot.base import defaults
from andornot.base.choices import Undecodable
from andornot.cli.answers import show_hits, show_notes
from andornot.cli.console import print_json
from andornot.cli.opening import load_arguments, space_path, with_counts_from
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


def describe(
    description: Annotated[
        list[str],
        typer.Argument(
            metavar="DESCRIPTION",
            help="Description of a word, such as 'a person who studies stars', with or without "
            "quotation marks.",
        ),
    ],
    space: SpaceOption = None,
    k: KOption = defaults.K,
    pattern: PatternOption = None,
    length: LengthOption = None,
    frequency: FrequencyOption = defaults.FREQUENCY,
    counts: CountsOption = None,
    corpus: CorpusOption = None,
    as_json: JsonOption = False,
    format: FromOption = None,
    glove_vocab: GloveVocabOption = None,
    undecodable: UndecodableOption = Undecodable.STRICT,
) -> None:
    """Find words by a description, as a reverse dictionary does."""
    from andornot.algebra import Logic
    from andornot.algebra.facts import facts_of
    from andornot.formats import load

    read = load(space_path(space), **load_arguments(format, glove_vocab, undecodable))
    text = " ".join(description)
    answer = Logic(with_counts_from(read, counts, corpus)).describe(
        text, k=k, pattern=pattern, length=length, frequency=frequency.value
    )
    if as_json:
        print_json(facts_of(text, answer))
        return
    show_hits(answer.hits)
    show_notes(answer.notes)
