"""Damaged counts, corpora and checkpoints, through training: refused or taken, never a crash."""

import pytest
from fuzzing import fuzz

MADE_AGAIN = ("token_counts", "partial_counts")  # if they are damaged


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "number"),
    [
        ("counts", 200),
        ("parquet", 300),
        ("partial_counts", 50),
        ("corpora", 100),
        ("token_counts", 200),
        ("checkpoints", 100),
    ],
)
def test_no_damage_reaches_a_kernel(target, number):
    if target == "parquet":
        pytest.importorskip("pyarrow", reason="needs the extra spark")
    if target == "token_counts":
        pytest.importorskip("tokenizers", reason="needs the extra bert (tokenizers)")
    found = fuzz(target, 0, number)
    assert found.failed == {}
    assert found.outcomes["taken"]  # some damage does no harm
    assert found.outcomes["refused"] or target in MADE_AGAIN
    assert found.outcomes.total() == number
