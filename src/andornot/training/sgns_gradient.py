"""The whole SGNS loss and its gradient for one side, from counts, in blocks.

L = sum N(w,c) softplus(-s) + k sum n(w) q(c) softplus(s), s = v_w . u_c. Given U it is a sum over
the rows of V, and given V over those of U; the counts are symmetric, so one function serves both.
A row is divided by its weight in L: n(w) for v_w, N(p(c) + k q(c)) for u_c.

The first part is sparse. The second has a term for every pair of words: it is computed for chosen
columns, which are all of them in small vocabularies, and in large ones the most frequent plus
every n-th of the others, these with n times their weight. Both parts can be restricted to the
pairs of the most frequent words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from andornot.base.kernels import fast_kernel
from andornot.base.parallel import run_parallel, spans
from andornot.cooccurrence import Cooccurrence
from andornot.cooccurrence.row_blocks import BLOCK_PAIRS, RowBlock
from andornot.training.arithmetic import Number, f32, sigmoid, softplus
from andornot.training.settings import WHOLE
from andornot.words.counts import noise_weights

HEAD = 8_000
"""The most frequent words of vocabularies beyond `WHOLE`.

They are trained before the others, and their negatives are computed at every step.
"""

Matrix = npt.NDArray[np.float32]
_BLOCK = 1 << 24  # scores held at a time: 64 MB
_TILE = 256  # columns at a time: their vectors and those of some rows fit into the L2 cache
_ABSENT = -1


def head_of(size: int) -> int:
    """Return the number of words whose negatives are computed at every step.

    >>> head_of(10_000), head_of(100_000)
    (10000, 8000)
    """
    return size if size <= WHOLE else HEAD


@dataclass(frozen=True)
class Side:
    """The weights of one side of the loss, each row of it divided by its weight in the whole.

    A pair costs positive[row] N(row, column) softplus(-s) + negative[row] column[column]
    softplus(s); `share` is the part of a row in L/N.
    """

    positive: Matrix
    negative: Matrix
    column: Matrix
    share: npt.NDArray[np.float64]


@dataclass(frozen=True)
class Columns:
    """The columns whose negatives are computed, with their weights; where each word is in them."""

    chosen: npt.NDArray[np.int32]
    weight: Matrix
    place: npt.NDArray[np.int32]


@fast_kernel
def _row_of_scores(
    scores: Matrix,
    negative: Number,
    weights: Matrix,
    positive: Number,
    values: Matrix,
    known: Matrix,
) -> Number:
    """Turn scores into the gradient by them, and return the loss.

    `known` has the scores of counted pairs, and becomes what the counts add to the gradient.
    """
    loss = f32(0)
    for c in range(len(scores)):
        score = scores[c]
        weight = negative * weights[c]
        loss += weight * softplus(score)
        scores[c] = weight * sigmoid(score)
    for i in range(len(known)):
        score = known[i]
        weight = positive * values[i]
        loss += weight * softplus(-score)
        known[i] = -weight * sigmoid(-score)
    return loss


@fast_kernel
def _rows(
    first: int,
    start: int,
    stop: int,
    scores: Matrix,
    counts: RowBlock,
    positive: Matrix,
    negative: Matrix,
    weights: Matrix,
    place: npt.NDArray[np.int32],
    losses: npt.NDArray[np.float64],
) -> None:
    """Turn scores into the gradient by them, for the words from `start` to `stop`.

    Row 0 of `scores` is the word `first`. Counted pairs outside the chosen columns have no score
    there, and are left to `_rest`.
    """
    row_starts, columns = counts.row_starts, counts.columns
    known, values = np.empty((2, len(weights)), dtype=np.float32)
    for word in range(start, stop):
        r = word - first
        begin, end = row_starts[word - counts.first], row_starts[word - counts.first + 1]
        number = 0
        for i in range(begin, end):
            column = place[columns[i]]
            if column >= 0:
                known[number] = scores[r, column]
                values[number] = counts.values[i]
                number += 1
        losses[r] = _row_of_scores(
            scores[r], negative[word], weights, positive[word], values[:number], known[:number]
        )
        number = 0
        for i in range(begin, end):
            column = place[columns[i]]
            if column >= 0:
                scores[r, column] += known[number]
                number += 1


@fast_kernel
def _rest(
    first: int,
    start: int,
    stop: int,
    head: int,
    size: int,
    rows: Matrix,
    others: Matrix,
    counts: RowBlock,
    positive: Matrix,
    place: npt.NDArray[np.int32],
    gradient: Matrix,
    losses: npt.NDArray[np.float64],
) -> None:
    """Compute the counted pairs outside the chosen columns, for the words from `start` to `stop`.

    Their loss is added to `losses`. Their part of the gradient goes into row 0 of `gradient` for
    the word `first`, and so on. All rows take their pairs of a few columns before the next columns
    come, so that the vectors of these columns are in the cache. The first `head` columns are all
    chosen, and those from `size` on are left out. The columns of a row rise: no row has more than
    _TILE pairs at a time.
    """
    row_starts, columns = counts.row_starts, counts.columns
    dim = rows.shape[1]
    gradient[start - first : stop - first] = f32(0)
    position = row_starts[start - counts.first : stop - counts.first].copy()
    words, facing = np.empty((2, (stop - start) * _TILE), dtype=np.int32)
    scores, weights = np.empty((2, (stop - start) * _TILE), dtype=np.float32)
    for tile in range(head, size, _TILE):
        pairs = 0
        for word in range(start, stop):
            i, end = position[word - start], row_starts[word - counts.first + 1]
            while i < end and columns[i] < min(tile + _TILE, size):
                column = columns[i]
                if place[column] < 0:
                    score = f32(0)
                    for x in range(dim):
                        score += rows[word, x] * others[column, x]
                    words[pairs], facing[pairs] = word - first, column
                    scores[pairs], weights[pairs] = score, positive[word] * counts.values[i]
                    pairs += 1
                i += 1
            position[word - start] = i
        for i in range(pairs):
            score = scores[i]
            scores[i] = weights[i] * softplus(-score)
            weights[i] *= sigmoid(-score)
        for i in range(pairs):
            r, slope, column = words[i], weights[i], facing[i]
            losses[r] += scores[i]
            for x in range(dim):
                gradient[r, x] -= slope * others[column, x]


class Loss:
    """The SGNS loss of counts, with k negatives drawn from count^exponent.

    `head` is the number of words whose negatives are always computed; where it is less than the
    vocabulary, some of the others are computed in turn at each call. At most `pairs` counts are
    read at a time. `words` restricts the loss to the pairs of so many most frequent words: other
    terms and the gradient by other rows are left out, and the weights stay those of the whole loss.
    """

    def __init__(
        self,
        counts: Cooccurrence,
        negative: int,
        exponent: float,
        threads: int,
        head: int,
        pairs: int = BLOCK_PAIRS,
        words: int | None = None,
    ) -> None:
        frequency = counts.vocabulary.counts
        assert frequency is not None
        self._counts = counts
        self._pairs = pairs
        self._threads = threads
        self.size = len(counts.vocabulary) if words is None else words
        self._head = min(head, self.size)
        self.stride = max(1, -(-(self.size - self._head) // max(1, self._head // 2)))
        q = noise_weights(frequency.values, exponent)
        q /= q.sum()
        p = counts.probability
        known = p > 0  # words without neighbours have no positive pairs: they are not moved
        both = p + negative * q
        total = counts.total
        self.target = _side(
            1 / (total * np.where(known, p, 1)), np.where(known, float(negative), 0.0), q, p
        )
        safe = np.where(known, both, 1)
        self.context = _side(1 / (total * safe), np.where(known, negative * q / safe, 0), p, both)

    def columns(self, side: Side, turn: int) -> Columns:
        """Return the columns of a call: the most frequent words, and every n-th of the others."""
        tail = np.arange(self._head + turn % self.stride, self.size, self.stride)
        chosen = np.concatenate([np.arange(self._head), tail]).astype(np.int32)
        weight = side.column[chosen].copy()
        weight[self._head :] *= np.float32(self.stride)
        place = np.full(len(side.column), _ABSENT, dtype=np.int32)
        place[chosen] = np.arange(len(chosen))
        return Columns(chosen, weight, place)

    def blocks(
        self, side: Side, rows: Matrix, others: Matrix, turn: int = 0
    ) -> Iterator[tuple[slice, Matrix, float]]:
        """Yield blocks: their rows, the gradient by them (each divided by its weight), the loss.

        The losses add up to L/N, an estimate where part of the columns is left out. A block's rows
        may be changed once it was yielded: the others don't depend on them.
        """
        columns = self.columns(side, turn)
        complete = len(columns.chosen) == self.size
        facing = others[: self.size] if complete else others[columns.chosen]
        for here, by_scores, counted, loss in self._scored(side, rows, others, columns, facing):
            gradient = by_scores @ facing
            gradient += counted
            yield here, gradient, loss

    def _scored(
        self, side: Side, rows: Matrix, others: Matrix, columns: Columns, facing: Matrix
    ) -> Iterator[tuple[slice, Matrix, Matrix, float]]:
        """Yield blocks: their rows, the gradient by scores, that of the other counts, the loss.

        `facing` are the rows of the other side that `columns` have chosen.
        """
        height = max(1, min(self.size, _BLOCK // len(columns.chosen)))
        scores = np.empty((height, len(columns.chosen)), dtype=np.float32)
        counted = np.empty((height, rows.shape[1]), dtype=np.float32)
        losses = np.empty(height)
        in_scores = partial(
            _rows,
            scores=scores,
            positive=side.positive,
            negative=side.negative,
            weights=columns.weight,
            place=columns.place,
            losses=losses,
        )
        outside = partial(
            _rest,
            head=self._head,
            size=self.size,
            rows=rows,
            others=others,
            positive=side.positive,
            place=columns.place,
            gradient=counted,
            losses=losses,
        )

        def work(first: int, start: int, stop: int, counts: RowBlock) -> None:
            in_scores(first, start, stop, counts=counts)
            outside(first, start, stop, counts=counts)

        with ThreadPoolExecutor(self._threads) as pool:
            for first in range(0, self.size, height):
                here = slice(first, min(first + height, self.size))
                size = here.stop - first
                np.dot(rows[here], facing.T, out=scores[:size])
                for words in self._counts.cuts(self._pairs, first, here.stop):
                    self._work_through(self._counts.rows(*words), pool, partial(work, first))
                yield here, scores[:size], counted[:size], float(side.share[here] @ losses[:size])

    def _work_through(
        self, counts: RowBlock, pool: ThreadPoolExecutor, work: Callable[..., None]
    ) -> None:
        """Call `work` for parts of a block of counts, which nothing holds once this has returned.

        So the next block is read when the memory of this one is free.
        """
        parts = spans(counts.last - counts.first, 4 * self._threads)
        words = [(counts.first + a, counts.first + b) for a, b in parts]
        run_parallel(pool, [partial(work, start=a, stop=b, counts=counts) for a, b in words])

    def value(self, target: Matrix, context: Matrix) -> float:
        """Return L/N, an estimate where part of the columns is left out."""
        columns = self.columns(self.target, 0)
        facing = context[columns.chosen]
        return sum(loss for *_, loss in self._scored(self.target, target, context, columns, facing))

    def gradient(
        self, side: Side, rows: Matrix, others: Matrix, turn: int = 0
    ) -> tuple[Matrix, float]:
        """Return the gradient by all rows, each divided by its weight, and L/N."""
        whole, loss = np.zeros_like(rows), 0.0
        for here, gradient, part in self.blocks(side, rows, others, turn):
            whole[here] = gradient
            loss += part
        return whole, loss


def _side(
    positive: npt.NDArray[np.float64],
    negative: npt.NDArray[np.float64],
    column: npt.NDArray[np.float64],
    share: npt.NDArray[np.float64],
) -> Side:
    return Side(
        positive.astype(np.float32), negative.astype(np.float32), column.astype(np.float32), share
    )
