"""Logistic regression on products, against scikit-learn's on the vectors."""

import numpy as np
import pytest
from commands import run_code
from errors import raises
from hypothesis import given, settings
from hypothesis import strategies as st

from andornot.base.errors import AndornotError
from andornot.growing.logistic import fit_logistic


def a_problem(seed, size, dim, share):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(size, dim))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    is_positive = rows @ rng.normal(size=dim) + 0.5 * rng.normal(size=size) > share
    is_positive[:2] = [True, False]
    return rows, is_positive


def scikit_learns(rows, is_positive, c):
    from sklearn.linear_model import LogisticRegression

    fitted = LogisticRegression(C=c, tol=1e-10, max_iter=100_000).fit(rows, is_positive)
    return fitted.coef_[0], float(fitted.intercept_[0])


@given(
    seed=st.integers(0, 1000),
    size=st.integers(2, 60),
    dim=st.integers(1, 40),
    share=st.floats(-1, 2),
    c=st.sampled_from([0.1, 1.0, 3.0, 30.0]),
)
@settings(deadline=None, max_examples=40)
def test_as_scikit_learn(seed, size, dim, share, c):
    rows, is_positive = a_problem(seed, size, dim, share)
    weights, intercept = fit_logistic(rows @ rows.T, is_positive, c)
    coefficients, expected = scikit_learns(rows, is_positive, c)
    np.testing.assert_allclose(weights @ rows, coefficients, atol=2e-3 * max(1, c))
    assert intercept == pytest.approx(expected, abs=2e-3 * max(1, c))


def test_three_examples_among_hundreds_that_can_be_told_apart():
    rows, is_positive = a_problem(1, 503, 400, 9)
    is_positive[:] = np.arange(503) < 3
    weights, intercept = fit_logistic(rows @ rows.T, is_positive, 3.0)
    coefficients, expected = scikit_learns(rows, is_positive, 3.0)
    np.testing.assert_allclose(weights @ rows, coefficients, atol=1e-3)
    assert intercept == pytest.approx(expected, abs=1e-3)


def test_examples_of_one_kind_are_refused():
    for kind in (True, False):
        with raises(AndornotError, "at least one example and one other word"):
            fit_logistic(np.eye(3), np.full(3, kind), 1.0)


def test_no_solver_that_keeps_the_interpreter():
    """SciPy's solver holds the interpreter, so other requests of a service would wait for it."""
    code = """
import sys
import numpy as np
from andornot.growing.logistic import fit_logistic

fit_logistic(np.eye(4), np.arange(4) < 2, 1.0)
print("scipy.linalg" in sys.modules)
"""
    done = run_code(code)
    assert done.stdout.strip() == "False", done.stderr
