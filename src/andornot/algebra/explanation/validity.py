"""Validity of an answer: comparison with the exact mode and with the counted PMI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from andornot.algebra.compute import row_of
from andornot.algebra.concept import Concept
from andornot.algebra.first_order import FirstOrder
from andornot.algebra.nodes import Ids, SignedSum, Sum, WeightedSum, Word, every_node
from andornot.base.errors import AndornotError
from andornot.base.moments import Vector
from andornot.postprocessing.affine import Affine

if TYPE_CHECKING:
    from andornot.cooccurrence import Cooccurrence

_MOST_NAMED = 6


@dataclass(frozen=True)
class Validity:
    """The residual of the fit, and the cosine and rms between first order and exact.

    All of them are about the model's PMI; `Measured` compares it with the counted PMI.
    """

    residual: float
    cosine: float | None
    rms: float


@dataclass(frozen=True)
class AndCorrection:
    """E_c[exp(PMI)] of an AND, and the context with the largest share of it.

    The paper assumes p(w) = product of the parts' p, and p(w|c) = product of their p(w|c). Summed
    over contexts, the second gives p(w) as the product times this factor. It rests on few contexts
    if the share of one of them is large.
    """

    factor: float
    context: str
    share: float


@dataclass(frozen=True)
class Measured:
    """The rms between v.u of the post-processed vectors and the counted PMI.

    `share` is the share, by frequency, of the contexts that co-occur with the words.
    """

    rms: float
    share: float


def validity(concept: Concept) -> Validity | str:
    """Compare the first-order vector with the exact one, or give the reason if not possible."""
    logic, node = concept.logic, concept.node
    if logic.space.context is None:
        return "the space has no context vectors"
    if isinstance(node, Word):
        return "a word is the same in both modes"
    if isinstance(node, SignedSum):
        return "an analogy is a sum of unit vectors in both modes"
    try:
        exact = logic.exact_arithmetic
    except AndornotError as error:
        return str(error)
    sums = Word | Sum | WeightedSum
    if not exact.zero_is_known and all(isinstance(each, sums) for each in every_node(node)):
        return "without q and k or biases, words and their AND are the same in both modes"
    scores = row_of(node, exact)
    fitted = exact.centred(scores, node.frame is not None)
    first = row_of(node, FirstOrder(logic.space, Affine(logic.target.mean)))
    rms = exact.distance(fitted - first)
    if logic.target.matrix is not None:
        fitted = fitted @ logic.target.matrix
        first = row_of(node, FirstOrder(logic.space, logic.target))
    lengths = np.linalg.norm(fitted) * np.linalg.norm(first)
    cosine = float(fitted @ first / lengths) if lengths > 0 else None
    return Validity(exact.residual(scores), cosine, rms)


def and_correction(concept: Concept) -> AndCorrection | None:
    """Return the correction of an AND's probability if the model's PMI is known."""
    logic, node = concept.logic, concept.node
    if not isinstance(node, Sum) or node.frame is not None or np.isnan(node.probability):
        return None
    try:
        exact = logic.exact_arithmetic
    except AndornotError:
        return None
    if not exact.zero_is_known:
        return None
    factor, context, share = exact.expected_ratio(row_of(node, exact))
    return AndCorrection(factor, logic.space.vocabulary.word(context), share)


def measured(concept: Concept, counts: Cooccurrence) -> Measured | str:
    """Compare v.u with log sum_i pi_i p(c|i) / p(c), for a category minus that of its words.

    If that is not possible, give the reason: only unions of words can be counted.
    """
    logic, node = concept.logic, concept.node
    if logic.space.context is None or logic.context is None:
        return "the space has no context vectors"
    if node.ids is None or node.weights is None:
        return "only words and their unions have been counted"
    frame = () if node.category is None else node.category.ids.tolist()
    names = [logic.space.vocabulary.word(i) for i in {*node.ids.tolist(), *frame}]
    strangers = [name for name in names if name not in counts.vocabulary]
    if strangers:
        return f"not in the counts: {', '.join(sorted(strangers)[:_MOST_NAMED])}"
    words = logic.space.vocabulary
    p = counts.probability

    def log_ratio(ids: Ids, weights: Vector) -> Vector:
        rows = [counts.vocabulary.index(words.word(int(i))) for i in ids]
        mixed = np.zeros(len(p))
        with np.errstate(divide="ignore", invalid="ignore"):
            for row, share in zip(rows, weights / weights.sum(), strict=True):
                block = counts.rows(row, row + 1)
                mixed[block.columns] += share / counts.marginal[row] * block.values
            return np.asarray(np.log(mixed) - np.log(p), dtype=np.float64)

    found = log_ratio(node.ids, node.weights)
    if node.frame is not None:
        with np.errstate(invalid="ignore"):
            found -= log_ratio(node.frame.category.ids, node.frame.weights)
    known = np.array([word in words for word in counts.vocabulary])
    met = np.flatnonzero(np.isfinite(found) & known)
    share = float(p[met].sum())
    if not share:
        return "no context was counted beside these words"
    ids = [words.index(counts.vocabulary.word(int(index))) for index in met]
    turned, offset = logic.context.back(concept.vector[None])
    scores = (logic.space.context @ turned[0].astype(np.float32))[ids] - offset[0]
    return Measured(float(np.sqrt(p[met] @ (scores - found[met]) ** 2 / share)), share)
