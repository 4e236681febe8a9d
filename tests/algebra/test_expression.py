"""Formulas made in Python."""

import numpy as np
import pytest
from planted import LOGICS

from andornot.algebra.expression import Not, Term
from andornot.base.errors import AndornotError


def test_formulas_made_in_python_are_not_too_deep():
    logic = LOGICS["first-order"]
    deep = Term("w1")
    for _ in range(200):
        deep = Not(deep)
    with pytest.raises(AndornotError, match="nested more than 200 deep"):
        logic.concept(deep)
    nested = logic["w1"]
    for number in range(60):
        nested = (nested | logic[f"w{number % 20}"]) & logic["w2"]
    assert np.isfinite(nested.vector).all()
