"""An explanation as data: its steps, its categories, and its validity."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from andornot.algebra.explanation.validity import AndCorrection, Measured


@dataclass(frozen=True)
class Part:
    """A step of the computation: `symbol` = `vector`, and p `sign` `probability_formula`.

    Attributes:
        formula: The part of the query, with categories by their letters.
        kind: "word", "text", "vector", "AND", "OR", "given", "NOT", "offset" for an analogy, or
            "lift": a part lifted out of its category.
        depth: The nesting depth in the query.
        symbol: "v" for vectors, "t" for scores of contexts (exact mode).
        vector: The formula of the vector, with its numbers.
        sign: "=", or "<=" if the probability is an upper bound.
        probability: The probability, or None without frequencies, for a text and for an analogy.
        probability_formula: The formula of the probability, with its numbers.
        weight: The share in the OR above it, the weight in the text above it, or None.
        category: The letter of the category that it is conditioned on, or None.
        origin: The origin of that category: written out, named, or proposed.
        notes: Warnings about this step.
    """

    formula: str
    kind: str
    depth: int
    symbol: str
    vector: str
    sign: str
    probability: float | None
    probability_formula: str
    weight: float | None
    category: str | None
    origin: str | None
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Group:
    """A category: its letter, its origin, its words with their weights, and p(A)."""

    name: str
    origin: str
    words: tuple[str, ...]
    weights: tuple[float, ...]
    probability: float | None


@dataclass(frozen=True)
class Figure:
    """A line below the steps: an interpretation, the mode, a validity figure, or a warning."""

    name: str
    text: str


@dataclass(frozen=True)
class Explanation:
    """The explanation of a concept, printed by the command, the library and the page.

    Attributes:
        formula: The query.
        arithmetic: "first order" or "exact".
        postprocess: The post-processing of the vectors.
        parts: The steps of the computation, each before its children.
        categories: The categories, by their letters.
        probability: The probability, or None without frequencies, for a text and for an analogy.
        is_bound: True if the probability is an upper bound.
        residual: The rms between the exact scores and those of the best vector, in the model's PMI.
        cosine: The cosine between the first-order vector and the exact one.
        rms: Their distance, as an rms of the model's PMI.
        inapplicable: The reason why the last three are None, for words and without contexts.
        correction: The ratio of an AND's probability and the product, or None if unknown.
        measured: The comparison with the counted PMI, the reason why it is missing, or None.
        readings: The interpretation of each NOT that has no category.
        notes: All warnings.
        figures: The lines below the steps: the readings, the mode, the figures above, the
            warnings.
    """

    formula: str
    arithmetic: str
    postprocess: str
    parts: tuple[Part, ...]
    categories: tuple[Group, ...]
    probability: float | None
    is_bound: bool
    residual: float | None
    cosine: float | None
    rms: float | None
    inapplicable: str | None
    correction: AndCorrection | None
    measured: Measured | str | None
    readings: tuple[str, ...]
    notes: tuple[str, ...]
    figures: tuple[Figure, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain data, ready for JSON."""
        return asdict(self)

    def text(self, width: int = 80) -> str:
        """Return plain lines of at most this width, unless a word is longer."""
        from andornot.algebra.rendering import as_text

        return as_text(self, width)

    def _repr_html_(self) -> str:
        from andornot.algebra.rendering import as_html

        return as_html(self)

    def __rich__(self) -> Any:
        """Return tables for a terminal with colours."""
        from andornot.algebra.rendering import as_tables

        return as_tables(self)
