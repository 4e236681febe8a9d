"""What an error tells its reader to do: an option of the command, or an argument in Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

# One process serves one kind of caller, whichever thread an error comes from.
_for_command = False


@contextmanager
def command_remedies() -> Iterator[None]:
    """Name the options of the command in the errors and warnings of this block."""
    global _for_command
    before, _for_command = _for_command, True
    try:
        yield
    finally:
        _for_command = before


def remedy(*, python: str, command: str) -> str:
    """Return the remedy for the caller: what to write in Python, or in the command.

    >>> remedy(python="space.with_counts(...)", command="--counts FILE")
    'space.with_counts(...)'
    >>> with command_remedies():
    ...     remedy(python="space.with_counts(...)", command="--counts FILE")
    '--counts FILE'
    """
    return command if _for_command else python


def option(name: str, value: object = None) -> str:
    """Return how the caller writes an argument that is an option of the command too.

    Args:
        name: The argument in Python; the option has hyphens for its underscores.
        value: The value to give it; True for an option that takes none.

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
