"""Open the space that a command works on, from the values of its options."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from andornot.base.choices import ReadFormat, Undecodable
from andornot.base.errors import UsageError

if TYPE_CHECKING:
    from andornot.space import Space


def load_arguments(
    format: ReadFormat | None, glove_vocab: Path | None, undecodable: Undecodable
) -> dict[str, Any]:
    """Return keyword arguments for `load` from the options."""
    return {
        "format": format and format.value,
        "vocabulary": glove_vocab,
        "undecodable": undecodable.value,
    }


def with_counts_from(space: Space, counts: str | None, corpus: list[str] | None) -> Space:
    """Return the space with the counts of --counts, or counted in the text of --corpus."""
    if counts is not None and corpus:
        raise UsageError("--counts and --corpus can't be combined; leave one out")
    if counts is not None:
        return space.with_counts(counts)
    if not corpus:
        return space
    from andornot.encoders.token_counting import count_tokens

    return count_tokens(space, corpus)


def space_path(space: Path | None) -> Path:
    """Return the path of the space, or of the default model for None and `default`."""
    if space is not None and (str(space) != "default" or space.exists()):
        return space
    from andornot.formats.default_model import PATH

    return PATH
