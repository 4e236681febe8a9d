"""Why an answer is what it is: the formula with its numbers, and how far it can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from andornot.algebra.arithmetic import FirstOrder
from andornot.algebra.expression import And, Expression, Given, Not, Or, Word
from andornot.algebra.logic import Concept
from andornot.postprocessing.affine import Affine

_STEPS = {And: "AND", Or: "OR", Not: "NOT", Given: "given", Word: "word"}


@dataclass(frozen=True)
class Part:
    """A part of the formula: what it is, its share in the whole, its probability."""

    formula: str
    kind: str
    depth: int
    probability: float
    is_bound: bool
    weight: float | None
    frame: str | None


@dataclass(frozen=True)
class Explanation:
    """Everything that can be said of a concept.

    `residual` is how far the exact scores are from any vector's, in PMI; `cosine` and `rms` compare
    the first-order vector with the exact one. They are None where they don't apply: for a pure AND,
    and without context vectors.
    """

    formula: str
    arithmetic: str
    postprocess: str
    parts: tuple[Part, ...]
    probability: float
    is_bound: bool
    category: tuple[str, ...] | None
    category_origin: str | None
    residual: float | None
    cosine: float | None
    rms: float | None
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        from dataclasses import asdict

        return asdict(self)

    def text(self) -> str:
        """A few lines for a terminal without any frills."""
        lines = [f"{self.formula}   ({self.arithmetic}, postprocess {self.postprocess})"]
        for part in self.parts:
            bound = "at most " if part.is_bound else ""
            weight = "" if part.weight is None else f"   weight {part.weight:.3g}"
            frame = "" if part.frame is None else f"   within {part.frame}"
            indent = "  " * (part.depth + 1)
            lines.append(
                f"{indent}{part.kind:<5} {part.formula}   p = {bound}{part.probability:.3g}"
                f"{weight}{frame}"
            )
        if self.category is not None:
            lines.append(f"category    {', '.join(self.category)} ({self.category_origin})")
        lines.append(f"residual    {_shown(self.residual)}")
        if self.cosine is None:
            lines.append("validity    not applicable")
        else:
            lines.append(
                f"validity    cosine {self.cosine:.4f} between first order and exact, "
                f"PMI rms {self.rms:.4f}"
            )
        lines += [f"note        {note}" for note in self.notes]
        return "\n".join(lines)


def explain(concept: Concept) -> Explanation:
    """Explain a concept.

    >>> import andornot
    >>> from andornot.algebra import Logic
    >>> space = andornot.load("examples/royal.vec").with_counts("examples/royal.counts")
    >>> print(explain(Logic(space).concept("king | queen")).text())
    king | queen   (first order, postprocess frequency)
      OR    king | queen   p = ...
        word  king   p = ...   weight ...
        word  queen   p = ...   weight ...
    residual    not applicable
    validity    not applicable
    """
    logic = concept.logic
    frame = concept.frame
    residual = cosine = rms = None
    if logic.space.context is not None and not _is_pure_and(concept.formula):
        residual, cosine, rms = _validity(concept)
    return Explanation(
        formula=str(concept.formula),
        arithmetic="exact" if logic.exact else "first order",
        postprocess=logic.space.provenance.postprocess or str(logic.postprocess),
        parts=tuple(_parts(concept, concept.formula, 0, None)),
        probability=concept.probability,
        is_bound=concept.value.is_bound,
        category=None if frame is None else frame.words,
        category_origin=None if frame is None else frame.origin,
        residual=residual,
        cosine=cosine,
        rms=rms,
        notes=(*concept.value.notes, *logic.notes),
    )


def _parts(
    concept: Concept, expression: Expression, depth: int, weight: float | None
) -> list[Part]:
    value = concept.logic.meaning.of(expression)
    frame = None if value.frame is None else str(value.frame)
    kind = _STEPS[type(expression)]
    own = Part(str(expression), kind, depth, value.probability, value.is_bound, weight, frame)
    found = [own]
    if isinstance(expression, Or):
        for part, share in value.shares:
            found += _parts(concept, part, depth + 1, share)
    elif isinstance(expression, And):
        for part in expression.parts:
            found += _parts(concept, part, depth + 1, None)
    return found


def _is_pure_and(expression: Expression) -> bool:
    """Whether it is made of words and AND alone: then both arithmetics agree."""
    if isinstance(expression, And):
        return all(_is_pure_and(part) for part in expression.parts)
    return isinstance(expression, Word)


def _validity(concept: Concept) -> tuple[float, float | None, float]:
    """The residual of the fit, and the cosine and PMI rms between first order and exact."""
    logic = concept.logic
    exact = logic.exact_arithmetic
    meaning = logic.meaning_in(exact)
    value = meaning.of(concept.formula)
    if concept.outside:
        value = meaning.to_global(value)
    framed = value.frame is not None
    fitted = exact.centred(value.row, framed)
    plain = logic.meaning_in(FirstOrder(logic.space, Affine(logic.target.mean)))
    other = plain.of(concept.formula)
    first = (plain.to_global(other) if concept.outside else other).row
    rms = exact.distance(fitted - first)
    if logic.target.matrix is not None:
        fitted, first = fitted @ logic.target.matrix, first @ logic.target.matrix
    lengths = np.linalg.norm(fitted) * np.linalg.norm(first)
    cosine = float(fitted @ first / lengths) if lengths > 0 else None
    return exact.residual(value.row), cosine, rms


def _shown(value: float | None) -> str:
    return "not applicable" if value is None else f"{value:.4f} rms of PMI, that no vector can say"
