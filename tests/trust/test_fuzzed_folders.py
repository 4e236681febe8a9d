"""Damaged counts, corpora and checkpoints, through training: refused or taken, never a crash."""

import pytest
from fuzzing import fuzz


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "number"), [("counts", 200), ("corpora", 100), ("checkpoints", 100)]
)
def test_no_damage_reaches_a_kernel(target, number):
    found = fuzz(target, 0, number)
    assert found.failed == {}
    assert found.outcomes.keys() == {"taken", "refused"}  # some damage does no harm
    assert found.outcomes.total() == number
