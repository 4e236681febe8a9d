"""Damaged files, queries and requests: taken or refused in one line, never a crash or a hang.

`python benchmarks/trust.py` runs a million of them.
"""

import pytest
from fuzzing import fuzz
from serving import need_server

NUMBERS = {"spaces": 1500, "texts": 1500, "queries": 1500, "bodies": 400}


@pytest.mark.slow
@pytest.mark.parametrize("target", NUMBERS)
def test_nothing_but_an_error_of_andornot(target):
    if target == "bodies":
        need_server()
    found = fuzz(target, 0, NUMBERS[target], seconds=20)
    assert found.failed == {}
    assert found.outcomes["refused"]
    assert found.outcomes["taken"]
