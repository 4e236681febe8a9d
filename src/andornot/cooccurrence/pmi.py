"""Pointwise mutual information, and the error terms of Theorem 1.

PMI(w,c) = log p(w,c) / (p(w) p(c)). After frequency-weighted centering,
PMI(w,c) = v~.u~ + eps_bar - eps_w - eps_c with eps_w = KL(p || p(.|w)) and eps_c = KL(p || p(.|c)).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError, MissingContextError, UsageError
from andornot.base.progress import stage
from andornot.cooccurrence.store import Cooccurrence
from andornot.space import Space
from andornot.words.counts import noise_weights

Vector = npt.NDArray[np.float64]


class PmiBlock(NamedTuple):
    """Some co-occurring pairs and their PMI."""

    rows: npt.NDArray[np.int32]
    columns: npt.NDArray[np.int32]
    counts: npt.NDArray[np.float32]
    pmi: Vector


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


def pmi_blocks(counts: Cooccurrence, pairs: int = 1 << 22) -> Iterator[PmiBlock]:
    """The PMI of all co-occurring pairs, in blocks of about this many.

    >>> from andornot.cooccurrence import count
    >>> from andornot.corpus import open_corpus
    >>> counts = count(open_corpus(["examples/nursery.txt"], tokenizer="words"), min_count=3)
    >>> sum(len(block.pmi) for block in pmi_blocks(counts)) == counts.pairs
    True
    """
    log_p = _logarithm(counts.probability)
    log_total = np.log(counts.total)
    for first, last, entries in counts.blocks(pairs):
        rows = counts.rows_of(first, last)
        columns, values = counts.columns[entries], counts.values[entries]
        pmi = np.log(values, dtype=np.float64) - log_total - log_p[rows] - log_p[columns]
        yield PmiBlock(rows, columns, values, pmi)


def largest_pmi(counts: Cooccurrence) -> float:
    """Delta, the largest |PMI| of a co-occurring pair.

    >>> from andornot.cooccurrence import count
    >>> from andornot.corpus import open_corpus
    >>> counts = count(open_corpus(["examples/nursery.txt"], tokenizer="words"), min_count=3)
    >>> round(largest_pmi(counts), 3)
    1.478
    """
    largest, done = 0.0, 0
    with stage("largest PMI", total=counts.pairs, unit="pairs") as report:
        for block in pmi_blocks(counts):
            largest = max(largest, float(np.abs(block.pmi).max(initial=0.0)))
            done += len(block.pmi)
            report(done / counts.pairs)
    return largest


def error_terms_of_counts(counts: Cooccurrence, alpha: float = 1.0) -> ErrorTerms:
    """The error terms from counts to which `alpha` was added for every pair.

    On the counts themselves they are infinite as soon as one pair never co-occurs. The pairs that
    don't are taken together: the work is in the pairs that do.
    """
    if not alpha > 0:
        raise UsageError(f"alpha must be above 0, or the terms diverge; got {alpha}")
    size = len(counts.vocabulary)
    total = counts.total + alpha * size * size
    p = (counts.marginal + alpha * size) / total
    mean_log = np.full(size, np.log(alpha))  # sum over c of p(c) log (N(w,c) + alpha)
    for first, last, entries in counts.blocks():
        values = counts.values[entries].astype(np.float64)
        gained = p[counts.columns[entries]] * np.log1p(values / alpha)
        rows = counts.rows_of(first, last) - first
        mean_log[first:last] += np.bincount(rows, weights=gained, minlength=last - first)
    terms = -(mean_log - np.log(total)) + np.log(p) + p @ np.log(p)
    return ErrorTerms(terms, terms, float(p @ terms))


def model_pmi(space: Space, log_total: float | None = None, *, unseen: bool = False) -> ModelPmi:
    """What a model's v.u lacks to its own PMI: log(q/p) + log k, or GloVe's biases.

    For GloVe log Z is the logarithm of the sum of all counts; where it isn't given, the one under
    which the model's own probabilities add up to 1. A word with p(w) = 0 has no PMI: such a space
    is refused, unless `unseen` allows NaN for these words.
    """
    if space.context is None:
        raise MissingContextError("the PMI of a model")
    record, p = space.provenance, space.probability
    if not unseen and (p == 0).any():
        raise AndornotError(
            "a word of this space has the count 0, and log p(w) needs more; drop it"
        )
    zero, log_p = np.zeros(len(space)), np.log(np.where(p > 0, p, np.nan))
    if space.target_bias is not None and space.context_bias is not None:
        log_z = log_total if log_total is not None else _log_normaliser(space)
        a, b = space.target_bias.astype(np.float64), space.context_bias.astype(np.float64)
        return ModelPmi(a - log_p, b - log_p, -log_z)
    if record.negatives is None or record.negative_exponent is None:
        raise AndornotError(
            "the record of this space has neither biases nor a number of negatives (k) and their "
            "distribution (q); its PMI can't be known"
        )
    q = noise_weights(space.counts, record.negative_exponent)
    q /= record.noise_total or q.sum()
    return ModelPmi(zero, _logarithm(q) - log_p, float(np.log(record.negatives)))


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


def _logarithm(values: Vector) -> Vector:
    """log, with -inf where a word of an imposed vocabulary never came."""
    with np.errstate(divide="ignore"):
        logarithm: Vector = np.log(values)
    return logarithm
