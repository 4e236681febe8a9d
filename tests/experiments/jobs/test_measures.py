"""Measures of a ranking, beside scikit-learn and SciPy."""

import numpy as np
import pytest
from scipy.stats import zscore
from sklearn.metrics import average_precision_score

from andornot.experiments.jobs.measures import average_precision, percentiles, standardised


@pytest.mark.parametrize("seed", range(20))
def test_average_precision_is_that_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    relevant = rng.random(60) < 0.2
    relevant[seed] = True
    for scores in (rng.normal(size=60), rng.integers(0, 6, 60).astype(float)):
        expected = average_precision_score(relevant, scores)
        assert average_precision(scores, relevant) == pytest.approx(expected)
        assert average_precision(scores.astype(np.float32), relevant) == pytest.approx(expected)


def test_z_scores_are_those_of_scipy():
    scores = np.random.default_rng(1).normal(3, 2, 50)
    np.testing.assert_allclose(standardised(scores), zscore(scores))
    assert standardised(np.full(4, 0.1, dtype=np.float32)).tolist() == [0, 0, 0, 0]


def test_percentiles_are_places_in_the_order():
    scores = np.random.default_rng(1).integers(0, 5, 40).astype(float)
    order = sorted(range(40), key=lambda i: scores[i])
    assert percentiles(scores).tolist() == [(order.index(i) + 1) / 40 for i in range(40)]
