"""Sizes and positions in the drawing of a picture: the window, the ticks, the labels."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from andornot.algebra.picture_data import Bisector, Picture

_LEAST_RANGE = 0.02  # of the window, across and in height
_WIDENED = 1.6  # the window grows at most by this factor to show the bisector
_CHARACTER, _WIDE_CHARACTER = 0.56, 1.05  # of the size of the font
_LINE = 1.0  # pixels, half the thickness of a connector
_DOT = 5.0  # pixels, with the room around it
_LABEL_GAP = 8.0  # pixels between a dot and its label
_LABEL_HEIGHT = 1.15  # of the size of the font


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """The width."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The height."""
        return self.bottom - self.top

    def overlaps(self, other: Box) -> bool:
        """Return whether two rectangles have an area in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def holds(self, other: Box) -> bool:
        """Return whether another rectangle lies inside."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.bottom <= self.bottom
        )


@dataclass(frozen=True)
class Window:
    """The enlarged part of the plane: a map from cosines to pixels, with a scale for each axis.

    Attributes:
        box: The frame in pixels.
        left: x at the left edge of the frame.
        right: x at its right edge.
        low: The score at its lower edge.
        high: The score at its upper edge.

    >>> window = Window(Box(0, 0, 100, 200), -0.5, 0.5, 0.2, 0.6)
    >>> round(window.across(0.0), 6), round(window.down(0.5), 6)
    (50.0, 50.0)
    """

    box: Box
    left: float
    right: float
    low: float
    high: float

    def across(self, x: float) -> float:
        """Return the pixel column of x."""
        return self.box.left + (x - self.left) / (self.right - self.left) * self.box.width

    def down(self, y: float) -> float:
        """Return the pixel row of a score."""
        return self.box.bottom - (y - self.low) / (self.high - self.low) * self.box.height


def window_of(picture: Picture, box: Box, margin: float, below: float) -> Window:
    """Return the window that shows all hits in a frame.

    Args:
        picture: The picture.
        box: The frame in pixels.
        margin: Pixels between the frame and the dots at the left, the right and the top.
        below: Pixels between the frame and the lowest dot.
    """
    scores = [_score(point.score) for point in picture.hits]
    low, high = _at_least(min(scores), max(scores))
    low, high = low - max(0.0, high - 1), min(high, 1.0)  # no score is above 1
    places = [point.x for point in picture.hits]
    left, right = _at_least(min(places), max(places))
    if picture.bisector is not None:
        wide = [left, right, *(_at_height(picture.bisector, y) for y in (low, high))]
        if max(wide) - min(wide) <= _WIDENED * (right - left):
            left, right = min(wide), max(wide)
    unit = (right - left) / (box.width - 2 * margin)
    left, right = left - margin * unit, right + margin * unit
    unit = (high - low) / (box.height - margin - below)
    return Window(box, left, right, low - below * unit, high + margin * unit)


def bisector_line(bisector: Bisector, window: Window) -> tuple[float, float, float, float] | None:
    """Return the ends x1, y1, x2, y2 of the bisector in a window, in pixels; None if outside."""
    low, high = window.low, window.high
    slope = bisector.x / max(bisector.y, 1e-9)
    if slope:
        ends = sorted((window.left / slope, window.right / slope))
        low, high = max(low, ends[0]), min(high, ends[1])
    elif not window.left <= 0 <= window.right:
        return None
    if not low < high:
        return None
    one, other = slope * low, slope * high
    return window.across(one), window.down(low), window.across(other), window.down(high)


def ticks(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """Return round scores from low to high, with their texts.

    >>> ticks(0.471, 0.549, 6)
    [(0.48, '0.48'), (0.5, '0.50'), (0.52, '0.52'), (0.54, '0.54')]
    """
    raw = (high - low) / most
    power = math.floor(math.log10(raw))
    factor = next(each for each in (1, 2, 5, 10) if each * 10.0**power >= raw * (1 - 1e-9))
    power, factor = (power + 1, 1) if factor == 10 else (power, factor)
    step = factor * 10.0**power
    digits = max(1, -power)
    found = [
        round(each * step, digits)
        for each in range(math.ceil(low / step), 1 + math.floor(high / step))
    ]
    return [(value + 0.0, f"{value + 0.0:.{digits}f}") for value in found if abs(value) <= 1]


def width_of(text: str, size: float) -> float:
    """Estimate the width of a text in pixels; scripts of full width count double."""
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in text)
    return size * (_WIDE_CHARACTER * wide + _CHARACTER * (len(text) - wide))


def shortened(text: str, size: float, room: float) -> str:
    """Return a text that fits into a width, with an ellipsis for what is cut off.

    >>> shortened("a long description", 10, 60)
    'a long d…'
    """
    if width_of(text, size) <= room:
        return text
    while text and width_of(text, size) + size > room:
        text = text[:-1]
    return text.rstrip() + "…"


def place_labels(
    dots: Sequence[tuple[float, float]],
    labels: Sequence[str],
    size: float,
    box: Box,
    taken: Iterable[Box] = (),
) -> list[tuple[float, str] | None]:
    """Return for each dot the column and the anchor of its label, or None if it has no room.

    Args:
        dots: The dots in pixels, the most important first.
        labels: The text of each.
        size: The size of the font.
        box: The frame, which no label leaves.
        taken: Rectangles that no label may touch.

    A label lies on no dot and on no connector, which comes to each dot from the left edge of the
    frame, except on its own.
    """
    lines = [Box(box.left, y - _LINE, x, y + _LINE) for x, y in dots]
    used = [*taken, *(Box(x - _DOT, y - _DOT, x + _DOT, y + _DOT) for x, y in dots)]
    found: list[tuple[float, str] | None] = []
    for own, ((x, y), label) in enumerate(zip(dots, labels, strict=True)):
        others = [*used, *lines[:own], *lines[own + 1 :]]
        width, half = width_of(label, size), _LABEL_HEIGHT * size / 2
        right = Box(x + _LABEL_GAP, y - half, x + _LABEL_GAP + width, y + half)
        left = Box(x - _LABEL_GAP - width, y - half, x - _LABEL_GAP, y + half)
        for place, column, anchor in ((right, right.left, "start"), (left, left.right, "end")):
            if box.holds(place) and not any(place.overlaps(each) for each in others):
                used.append(place)
                found.append((column, anchor))
                break
        else:
            found.append(None)
    return found


def spread(heights: Sequence[float], least: float) -> list[float]:
    """Move heights downwards until each is at least some pixels below the one above it.

    >>> spread([10, 0, 12], 5)
    [10, 0, 15]
    """
    found = list(heights)
    order = sorted(range(len(found)), key=lambda each: found[each])
    for above, below in pairwise(order):
        found[below] = max(found[below], found[above] + least)
    return found


def _score(score: float | None) -> float:
    assert score is not None
    return score


def _at_least(low: float, high: float) -> tuple[float, float]:
    """Widen a range that is too small to be read."""
    missing = max(0.0, _LEAST_RANGE - (high - low)) / 2
    return low - missing, high + missing


def _at_height(bisector: Bisector, y: float) -> float:
    return bisector.x / max(bisector.y, 1e-9) * y
