"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from andornot.base.choices import ReadFormat, Undecodable
from andornot.base.errors import UsageError

if TYPE_CHECKING:
    from andornot.space import Space

SpaceArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="SPACE",
        help="A file of vectors in any known format, the folder of a BERT-like model or its name "
        "on the hub (hf:NAME); else the default model.",
    ),
]
FromOption = Annotated[
    ReadFormat | None,
    typer.Option(
        "--from",
        metavar="FORMAT",
        help=f"Where its content doesn't tell the format of the input: {', '.join(ReadFormat)}.",
    ),
]
VocabOption = Annotated[
    Path | None, typer.Option("--vocab", metavar="FILE", help="The words of a GloVe binary.")
]
UndecodableOption = Annotated[
    Undecodable, typer.Option(help="Refuse words that are not UTF-8, or replace their bytes.")
]
CorpusOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TEXT",
        help="For a model with a tokenizer of its own: count its tokens in this text.",
    ),
]


def loading(
    format: ReadFormat | None, vocab: Path | None, undecodable: Undecodable
) -> dict[str, Any]:
    """What `load` is told of a file."""
    return {
        "format": format and format.value,
        "vocabulary": vocab,
        "undecodable": undecodable.value,
    }


def with_counts_from(space: Space, counts: str | None, corpus: list[str] | None) -> Space:
    """A space with the counts that were named, or counted in the text that was."""
    if counts is not None and corpus:
        raise UsageError("counts come from --counts or from --corpus; leave one off")
    if counts is not None:
        return space.with_counts(counts)
    if not corpus:
        return space
    from andornot.cli.console import progress_bar
    from andornot.encoders.token_counting import count_tokens

    with progress_bar("counting tokens") as progress:
        return count_tokens(space, corpus, progress=progress)


def chosen(space: Path | None) -> Path:
    """The space that was named, or the default model: where none is, or where `default` is."""
    if space is not None and (str(space) != "default" or space.exists()):
        return space
    from andornot.formats.default_model import PATH

    return PATH
