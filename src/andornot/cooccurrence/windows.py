"""Windows: how the distance between two words is weighted, and the kernels that count rows.

A row is counted whole: from the positions of a word in the stream, the words around each of them
are added up in an array over the vocabulary. Rows so come out sorted, in bounded memory, and no
pair is ever written twice.

All sums are whole numbers of a unit, so that they don't depend on the order of the additions: any
chunks of the text, on one machine or on many, give the same counts, bit by bit.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.choices import LINE_WINDOW, WindowWeighting
from andornot.base.errors import AndornotError, UsageError
from andornot.base.kernels import kernel
from andornot.base.remedies import option, remedy

LONGEST_REACH = 20_000
_NEGLIGIBLE = 1e-12  # the part of an expected count that may be cut off
_SUM_BITS = 62  # of the sum of a row
_FRACTION_BITS = 40  # of a count in fixed point, at most


LONGEST_PAIR = 1_000
"""How far apart two items of a line may be to be counted where the window is the line.

A line of n items has n (n - 1) pairs: without a limit, one endless line would take all the time.
"""


def window_size(window: int | str) -> int:
    """Return how many items a window has on each side.

    >>> window_size(5), window_size("line")
    (5, 1000)
    """
    if window == LINE_WINDOW:
        return LONGEST_PAIR
    if not isinstance(window, int) or isinstance(window, bool) or window < 1:
        raise UsageError(
            f"{option('window')} must be a whole number of at least 1, or {LINE_WINDOW!r}, got "
            f"{window!r}"
        )
    return window


def window_weights(window: int | str, weights: str | None, default: str) -> str:
    """Return how a window weighs distance: as asked, else flat in a line, else by default.

    >>> window_weights(5, None, "linear"), window_weights("line", None, "linear")
    ('linear', 'flat')
    """
    if window != LINE_WINDOW:
        return weights or default
    if weights not in (None, WindowWeighting.FLAT):
        raise UsageError(
            f"the pairs of a line weigh alike, got weights {str(weights)!r}; leave out "
            f"{remedy(python='weights', command='--window-weights')}, or take a window of a number"
        )
    return WindowWeighting.FLAT.value


def weights_by_distance(name: str, window: int) -> tuple[npt.NDArray[np.float64], float]:
    """Weights for the distances 1 to `window`, as whole numbers where possible, and their unit.

    `linear` is the expectation of word2vec's shrinking window, (W + 1 - t) / W; `harmonic` is
    GloVe's 1 / t. Sums of whole numbers don't depend on their order: neither do the counts.

    >>> weights_by_distance("linear", 4)
    (array([4., 3., 2., 1.]), 0.25)
    >>> weights_by_distance("harmonic", 3)
    (array([6., 3., 2.]), 0.16666666666666666)
    """
    distances = np.arange(1.0, window + 1)
    if name == "flat":
        return np.ones(window), 1.0
    if name == "linear":
        return (window + 1.0 - distances), 1.0 / window
    if name == "harmonic":
        whole = 1
        for distance in range(1, window + 1):
            whole = math.lcm(whole, distance)
            if whole > 1 << 30:
                return 1.0 / distances, 1.0
        return whole / distances, 1.0 / whole
    raise UsageError(f"unknown weights {name!r}; choose one of {', '.join(WindowWeighting)}")


def check_sample(sample: float) -> None:
    """Check the sampling threshold, a share of the text.

    >>> check_sample(2)
    Traceback (most recent call last):
    ...
    andornot.base.errors.UsageError: sample must be above 0 and at most 1, such as 1e-4, got 2
    """
    if not 0 < sample <= 1:
        raise UsageError(f"sample must be above 0 and at most 1, such as 1e-4, got {sample}")


def keep_probabilities(counts: npt.NDArray[np.float64], sample: float) -> npt.NDArray[np.float64]:
    """word2vec's probability of keeping an occurrence of each word: sqrt(t/f) + t/f, at most 1.

    >>> keep_probabilities(np.array([900.0, 100.0]), 0.1).round(3).tolist()
    [0.444, 1.0]
    """
    check_sample(sample)
    ratio = sample * counts.sum() / np.maximum(counts, 1e-300)
    keep: npt.NDArray[np.float64] = np.minimum(1.0, np.sqrt(ratio) + ratio)
    return keep


def reach_of(window: int, keep: npt.NDArray[np.float64], counts: npt.NDArray[np.float64]) -> int:
    """Return the largest distance of a context: the window, or more if words between are dropped.

    Far enough that the chance of fewer than `window` kept words on the way is negligible, at the
    mean rate at which words are kept.

    >>> reach_of(5, np.empty(0), np.array([4.0, 1.0]))
    5
    >>> reach_of(5, np.array([0.1, 1.0]), np.array([90.0, 10.0]))
    527
    """
    if not len(keep):
        return window
    rate = float(keep @ counts / counts.sum())
    reach = math.ceil((4 * window + 80) / rate)
    if reach > LONGEST_REACH:
        raise AndornotError(
            f"the sampling threshold keeps {rate:.2g} of all words, too few to lay windows over; "
            f"raise {option('sample')}"
        )
    return reach


class WindowPlan(NamedTuple):
    """The weights of a window as the kernels need them.

    `weights` are multiples of `unit`, and so are the sums. `keep` has the probability of keeping
    each word, and is empty where no words are dropped; `reach` is the distance of the farthest
    context.
    """

    weights: npt.NDArray[np.float64]
    unit: float
    keep: npt.NDArray[np.float64]
    reach: int


def plan_windows(
    window: int | str, weights: str, sample: float | None, occurrences: npt.NDArray[np.float64]
) -> WindowPlan:
    """Check the settings of a window, and return what the kernels need.

    Args:
        window: Words on each side, or "line".
        weights: "flat", "linear" or "harmonic" in the distance.
        sample: The threshold of word2vec's subsampling, or None.
        occurrences: The count of each word in the text.

    >>> plan_windows(3, "linear", None, np.array([4.0, 1.0]))
    WindowPlan(weights=array([3., 2., 1.]), unit=0.333..., keep=array([], dtype=float64), reach=3)
    """
    size = window_size(window)
    if window == LINE_WINDOW and sample is not None:
        raise UsageError(
            f"every pair of a line is counted, and {option('sample')} would leave some out; "
            f"leave out {option('sample')}, or take a window of a number"
        )
    by_distance, unit = weights_by_distance(weights, size)
    keep = np.empty(0) if sample is None else keep_probabilities(occurrences, sample)
    often = float((occurrences * keep if len(keep) else occurrences).max())
    largest = 2 * often * float(by_distance.sum())  # the sum of a row
    is_whole = bool((by_distance == np.rint(by_distance)).all())
    if len(keep) or not is_whole or largest >= 2.0**_SUM_BITS:
        by_distance, unit = _in_fixed_point(by_distance * unit, largest * unit)
        by_distance = by_distance if len(keep) else np.rint(by_distance)
    return WindowPlan(by_distance, unit, keep, reach_of(size, keep, occurrences))


def _in_fixed_point(
    weights: npt.NDArray[np.float64], largest: float
) -> tuple[npt.NDArray[np.float64], float]:
    """Return weights in units of a power of 2 in which `largest` is still a 64-bit number."""
    bits = min(_FRACTION_BITS, _SUM_BITS - math.ceil(math.log2(max(1.0, largest))))
    return weights * 2.0**bits, 2.0**-bits


@kernel
def sort_positions(
    tokens: npt.NDArray[np.int32],
    start: int,
    stop: int,
    ends: npt.NDArray[np.int64],
    positions: npt.NDArray[np.int32],
) -> None:
    """The positions from `start` to `stop`, sorted by word; word w's end at ends[w]."""
    for i in range(start, stop):
        if tokens[i] >= 0:
            ends[tokens[i]] += 1
    total = 0
    for word in range(len(ends)):
        count = ends[word]
        ends[word] = total
        total += count
    for i in range(start, stop):
        word = tokens[i]
        if word >= 0:
            positions[ends[word]] = i
            ends[word] += 1


@kernel
def emit_row(
    sums: npt.NDArray[np.int64],
    touched: npt.NDArray[np.int32],
    count: int,
    columns: npt.NDArray[np.int32],
    values: npt.NDArray[np.int64],
    written: int,
) -> int:
    """Write a row, sorted by column, and clear its sums; where the next row begins."""
    if count * 8 > len(sums):  # a full row: walking over it is quicker than sorting
        for column in range(len(sums)):
            if sums[column] != 0:
                columns[written] = column
                values[written] = sums[column]
                sums[column] = 0
                written += 1
        return written
    row = touched[:count]
    row.sort()
    for column in row:
        columns[written] = column
        values[written] = sums[column]
        sums[column] = 0
        written += 1
    return written


@kernel
def _add_contexts(
    tokens: npt.NDArray[np.int32],
    position: int,
    step: int,
    weights: npt.NDArray[np.int64],
    sums: npt.NDArray[np.int64],
    touched: npt.NDArray[np.int32],
    count: int,
) -> int:
    """Add the words on one side of a position to a row; how many columns it has now."""
    for t in range(len(weights)):
        position += step
        if position < 0 or position >= len(tokens) or tokens[position] < 0:
            break
        context = tokens[position]
        if sums[context] == 0:
            touched[count] = context
            count += 1
        sums[context] += weights[t]
    return count


@kernel
def _add_expected_contexts(
    tokens: npt.NDArray[np.int32],
    position: int,
    step: int,
    weights: npt.NDArray[np.float64],
    keep: npt.NDArray[np.float64],
    chance: npt.NDArray[np.float64],
    reach: int,
    sums: npt.NDArray[np.int64],
    touched: npt.NDArray[np.int32],
    count: int,
) -> int:
    """As `_add_contexts`, the expectation when each word is kept with probability `keep`.

    Dropping brings words nearer: a context is at distance m + 1 when m of the words between were
    kept. `chance[m]` is the probability of that, carried along while walking away from the word.
    """
    own = keep[tokens[position]]
    chance[:] = 0
    chance[0] = 1
    for _ in range(reach):
        position += step
        if position < 0 or position >= len(tokens) or tokens[position] < 0:
            break
        expected = 0.0
        left = 0.0
        for m in range(len(weights)):
            expected += chance[m] * weights[m]
            left += chance[m]
        if left < _NEGLIGIBLE:
            break
        context = tokens[position]
        units = np.int64(np.rint(expected * own * keep[context]))
        if units > 0:
            if sums[context] == 0:
                touched[count] = context
                count += 1
            sums[context] += units
        for m in range(len(weights) - 1, 0, -1):
            chance[m] += (chance[m - 1] - chance[m]) * keep[context]
        chance[0] -= chance[0] * keep[context]
    return count


@kernel
def count_rows(
    tokens: npt.NDArray[np.int32],
    positions: npt.NDArray[np.int32],
    ends: npt.NDArray[np.int64],
    first: int,
    last: int,
    weights: npt.NDArray[np.float64],
    keep: npt.NDArray[np.float64],
    reach: int,
    lengths: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int32],
    values: npt.NDArray[np.int64],
) -> int:
    """Count the rows of the words from `first` to `last`; how many entries they have.

    Row w has lengths[w] entries; its contexts are the words up to len(weights) places before and
    after each of its positions, within the sentence. With a probability of keeping each word in
    `keep`, they are expectations; with none, `keep` is empty.
    """
    sums = np.zeros(len(ends), dtype=np.int64)
    touched = np.empty(len(ends), dtype=np.int32)
    chance = np.zeros(len(weights))
    whole = weights.astype(np.int64)
    written = 0
    for word in range(first, last):
        count = 0
        begin = ends[word - 1] if word else 0
        for position in positions[begin : ends[word]]:
            for step in (-1, 1):
                if len(keep):
                    count = _add_expected_contexts(
                        tokens, position, step, weights, keep, chance, reach, sums, touched, count
                    )
                else:
                    count = _add_contexts(tokens, position, step, whole, sums, touched, count)
        start = written
        written = emit_row(sums, touched, count, columns, values, written)
        lengths[word] = written - start
    return written


@kernel
def merge_rows(
    columns: npt.NDArray[np.int32],
    values: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    size: int,
    lengths: npt.NDArray[np.int64],
    out_columns: npt.NDArray[np.int32],
    out_values: npt.NDArray[np.int64],
) -> int:
    """Add up the rows of several runs: row i of run r goes from starts[r, i] to starts[r, i + 1].

    Row i of the result has lengths[i] entries; `size` is the number of columns there can be.
    """
    sums = np.zeros(size, dtype=np.int64)
    touched = np.empty(size, dtype=np.int32)
    written = 0
    for row in range(len(lengths)):
        count = 0
        for run in range(len(starts)):
            for i in range(starts[run, row], starts[run, row + 1]):
                if sums[columns[i]] == 0:
                    touched[count] = columns[i]
                    count += 1
                sums[columns[i]] += values[i]
        start = written
        written = emit_row(sums, touched, count, out_columns, out_values, written)
        lengths[row] = written - start
    return written
