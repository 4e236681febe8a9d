"""Counting pairs of words in the obvious way; and ours, made to do it in many small parts."""

import itertools

import numpy as np

from andornot.cooccurrence import runs

WEIGHT = {
    "flat": lambda t, window: 1,
    "linear": lambda t, window: (window + 1 - t) / window,
    "harmonic": lambda t, window: 1 / t,
}


def slow_counts(lines, words, window, weights):
    """Every pair of positions of every line, after the unknown words are gone."""
    matrix = np.zeros((len(words), len(words)))
    index = {word: i for i, word in enumerate(words)}
    for line in lines:
        known = [index[word] for word in line if word in index]
        for i, j in itertools.permutations(range(len(known)), 2):
            if abs(i - j) <= window:
                matrix[known[i], known[j]] += WEIGHT[weights](abs(i - j), window)
    return matrix


def in_small_chunks(patch, chunk=64, entries=40):
    """Make the plan cut even a small corpus into many chunks and blocks."""
    patch.setattr(runs, "_LONGEST_CHUNK", chunk)
    patch.setattr(runs, "_SHORTEST_CHUNK", 1)
    patch.setattr(runs, "_TOKENS_AT_A_TIME", 7)  # of the stream: some parts begin with an end
    patch.setattr(runs, "MOST_RUNS", 3)  # merged at once: so there are several levels
    real = runs.plan_memory
    patch.setattr(
        "andornot.cooccurrence.counting.plan_memory",
        lambda memory, words, threads: real(memory, words, threads)._replace(
            entries=max(entries, words)
        ),
    )
