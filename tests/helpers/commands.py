"""Run the command: in this process, or in one of its own where that is what is tested."""

import io
import os
import subprocess
import sys
import warnings
from contextlib import ExitStack, chdir
from pathlib import Path
from unittest.mock import patch

from andornot.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAM = [sys.executable, "-m", "andornot"]


def run(*arguments, input=None, env=None, cwd=None) -> subprocess.CompletedProcess[str]:
    """Run `andornot` with these arguments in this process; `env` is the whole environment."""
    words = [str(argument) for argument in arguments]
    stdin = input if isinstance(input, bytes) else (input or "").encode()
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with ExitStack() as stack:
        for change in (
            patch("sys.argv", ["andornot", *words]),
            patch("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8")),
            patch("sys.stdout", out),
            patch("sys.stderr", err),
            patch.dict(os.environ, env or {}, clear=env is not None),
            warnings.catch_warnings(),
            chdir(cwd or Path.cwd()),
        ):
            stack.enter_context(change)
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = stop.code or 0
    return subprocess.CompletedProcess(["andornot", *words], code, _text(out), _text(err))


def run_apart(*arguments, **options) -> subprocess.CompletedProcess[str]:
    """Run `andornot` with these arguments in a process of its own."""
    command = [*PROGRAM, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, **options)


def _text(stream: io.TextIOWrapper) -> str:
    return stream.buffer.getvalue().decode("utf-8")


def run_code(code: str, *arguments: object, **options) -> subprocess.CompletedProcess[str]:
    """Run Python code in a process of its own, which finds the helpers too."""
    path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-c", code, *map(str, arguments)]
    environment = {**os.environ, **options.pop("env", {}), "PYTHONPATH": path}
    return subprocess.run(command, capture_output=True, text=True, env=environment, **options)
