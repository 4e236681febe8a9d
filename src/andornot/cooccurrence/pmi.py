"""Pointwise mutual information, and the error terms of Theorem 1.

PMI(w,c) = log p(w,c) / (p(w) p(c)). After frequency-weighted centering,
PMI(w,c) = v~.u~ + eps_bar - eps_w - eps_c with eps_w = KL(p || p(.|w)) and eps_c = KL(p || p(.|c)).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.errors import UsageError
from andornot.base.progress import stage
from andornot.cooccurrence.row_blocks import BLOCK_PAIRS
from andornot.cooccurrence.store import Cooccurrence
from andornot.model_pmi import ErrorTerms

Vector = npt.NDArray[np.float64]


class PmiBlock(NamedTuple):
    """Some co-occurring pairs and their PMI."""

    rows: npt.NDArray[np.int32]
    columns: npt.NDArray[np.int32]
    counts: npt.NDArray[np.float32]
    pmi: Vector


def pmi_blocks(counts: Cooccurrence, pairs: int = BLOCK_PAIRS) -> Iterator[PmiBlock]:
    """The PMI of all co-occurring pairs, in blocks of about this many.

    >>> from andornot.cooccurrence import count
    >>> from andornot.corpus import open_corpus
    >>> counts = count(open_corpus(["examples/nursery.txt"], tokenizer="words"), min_count=3)
    >>> sum(len(block.pmi) for block in pmi_blocks(counts)) == counts.pairs
    True
    """
    log_p = _logarithm(counts.probability)
    log_total = np.log(counts.total)
    for block in counts.blocks(pairs):
        ids, columns, values = block.row_ids, block.columns, block.values
        pmi = np.log(values, dtype=np.float64) - log_total - log_p[ids] - log_p[columns]
        yield PmiBlock(ids, columns, values, pmi)


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
    for block in counts.blocks():
        here = slice(block.first, block.last)
        gained = p[block.columns] * np.log1p(block.values.astype(np.float64) / alpha)
        ids = block.row_ids - block.first
        mean_log[here] += np.bincount(ids, weights=gained, minlength=block.last - block.first)
    terms = -(mean_log - np.log(total)) + np.log(p) + p @ np.log(p)
    return ErrorTerms(terms, terms, float(p @ terms))


def _logarithm(values: Vector) -> Vector:
    """log, with -inf where a word of an imposed vocabulary never came."""
    with np.errstate(divide="ignore"):
        logarithm: Vector = np.log(values)
    return logarithm
