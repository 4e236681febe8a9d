"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from andornot.choices import ReadFormat, Undecodable

SpaceArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="SPACE", help="A file of vectors in any known format; else the default model."
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


def loading(
    format: ReadFormat | None, vocab: Path | None, undecodable: Undecodable
) -> dict[str, Any]:
    """What `load` is told of a file."""
    return {
        "format": format and format.value,
        "vocabulary": vocab,
        "undecodable": undecodable.value,
    }


def chosen(space: Path | None) -> Path:
    """The space that was named, or the default model: where none is, or where `default` is."""
    if space is not None and (str(space) != "default" or space.exists()):
        return space
    from andornot.default_model import PATH

    return PATH
