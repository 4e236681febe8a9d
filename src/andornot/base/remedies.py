"""Remedies in error messages, written as command options or as Python arguments."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

# A process is either the command or a Python program, in all of its threads.
_for_command = False


@contextmanager
def command_remedies() -> Iterator[None]:
    """Within the block, name command options in errors and warnings."""
    global _for_command
    before, _for_command = _for_command, True
    try:
        yield
    finally:
        _for_command = before


def remedy(*, python: str, command: str) -> str:
    """Return the remedy in the caller's form: Python code, or a command option.

    >>> remedy(python="space.with_counts(...)", command="--counts FILE")
    'space.with_counts(...)'
    >>> with command_remedies():
    ...     remedy(python="space.with_counts(...)", command="--counts FILE")
    '--counts FILE'
    """
    return command if _for_command else python


def option(name: str, value: object = None) -> str:
    """Return an argument in the caller's form: as a Python argument, or as a command option.

    Args:
        name: The Python argument; the option has hyphens instead of underscores.
        value: The value to show; True for an option without a value.

    >>> option("min_count"), option("solver", "exact"), option("force", True)
    ('min_count', "solver='exact'", 'force=True')
    >>> with command_remedies():
    ...     option("min_count"), option("solver", "exact"), option("force", True)
    ('--min-count', '--solver exact', '--force')
    """
    flag = f"--{name.replace('_', '-')}"
    if value is None:
        return remedy(python=name, command=flag)
    return remedy(python=f"{name}={value!r}", command=flag if value is True else f"{flag} {value}")
