"""The `andornot` command. Subcommands import their dependencies when they run: --help is quick."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import Annotated

import typer

from andornot import __version__
from andornot.base.errors import AndornotError
from andornot.base.remedies import command_remedies
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
from andornot.cli.help_texts import Command, QueryCommand

INTERRUPTED = 130  # exit code after Ctrl-C, as in shells

app = typer.Typer(
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


def main() -> None:
    """Run the command. Exit codes: 0 success, 1 failure, 2 wrong usage."""
    from andornot.cli.console import shown_progress, shown_warnings

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that isn't UTF-8
    try:
        with command_remedies(), shown_warnings(), shown_progress():
            try:
                app()
            finally:
                sys.stdout.flush()  # raises BrokenPipeError here instead of at exit
    except SystemExit as stop:
        if stop.code == INTERRUPTED:
            kept = "; run the same command to resume" if sys.argv[1:2] == ["count"] else ""
            print(f"interrupted; no output was changed{kept}", file=sys.stderr)
        raise
    except AndornotError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except MemoryError:
        print("error: not enough memory for this input; use a smaller one", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:  # the reader of the pipe has closed it
        _close_output()
        sys.exit(1)
    except OSError as error:  # errors of input and output files are FileErrors
        where = error.filename or "standard output"
        print(f"error: {where}: {error.strerror or error}; check the disk", file=sys.stderr)
        if error.filename is None:
            _close_output()
        sys.exit(1)


def _close_output() -> None:
    """Discard the buffered output, which Python would otherwise try to write again at exit."""
    with suppress(io.UnsupportedOperation):  # the output is not a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
