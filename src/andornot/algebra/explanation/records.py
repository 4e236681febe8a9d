"""An explanation as data: its steps, its categories, and how far it can be trusted."""

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
            "lift": a part brought out of its category.
        depth: How deep it is nested in the query.
        symbol: "v" for vectors, "t" for scores of contexts (exact mode).
        vector: How the vector was computed, with its numbers.
        sign: "=", or "<=" if the probability is an upper bound.
        probability: The probability, or None without frequencies, for a text and for an analogy.
        probability_formula: How it was computed, with its numbers.
        weight: The share in the OR above it, the weight in the text above it, or None.
        category: The letter of the category within which it is seen, or None.
        origin: Where that category comes from: written out, named, or proposed.
        notes: Warnings that arose in this step.
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
    """A category: its letter, where it comes from, its words with their weights, and p(A)."""

    name: str
    origin: str
    words: tuple[str, ...]
    weights: tuple[float, ...]
    probability: float | None


@dataclass(frozen=True)
class Figure:
    """A line below the steps: a reading, the mode, how far to trust the numbers, or a warning."""

    name: str
    text: str


@dataclass(frozen=True)
class Explanation:
    """Everything that can be said of a concept. Command, library and page print it alike.

    Attributes:
        formula: The query.
        arithmetic: "first order" or "exact".
        postprocess: The post-processing of the vectors.
        parts: The steps of the computation, each before those it is made of.
        categories: The categories, by their letters.
        probability: The probability, or None without frequencies, for a text and for an analogy.
        is_bound: Whether the probability is an upper bound.
        residual: The rms between the exact scores and those of the best vector, in the model's PMI.
        cosine: The cosine between the first-order vector and the exact one.
        rms: Their distance, as an rms of the model's PMI.
        inapplicable: Why the last three are None: for a word, and without context vectors.
        correction: What an AND's probability is beyond the product, or None if that is not known.
        measured: The comparison with the counted PMI, why there is none, or None if not asked for.
        readings: The interpretation of each NOT that has no category.
        notes: All warnings.
        figures: What is printed below the steps: the readings, the mode, the figures above, the
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
        """Return it as plain data, ready for JSON."""
        return asdict(self)

    def text(self, width: int = 80) -> str:
        """Return plain lines of at most this width, where words allow it."""
        from andornot.algebra.rendering import as_text

        return as_text(self, width)

    def _repr_html_(self) -> str:
        from andornot.algebra.rendering import as_html

        return as_html(self)

    def __rich__(self) -> Any:
        """Return tables for a terminal with colours."""
        from andornot.algebra.rendering import as_tables

        return as_tables(self)
