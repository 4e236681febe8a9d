"""The picture of an answer: a plane in which the height of a word is its score.

Let o be the origin from which words were ranked and r the direction of the result. A word w is
drawn at x = cos(w - o, d) and y = cos(w - o, r), where d is a direction at right angles to r. So
(x, y) is the orthogonal projection of a unit vector: it lies in the unit disc, the result lies at
the top, and two operands whose sum is the result lie on the circle. The direction d is the first
singular direction of the operands, once r is projected out; or that of the ranked words, where
nothing of the operands is left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.algebra.categories import Category
from andornot.algebra.compute import Arithmetic, compute
from andornot.algebra.expression import Expression, Given, Not
from andornot.algebra.nodes import (
    Away,
    Complement,
    Frame,
    Lifted,
    Node,
    SignedSum,
    Sum,
    Within,
    every_node,
    lift,
)
from andornot.algebra.notation import quoted
from andornot.algebra.picture_data import (
    AxisOf,
    Bisector,
    Picture,
    PictureOrigin,
    PicturePoint,
    PointKind,
    XAxis,
)
from andornot.algebra.ranking import Answer
from andornot.base.choices import Measure, Postprocess
from andornot.base.errors import AndornotError
from andornot.base.moments import Vector, unit_rows

_NOTHING_LEFT = 1e-6  # the length of a unit vector's rest below which it has no direction
_ON_THE_CIRCLE = 1e-6  # how much of an operand the plane may lack where its cosines are exact
_MOST_WORDS = 4  # of a category, in its label
_BESIDE = 1e-3  # |x| below which an operand is on neither side

Rows = npt.NDArray[np.float64]


class NoPictureError(AndornotError):
    """The answer has no picture, because its scores are not cosines; its list is all there is."""


class _Operand(NamedTuple):
    """An operand of a query: outside of its category, and whether the query negates it."""

    node: Node
    is_negated: bool = False


def picture_of(answer: Answer) -> Picture:
    """Return the picture of an answer, with the settings that it was asked with.

    Raises:
        NoPictureError: If the words were not ranked by the cosine, or there are none.

    >>> import andornot
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> picture = picture_of(andornot.Logic(space).ask("royal & woman", k=2))
    >>> [(point.kind.value, point.label, round(point.y, 3)) for point in picture.points[:3]]
    [('hit', 'queen', 0.989), ('hit', 'princess', 0.988), ('operand', 'royal', 0.752)]
    >>> picture.axis.left, picture.axis.right
    ('more like royal', 'more like woman')
    """
    _check_cosines(answer)
    concept = answer.concept
    logic = concept.logic
    computed = concept.computed
    origin = np.zeros(logic.space.dim) if computed.origin is None else computed.origin
    result = computed.vector / np.linalg.norm(computed.vector)
    operands = _operands(concept.node)
    parts = unit_rows(_vectors([each.node for each in operands], logic.arithmetic) - origin)
    frames = _frames(concept.node)
    categories = unit_rows(_origins(frames, logic.arithmetic, origin, concept.node.frame))
    ids = [logic.space.vocabulary.index(hit.word) for hit in answer.hits]
    rows = logic.target.of_block(logic.space.target[ids].astype(np.float64)) - origin
    words = unit_rows(rows)
    across, axis_of = _across(result, parts, words)
    plane = np.stack([across, result], axis=1)

    found: list[PicturePoint] = []
    for hit, (x, y) in zip(answer.hits, (words @ plane).tolist(), strict=True):
        found.append(PicturePoint(PointKind.HIT, hit.word, hit.word, x, y, hit.score))
    drawn: list[PicturePoint] = []
    for each, (x, y) in zip(operands, (parts @ plane).tolist(), strict=True):
        formula = each.node.formula
        name, label = str(formula), _label(formula)
        drawn.append(PicturePoint(PointKind.OPERAND, name, label, x, y, is_negated=each.is_negated))
    found += drawn
    for frame, (x, y) in zip(frames, (categories @ plane).tolist(), strict=True):
        category = frame.category
        found.append(PicturePoint(PointKind.CATEGORY, str(category), _first_words(category), x, y))
    query = str(concept.formula)
    found.append(PicturePoint(PointKind.RESULT, query, query, 0.0, 1.0))
    return Picture(
        query=query,
        points=tuple(found),
        axis=_axis(axis_of, drawn),
        origin=_origin(concept.node.frame, logic.postprocess, logic.space.provenance.postprocess),
        bisector=_bisector(drawn),
    )


def picture_facts(answer: Answer) -> dict[str, Any]:
    """Return the picture of an answer ready for JSON, or the reason why it has none.

    >>> import andornot
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> logic = andornot.Logic(space)
    >>> picture_facts(logic.ask("royal & woman"))["exists"]
    True
    >>> picture_facts(logic.describe("a royal woman"))
    {'exists': False, 'reason': 'a picture needs scores that are cosines, and these words were ...'}
    """
    try:
        return {"exists": True} | picture_of(answer).to_dict()
    except NoPictureError as error:
        return {"exists": False, "reason": str(error)}


def _check_cosines(answer: Answer) -> None:
    if answer.measure != Measure.COSINE:
        raise NoPictureError(
            "a picture needs scores that are cosines, and these words were ranked by the measure "
            f"{answer.measure}; ask with the measure {Measure.COSINE}"
        )
    if not answer.hits:
        raise NoPictureError(
            "a picture needs at least one word, and the answer has none; rank more words"
        )


# --- the vectors -------------------------------------------------------------------------------


def _operands(node: Node) -> list[_Operand]:
    """Return the top-level operands of a query, out of their categories."""
    match node:
        case Lifted() | Within():
            return _operands(node.part)
        case Complement():
            return [_Operand(lift(node.left_out), is_negated=True)]
        case Away():
            wanted = node.wanted.part if isinstance(node.wanted, Lifted) else node.wanted
            parts = wanted.parts if isinstance(wanted, Sum) else (wanted,)
            return [
                *(_Operand(lift(part)) for part in parts),
                *(_Operand(lift(part), is_negated=True) for part in node.unwanted),
            ]
        case SignedSum():
            signed = zip(node.parts, node.signs, strict=True)
            return [_Operand(part, is_negated=sign < 0) for part, sign in signed]
    return [_Operand(lift(part)) for part in node.children or (node,)]


def _vectors(nodes: Sequence[Node], arithmetic: Arithmetic) -> Rows:
    return np.stack([compute(node, arithmetic).vector for node in nodes])


def _frames(node: Node) -> list[Frame]:
    """Return the categories within which parts of a query are seen, each once."""
    found = (each.frame for each in every_node(node))
    return list(dict.fromkeys(frame for frame in found if frame is not None))


def _origins(
    frames: Sequence[Frame], arithmetic: Arithmetic, origin: Vector, own: Frame | None
) -> Rows:
    """Return v(A) for each category, seen from the origin; zeros for the one that is the origin."""
    found = np.zeros((len(frames), len(origin)))
    for row, frame in enumerate(frames):
        if frame != own:
            mixed = arithmetic.mix_words(frame.category.ids, frame.weights)
            found[row] = arithmetic.vector(mixed, False) - origin
    return found


def _across(result: Vector, parts: Rows, words: Rows) -> tuple[Vector, AxisOf]:
    """Return the direction across, at right angles to the result, and what it is taken from.

    The first vector that has a component along it lies to the left.
    """
    for rows, axis_of in ((parts, AxisOf.OPERANDS), (words, AxisOf.WORDS)):
        left = rows - np.outer(rows @ result, result)
        _, sizes, directions = np.linalg.svd(left, full_matrices=False)
        if not sizes[0] > _NOTHING_LEFT:
            continue
        across = directions[0] - (directions[0] @ result) * result
        across /= np.linalg.norm(across)
        sides = rows @ across
        first = sides[np.flatnonzero(np.abs(sides) > _NOTHING_LEFT)[0]]
        return np.asarray(-np.sign(first) * across, dtype=np.float64), axis_of
    return np.zeros_like(result), AxisOf.NOTHING


# --- names and lines ---------------------------------------------------------------------------


def _label(formula: Expression) -> str:
    """Return a formula without the category that the whole of it is seen within.

    >>> from andornot.algebra.parser import parse
    >>> _label(parse("!river @ {river, money}")), _label(parse("river @ {river, money}"))
    ('!river', 'river')
    >>> _label(parse("river | sea @ {sea, lake}"))
    'river | sea @ {sea, lake}'
    """
    if isinstance(formula, Given):
        return str(formula.part)
    if isinstance(formula, Not) and isinstance(formula.part, Given):
        return str(Not(formula.part.part))
    return str(formula)


def _first_words(category: Category) -> str:
    """Return the first words of a category.

    >>> _first_words(Category(np.arange(5), tuple("abcde"), "written out"))
    '{a, b, c, and 2 more}'
    """
    if len(category) <= _MOST_WORDS:
        return str(category)
    shown = ", ".join(map(quoted, category.words[: _MOST_WORDS - 1]))
    return f"{{{shown}, and {len(category) - _MOST_WORDS + 1:,} more}}"


def _axis(of: AxisOf, operands: Sequence[PicturePoint]) -> XAxis:
    """Name the ends of the x axis after the operands that lie furthest to each side."""
    if of == AxisOf.WORDS:
        return XAxis(of, "the largest difference that is left", "does not change the order")
    if of == AxisOf.NOTHING:
        return XAxis(of, "the words differ in height alone", "")
    left, right = (min(operands, key=lambda point: side * point.x) for side in (1, -1))
    if not right.x > _BESIDE:
        return XAxis(of, f"more like {left.label}", f"less like {left.label}")
    if not left.x < -_BESIDE:
        return XAxis(of, f"less like {right.label}", f"more like {right.label}")
    return XAxis(of, f"more like {left.label}", f"more like {right.label}")


def _bisector(operands: Sequence[PicturePoint]) -> Bisector | None:
    """Return the line through the origin at right angles to the difference of two operands."""
    if len(operands) != 2 or min(point.share for point in operands) < 1 - _ON_THE_CIRCLE:
        return None
    one, other = operands
    along, up = other.y - one.y, one.x - other.x
    length = math.hypot(along, up)
    if length < _NOTHING_LEFT:
        return None
    side = math.copysign(1 / length, up)
    x, y = side * along, side * up
    return Bisector(x, y, math.degrees(math.atan2(x, y)))


_MEANS: dict[str, str] = {
    Postprocess.UNIFORM: "the plain mean",
    Postprocess.FREQUENCY: "the mean by frequency",
    Postprocess.ALL_BUT_THE_TOP: "the plain mean, without the top directions",
    Postprocess.ZIPFIAN_WHITENING: "the mean by frequency, whitened",
}


def _origin(frame: Frame | None, postprocess: str, done: str | None) -> PictureOrigin:
    """Name the origin: that of a category, or the centre of the post-processing."""
    if frame is not None:
        return PictureOrigin(f"the origin of {_first_words(frame.category)}", True)
    by = postprocess if postprocess != Postprocess.NONE else done
    return PictureOrigin(
        "zero, without centring" if by is None else _MEANS.get(by, f"zero after {by}"), False
    )
