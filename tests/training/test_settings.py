"""Settings that make no sense are refused when they are made."""

import pytest
from errors import raises

from andornot.base.errors import UsageError
from andornot.training import Settings


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("dim", 0, [1]),
        ("dim", 2.5, [1]),
        ("window", -1, [1]),
        ("negative", 0, [1]),
        ("epochs", 0, [1]),
        ("rate", -0.1, [0]),
        ("rate", float("nan"), [0]),
        ("sample", 0.0, [0]),
        ("sample", 2.0, [1]),
        ("sample", float("nan"), [0]),
        ("x_max", 0.0, [0]),
        ("alpha", float("inf"), [0]),
        ("exponent", 1000.0, [-2, 2]),
        ("tolerance", 1.0, [0, 1]),
        ("seed", -1, [0]),
        ("solver", "newton", ["auto", "sampled", "exact"]),
        ("model", "cbow", ["sgns", "glove"]),
    ],
)
def test_a_value_out_of_its_range(name, value, allowed):
    with raises(UsageError, name, value, *allowed):
        Settings(**{name: value})


def test_a_rate_for_a_solver_that_has_none():
    with raises(UsageError, "GloVe", "exact", "rate"):
        Settings(model="glove", solver="exact", rate=0.1)
