"""Random co-occurrence counts, small enough to compute with by hand."""

import numpy as np
from scipy.special import expit

from andornot import Vocabulary
from andornot.cooccurrence import Cooccurrence
from andornot.cooccurrence.row_blocks import ArrayEntries
from andornot.words.counts import Counts, CountsOrigin

K, EXPONENT = 5, 0.75
SETTINGS = {
    "window": 1,
    "weights": "linear",
    "sample": None,
    "corpus": [],
    "corpus_key": "-",
    "tokens": 100,
}


def counts_from(dense: np.ndarray) -> Cooccurrence:
    """Counts with these values, a symmetric matrix."""
    rows, columns = np.nonzero(dense)
    size = len(dense)
    words = Counts(dense.sum(axis=1) / 2 + 1.0, CountsOrigin.TRAINING, "a test")
    return Cooccurrence(
        Vocabulary([f"w{i}" for i in range(size)], words),
        np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=size))]),
        ArrayEntries(columns.astype(np.int32), dense[rows, columns].astype(np.float32)),
        dense.sum(axis=1).astype(float),
        SETTINGS,
    )


def random_counts(size: int = 23) -> Cooccurrence:
    """A random symmetric matrix of counts, more than half of it empty."""
    rng = np.random.default_rng(3)
    dense = rng.integers(1, 40, size=(size, size)) * (rng.random((size, size)) < 0.4)
    return counts_from(np.triu(dense, 1) + np.triu(dense).T)


def sgns_by_hand(counts, v, u, pairs=1.0):
    """The loss divided by N, and its gradients, straight from the definition.

    Each term is multiplied by `pairs`, which leaves out those where it is 0.
    """
    n = counts.matrix().toarray().astype(float)
    q = counts.vocabulary.counts.values**EXPONENT
    q /= q.sum()
    n *= pairs
    noise = K * np.outer(counts.marginal, q) * pairs
    scores = v.astype(float) @ u.T.astype(float)
    loss = (n * np.logaddexp(0, -scores) + noise * np.logaddexp(0, scores)).sum()
    by_score = noise * expit(scores) - n * expit(-scores)
    total = counts.total
    return loss / total, by_score @ u / total, by_score.T @ v / total


def glove_by_hand(counts, v, u, a, b, x_max):
    """GloVe's loss, and its gradients by v, u, a and b, straight from the definition."""
    n = counts.matrix().toarray().astype(float)
    seen = n > 0
    weights = np.where(seen, np.minimum(1, n / x_max) ** 0.75, 0)
    errors = v.astype(float) @ u.T + a[:, None] + b - np.log(np.where(seen, n, 1))
    pulls = weights * errors
    return (pulls * errors).sum() / 2, pulls @ u, pulls.T @ v, pulls.sum(axis=1), pulls.sum(axis=0)
