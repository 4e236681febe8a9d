"""The most frequent words of a space: figures by how many words there are to choose from."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from andornot.space import Space

SIZES = (5_000, 10_000, 20_000, 40_000, 80_000, 160_000)


def sizes_of(space: Space) -> list[int]:
    """How many of its most frequent words are taken, at last all.

    >>> from andornot import default
    >>> sizes_of(default())
    [5000, 10000, 20000, 40000, 66000]
    """
    return [*(size for size in SIZES if size < len(space)), len(space)]


def most_frequent(space: Space, size: int, needed: Collection[str]) -> Space:
    """The most frequent words of a space, and those that are needed; to be centred anew.

    For example `most_frequent(andornot.default(), 1000, ["royal", "queen"])`.
    """
    if size >= len(space):
        return space
    kept = np.argsort(-space.counts, kind="stable")[:size]
    ids = np.union1d(kept, [space.vocabulary.index(word) for word in needed]).astype(np.int64)
    return space.take(ids, f"kept {len(ids):,} words")
