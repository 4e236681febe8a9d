"""Random numbers in kernels: the state of the generator is an argument, never hidden."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from andornot.base.kernels import kernel

_12, _25, _27, _32 = np.uint64(12), np.uint64(25), np.uint64(27), np.uint64(32)
_MULTIPLIER = np.uint64(2685821657736338717)


def generator(seed: int, *position: int) -> npt.NDArray[np.uint64]:
    """Return the state of a generator, determined by the seed and a position in the work.

    >>> generator(1, 2).tolist() == generator(1, 2).tolist() != generator(1, 3).tolist()
    True
    """
    state = np.random.SeedSequence([seed, *position]).generate_state(1, np.uint64)
    return np.maximum(state, np.uint64(1))  # xorshift never leaves zero


@kernel
def draw(state: npt.NDArray[np.uint64]) -> np.uint64:
    """Return 32 random bits (xorshift64*, Vigna 2016)."""
    x = state[0]
    x ^= x >> _12
    x ^= x << _25
    x ^= x >> _27
    state[0] = x
    return (x * _MULTIPLIER) >> _32  # type: ignore[no-any-return]


@kernel
def draw_below(state: npt.NDArray[np.uint64], bound: int) -> int:
    """Return a random whole number from 0 to bound - 1."""
    return np.int64((draw(state) * np.uint64(bound)) >> _32)  # type: ignore[return-value]


@kernel
def shuffle(state: npt.NDArray[np.uint64], items: npt.NDArray[np.int32]) -> None:
    """Put items in a random order, in place."""
    for i in range(len(items) - 1, 0, -1):
        j = draw_below(state, i + 1)
        items[i], items[j] = items[j], items[i]


@kernel
def alias_table(
    weights: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
    """Return Walker's tables, from which a draw in proportion to `weights` takes two look-ups.

    >>> keep, other = alias_table(np.array([1.0, 3.0]))
    >>> (keep / 2**32).tolist(), other.tolist()
    ([0.5, 1.0], [1, 1])
    """
    size = len(weights)
    share = weights * (size / weights.sum())
    keep = np.full(size, 2.0**32)
    other = np.arange(size).astype(np.int32)
    order = np.empty(size, dtype=np.int32)  # the small ones from the left, the large from the right
    small, large = 0, size
    for i in range(size):
        if share[i] < 1:
            order[small] = i
            small += 1
        else:
            large -= 1
            order[large] = i
    while small > 0 and large < size:
        small -= 1
        i, j = order[small], order[large]
        keep[i] = share[i] * 2.0**32
        other[i] = j
        share[j] -= 1 - share[i]
        if share[j] < 1:
            order[small] = j
            small += 1
            large += 1
    return keep.astype(np.uint64), other


@kernel
def draw_alias(
    state: npt.NDArray[np.uint64], keep: npt.NDArray[np.uint64], other: npt.NDArray[np.int32]
) -> int:
    """Return a number drawn in proportion to the weights of the tables."""
    i = draw_below(state, len(keep))
    return i if draw(state) < keep[i] else np.int64(other[i])  # type: ignore[return-value]
