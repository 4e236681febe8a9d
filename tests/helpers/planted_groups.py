"""A space whose words are in groups, which their vectors show."""

import numpy as np

from andornot import Space, Vocabulary

NAMES = ("dog", "cat", "poodle", "animal", "dogs")


def planted(size=700, groups=7, dim=12, *, context=True, counts=True, seed=0):
    """A space whose word i belongs to group i % groups; the first words are those of NAMES."""
    rng = np.random.default_rng(seed)
    words = Vocabulary([*NAMES, *(f"w{i}" for i in range(len(NAMES), size))])
    if counts:
        words = words.with_counts({word: 1 + i % 17 for i, word in enumerate(words)})
    centres = rng.normal(size=(groups, dim))
    sides = [
        (centres[np.arange(size) % groups] + 0.5 * rng.normal(size=(size, dim))).astype(np.float32)
        for _ in range(2)
    ]
    return Space(words, sides[0], sides[1] if context else None)
