"""Spaces of random vectors, with counts."""

from andornot import Space, Vocabulary


def made_space(words, rng, dim=8, counts=None):
    counts = counts or {word: 200 + 7 * i for i, word in enumerate(words)}
    return Space(
        Vocabulary(words).with_counts(counts),
        rng.normal(size=(len(words), dim)),
        rng.normal(size=(len(words), dim)),
    )
