"""A wrong call gets one line with what was expected, what was given, and where to look."""

import commands
import pytest


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("ask royal -k 0", ["-k", "at least 1", "'0'", "andornot ask -h"]),
        ("ask royal -k x", ["-k", "whole number", "'x'", "andornot ask -h"]),
        ("serve --port 70000", ["--port", "from 0 to 65535", "'70000'", "andornot serve -h"]),
        ("serve --time-limit soon", ["--time-limit", "number", "'soon'", "andornot serve -h"]),
        ("train t -o s --solver foo", ["--solver", "auto, sampled, exact", "'foo'", "train -h"]),
        ("train t -o s --dim 1.5", ["--dim", "whole number", "'1.5'", "andornot train -h"]),
        ("train", ["CORPUS_OR_COUNTS", "andornot train -h"]),
        ("ask --nope", ["--nope", "andornot ask -h"]),
        ("ask -k", ["-k", "andornot ask -h"]),
        ("asx", ["'asx'", "'ask'", "andornot -h"]),
        ("--nope", ["--nope", "andornot -h"]),
        ("data fetcg", ["'fetcg'", "'fetch'", "andornot data -h"]),
        ("info a b c", ["b c", "andornot info -h"]),
    ],
)
def test_one_line(call, expected):
    done = commands.run(*call.split())
    assert done.returncode == 2
    assert done.stdout == ""
    line, rest = done.stderr.split("\n", 1)
    assert rest == ""
    assert line.startswith("error: ")
    for part in expected:
        assert part in line


def test_a_group_without_a_command_shows_its_help():
    assert "Commands:" in commands.run("data").stderr
