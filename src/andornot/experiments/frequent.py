"""The most frequent words of a space: figures by how many words there are to choose from."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from andornot.space import Space

SIZES = (5_000, 10_000, 20_000, 40_000, 80_000, 160_000)


def growing(space: Space, needed: Collection[str]) -> Iterator[Space]:
    """Spaces of ever more of the most frequent words, at last of all.

    For example `[len(part) for part in growing(andornot.default(), ["royal"])]`.
    """
    for size in SIZES:
        if size < len(space):
            yield most_frequent(space, size, needed)
    yield space


def most_frequent(space: Space, size: int, needed: Collection[str]) -> Space:
    """The most frequent words of a space, and those that are needed; to be centred anew.

    For example `most_frequent(andornot.default(), 1000, ["royal", "queen"])`.
    """
    kept = np.argsort(-space.counts, kind="stable")[:size]
    ids = np.union1d(kept, [space.vocabulary.index(word) for word in needed]).astype(np.int64)
    return space.take(ids, f"kept {len(ids):,} words")
