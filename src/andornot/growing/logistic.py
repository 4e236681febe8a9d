"""Logistic regression from few examples, by Newton's method on their products.

With n examples of d numbers and n about as large as d, only their n x n products are
needed, and rows of a second kind (hypernyms) are included by adding their products. scikit-learn
fits the same model, but takes long to import. SciPy's solver would use that the products are
positive definite, but it keeps the interpreter: other requests of a service would wait for it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError

Array = npt.NDArray[np.float64]
_STEPS = 50
_ENOUGH = 1e-8  # relative decrease of the loss at which the iteration ends
_LEAST_CURVATURE = 1e-10  # of an example that is classified with certainty


def fit_logistic(
    products: Array, is_positive: npt.NDArray[np.bool_], c: float
) -> tuple[Array, float]:
    """Return the weight of each example and the intercept.

    The loss is that of scikit-learn's LogisticRegression: |w|^2 / 2 + c times the sum of the log
    losses, with w the weighted sum of the examples. The score of x is the weighted sum of
    its products with the examples, plus the intercept, which is not penalised.

    Args:
        products: The product of each example with each other, symmetric, shape (n, n).
        is_positive: True for examples, False for counter-examples.
        c: The weight of the examples against the penalty, above 0.

    Raises:
        AndornotError: If there are no examples, or no counter-examples.

    >>> weights, intercept = fit_logistic(np.eye(2), np.array([True, False]), 1.0)
    >>> weights.round(3).tolist(), round(intercept, 3)
    ([0.401, -0.401], 0.0)
    """
    if is_positive.all() or not is_positive.any():
        raise AndornotError("learning needs at least one example and one other word; add words")
    signs = np.where(is_positive, 1.0, -1.0)
    size = len(signs)
    weights, scores, intercept = np.zeros(size), np.zeros(size), 0.0
    loss = _loss(weights, scores, intercept, signs, c)
    for _ in range(_STEPS):
        doubt = 1 / (1 + np.exp(np.clip(signs * scores, -500, 500)))
        curvature = np.maximum(doubt * (1 - doubt), _LEAST_CURVATURE)
        # Newton step: ridge regression of the targets, weighted by curvature
        targets = scores + signs * doubt / curvature
        system = products.copy()
        system[np.diag_indices(size)] += 1 / (c * curvature)
        solved = np.linalg.solve(system, np.column_stack([targets, np.ones(size)]))
        next_intercept = float(solved[:, 0].sum() / solved[:, 1].sum())
        next_weights = solved[:, 0] - next_intercept * solved[:, 1]
        next_scores = products @ next_weights + next_intercept
        step = 1.0
        while True:  # halve the step until the loss falls
            w, f = (a + step * (b - a) for a, b in ((weights, next_weights), (scores, next_scores)))
            b0 = intercept + step * (next_intercept - intercept)
            found = _loss(w, f, b0, signs, c)
            if found <= loss or step < 1e-6:
                break
            step /= 2
        gained, loss = loss - found, found
        weights, scores, intercept = w, f, b0
        if gained <= _ENOUGH * loss:
            break
    return weights, intercept


def _loss(weights: Array, scores: Array, intercept: float, signs: Array, c: float) -> float:
    penalty = weights @ (scores - intercept) / 2
    return float(penalty + c * np.logaddexp(0, -signs * scores).sum())
