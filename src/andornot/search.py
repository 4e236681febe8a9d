"""Nearest words to vectors: exact, in blocks, without sorting everything."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.choices import Measure
from andornot.errors import AndornotError, MissingContextError
from andornot.kernels import kernel, run_parallel, spans, thread_count
from andornot.postprocessing.affine import Affine
from andornot.space import Space

_BLOCK = 1 << 23  # scores held at a time: 32 MB
_QUERIES = 1024  # asked together
Ids = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.float32]


class Nearest(NamedTuple):
    """For each query the numbers of the best words and their scores, the best first.

    Where there are fewer words than were asked for, the numbers end with -1.
    """

    ids: Ids
    scores: Matrix


@kernel
def _sink(ids: Ids, best: Matrix) -> None:
    """Bring the root of a heap down to its place.

    The worst is above: the least score, and of equal ones the later word.
    """
    place, size = 0, len(best)
    while True:
        worst = place
        for child in (2 * place + 1, 2 * place + 2):
            if child < size and (
                best[child] < best[worst]
                or (best[child] == best[worst] and ids[child] > ids[worst])
            ):
                worst = child
        if worst == place:
            return
        best[place], best[worst] = best[worst], best[place]
        ids[place], ids[worst] = ids[worst], ids[place]
        place = worst


@kernel
def _keep_best(
    scores: Matrix,
    first: int,
    last: int,
    offsets: Matrix,
    scale: Matrix,
    start: int,
    left_out: npt.NDArray[np.int64],
    left_out_starts: npt.NDArray[np.int64],
    ids: Ids,
    best: Matrix,
) -> None:
    """Bring the scores of a block into the heaps of the queries from `first` to `last`.

    Rows without a direction have the scale NaN, which is never greater than anything.
    """
    for query in range(first, last):
        begin, end = left_out_starts[query], left_out_starts[query + 1]
        for row in range(scores.shape[1]):
            score = (scores[query, row] - offsets[query]) * scale[row]
            if not score > best[query, 0]:
                continue
            word = start + row
            if (left_out[begin:end] == word).any():
                continue
            best[query, 0] = score
            ids[query, 0] = word
            _sink(ids[query], best[query])


class Search:
    """Nearest words among the rows of a space, as an affine map of post-processing makes them.

    The rows stay as they are: queries are turned back instead, and only the lengths of the mapped
    rows are kept. `cosine` compares with target vectors; `pmi` is the product with context vectors,
    which estimates PMI(query, word).

    >>> from andornot import Vocabulary
    >>> space = Space(Vocabulary(["a", "b", "c"]), np.array([[1, 0], [1, 1], [0, 1]]))
    >>> found = Search(space).nearest(np.array([[2.0, 0.0]], dtype=np.float32), k=2)
    >>> found.ids.tolist(), found.scores.round(3).tolist()
    ([[0, 1]], [[1.0, 0.7070000171661377]])
    """

    def __init__(
        self,
        space: Space,
        target: Affine | None = None,
        context: Affine | None = None,
        threads: int | None = None,
    ) -> None:
        zero = Affine(np.zeros(space.dim))
        self._space = space
        self._target = target or zero
        self._context = context or zero
        self._threads = thread_count(threads)

    @cached_property
    def lengths(self) -> npt.NDArray[np.float32]:
        """The lengths of the mapped target vectors."""
        return self._target.lengths(self._space.target)

    def nearest(
        self,
        queries: Matrix,
        k: int = 10,
        *,
        leave_out: Sequence[Sequence[int]] | None = None,
        among: Ids | None = None,
        measure: str = Measure.COSINE,
    ) -> Nearest:
        """The k best words for each query, mapped already, over all words or `among` some.

        `leave_out` lists for each query the words that may not be found.
        """
        if k < 1:
            raise AndornotError(f"the {k} nearest words are none; ask for at least one")
        rows, affine, scale = self._side(measure)
        if among is not None:
            rows, scale = rows[among], scale[among]
        k = min(k, len(rows))
        queries = np.ascontiguousarray(queries, dtype=np.float32)
        turned, offsets = affine.back(queries)
        if measure == Measure.COSINE:
            norms = np.linalg.norm(queries, axis=1)
            norms[norms == 0] = np.nan
            turned, offsets = turned / norms[:, None], offsets / norms
        ids = np.full((len(queries), k), -1, dtype=np.int64)
        best = np.full((len(queries), k), -np.inf, dtype=np.float32)
        lists = _places(leave_out, len(queries), among)
        with ThreadPoolExecutor(self._threads) as pool:
            for first in range(0, len(queries), _QUERIES):
                some = slice(first, first + _QUERIES)
                heap = ids[some], best[some]
                self._scan(pool, rows, scale, turned[some], offsets[some], lists[some], *heap)
        for query in range(len(queries)):
            order = np.lexsort((ids[query], -best[query]))
            ids[query], best[query] = ids[query, order], best[query, order]
        if among is not None:
            ids = np.where(ids >= 0, among[ids], -1)
        return Nearest(ids, best)

    def _scan(
        self,
        pool: ThreadPoolExecutor,
        rows: Matrix,
        scale: Matrix,
        turned: Matrix,
        offsets: Matrix,
        left_out: Sequence[Sequence[int]],
        ids: Ids,
        best: Matrix,
    ) -> None:
        """Bring all rows, block by block, into the heaps of some queries."""
        starts = np.cumsum([0, *(len(words) for words in left_out)], dtype=np.int64)
        flat = np.array([word for words in left_out for word in words], dtype=np.int64)
        height = max(1024, _BLOCK // len(turned))
        pieces = spans(len(turned), self._threads)
        for start in range(0, len(rows), height):
            block = rows[start : start + height]
            keep = partial(
                _keep_best,
                turned @ block.T,
                offsets=offsets,
                scale=scale[start : start + len(block)],
                start=start,
                left_out=flat,
                left_out_starts=starts,
                ids=ids,
                best=best,
            )
            run_parallel(pool, [partial(keep, first=a, last=b) for a, b in pieces])

    def _side(self, measure: str) -> tuple[Matrix, Affine, npt.NDArray[Any]]:
        """The rows to compare with, their map, and what scores are multiplied by."""
        if measure == Measure.PMI:
            if self._space.context is None:
                raise MissingContextError("the PMI score")
            return self._space.context, self._context, np.ones(len(self._space), dtype=np.float32)
        if measure != Measure.COSINE:
            raise AndornotError(f"unknown measure {measure!r}; choose one of {', '.join(Measure)}")
        return self._space.target, self._target, self._inverse_lengths

    @cached_property
    def _inverse_lengths(self) -> npt.NDArray[np.float32]:
        lengths = self.lengths
        return np.asarray(1 / np.where(lengths > 0, lengths, np.nan), dtype=np.float32)


def _places(
    leave_out: Sequence[Sequence[int]] | None, queries: int, among: Ids | None
) -> Sequence[Sequence[int]]:
    """The words that each query leaves out, as places in the rows that are searched."""
    if leave_out is None:
        return [()] * queries
    if among is None:
        return leave_out
    places = {int(word): place for place, word in enumerate(among)}
    return [[places[word] for word in words if word in places] for words in leave_out]
