"""Commands in a process of their own whose output is a pseudo-terminal."""

import os
import subprocess

import pytest
from commands import PROGRAM

needs_terminal = pytest.mark.skipif(os.name == "nt", reason="there is no pseudo-terminal")


def on_a_terminal(*arguments: object, stream: str = "stdout") -> tuple[int, str]:
    """Run `andornot` with a terminal of 80 columns as this stream: its exit code, what it shows."""
    import pty  # Windows has none

    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        env=os.environ | {"TERM": "xterm", "COLUMNS": "80"},
        **({"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | {stream: follower}),
    )
    os.close(follower)
    shown = b""
    try:
        while piece := os.read(leader, 65536):
            shown += piece
    except OSError:  # the other end is closed
        pass
    os.close(leader)
    return process.wait(60), shown.decode()
