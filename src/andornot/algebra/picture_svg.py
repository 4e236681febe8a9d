"""The picture of an answer as an SVG file: the list, the enlarged part of the plane, the circle.

The file has no script and loads nothing. Its colours follow the reader's choice of light or dark.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from andornot.algebra.picture_data import AxisOf, Picture, PicturePoint, PointKind
from andornot.algebra.picture_layout import (
    Box,
    bisector_line,
    place_labels,
    shortened,
    spread,
    ticks,
    width_of,
    window_of,
)
from andornot.algebra.picture_style import style_sheet
from andornot.base.errors import UsageError

WIDTH = 1000  # pixels
NARROWEST, WIDEST = 360, 2000
_WITH_CIRCLE_BESIDE = 860  # the width from which the circle is beside the list, not below it
_MOST_ROOMY = 40  # rows that are 26 pixels high; more are lower
_MARGIN = 16  # pixels between the frame and the dots
_SANS_WIDTH = 0.85  # of a text, if its letters are not those of words
_INVALID = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg_of(picture: Picture, width: int = WIDTH) -> str:
    """Return a picture as the text of an SVG file.

    Args:
        picture: The picture.
        width: Its width in pixels, from 360 to 2000. Text keeps its size. Below 860 pixels the
            circle is below the list.

    >>> import andornot
    >>> from andornot.algebra.picture import picture_of
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> svg_of(picture_of(andornot.Logic(space).ask("royal & woman"))).count('class="dot"')
    6
    """
    check_width(width)
    return _Drawing(picture, _layout_of(len(picture.hits), width)).text()


def check_width(width: int) -> None:
    """Check that a width is a whole number of pixels that a drawing can have.

    >>> check_width(1000)
    """
    if isinstance(width, bool) or not isinstance(width, int) or not NARROWEST <= width <= WIDEST:
        raise UsageError(
            f"width must be a whole number from {NARROWEST} to {WIDEST}, got {width!r}"
        )


@dataclass(frozen=True)
class _Layout:
    """The positions of the parts of a drawing, in pixels.

    Attributes:
        width: The width of the whole.
        pad: The space around it.
        scores: The right edge of the list.
        frame: The frame of the enlarged part.
        row: The height of a row of the list.
        centre: The centre of the circle.
        radius: Its radius.
        beside: Pixels from the centre of the circle to the end of its labels.
        size: The size of the font of words.
    """

    width: int
    pad: int
    scores: float
    frame: Box
    row: float
    centre: tuple[float, float]
    radius: float
    beside: float
    size: float


def _layout_of(rows: int, width: int) -> _Layout:
    row = 26.0 if rows <= _MOST_ROOMY else 18.0
    height = max(264.0, rows * row + 8)
    top = 86.0
    if width >= _WITH_CIRCLE_BESIDE:
        pad, scores, beside, radius = 24, 226.0, 136.0, 80.0
        frame = Box(scores + 52, top, width - pad - 2 * beside - 52, top + height)
        centre = (width - pad - beside, top + radius + 20)
        return _Layout(width, pad, scores, frame, row, centre, radius, beside, 15)
    pad = 12 if width < 600 else 24
    scores = pad + max(142.0, min(200.0, 0.32 * width))
    frame = Box(scores + 32, top, width - pad - 36, top + height)
    radius = 90.0
    centre = (width / 2, frame.bottom + 92 + radius)
    return _Layout(width, pad, scores, frame, row, centre, radius, width / 2 - pad, 14)


class _Drawing:
    """The elements of one picture."""

    def __init__(self, picture: Picture, layout: _Layout) -> None:
        self._picture = picture
        self._layout = layout
        has_line = picture.bisector is not None
        below = _MARGIN + (16 if has_line else 0)
        self._window = window_of(picture, layout.frame, _MARGIN, below)

    def text(self) -> str:
        """Return the file."""
        body = [
            *self._head(),
            *self._axes(),
            *self._bisector(),
            *self._circle(),
            *self._hits(),
            *self._circle_labels(),
        ]
        below, height = self._words_below()
        width = self._layout.width
        said = _clean(f"{self._picture.query}: {', '.join(map(_spoken, self._picture.hits))}")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="andornot-picture" role="img" '
            f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'style="max-width:100%;height:auto" aria-label="{said}">\n'
            f"<style>{style_sheet()}</style>\n"
            f'<rect class="paper" width="{width}" height="{height}"/>\n'
            + "\n".join([*body, *below])
            + "\n</svg>\n"
        )

    def _head(self) -> Iterator[str]:
        layout = self._layout
        size = 20 if layout.width >= _WITH_CIRCLE_BESIDE else 16
        room = (layout.width - 2 * layout.pad) * 0.9  # letters of equal width are wider
        query = shortened(self._picture.query, size, room)
        yield _text(layout.pad, 38, query, "query", size=size, title=self._picture.query)
        middle = (layout.frame.left + layout.frame.right) / 2
        yield _text(
            middle, layout.frame.top - 11, "higher is nearer: height = score", "quiet", "middle"
        )

    def _axes(self) -> Iterator[str]:
        window, frame = self._window, self._layout.frame
        for value, shown in ticks(window.low, window.high, max(5, round(frame.height / 60))):
            y = window.down(value)
            yield (
                f'<g class="tick">{_line(frame.left, y, frame.right, y, "grid")}'
                f"{_line(frame.right, y, frame.right + 5, y, 'edge')}"
                f"{_text(frame.right + 8, y + 4, shown, 'quiet')}</g>"
            )
        yield _rect(frame, "edge hollow")
        axis = self._picture.axis
        arrows = ("← ", " →") if axis.of == AxisOf.OPERANDS else ("", "")
        fits = _SANS_WIDTH * width_of(axis.left + axis.right, 12) + 40 <= frame.width
        room = frame.width if fits else frame.right - self._layout.pad  # below the list too
        left = arrows[0] + shortened(axis.left, 12, room / _SANS_WIDTH - 14)
        right = shortened(axis.right, 12, room / _SANS_WIDTH - 14)
        right += arrows[1] if right else ""
        below, start, anchor = frame.bottom + 18, frame.left, "start"
        if _SANS_WIDTH * width_of(left, 12) > frame.width:
            start, anchor = frame.right, "end"
        yield _text(start, below, left, "quiet", anchor, title=axis.left)
        below += 0 if fits else 17
        yield _text(frame.right, below, right, "quiet", "end", title=axis.right)

    def _bisector(self) -> Iterator[str]:
        line = self._frame_bisector()
        if line is not None:
            yield _line(*line, "bisector")
            x, anchor, said = self._bisector_label(line)
            yield _text(x, self._layout.frame.bottom - 7, said, "equal haloed", anchor, size=11)

    def _frame_bisector(self) -> tuple[float, float, float, float] | None:
        bisector = self._picture.bisector
        return None if bisector is None else bisector_line(bisector, self._window)

    def _bisector_label(self, line: Sequence[float]) -> tuple[float, str, str]:
        """Return the column, the anchor and the text of the label at the lower end of the line."""
        frame = self._layout.frame
        one, other = (point.label for point in self._picture.operands)
        for said in (f"equally like {one} and {other}", "equally like both", "equal"):
            width = _SANS_WIDTH * width_of(said, 11)
            if line[0] + 6 + width <= frame.right:
                return line[0] + 6, "start", said
            if line[0] - 6 - width >= frame.left:
                return line[0] - 6, "end", said
        return line[0] + 6, "start", ""

    def _hits(self) -> Iterator[str]:
        """Draw each hit: its row, its connector, its dot; hovering one lights the others."""
        layout, window, hits = self._layout, self._window, self._picture.hits
        dots = [(window.across(hit.x), window.down(_height(hit))) for hit in hits]
        size = layout.size if layout.frame.width > 240 else 12
        taken = (
            []
            if self._frame_bisector() is None
            else [
                Box(
                    layout.frame.left,
                    layout.frame.bottom - 18,
                    layout.frame.right,
                    layout.frame.bottom,
                )
            ]
        )
        labels = place_labels(dots, [hit.label for hit in hits], size, layout.frame, taken)
        words = layout.pad + (12 + 7 * len(str(len(hits))))
        room = layout.scores - 44 - words
        for rank, (hit, (x, y), label) in enumerate(zip(hits, dots, labels, strict=True), 1):
            row = layout.frame.top + 4 + (rank - 0.5) * layout.row
            shown = shortened(hit.label, layout.size, room)
            start, turn = layout.scores + 8, layout.frame.left
            small_x, small_y = self._in_circle(hit)
            parts = [
                _rect(Box(layout.pad, row - layout.row / 2, start, row + layout.row / 2), "row"),
                _text(words - 8, row + 4.5, str(rank), "quiet", "end"),
                _text(words, row + 5, shown, "word", size=layout.size, title=hit.name),
                _text(layout.scores, row + 4.5, f"{_height(hit):.3f}", "quiet", "end"),
                f'<path class="connector" d="M{start:.2f} {row:.2f}L{turn:.2f} {y:.2f}H{x:.2f}"/>',
                f'<circle class="dot" cx="{x:.2f}" cy="{y:.2f}" r="4.5"/>',
                f'<circle class="small" cx="{small_x:.2f}" cy="{small_y:.2f}" r="2.2"/>',
            ]
            if label is not None:
                parts.append(
                    _text(label[0], y + size / 3, hit.label, "word haloed", label[1], size=size)
                )
            yield f'<g class="hit">{"".join(parts)}</g>'

    # --- the circle ------------------------------------------------------------------------

    def _in_circle(self, point: PicturePoint) -> tuple[float, float]:
        (x, y), radius = self._layout.centre, self._layout.radius
        return x + radius * point.x, y - radius * point.y

    def _circle(self) -> Iterator[str]:
        """Draw the whole circle: the window, the operands, the categories, the result."""
        picture, (x, y), radius = self._picture, self._layout.centre, self._layout.radius
        yield f'<circle class="edge hollow" cx="{x:.2f}" cy="{y:.2f}" r="{radius:.2f}"/>'
        window = self._window
        yield _rect(
            Box(
                x + radius * max(window.left, -1.2),
                y - radius * min(window.high, 1.1),
                x + radius * min(window.right, 1.2),
                y - radius * max(window.low, -1.1),
            ),
            "window",
        )
        if picture.bisector is not None:
            line = picture.bisector
            yield _line(x, y, x + radius * line.x, y - radius * line.y, "bisector")
        for point in picture.operands:
            column, row = self._in_circle(point)
            kind = "operand negated" if point.is_negated else "operand"
            yield _line(x, y, column, row, kind)
            yield f'<circle class="{kind}" cx="{column:.2f}" cy="{row:.2f}" r="3"/>'
        yield _line(x, y, x, y - radius, "result")
        top = y - radius
        yield f'<path class="result" d="M{x:.2f} {top - 6:.2f}l5 6l-5 6l-5 -6z"/>'
        for point in picture.of(PointKind.CATEGORY):
            column, row = self._in_circle(point)
            yield _rect(Box(column - 3.5, row - 3.5, column + 3.5, row + 3.5), "category")
        yield f'<circle class="origin" cx="{x:.2f}" cy="{y:.2f}" r="3.5"/>'

    def _circle_labels(self) -> Iterator[str]:
        (x, y), radius = self._layout.centre, self._layout.radius
        named = [point for point in self._picture.points if _has_label(point)]
        at_top = [point.label for point in self._picture.operands if point.y > 1 - 1e-6]
        result = " = ".join([*at_top, "the result"])
        yield _text(
            x,
            y - radius - 12,
            shortened(result, 12, 2 * self._layout.beside),
            "named result",
            "middle",
        )
        categories = self._picture.of(PointKind.CATEGORY)
        for side in (-1, 1):
            beside = [point for point in named if (point.x > 0) == (side > 0)]
            rows = spread([y - (radius + 6) * point.y + 4 for point in beside], 14)
            for point, row in zip(beside, rows, strict=True):
                kind, said = "named operand", point.label
                if point.kind == PointKind.CATEGORY:
                    kind, said = "named category", said if len(categories) > 1 else "the category"
                if abs(point.x) < 0.1 and point.y < 0:  # at the bottom
                    label = shortened(said, 12, 2 * self._layout.beside)
                    yield _text(x, row + 8, label, kind, "middle", title=point.name)
                    continue
                away = max(abs(point.x) * radius + 8, 40 if point.y > 0.85 else 0)
                label = shortened(said, 12, self._layout.beside - away)
                anchor = "start" if side > 0 else "end"
                yield _text(x + side * away, row, label, kind, anchor, title=point.name)

    def _words_below(self) -> tuple[list[str], int]:
        """Return the texts below the circle, and the height of the whole drawing."""
        layout = self._layout
        x, y = layout.centre
        row = y + layout.radius + 40
        columns = min(44, int(2 * layout.beside / 6.4))
        texts: list[str] = []
        for said, kind in (
            (f"seen from {self._picture.origin.name}", "equal"),
            (self._picture.caution, "quiet"),
        ):
            for line in textwrap.wrap(said, columns):
                texts.append(_text(x, row, line, kind, "middle"))
                row += 16
            row += 4
        return texts, round(max(row, layout.frame.bottom + 48) + 8)


def _has_label(point: PicturePoint) -> bool:
    """Return whether a point has a label of its own in the circle."""
    if point.kind == PointKind.OPERAND:
        return point.y <= 1 - 1e-6
    return point.kind == PointKind.CATEGORY and point.share > 0


def _height(hit: PicturePoint) -> float:
    """Return the height at which a hit is drawn: its score, as the list has it."""
    assert hit.score is not None
    return hit.score


def _spoken(hit: PicturePoint) -> str:
    return f"{hit.name} {_height(hit):.3f}"


# --- elements ----------------------------------------------------------------------------------


def _clean(text: str) -> str:
    """Return a text for XML: escaped, and without characters that XML forbids.

    >>> _clean("a & <b>")
    'a &amp; &lt;b&gt;'
    """
    return escape(_INVALID.sub("\ufffd", text))


def _text(
    x: float,
    y: float,
    said: str,
    kind: str,
    anchor: str = "start",
    *,
    size: float = 12,
    title: str | None = None,
) -> str:
    """Return a text; its whole form is a title, if it was shortened."""
    whole = f"<title>{_clean(title)}</title>" if title is not None and title not in said else ""
    return (
        f'<text class="{kind}" x="{x:.2f}" y="{y:.2f}" text-anchor="{anchor}" '
        f'font-size="{size:g}">{_clean(said)}{whole}</text>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" y2="{y2:.2f}"/>'


def _rect(box: Box, kind: str) -> str:
    return (
        f'<rect class="{kind}" x="{box.left:.2f}" y="{box.top:.2f}" width="{box.width:.2f}" '
        f'height="{box.height:.2f}"/>'
    )
