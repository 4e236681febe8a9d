"""The help text of a command: it names arguments without their Python types."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand


class Command(TyperCommand):
    """A command whose help lists each argument by its name alone.

    Typer adds the type to the name, such as `QUERY <list[str]>`.
    """

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
