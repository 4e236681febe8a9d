"""A resolved query: immutable nodes that describe its parts, without vectors of words.

`resolve` builds them, once per query. Vectors, explanations and validity figures are folds over
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from andornot.algebra.categories import Category
from andornot.algebra.expression import Expression, VectorTerm
from andornot.base.moments import Vector

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Frame:
    """A category A with the OR weights of its words and with p(A).

    The OR of its words, v(A), is the origin of vectors within it. Frames with the same words
    are equal.
    """

    category: Category
    weights: Vector
    probability: float

    def __post_init__(self) -> None:
        self.weights.flags.writeable = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Frame) and self.category == other.category

    def __hash__(self) -> int:
        return hash(self.category)


@dataclass(frozen=True, eq=False, kw_only=True)
class Node:
    """A part of a resolved query, with all decisions about it.

    Attributes:
        formula: The expression with every decision written out: proposed and named categories
            are sets of words. Resolving it again gives the same node, without a search; for a
            Lifted, the node that was lifted.
        probability: p, or p given the category of the frame; NaN without frequencies.
        ids: The words whose union the node is, in order; None if it is not a union of words.
        weights: The OR weights of `ids`; None if the vector is not the mean of `ids` by them.
        frame: The category that the node is conditioned on, or None.
        is_bound: True if the probability is an upper bound, because parts may overlap.
        notes: Warnings about this node; `notes_of` collects those of a whole query.
        readings: The interpretation of this part, if the query is ambiguous.
    """

    formula: Expression
    probability: float
    ids: Ids | None = None
    weights: Vector | None = None
    frame: Frame | None = None
    is_bound: bool = False
    notes: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @property
    def category(self) -> Category | None:
        """The category that the node is conditioned on, or None."""
        return None if self.frame is None else self.frame.category

    @property
    def children(self) -> tuple[Node, ...]:
        """The child nodes."""
        return ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Word(Node):
    """A word of the vocabulary."""

    ids: Ids
    weights: Vector


@dataclass(frozen=True, eq=False, kw_only=True)
class VectorNode(Node):
    """A vector that doesn't belong to a word; the formula has it. Its probability is unknown."""

    formula: VectorTerm


@dataclass(frozen=True, eq=False, kw_only=True)
class Union(Node):
    """An OR of words: sum w_i v_i / sum w_i, each word once.

    Attributes:
        parts: The operands as written, without duplicates.
        shares: The share of each operand in the sum, or None if operands have words in common.
    """

    ids: Ids
    weights: Vector
    parts: tuple[Node, ...] = ()
    shares: tuple[float, ...] | None = None

    @property
    def children(self) -> tuple[Node, ...]:
        """The operands."""
        return self.parts


@dataclass(frozen=True, eq=False, kw_only=True)
class Mix(Node):
    """An OR of parts by their shares: sum s_i v(part_i), for weighted ORs and for composites."""

    parts: tuple[Node, ...]
    shares: Vector

    @property
    def children(self) -> tuple[Node, ...]:
        """The operands."""
        return self.parts


@dataclass(frozen=True, eq=False, kw_only=True)
class Sum(Node):
    """An AND: the sum of its parts."""

    parts: tuple[Node, ...]

    @property
    def children(self) -> tuple[Node, ...]:
        """The operands."""
        return self.parts


@dataclass(frozen=True, eq=False, kw_only=True)
class Away(Node):
    """An AND with NOTs that have no category: the wanted part, turned away from the negated.

    Attributes:
        wanted: The AND of the other operands.
        unwanted: The negated operands.
    """

    wanted: Node
    unwanted: tuple[Node, ...]

    @property
    def children(self) -> tuple[Node, ...]:
        """The wanted part and the negated operands."""
        return (self.wanted, *self.unwanted)


@dataclass(frozen=True, eq=False, kw_only=True)
class SignedSum(Node):
    """An analogy: the signed sum of its parts' vectors of unit length.

    It has no probability, and can't be a part of another node.
    """

    parts: tuple[Node, ...]
    signs: tuple[int, ...]

    @property
    def children(self) -> tuple[Node, ...]:
        """The operands."""
        return self.parts


@dataclass(frozen=True, eq=False, kw_only=True)
class WeightedSum(Node):
    """A text: the weighted AND of its words, sum f_i v(word_i), with factors of mean 1."""

    parts: tuple[Word, ...]
    factors: Vector

    @property
    def word_ids(self) -> Ids:
        """The ids of the words, in the order of the factors."""
        return np.concatenate([part.ids for part in self.parts])

    @property
    def children(self) -> tuple[Node, ...]:
        """The words."""
        return self.parts


@dataclass(frozen=True, eq=False, kw_only=True)
class Within(Node):
    """A part conditioned on a category A: v(part) - v(A)."""

    part: Node
    frame: Frame

    @property
    def is_whole(self) -> bool:
        """True if the part is the union of all words of A, so that the vector is zero."""
        if self.ids is None or self.weights is None:
            return False
        return len(self.ids) == len(self.frame.category)

    @property
    def children(self) -> tuple[Node, ...]:
        """The part."""
        return (self.part,)


@dataclass(frozen=True, eq=False, kw_only=True)
class Complement(Node):
    """A NOT: the words of a category A without some, v(A without them) - v(A).

    Attributes:
        left_out: The negated words of A, as a union; `ids` are the other words.
        share: The share pi of the negated words in the weight of A; 1 - pi remains.
    """

    left_out: Union
    share: float
    ids: Ids
    weights: Vector
    frame: Frame

    @property
    def children(self) -> tuple[Node, ...]:
        """The negated words."""
        return (self.left_out,)


@dataclass(frozen=True, eq=False, kw_only=True)
class Lifted(Node):
    """A part lifted out of its category A: v(part) + v(A), with p(part) p(A)."""

    part: Node

    @property
    def out_of(self) -> Frame:
        """The frame out of which the part was lifted."""
        assert self.part.frame is not None
        return self.part.frame

    @property
    def children(self) -> tuple[Node, ...]:
        """The part."""
        return (self.part,)


def lift(node: Node) -> Node:
    """Lift a node out of its category; a node without one is unchanged."""
    if node.frame is None:
        return node
    return Lifted(
        formula=node.formula,
        probability=node.probability * node.frame.probability,
        ids=node.ids,
        weights=node.weights,
        is_bound=node.is_bound,
        part=node,
    )


def in_common_frame(nodes: Iterable[Node]) -> tuple[tuple[Node, ...], Frame | None]:
    """Align operands: keep the category that all share, or lift all out of theirs."""
    parts = tuple(nodes)
    frame = parts[0].frame
    if all(part.frame == frame for part in parts):
        return parts, frame
    return tuple(lift(part) for part in parts), None


def every_node(node: Node) -> Iterator[Node]:
    """Iterate over a node and all nodes below it, each before its children."""
    yield node
    for child in node.children:
        yield from every_node(child)


def notes_of(node: Node) -> tuple[str, ...]:
    """Return the notes of a node and of all nodes below it, each once, children first."""
    found: dict[str, None] = {}
    for child in node.children:
        found |= dict.fromkeys(notes_of(child))
    return tuple(found | dict.fromkeys(node.notes))


def readings_of(node: Node) -> tuple[str, ...]:
    """Return the readings of a node and of all nodes below it, each once."""
    return tuple(dict.fromkeys(text for each in every_node(node) for text in each.readings))
