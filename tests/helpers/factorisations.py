"""Spaces whose v.u gives the PMI of a known joint table."""

import numpy as np

from andornot import Provenance, Space, Vocabulary
from andornot.words.counts import Counts, CountsOrigin


def planted(model: str) -> tuple[Space, np.ndarray]:
    """A space whose factorisation is exact for a known joint table, and the PMI of that table."""
    rng = np.random.default_rng(8)
    size, dim = 30, 4
    p = rng.dirichlet(np.ones(size))
    scores = 0.3 * rng.normal(size=(size, dim)) @ rng.normal(size=(dim, size))
    joint = np.outer(p, p) * np.exp(scores)
    for _ in range(500):  # to a table with the marginals p, by scaling rows and columns
        joint *= (p / joint.sum(axis=1))[:, None]
        joint *= p / joint.sum(axis=0)
    pmi = np.log(joint / np.outer(p, p))
    counts = Counts(p * 1e9, CountsOrigin.TRAINING)
    words = Vocabulary([f"w{i}" for i in range(size)], counts)
    if model == "sgns":
        k, q = 7, p**0.75 / (p**0.75).sum()
        logits = pmi - np.log(q / p) - np.log(k)
        record = Provenance("planted", model="sgns", negatives=k, negative_exponent=0.75)
        biases = {}
    else:
        a, b = rng.normal(size=size), rng.normal(size=size)
        logits = np.log(joint * 1e9) - a[:, None] - b
        record = Provenance("planted", model="glove")
        biases = {"target_bias": a, "context_bias": b}
    u, s, vt = np.linalg.svd(logits)
    target, context = u * np.sqrt(s), vt.T * np.sqrt(s)
    return Space(words, target, context=context, provenance=record, **biases), pmi
