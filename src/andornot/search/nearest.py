"""Find the nearest words to vectors: exact, in blocks, without sorting all scores.

A few queries are answered with NumPy, without waiting for a compiler; many with a kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base import defaults
from andornot.base.caching import cached_property
from andornot.base.choices import Measure
from andornot.base.errors import MissingContextError, UsageError
from andornot.base.parallel import run_parallel, spans, thread_count
from andornot.postprocessing.affine import Affine
from andornot.space import Space

_BLOCK = 1 << 23  # scores per block for a few queries: 32 MB
_SAMPLED = 20_000  # scores from which a lower limit of the best is computed
_COPIED = 1 << 14  # up to this many rows of `among` are copied; more are masked
_MANY = 20  # queries from which the kernel is used
_QUERIES, _ROWS = 1024, 4096  # per block for many queries: 16 MB of scores
Ids = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.float32]


class Nearest(NamedTuple):
    """The ids and scores of the best words for each query, the best first.

    If fewer words are available, the ids end with -1.
    """

    ids: Ids
    scores: Matrix


def check_k(k: int) -> None:
    """Raise UsageError unless k is an integer of at least 1.

    >>> check_k(10)
    """
    if isinstance(k, bool) or not isinstance(k, int | np.integer):
        raise UsageError(f"k must be a whole number, got {k!r}")
    if k < 1:
        raise UsageError(f"k must be at least 1, got {k}")


def largest(scores: npt.NDArray[np.floating[Any]], k: int) -> Ids:
    """Return the indices of the k largest scores, best first; of equal scores the earlier.

    If there are fewer than k scores, all are returned. No score may be NaN.

    >>> largest(np.array([1.0, 3.0, 2.0, 3.0, 2.0]), 3).tolist()
    [1, 3, 2]
    """
    found = np.arange(len(scores))
    if k < len(scores):
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        found = np.flatnonzero(scores >= least)
    return np.asarray(found[np.argsort(-scores[found], kind="stable")][:k], dtype=np.int64)


def _keep_best(
    scores: Matrix,
    offsets: Matrix,
    scale: Matrix,
    start: int,
    left_out: Sequence[Sequence[int]],
    ids: Ids,
    best: Matrix,
) -> None:
    """Merge the scores of the words from `start` on into the best of each query so far.

    Of equal scores the earlier word comes first. Words without a direction have the scale NaN, and
    NaN is never greater than anything.
    """
    k = best.shape[1]
    scores -= offsets[:, None]
    scores *= scale
    for query, unwanted in enumerate(left_out):
        inside = [word - start for word in unwanted if start <= word < start + len(scale)]
        scores[query, inside] = -np.inf
        here = scores[query]
        sample = here[:: max(1, len(here) // max(_SAMPLED, 4 * k))]
        sample = sample[sample > best[query, -1]]  # also removes NaN
        floor = best[query, -1]
        if len(sample) > k:  # scores below the best k of a sample can't be among the best
            least = np.partition(sample, len(sample) - k)[-k]
            floor = np.nextafter(least, np.float32(-np.inf))
        words = np.flatnonzero(here > floor)
        found = np.concatenate([ids[query], words + start])
        values = np.concatenate([best[query], here[words]])
        order = np.lexsort((found, -values))[:k]
        ids[query], best[query] = found[order], values[order]


class Search:
    """Searches the nearest words among the rows of a space after an affine post-processing.

    The rows stay unchanged: queries are mapped back instead, and only the lengths of the mapped
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
        context: Callable[[], Affine | None] = lambda: None,
        threads: int | None = None,
    ) -> None:
        """Prepare the search.

        Args:
            space: The rows.
            target: The map of the target vectors; default: none.
            context: Returns the map of the context vectors. It is called by the first search for
                PMI, because most searches need no context vectors.
            threads: Threads for many queries; default: all cores.
        """
        self._space = space
        self._target = target or Affine(np.zeros(space.dim))
        self._context = context
        self._threads = thread_count(threads)

    @cached_property
    def lengths(self) -> npt.NDArray[np.float32]:
        """The lengths of the mapped target vectors."""
        return self._target.lengths(self._space.target)

    def nearest(
        self,
        queries: Matrix,
        k: int = defaults.K,
        *,
        leave_out: Sequence[Sequence[int]] | None = None,
        among: Ids | None = None,
        measure: str = defaults.MEASURE,
    ) -> Nearest:
        """Return the k nearest words to each query.

        Args:
            queries: Query vectors after the post-processing, shape (n, d).
            k: The number of words per query; fewer are returned if fewer are left.
            leave_out: The word ids to exclude, one list per query.
            among: The word ids to rank; default: the whole vocabulary.
            measure: "cosine", or "pmi", which needs context vectors.

        Raises:
            MissingContextError: If the measure needs context vectors, and there are none.
            UsageError: If k < 1, a query has the wrong dimension, or the measure is unknown.
        """
        check_k(k)
        if queries.ndim != 2 or queries.shape[1] != self._space.dim:
            raise UsageError(
                f"queries must have the shape (n, {self._space.dim}), got {queries.shape}"
            )
        if leave_out is not None and len(leave_out) != len(queries):
            raise UsageError(
                f"leave_out must have one list per query, got {len(leave_out)} lists for "
                f"{len(queries)} queries"
            )
        rows, affine, scale = self._side(measure)
        k = min(k, len(rows) if among is None else len(among))
        if among is not None and len(among) > _COPIED:
            inside = np.zeros(len(rows), dtype=bool)
            inside[among] = True
            scale, among = np.where(inside, scale, np.nan).astype(np.float32), None
        elif among is not None:
            rows, scale = rows[among], scale[among]
        queries = np.ascontiguousarray(queries, dtype=np.float32)
        turned, offsets = affine.back(queries)
        if measure == Measure.COSINE:
            norms = np.linalg.norm(queries, axis=1)
            norms[norms == 0] = np.nan
            turned, offsets = turned / norms[:, None], offsets / norms
        ids = np.full((len(queries), k), -1, dtype=np.int64)
        best = np.full((len(queries), k), -np.inf, dtype=np.float32)
        left_out = _places(leave_out, len(queries), among)
        scan = self._scan_many if len(queries) >= _MANY else self._scan_few
        scan(rows, scale, turned, offsets, left_out, ids, best)
        if among is not None:
            ids = np.where(ids >= 0, among[ids], -1)
        return Nearest(ids, best)

    def _scan_few(
        self,
        rows: Matrix,
        scale: Matrix,
        turned: Matrix,
        offsets: Matrix,
        left_out: Sequence[Sequence[int]],
        ids: Ids,
        best: Matrix,
    ) -> None:
        """Search all rows for a few queries, in blocks of rows."""
        height = max(1024, _BLOCK // max(1, len(turned)))
        for start in range(0, len(rows), height):
            block = slice(start, start + height)
            if len(turned) == 1:  # einsum needs half the time of BLAS, which starts its threads
                scores = np.einsum("ij,kj->ki", rows[block], turned)
            else:
                scores = np.ascontiguousarray((rows[block] @ turned.T).T)
            _keep_best(scores, offsets, scale[block], start, left_out, ids, best)

    def _scan_many(
        self,
        rows: Matrix,
        scale: Matrix,
        turned: Matrix,
        offsets: Matrix,
        left_out: Sequence[Sequence[int]],
        ids: Ids,
        best: Matrix,
    ) -> None:
        """Search all rows for many queries, in blocks of queries and rows."""
        from concurrent.futures import ThreadPoolExecutor

        from andornot.search.search_kernels import keep_best

        starts = np.cumsum([0, *(len(words) for words in left_out)], dtype=np.int64)
        flat = np.array([word for words in left_out for word in words], dtype=np.int64)
        scale = np.ascontiguousarray(scale, dtype=np.float32)
        with ThreadPoolExecutor(self._threads) as pool:
            for first in range(0, len(turned), _QUERIES):
                last = min(first + _QUERIES, len(turned))
                height = _ROWS * _QUERIES // (last - first)
                for start in range(0, len(rows), height):
                    scores = turned[first:last] @ rows[start : start + height].T
                    tasks = [
                        partial(
                            keep_best,
                            scores[a:b],
                            offsets[first + a : first + b],
                            scale[start : start + height],
                            start,
                            flat,
                            starts[first + a : first + b + 1],
                            ids[first + a : first + b],
                            best[first + a : first + b],
                        )
                        for a, b in spans(last - first, self._threads)
                    ]
                    run_parallel(pool, tasks)
        for query in range(len(ids)):
            order = np.lexsort((ids[query], -best[query]))
            ids[query], best[query] = ids[query, order], best[query, order]

    def _side(self, measure: str) -> tuple[Matrix, Affine, npt.NDArray[Any]]:
        """Return the rows to compare with, their map, and the factors of the scores."""
        if measure == Measure.PMI:
            if self._space.context is None:
                raise MissingContextError("the PMI score")
            affine = self._context() or Affine(np.zeros(self._space.dim))
            return self._space.context, affine, np.ones(len(self._space), dtype=np.float32)
        if measure != Measure.COSINE:
            raise UsageError(f"unknown measure {measure!r}; choose one of {', '.join(Measure)}")
        return self._space.target, self._target, self._inverse_lengths

    @cached_property
    def _inverse_lengths(self) -> npt.NDArray[np.float32]:
        lengths = self.lengths
        return np.asarray(1 / np.where(lengths > 0, lengths, np.nan), dtype=np.float32)


def _places(
    leave_out: Sequence[Sequence[int]] | None, queries: int, among: Ids | None
) -> Sequence[Sequence[int]]:
    """Return the excluded words of each query, as indices of the searched rows."""
    if leave_out is None:
        return [()] * queries
    if among is None:
        return leave_out
    rows = {int(word): row for row, word in enumerate(among)}
    return [[rows[word] for word in words if word in rows] for words in leave_out]
