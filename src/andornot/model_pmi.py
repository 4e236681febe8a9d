"""The PMI that a model itself has (eqs. 5 and 6), and the error terms of Theorem 1 from it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError, MissingContextError
from andornot.space import Space
from andornot.words.counts import noise_weights

Vector = npt.NDArray[np.float64]


class ErrorTerms(NamedTuple):
    """The error terms of Theorem 1 for every word, every context, and on average."""

    of_words: Vector
    of_contexts: Vector
    mean: float


class ModelPmi(NamedTuple):
    """PMI as a model has it (eqs. 5 and 6): v.u + of_words + of_contexts + constant."""

    of_words: Vector
    of_contexts: Vector
    constant: float


def model_pmi(space: Space, log_total: float | None = None) -> ModelPmi:
    """What a model's v.u lacks to its own PMI: log(q/p) + log k, or GloVe's biases.

    For GloVe log Z is the logarithm of the sum of all counts; where it isn't given, the one under
    which the model's own probabilities add up to 1. A word that never co-occurred has p = 0 and no
    PMI: its terms are 0, and it weighs nothing in any mean under p.
    """
    if space.context is None:
        raise MissingContextError("the PMI of a model")
    record, p = space.provenance, space.probability
    zero, met = np.zeros(len(space)), p > 0
    log_p = np.log(p, where=met, out=np.zeros(len(space)))
    if space.target_bias is not None and space.context_bias is not None:
        log_z = log_total if log_total is not None else _log_normaliser(space)
        a, b = space.target_bias.astype(np.float64), space.context_bias.astype(np.float64)
        return ModelPmi(np.where(met, a - log_p, 0), np.where(met, b - log_p, 0), -log_z)
    if record.negatives is None or record.negative_exponent is None:
        raise AndornotError(
            "the record of this space has neither biases nor a number of negatives (k) and their "
            "distribution (q); its PMI can't be known"
        )
    q = noise_weights(space.counts, record.negative_exponent)
    q /= record.noise_total or q.sum()
    log_q = np.log(q, where=met, out=np.zeros(len(space)))
    return ModelPmi(zero, np.where(met, log_q - log_p, 0), float(np.log(record.negatives)))


def error_terms_of_space(space: Space, log_total: float | None = None) -> ErrorTerms:
    """The error terms from the PMI that the model itself has: finite everywhere.

    Both are means of PMI under p, and PMI is linear in v and in u: no pair is looked at.
    """
    model = model_pmi(space, log_total)
    assert space.context is not None
    p = space.probability
    mean_target, mean_context = p @ space.target, p @ space.context
    of_words = -(
        space.target @ mean_context + model.of_words + p @ model.of_contexts + model.constant
    )
    of_contexts = -(
        space.context @ mean_target + model.of_contexts + p @ model.of_words + model.constant
    )
    return ErrorTerms(of_words, of_contexts, float(p @ of_words))


def _log_normaliser(space: Space, rows: int = 1024) -> float:
    """The logarithm of the sum over all pairs of exp(v.u + a + b), block by block."""
    assert space.context is not None
    assert space.target_bias is not None
    assert space.context_bias is not None
    parts = []
    for start in range(0, len(space), rows):
        scores = space.target[start : start + rows] @ space.context.T
        scores = scores.astype(np.float64) + space.context_bias
        scores += space.target_bias[start : start + rows, None]
        peak = float(scores.max())
        parts.append(peak + np.log(np.exp(scores - peak).sum()))
    return float(np.logaddexp.reduce(parts))
