"""Nearest words to vectors: exact, in blocks, without sorting everything.

NumPy alone: a single question should not wait for a compiler.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.choices import Measure
from andornot.errors import AndornotError, MissingContextError
from andornot.parallel import run_parallel, spans, thread_count
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


def _keep_best(
    scores: Matrix,
    offsets: Matrix,
    scale: Matrix,
    start: int,
    left_out: Sequence[Sequence[int]],
    ids: Ids,
    best: Matrix,
) -> None:
    """Bring the scores of the words from `start` on into the best of each query so far.

    Of equal scores the earlier word comes first. Words without a direction have the scale NaN, and
    NaN is never greater than anything.
    """
    k = best.shape[1]
    scores -= offsets[:, None]
    scores *= scale
    for query, unwanted in enumerate(left_out):
        inside = [word - start for word in unwanted if start <= word < start + len(scale)]
        scores[query, inside] = -np.inf
    floor = best[:, -1:]
    if start == 0 and len(scale) > k:
        np.nan_to_num(scores, copy=False, nan=-np.inf, posinf=np.inf, neginf=-np.inf)
        least = np.partition(scores, len(scale) - k, axis=1)[:, -k, None]
        floor = np.nextafter(least, np.float32(-np.inf))
    queries, words = np.nonzero(scores > floor)
    if not len(queries):
        return
    # the best so far and the new ones of all queries in one list, sorted, cut after k of each
    owners = np.concatenate([np.repeat(np.arange(len(best)), k), queries])
    found = np.concatenate([ids.ravel(), words + start])
    values = np.concatenate([best.ravel(), scores[queries, words]])
    order = np.lexsort((found, -values, owners))
    owners = owners[order]
    place = np.arange(len(owners)) - np.searchsorted(owners, owners)
    kept = place < k
    order = order[kept]
    ids[:] = found[order].reshape(ids.shape)
    best[:] = values[order].reshape(best.shape)


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
        if not isinstance(k, int | np.integer) or k < 1:
            raise AndornotError(f"the {k} nearest words are none; ask for at least one")
        if queries.ndim != 2 or queries.shape[1] != self._space.dim:
            raise AndornotError(
                f"queries of the shape {queries.shape}; they are rows of {self._space.dim} numbers"
            )
        if leave_out is not None and len(leave_out) != len(queries):
            raise AndornotError(
                f"{len(leave_out)} lists of words to leave out for {len(queries)} queries"
            )
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
        left_out = _places(leave_out, len(queries), among)
        with ThreadPoolExecutor(self._threads) as pool:
            for first in range(0, len(queries), _QUERIES):
                some = slice(first, min(first + _QUERIES, len(queries)))
                pieces = [
                    slice(first + a, first + b)
                    for a, b in spans(some.stop - some.start, self._threads)
                ]
                height = max(1024, _BLOCK // (some.stop - some.start))
                for start in range(0, len(rows), height):
                    block = slice(start, start + height)
                    scores = turned[some] @ rows[block].T
                    tasks = [
                        partial(
                            _keep_best,
                            scores[piece.start - first : piece.stop - first],
                            offsets[piece],
                            scale[block],
                            start,
                            left_out[piece],
                            ids[piece],
                            best[piece],
                        )
                        for piece in pieces
                    ]
                    run_parallel(pool, tasks)
        if among is not None:
            ids = np.where(ids >= 0, among[ids], -1)
        return Nearest(ids, best)

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
