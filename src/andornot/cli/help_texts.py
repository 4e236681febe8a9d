"""Commands and groups: the format of their help, and one line for each wrong call."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from typer.core import TyperCommand, TyperGroup

from andornot.base.errors import UsageError
from andornot.cli.wrong_calls import WRONG_CALL, explain_wrong_call


class CommandGroup(TyperGroup):
    """Group of commands that explains a wrong call in one line."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments before the name of a command."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except WRONG_CALL as error:
            if not given:  # typer shows the help of the group
                raise
            raise explain_wrong_call(error, self, ctx, given) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """Find the command that the arguments name."""
        try:
            return super().resolve_command(ctx, args)
        except WRONG_CALL as error:
            raise explain_wrong_call(error, self, ctx, args) from None


class Command(TyperCommand):
    """Command whose help lists arguments by name, without a type.

    Typer adds the type, as in `QUERY <list[str]>`.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except WRONG_CALL as error:
            raise explain_wrong_call(error, self, ctx, given) from None

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and the options."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                name, text = record
                if param.param_type_name == "argument":
                    sections["Arguments"].append((str(param.metavar or param.name), text))
                else:
                    sections["Options"].append((name, text))
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


class QueryCommand(Command):
    """Command whose arguments are queries, some of which start with -."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; the error for a query that starts with - suggests `--`."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except UsageError:
            known = {name for param in self.get_params(ctx) for name in param.opts}
            query = _like_an_option(given, known)
            if query is None:
                raise
            raise UsageError(
                f"{query!r} is read as an option; put -- before a query that starts with -: "
                f"andornot ask -- {shlex.quote(query)}"
            ) from None


def _like_an_option(arguments: Sequence[str], known: set[str]) -> str | None:
    """Return the first argument that starts with a single - but isn't an option or its value.

    >>> _like_an_option(["-k", "-5", "king", "-queen"], {"-k"})
    '-queen'
    """
    before = ""
    for each in arguments:
        if each == "--":
            return None
        is_option = not each.startswith("-") or each.startswith("--") or each in known
        if not is_option and before not in known:
            return each
        before = each
    return None
