"""Select the best scores of many queries, in one pass."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from andornot.base.kernels import kernel

Ids = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.float32]


@kernel
def _sink(ids: Ids, best: Matrix) -> None:
    """Sift the root of a heap down.

    The root is the worst: the lowest score, and of equal scores the later word.
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
def keep_best(
    scores: Matrix,
    offsets: Matrix,
    scale: Matrix,
    start: int,
    left_out: Ids,
    left_out_starts: Ids,
    ids: Ids,
    best: Matrix,
) -> None:
    """Push the scores of the words from `start` on onto the heap of each query.

    Words without a direction have the scale NaN, which is never greater than anything.
    """
    for query in range(len(scores)):
        begin, end = left_out_starts[query], left_out_starts[query + 1]
        offset, least = offsets[query], best[query, 0]
        for row in range(scores.shape[1]):
            score = (scores[query, row] - offset) * scale[row]
            if not score > least:
                continue
            word = start + row
            if (left_out[begin:end] == word).any():
                continue
            best[query, 0] = score
            ids[query, 0] = word
            _sink(ids[query], best[query])
            least = best[query, 0]
