"""A plot: an answer with its picture, as notebooks show it and as it is saved."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from andornot.algebra.picture import picture_of
from andornot.algebra.picture_data import Picture
from andornot.algebra.picture_svg import WIDTH, check_width, svg_of
from andornot.algebra.ranking import Answer
from andornot.base.errors import UsageError
from andornot.base.outputs import check_output
from andornot.base.replacing import replacing


@dataclass(frozen=True, eq=False, repr=False)
class Plot:
    """The picture of an answer. A notebook shows it.

    Attributes:
        answer: The answer.
        picture: The positions of its words, operands and categories; `picture.to_dict()` is ready
            for JSON.
        width: The width of the drawing in pixels.
    """

    answer: Answer
    picture: Picture
    width: int

    @property
    def svg(self) -> str:
        """The drawing, as the text of an SVG file."""
        return svg_of(self.picture, self.width)

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write the drawing to an SVG file, which appears whole or not at all.

        Args:
            path: The file; its name ends in .svg.
            force: Replace an existing file.

        Raises:
            UsageError: If the name has another ending.
            FileError: If the file exists, or can't be written.

        >>> import andornot, pathlib, tempfile
        >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     target = pathlib.Path(folder, "royal.svg")
        ...     andornot.Logic(space).plot("royal & woman").save(target)
        ...     target.read_text(encoding="utf-8")[:4]
        '<svg'
        """
        check_svg_name(path)
        check_output(path, force=force)
        with replacing(path) as file:
            file.write(self.svg.encode())

    def __repr__(self) -> str:
        return f"Plot({self.picture.query!r}: {len(self.picture.hits)} words)"

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return self.svg


def check_svg_name(path: str | PathLike[str]) -> None:
    """Check that a file of a drawing is named as what it is, an SVG file.

    Raises:
        UsageError: If the name has another ending.

    >>> check_svg_name("royal.png")
    Traceback (most recent call last):
    ...
    andornot.base.errors.UsageError: a drawing is an SVG file, ... got royal.png; name it royal.svg
    """
    name, suffix = str(path), Path(path).suffix
    if suffix.lower() != ".svg":
        raise UsageError(
            f"a drawing is an SVG file, and its name must end in .svg, got {name}; name it "
            f"{name.removesuffix(suffix)}.svg"
        )


def plot_of(answer: Answer, width: int = WIDTH) -> Plot:
    """Return the plot of an answer; see `Logic.plot`.

    >>> import andornot
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> plot_of(andornot.Logic(space).ask("royal & woman"))
    Plot('royal & woman': 6 words)
    """
    check_width(width)
    return Plot(answer, picture_of(answer), width)
