"""The PMI of a model (eqs. 5 and 6), and the error terms of Theorem 1 computed from it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError, MissingContextError
from andornot.space import Space
from andornot.words.counts import noise_weights

Vector = npt.NDArray[np.float64]
Ids = npt.NDArray[np.int64]
_ALL_PAIRS = 4096  # up to this many words, log Z is summed over all pairs
_SAMPLED_WORDS = 500  # words from which log Z of larger vocabularies is estimated


class ErrorTerms(NamedTuple):
    """The error terms of Theorem 1 for every word, every context, and on average."""

    of_words: Vector
    of_contexts: Vector
    mean: float


class ModelPmi(NamedTuple):
    """The terms of a model's PMI (eqs. 5 and 6): v.u + of_words + of_contexts + constant."""

    of_words: Vector
    of_contexts: Vector
    constant: float


class WordSample(NamedTuple):
    """A sample of words, and weights that represent p(w) over the whole vocabulary."""

    ids: Ids
    weights: Vector


class UnknownPmiError(AndornotError):
    """The PMI of a space can't be computed, because its training settings are unknown."""


def model_pmi(space: Space, log_total: float | None = None) -> ModelPmi:
    """Return the difference of a model's PMI and v.u: log(q/p) + log k, or GloVe's biases.

    For GloVe, log Z is the logarithm of the sum of all counts: `log_total`, by default that of the
    space (see `log_total_of`). A word that never co-occurred has p = 0 and no PMI: its terms are 0,
    and its weight in any mean under p is 0.

    The PMI of two words doesn't change if other words are removed from the space. The p(w) of the
    words that are left grows by the same factor, so this factor is taken out again.

    Raises:
        UnknownPmiError: If the space has neither biases nor q and k.
    """
    if space.context is None:
        raise MissingContextError("the PMI of a model")
    record, p = space.provenance, space.probability
    zero, met = np.zeros(len(space)), p > 0
    log_p = np.log(p, where=met, out=np.zeros(len(space)))
    if space.target_bias is not None and space.context_bias is not None:
        log_z = log_total if log_total is not None else log_total_of(space)
        a, b = space.target_bias.astype(np.float64), space.context_bias.astype(np.float64)
        return ModelPmi(np.where(met, a - log_p, 0), np.where(met, b - log_p, 0), -log_z)
    if record.negatives is None or record.negative_exponent is None:
        raise UnknownPmiError(
            "this space has neither biases nor a number of negatives (k) with their "
            "distribution (q) in its provenance, so its PMI is unknown; train with andornot"
        )
    q = noise_weights(space.counts, record.negative_exponent)
    q /= record.noise_total or q.sum()
    log_q = np.log(q, where=met, out=np.zeros(len(space)))
    constant = np.log(record.negatives) - np.log(record.kept_share or 1.0)
    return ModelPmi(zero, np.where(met, log_q - log_p, 0), float(constant))


def error_terms_of_space(space: Space, log_total: float | None = None) -> ErrorTerms:
    """Return the error terms from the model's own PMI, which are always finite.

    Both are means of PMI under p, and PMI is linear in v and in u, so no pairs are computed.
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


def log_total_of(space: Space) -> float:
    """Return log Z of a GloVe space: of its co-occurrence mass, or else `log_normaliser`.

    The marginal counts pairs with words that were removed from the space. The kept share takes
    these out, as if the removed words were as frequent around every word.
    """
    if space.marginal is not None:
        return float(np.log(space.marginal.sum() * (space.provenance.kept_share or 1.0)))
    return log_normaliser(space, _SAMPLED_WORDS if len(space) > _ALL_PAIRS else None)


def log_normaliser(space: Space, sampled: int | None = None, rows: int = 1024) -> float:
    """Return the log Z for which the probabilities of a GloVe space sum to 1.

    This is the logarithm of the sum over all pairs of exp(v.u + a + b).

    Args:
        space: The vectors, with biases.
        sampled: Estimate it from at most this many words; default: all.
        rows: The number of words per block.
    """
    assert space.context is not None
    assert space.target_bias is not None
    assert space.context_bias is not None
    sample = WordSample(np.arange(len(space)), np.ones(len(space)))
    if sampled is not None:
        p = space.probability
        ids, weights = sample_by(p, sampled, np.random.default_rng(1))
        sample = WordSample(ids, weights / p[ids])
    parts = []
    for start in range(0, len(sample.ids), rows):
        ids = sample.ids[start : start + rows]
        scores = (space.target[ids] @ space.context.T).astype(np.float64) + space.context_bias
        scores += space.target_bias[ids, None] + np.log(sample.weights[start : start + rows, None])
        peak = float(scores.max())
        parts.append(peak + np.log(np.exp(scores - peak).sum()))
    return float(np.logaddexp.reduce(parts))


def sample_by(p: Vector, size: int, rng: np.random.Generator) -> WordSample:
    """Choose at most `size` words to represent p; all words of p(w) > 0 if they are fewer.

    Half of them are the most frequent words, with their own p as weights. The others are drawn
    from the rest by systematic sampling, in proportion to p, and share its probability. Sums of
    weight times value are unbiased estimates of sums of p times value.
    """
    seen = np.flatnonzero(p)
    if len(seen) <= size:
        return WordSample(seen, p[seen])
    order = seen[np.argsort(-p[seen], kind="stable")]
    head, tail = order[: size // 2], order[size // 2 :]
    ends = np.cumsum(p[tail])
    step = ends[-1] / (size - len(head))
    points = (np.arange(size - len(head)) + rng.random()) * step
    hits = np.minimum(np.searchsorted(ends, points, side="right"), len(tail) - 1)  # rounding
    drawn, times = np.unique(hits, return_counts=True)
    ids = np.concatenate([head, tail[drawn]])
    weights = np.concatenate([p[head], times * step])
    in_file_order = np.argsort(ids)
    return WordSample(ids[in_file_order], weights[in_file_order])
