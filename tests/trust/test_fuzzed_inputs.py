"""Damaged files, queries and requests: taken or refused in one line, never a crash or a hang.

`python benchmarks/trust.py` runs a million of them.
"""

import errno
import re
import sys
import time
from contextlib import suppress

import pytest
from commands import run_code
from downloads import tarred
from fuzz_inputs import naming
from fuzz_targets import TARGETS, Input, Target
from fuzzing import CASES, MEMORY, SECONDS, fuzz, outcome_of
from serving import need_server

from andornot.algebra import parser
from andornot.base.errors import AndornotError, FileError
from andornot.corpus.markup import strip_markup
from andornot.datasets.news import read_reuters
from andornot.formats.text import NUMBER

NUMBERS = {
    "spaces": 1500,
    "models": 400,
    "texts": 1500,
    "archives": 1000,
    "queries": 1500,
    "bodies": 400,
}


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


def refused(path, cause=None):
    """The outcome of an input that is refused while this file is loaded."""

    def take(given):
        with naming(path):
            raise FileError("/tmp/a.vec", "it is damaged", "get it again") from cause

    return outcome_of(Target(draw=None, take=take), Input("load", {}))[0]


def test_an_error_must_name_the_file_and_not_come_from_missing_memory():
    assert refused("/tmp/a.vec") == "refused"
    assert refused("/tmp/b.vec") == "failed"
    assert refused("/tmp/a.vec", MemoryError()) == "failed"
    assert refused("/tmp/a.vec", OSError(errno.ENOMEM, "Cannot allocate memory")) == "failed"
    assert refused("/tmp/a.vec", OSError(errno.EIO, "Input/output error")) == "refused"


@pytest.mark.skipif(sys.platform != "linux", reason="the limit needs Linux")
def test_an_input_has_a_limit_of_memory():
    code = "import fuzzing; fuzzing._limit_memory(); print(len(bytes({})))"
    assert run_code(code.format(MEMORY // 2)).returncode == 0
    assert "MemoryError" in run_code(code.format(2 * MEMORY)).stderr


def reuters(path, unit):
    path.write_bytes(tarred({"a.sgm": NEWS.replace(b"*", unit)}))
    with suppress(AndornotError):
        read_reuters(path)


NEWS = b"<REUTERS><TOPICS></TOPICS><TEXT>*</TEXT></REUTERS>*<TOPICS><D>*"


@pytest.mark.parametrize(
    "unit", [b"<REUTERS ", b"<REUTERS>", b"<TOPICS ", b"<TITLE>", b"<BODY ", b"<D>", b"<"]
)
def test_news_of_a_megabyte_takes_little_time(tmp_path, unit):
    before = time.process_time()
    reuters(tmp_path / "a.tar.gz", unit * (1_000_000 // len(unit)))
    assert time.process_time() - before < SECONDS


@pytest.mark.parametrize(
    "line",
    [b"{{" * 100_000 + b"}}" * 100_000, b"{|" * 100_000 + b"|}" * 100_000, b"{" * 400_000]
    + [unit * (200_000 // len(unit)) for unit in (b"{{a}}", b"{{", b"}}", b"{|}", b"[[a|", b"<a ")],
)
def test_long_lines_of_markup_take_little_time(line):
    before = time.process_time()
    strip_markup(line + b"\n")
    assert time.process_time() - before < SECONDS


@pytest.mark.parametrize("pattern", [parser._NUMBER, re.compile(NUMBER)], ids=["query", "file"])
def test_a_long_number_takes_little_time(pattern):
    """A million digits in a file of vectors, or ten thousand in a query, stalled everything."""
    before = time.process_time()
    assert pattern.fullmatch("1" * 1_000_000 + "x") is None
    assert time.process_time() - before < SECONDS
