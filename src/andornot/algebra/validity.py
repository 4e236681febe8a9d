"""How far an answer can be trusted: against the exact mode, and against PMI that was counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from andornot.algebra.arithmetic import Ids
from andornot.algebra.concept import Concept
from andornot.algebra.expression import Or, every_part
from andornot.moments import Vector

if TYPE_CHECKING:
    from andornot.cooccurrence import Cooccurrence

_MOST_NAMED = 6


@dataclass(frozen=True)
class Measured:
    """The rms between v.u and the PMI that was counted.

    `share` is that of the contexts, by frequency, which were counted beside the words at all.
    """

    rms: float
    share: float


def validity(concept: Concept) -> tuple[float, float | None, float]:
    """The residual of the fit, and the cosine and PMI rms between first order and exact."""
    logic = concept.logic
    exact = logic.exact_arithmetic
    value, other = (
        meaning.to_global(meaning.of(concept.formula))
        if concept.outside
        else meaning.of(concept.formula)
        for meaning in (logic.exact_meaning, logic.centred_meaning)
    )
    fitted, first = exact.centred(value.row, value.frame is not None), other.row
    rms = exact.distance(fitted - first)
    if logic.target.matrix is not None:
        fitted, first = fitted @ logic.target.matrix, first @ logic.target.matrix
    lengths = np.linalg.norm(fitted) * np.linalg.norm(first)
    cosine = float(fitted @ first / lengths) if lengths > 0 else None
    return exact.residual(value.row), cosine, rms


def measured(concept: Concept, counts: Cooccurrence) -> Measured | str:
    """Compare v.u with log sum_i pi_i p(c|i) / p(c), within a category less that of its words.

    Or why that can't be: where a concept is no union of words nobody has counted it.
    """
    logic, value = concept.logic, concept.value
    weighted = any(isinstance(each, Or) and each.weights for each in every_part(concept.formula))
    if logic.space.context is None or logic.context is None:
        return "the space has no context vectors"
    if value.members is None or weighted:
        return "only words and their unions have been counted"
    frame = () if value.frame is None else value.frame.ids.tolist()
    names = [logic.space.vocabulary.word(i) for i in {*value.members, *frame}]
    strangers = [name for name in names if name not in counts.vocabulary]
    if strangers:
        return f"not in the counts: {', '.join(sorted(strangers)[:_MOST_NAMED])}"
    words = logic.space.vocabulary
    matrix, p = counts.matrix(), counts.probability

    def log_ratio(ids: Ids) -> Vector:
        weights = logic.meaning.weights_of(ids)
        rows = np.array([counts.vocabulary.index(words.word(int(i))) for i in ids])
        each = (weights / weights.sum()) / counts.marginal[rows]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.log(matrix[rows].T @ each) - np.log(p), dtype=np.float64)

    found = log_ratio(np.array(sorted(value.members)))
    if value.frame is not None:
        with np.errstate(invalid="ignore"):
            found -= log_ratio(value.frame.ids)
    known = np.array([word in words for word in counts.vocabulary])
    met = np.flatnonzero(np.isfinite(found) & known)
    share = float(p[met].sum())
    if not share:
        return "no context was counted beside these words"
    ids = [words.index(counts.vocabulary.word(int(place))) for place in met]
    turned, offset = logic.context.back(concept.vector[None])
    scores = (logic.space.context @ turned[0].astype(np.float32))[ids] - offset[0]
    return Measured(float(np.sqrt(p[met] @ (scores - found[met]) ** 2 / share)), share)
