"""The formulas against PMI that is computed from joint probabilities."""

import numpy as np
import pytest

from andornot.experiments.formula_errors import CATEGORY, formula_claims, formula_errors


def test_errors_are_those_of_the_joint_table():
    rng = np.random.default_rng(2)
    joint = rng.gamma(2.0, size=(10, 10))
    joint = (joint + joint.T) / (joint + joint.T).sum()
    p = joint.sum(axis=0)
    pmi = np.log(joint / np.outer(p, p))
    found = formula_errors(pmi, p)
    category, rest = np.arange(CATEGORY), np.arange(1, CATEGORY)

    def of(ids):
        return np.log(joint[ids].sum(axis=0) / (p[ids].sum() * p))

    mean = p[category] @ pmi[category] / p[category].sum()
    assert found["OR"] == pytest.approx(np.abs(mean - of(category)).max())
    assert found["given"] == pytest.approx(found["OR"])
    share = p[0] / p[category].sum()
    formula = -share / (1 - share) * (pmi[0] - mean)
    assert found["NOT"] == pytest.approx(np.abs(formula - (of(rest) - of(category))).max())


def test_claims_fail_where_the_order_does():
    verdicts = [c.verdict for c in formula_claims({"OR": 2.01, "given": 1.0, "NOT": 1.98})]
    assert verdicts == ["reproduced", "not reproduced", "reproduced"]
