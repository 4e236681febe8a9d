"""Damaged files, queries and requests: taken or refused in one line, never a crash or a hang.

`python benchmarks/trust.py` runs a million of them.
"""

import re
import time

import pytest
from fuzz_targets import TARGETS, Input
from fuzzing import CASES, SECONDS, fuzz, outcome_of
from serving import need_server

from andornot.algebra import parser
from andornot.formats.text import NUMBER

NUMBERS = {"spaces": 1500, "models": 400, "texts": 1500, "queries": 1500, "bodies": 400}


def need(target):
    """Skip where a target needs an extra that is not installed."""
    if target == "bodies":
        need_server()
    if target == "models":
        pytest.importorskip("tokenizers", reason="needs the extra bert (tokenizers)")


@pytest.mark.slow
@pytest.mark.parametrize("target", NUMBERS)
def test_nothing_but_an_error_of_andornot(target):
    need(target)
    found = fuzz(target, 0, NUMBERS[target], seconds=20)
    assert found.failed == {}
    assert found.outcomes["refused"]
    assert found.outcomes["taken"]


@pytest.mark.parametrize("path", sorted(CASES.glob("*.json")), ids=lambda path: path.stem)
def test_what_failed_once(path, tmp_path):
    name, given = Input.from_json(path.read_text())
    need(name)
    outcome, detail = outcome_of(TARGETS[name](tmp_path), given)
    assert outcome in ("taken", "refused"), detail


def test_an_input_is_the_same_after_it_was_kept():
    given = Input("ask", {"query": b"\xff\x00king"})
    assert Input.from_json(given.to_json("queries")) == ("queries", given)


@pytest.mark.parametrize("pattern", [parser._NUMBER, re.compile(NUMBER)], ids=["query", "file"])
def test_a_long_number_takes_little_time(pattern):
    """A million digits in a file of vectors, or ten thousand in a query, stalled everything."""
    before = time.process_time()
    assert pattern.fullmatch("1" * 1_000_000 + "x") is None
    assert time.process_time() - before < SECONDS
