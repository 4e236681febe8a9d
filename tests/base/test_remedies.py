"""Errors name what their reader can do: arguments in Python, options of the command."""

import re
from pathlib import Path

import numpy as np
import pytest
from commands import run
from errors import assert_refused, raises

import andornot
from andornot import Logic, Space
from andornot.base.errors import FileError, MissingCountsError
from andornot.cooccurrence import count

SOURCES = Path(andornot.__file__).parent
# The words of a message may be those of a command where only a command raises it.
COMMANDS = ("cli", "server", "experiments")
PLAIN = ("base/remedies.py", "algebra/facts.py")


@pytest.fixture
def bare(tmp_path):
    """A space without frequencies, and its file."""
    space = Space.from_arrays(["a", "b", "c"], np.eye(3))
    andornot.save(space, tmp_path / "bare.safetensors")
    return space, tmp_path / "bare.safetensors"


def test_frequencies(bare):
    space, path = bare
    with raises(MissingCountsError, "space.with_counts(source)") as caught:
        Logic(space, postprocess="frequency")
    assert "--" not in str(caught.value)
    done = run("ask", "a", "--space", path, "--postprocess", "frequency")
    assert_refused(done, 1, "--counts FILE")
    assert "with_counts" not in done.stderr


def test_files_that_exist(bare, tmp_path):
    space, path = bare
    with raises(FileError, path, "force=True"):
        andornot.save(space, path)
    assert_refused(run("convert", "default", path), 1, path, "--force")
    text = tmp_path / "text.txt"
    text.write_text("a b\n" * 10)
    with raises(andornot.AndornotError, "lower min_count"):
        count([text], min_count=1000)
    done = run("count", text, "-o", tmp_path / "counts", "--min-count", 1000)
    assert_refused(done, 1, "lower --min-count")
    with raises(andornot.AndornotError, "lower min_count"):  # and Python again after a command
        count([text], min_count=1000)


def test_no_message_of_the_library_names_an_option():
    """Options are named by `option` and `remedy`, which know who reads."""
    found = []
    for path in sorted(SOURCES.rglob("*.py")):
        name = path.relative_to(SOURCES).as_posix()
        if name.split("/")[0] in COMMANDS or name in PLAIN:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.search(r"[\"' (]--[a-z]", line) and "command=" not in line:
                found.append(f"{name}:{number}")
    assert found == []
