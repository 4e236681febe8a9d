"""The data of a picture: its points, its x axis, its origin and its bisector."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class PointKind(StrEnum):
    """The kinds of points in a picture."""

    HIT = "hit"
    OPERAND = "operand"
    CATEGORY = "category"
    RESULT = "result"


class AxisOf(StrEnum):
    """The vectors whose first singular direction is the x axis."""

    OPERANDS = "operands"
    WORDS = "words"
    NOTHING = "nothing"


@dataclass(frozen=True)
class PicturePoint:
    """A point in the unit disc.

    Attributes:
        kind: "hit", "operand", "category" or "result".
        name: The word, or the formula.
        label: The name for the drawing: a formula without its category, a category without most
            of its words.
        x: The cosine with the direction across.
        y: The cosine with the result: for a hit, its score.
        score: The score of a hit, as the answer has it; None for other points.
        is_negated: Whether the query turns away from this operand.
    """

    kind: PointKind
    name: str
    label: str
    x: float
    y: float
    score: float | None = None
    is_negated: bool = False

    @property
    def share(self) -> float:
        """The share of the vector's squared length that the plane holds.

        >>> round(PicturePoint(PointKind.HIT, "queen", "queen", 0.3, 0.4).share, 2)
        0.25
        """
        return self.x**2 + self.y**2


@dataclass(frozen=True)
class Bisector:
    """The points that are as near to one of two operands as to the other.

    Attributes:
        x: The direction of the line through the origin, of unit length.
        y: The same; y is at least 0.
        tilt: Its angle from the vertical in degrees; positive to the right.
    """

    x: float
    y: float
    tilt: float


@dataclass(frozen=True)
class XAxis:
    """The x axis.

    Attributes:
        of: The vectors that it is the first singular direction of: "operands", "words", or
            "nothing" if the words differ in the score alone.
        left: A name for its left end.
        right: A name for its right end.
    """

    of: AxisOf
    left: str
    right: str


@dataclass(frozen=True)
class PictureOrigin:
    """The origin, from which the angles are measured.

    Attributes:
        name: Its name, such as "the mean by frequency".
        is_category: Whether it is the origin of a category.
    """

    name: str
    is_category: bool


@dataclass(frozen=True)
class Picture:
    """The positions of all hits, operands and categories of an answer, and of its result.

    Attributes:
        query: The query as it was read.
        points: The hits, best first; the operands in the order of the query; the categories; the
            result.
        axis: The x axis.
        origin: The origin.
        bisector: The points equally near to two operands; None unless the query has two operands
            and the plane holds both.
    """

    query: str
    points: tuple[PicturePoint, ...]
    axis: XAxis
    origin: PictureOrigin
    bisector: Bisector | None

    def of(self, kind: PointKind) -> tuple[PicturePoint, ...]:
        """Return the points of a kind."""
        return tuple(point for point in self.points if point.kind == kind)

    @property
    def hits(self) -> tuple[PicturePoint, ...]:
        """The words of the answer, best first."""
        return self.of(PointKind.HIT)

    @property
    def operands(self) -> tuple[PicturePoint, ...]:
        """The operands of the query, in its order."""
        return self.of(PointKind.OPERAND)

    @property
    def least_share(self) -> float:
        """The smallest share of a hit that the plane holds."""
        return min(point.share for point in self.hits)

    @property
    def most_share(self) -> float:
        """The largest share of a hit that the plane holds."""
        return max(point.share for point in self.hits)

    @property
    def caution(self) -> str:
        """The sentence that says what the picture doesn't show."""
        least, most = round(100 * self.least_share), round(100 * self.most_share)
        held = f"{most} %" if least == most else f"{least} to {most} %"
        return f"This plane holds {held} of a word: distances between dots mean nothing."

    def to_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        points = [asdict(point) | {"share": point.share} for point in self.points]
        return {
            "query": self.query,
            "points": points,
            "axis": asdict(self.axis),
            "origin": asdict(self.origin),
            "bisector": None if self.bisector is None else asdict(self.bisector),
            "least_share": self.least_share,
            "most_share": self.most_share,
            "caution": self.caution,
        }
