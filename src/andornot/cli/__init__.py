"""The `andornot` command: run it, and turn errors into a line and an exit code.

Other modules are imported within `main`, which reports a Ctrl-C at any time.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress

INTERRUPTED = 130  # exit code after Ctrl-C, as in shells


def main() -> None:
    """Run the command. Exit codes: 0 success, 1 failure, 2 wrong usage, 130 Ctrl-C."""
    try:
        _run_and_report(sys.argv[1:])
    except KeyboardInterrupt:
        print("interrupted; no output was changed", file=sys.stderr)
        sys.exit(INTERRUPTED)


def _run_and_report(arguments: list[str]) -> None:
    """Run the command, and report its errors."""
    from andornot.base.errors import AndornotError
    from andornot.base.remedies import command_remedies
    from andornot.cli.console import one_line, shown_progress, shown_warnings

    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that isn't UTF-8
    try:
        with command_remedies(), shown_warnings(), shown_progress():
            try:
                _run(arguments)
            finally:
                sys.stdout.flush()  # raises BrokenPipeError here instead of at exit
    except SystemExit as stop:
        if stop.code == INTERRUPTED:  # from typer
            kept = "; run the same command to resume" if arguments[:1] == ["count"] else ""
            print(f"interrupted; no output was changed{kept}", file=sys.stderr)
        raise
    except AndornotError as error:
        print(f"error: {one_line(str(error))}", file=sys.stderr)
        sys.exit(error.exit_code)
    except MemoryError:
        print("error: not enough memory for this input; use a smaller one", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:  # the reader of the pipe has closed it
        _close_output()
        sys.exit(1)
    except OSError as error:  # errors of input and output files are FileErrors
        where = error.filename or "standard output"
        message = one_line(f"{where}: {error.strerror or error}; check the disk")
        print(f"error: {message}", file=sys.stderr)
        if error.filename is None:
            _close_output()
        sys.exit(1)


def _open_closed_streams() -> None:
    """Give a command that was started with a closed stream an empty one.

    The descriptor would otherwise go to the next file that is opened, and take the output.
    """
    from pathlib import Path

    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 - until the end


def _run(arguments: list[str]) -> None:
    """Run the command that the arguments name.

    A question without options is answered at once: typer has nothing to parse in it, and takes
    as long to import as the answer takes.
    """
    if arguments[:1] == ["ask"] and len(arguments) > 1 and not _has_options(arguments):
        from andornot.cli.asking import ask_queries

        ask_queries(arguments[1:])
        return
    from andornot.cli.subcommands import app

    app()


def _has_options(arguments: list[str]) -> bool:
    """Return whether an argument is an option, or could be one.

    >>> _has_options(["ask", "king - man"]), _has_options(["ask", "king", "-k", "3"])
    (False, True)
    """
    return any(each.startswith("-") for each in arguments)


def _close_output() -> None:
    """Discard the buffered output, which Python would otherwise try to write again at exit."""
    with suppress(io.UnsupportedOperation):  # the output is not a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
