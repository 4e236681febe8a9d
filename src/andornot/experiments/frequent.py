"""Vocabularies of the most frequent words of a space, for figures by vocabulary size."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from andornot.space import Space

SIZES = (5_000, 10_000, 20_000, 40_000, 80_000, 160_000)


def sizes_of(space: Space) -> list[int]:
    """Return the vocabulary sizes for a space, up to all its words.

    >>> from andornot import default
    >>> sizes_of(default())
    [5000, 10000, 20000, 40000, 66000]
    """
    return [*(size for size in SIZES if size < len(space)), len(space)]


def most_frequent(space: Space, size: int, needed: Collection[str]) -> Space:
    """Return a space of the most frequent words and the needed ones, not centred yet.

    For example `most_frequent(andornot.default(), 1000, ["royal", "queen"])`.
    """
    if size >= len(space):
        return space
    kept = np.argsort(-space.counts, kind="stable")[:size]
    ids = np.union1d(kept, [space.vocabulary.index(word) for word in needed]).astype(np.int64)
    return space.take(ids, f"kept {len(ids):,} words")
