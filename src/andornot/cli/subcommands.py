"""The subcommands and their options. Each imports its dependencies when it runs."""

from __future__ import annotations

from typing import Annotated

import typer

from andornot import __version__
from andornot.cli import (
    ask,
    center_model,
    convert,
    count,
    data,
    describe,
    evaluate,
    grow,
    info,
    reproduce,
    serve,
    train,
)
from andornot.cli.help_texts import Command, CommandGroup, QueryCommand

app = typer.Typer(
    cls=CommandGroup,
    help="AND, OR and NOT for word embeddings.",
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("ask", cls=QueryCommand)(ask.ask)
for command in (
    describe.describe,
    grow.grow,
    info.info,
    count.count,
    train.train,
    convert.convert,
    evaluate.evaluate,
    reproduce.reproduce,
    serve.serve,
    center_model.center_model,
):
    app.command(command.__name__.replace("_", "-"), cls=Command)(command)
app.add_typer(data.app, name="data")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"andornot {__version__}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """AND, OR and NOT for word embeddings."""
    if context.invoked_subcommand is None:
        from andornot.cli.tour import show_tour

        show_tour()
