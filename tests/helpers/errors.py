"""What an error must be: of a class, in one line, with the value and the remedy in it."""

from contextlib import contextmanager

import pytest


@contextmanager
def raises(kind: type[Exception], *named: object):
    """Expect an error of exactly this class, in one line, that names all of these."""
    with pytest.raises(kind) as caught:
        yield caught
    assert type(caught.value) is kind
    assert_names(str(caught.value), *named)


def assert_names(line: str, *named: object) -> None:
    """Expect one line that names all of these: the value that was given, and the remedy."""
    assert len(line.strip().splitlines()) == 1, line
    for each in named:
        assert str(each) in line, f"{each!r} is not named in: {line}"


def assert_refused(done, code: int, *named: object) -> None:
    """Expect a command that printed one line of error that names all of these, and its code."""
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    errors = [line for line in done.stderr.splitlines() if line.lower().startswith("error: ")]
    assert len(errors) == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert_names(errors[0], *named)
