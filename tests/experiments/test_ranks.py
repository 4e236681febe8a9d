"""Ranks against their definition."""

import numpy as np

from andornot.base.moments import unit_rows
from andornot.experiments.ranks import ranks


def test_ranks_are_those_of_the_definition(monkeypatch):
    rng = np.random.default_rng(0)
    rows, queries = rng.normal(size=(50, 6)), rng.normal(size=(9, 6))
    goals = rng.integers(50, size=9).tolist()
    left_out = [(int(a), int(b)) for a, b in rng.integers(50, size=(9, 2)) if a != b]
    left_out += [()] * (9 - len(left_out))
    left_out = [tuple(w for w in each if w != g) for each, g in zip(left_out, goals, strict=True)]
    monkeypatch.setattr("andornot.experiments.ranks._BLOCK", 120)

    def cosine(a, b):
        return a @ b / np.linalg.norm(a) / np.linalg.norm(b)

    for leave, out in ((None, [()] * 9), (left_out, left_out)):
        found = ranks(unit_rows(rows), queries, goals, leave)
        for number, query in enumerate(queries):
            least = cosine(rows[goals[number]], query) - 1e-6
            words = [w for w in range(50) if w not in out[number]]
            assert found[number] == sum(cosine(rows[w], query) >= least for w in words)
