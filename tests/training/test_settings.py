"""Settings that make sense, and those that don't."""

import pytest

from andornot.base.errors import UsageError
from andornot.training import Settings


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"dim": 0}, "dim must be .* got 0$"),
        ({"window": -1}, "window must be .* got -1$"),
        ({"negative": 0}, "negative must be .* got 0$"),
        ({"epochs": 0}, "epochs must be .* got 0$"),
        ({"rate": -0.1}, "rate must be .* got -0.1$"),
        ({"rate": float("nan")}, "rate must be .* got nan$"),
        ({"sample": 0.0}, "sample must be .* got 0.0$"),
        ({"x_max": 0.0}, "x_max must be .* got 0.0$"),
        ({"exponent": 1000.0}, "exponent must be .* got 1000.0$"),
        ({"solver": "newton"}, "solver must be .* got 'newton'$"),
        ({"model": "cbow"}, "model must be .* got 'cbow'$"),
        ({"dim": 2.5}, "dim must be .* got 2.5$"),
        ({"model": "glove", "solver": "exact", "rate": 0.1}, "leave off --rate"),
        ({"tolerance": 1.0}, "tolerance must be .* got 1.0$"),
        ({"seed": -1}, "seed must be .* got -1$"),
    ],
)
def test_settings_that_make_no_sense(change, part):
    with pytest.raises(UsageError, match=part):
        Settings(**change)
