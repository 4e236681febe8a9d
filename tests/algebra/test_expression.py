"""Formulas made in Python."""

import numpy as np
import pytest
from errors import raises
from planted import LOGICS

from andornot.algebra.expression import And, Not, Or, Term
from andornot.base.errors import AndornotError


def test_formulas_made_in_python_are_not_too_deep():
    logic = LOGICS["first-order"]
    deep = Term("w1")
    for _ in range(200):
        deep = Not(deep)
    with raises(AndornotError, 200):
        logic.concept(deep)
    nested = logic["w1"]
    for number in range(60):
        nested = (nested | logic[f"w{number % 20}"]) & logic["w2"]
    assert np.isfinite(nested.vector).all()


@pytest.mark.parametrize(
    ("weights", "named"),
    [
        ((-1.0, 2.0), ["at least 0", "-1.0"]),
        ((np.nan, 2.0), ["at least 0", "nan"]),
        ((0.0, 0.0), ["zero"]),
        ((1.0,), ["all", "none"]),
    ],
)
def test_weights_that_make_no_or(weights, named):
    with raises(AndornotError, "weight", *named):
        Or((Term("w1"), Term("w2")), weights)


@pytest.mark.parametrize(("kind", "name"), [(Or, "OR"), (And, "AND")])
def test_nothing_is_no_operand(kind, name):
    with raises(AndornotError, name, "at least one"):
        kind(())
