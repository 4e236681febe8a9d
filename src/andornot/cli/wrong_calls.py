"""Explain a wrong call in one line: what was expected, what was given, and where to look."""

from __future__ import annotations

from enum import Enum
from typing import Any, get_args, get_type_hints

import typer
from typer.models import ParameterInfo

from andornot.base.errors import UsageError

# typer has no public name for it
WRONG_CALL: Any = typer.BadParameter.__base__
_KINDS = {int: "a whole number", float: "a number"}


def explain_wrong_call(error: Any, command: Any, context: Any, arguments: list[str]) -> UsageError:
    """Return the error of a wrong call as one line.

    Args:
        error: The error that typer raised.
        command: The command that was called.
        context: The context of the call.
        arguments: The arguments of the command.
    """
    problem = _invalid_value(error, command, context, arguments) or _plain(error.format_message())
    return UsageError(f"{problem}; see {context.command_path} -h")


def _plain(message: str) -> str:
    """Return typer's message as a part of a sentence.

    >>> _plain("No such command 'asx'. Did you mean 'ask'?")
    "no such command 'asx' (did you mean 'ask'?)"
    """
    problem, _, hint = " ".join(message.split()).removesuffix(".").partition(". ")
    sentence = problem[:1].lower() + problem[1:]
    return f"{sentence} ({hint[:1].lower()}{hint[1:]})" if hint else sentence


def _invalid_value(error: Any, command: Any, context: Any, arguments: list[str]) -> str | None:
    """Return what an option expected and what it was given; None if its value isn't the problem."""
    param = getattr(error, "param", None)
    if param is None:
        return None
    values, _, _ = command.make_parser(context).parse_args(list(arguments))
    given = values.get(param.name)
    expected = _expected(get_type_hints(command.callback, include_extras=True)[param.name])
    if expected is None or not isinstance(given, str):
        return None
    return f"{param.opts[0]} must be {expected}, got {given!r}"


def _expected(annotation: Any) -> str | None:
    """Describe the values that a parameter takes; None if any text will do.

    >>> from typing import Annotated
    >>> _expected(Annotated[int, typer.Option(min=1)])
    'a whole number of at least 1'
    >>> _expected(Annotated[float | None, typer.Option()])
    'a number'
    """
    accepted, *details = get_args(annotation)
    kinds = [kind for kind in get_args(accepted) or (accepted,) if isinstance(kind, type)]
    for kind in kinds:
        if issubclass(kind, Enum):
            return "one of " + ", ".join(str(each.value) for each in kind)
    known = [_KINDS[kind] for kind in kinds if kind in _KINDS]
    limits = next(each for each in details if isinstance(each, ParameterInfo))
    return known[0] + _within(limits.min, limits.max) if known else None


def _within(lowest: float | None, highest: float | None) -> str:
    """Describe a range.

    >>> _within(0, 65535), _within(1, None)
    (' from 0 to 65535', ' of at least 1')
    """
    if lowest is None:
        return "" if highest is None else f" of at most {highest:g}"
    return f" of at least {lowest:g}" if highest is None else f" from {lowest:g} to {highest}"
