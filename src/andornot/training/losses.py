"""The loss that the trainers minimise, for a space and counts."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise

import numpy as np

from andornot.base.errors import AndornotError, MissingContextError, UsageError
from andornot.base.parallel import run_parallel, thread_count
from andornot.cooccurrence import Cooccurrence
from andornot.cooccurrence.row_blocks import BLOCK_PAIRS
from andornot.space import Space
from andornot.training.glove_kernels import Factors, Pairs, loss_of_rows
from andornot.training.sgns_gradient import Loss


def sgns_loss(
    space: Space,
    counts: Cooccurrence,
    *,
    negative: int | None = None,
    exponent: float | None = None,
    threads: int | None = None,
) -> float:
    """Return L/N, the SGNS loss over the counts for each of its N pairs, computed in full.

    The work grows with the square of the vocabulary: a second for 10,000 words.

    Args:
        space: The vectors.
        counts: The counts, with the words of the space.
        negative: k; default: that of the training.
        exponent: The exponent of q; default: that of the training.
        threads: The number of threads; default: all cores.

    Raises:
        AndornotError: If the space lacks what the loss needs, or has other words than the counts.
        UsageError: If k is below 1.
    """
    if space.context is None:
        raise MissingContextError("the SGNS loss")
    _check_words(space, counts)
    known = space.provenance
    k = known.negatives if negative is None else negative
    power = known.negative_exponent if exponent is None else exponent
    if k is None or power is None:
        raise AndornotError("this space doesn't say how it was trained: give negative and exponent")
    if not k >= 1:
        raise UsageError(f"negative must be at least 1, got {k}")
    loss = Loss(counts, k, power, thread_count(threads), head=len(space))
    return loss.value(space.target, space.context)


def glove_loss(
    space: Space,
    counts: Cooccurrence,
    *,
    x_max: float | None = None,
    alpha: float | None = None,
    threads: int | None = None,
) -> float:
    """Return the mean of GloVe's loss over all pairs of the counts.

    Args:
        space: The vectors and biases.
        counts: The counts, with the words of the space.
        x_max: The count from which on pairs weigh 1; default: that of the training, or 100.
        alpha: The exponent of smaller counts; default: that of the training, or 3/4.
        threads: The number of threads; default: all cores.

    Raises:
        AndornotError: If the space lacks what the loss needs, or has other words than the counts.
        UsageError: If x_max or alpha is not above 0.
    """
    if space.context is None or space.target_bias is None or space.context_bias is None:
        raise AndornotError("GloVe's loss needs context vectors and both biases")
    _check_words(space, counts)
    known = space.provenance.settings
    x_max = float(known.get("x_max", 100.0) if x_max is None else x_max)
    alpha = float(known.get("alpha", 0.75) if alpha is None else alpha)
    for name, value in (("x_max", x_max), ("alpha", alpha)):
        if not (value > 0 and math.isfinite(value)):
            raise UsageError(f"{name} must be a number above 0, got {value}")
    factors = Factors(space.target, space.context, space.target_bias, space.context_bias)
    number = thread_count(threads)
    cuts = np.searchsorted(counts.row_starts, np.linspace(0, counts.pairs, 8 * number + 1))
    cuts[0], cuts[-1] = 0, len(counts.vocabulary)

    def loss(first: int, last: int) -> float:
        blocks = counts.blocks(BLOCK_PAIRS // number, first, last)
        return sum(loss_of_rows(Pairs(*block, x_max, alpha, 0), factors) for block in blocks)

    with ThreadPoolExecutor(number) as pool:
        losses = run_parallel(pool, [partial(loss, *span) for span in pairwise(cuts.tolist())])
    return sum(losses) / counts.pairs


def _check_words(space: Space, counts: Cooccurrence) -> None:
    if space.words != counts.vocabulary.words:
        raise AndornotError(
            f"the space has {len(space):,} words and the counts {len(counts.vocabulary):,}; "
            "they must be the same words in the same order"
        )
