"""Errors of PMI against brute force."""

from dataclasses import replace

import numpy as np
from random_spaces import made_space

from andornot.cooccurrence import count
from andornot.experiments.pmi_figure import _errors


def test_errors_of_pmi_against_brute_force(corpus):
    flat, counts = (count(corpus, min_count=5, weights=w) for w in ("flat", "linear"))
    np.testing.assert_array_equal(flat.columns, counts.columns)
    met = flat.values > 1
    rng = np.random.default_rng(3)
    space = made_space(list(counts.vocabulary), rng)
    space = replace(space, vocabulary=counts.vocabulary)
    found = _errors(space, counts, met)
    dense, often = counts.matrix().toarray(), flat.matrix().toarray()
    p = dense.sum(0) / dense.sum()
    expected = {"PMI": [], "orig": [], "freq": []}
    own = space.probability
    v, u = space.target, space.context
    centred, contexts = v - own @ v, u - own @ u
    for a, b in np.argwhere(often > 1):
        value = np.log(dense[a, b] / dense.sum() / p[a] / p[b])
        expected["PMI"].append(value)
        expected["orig"].append(value - v[a] @ u[b])
        expected["freq"].append(value - centred[a] @ contexts[b])
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, atol=1e-3)
