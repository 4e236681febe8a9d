"""A real service in a process of its own, for the tests that talk to it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"


@dataclass
class Service:
    """Where it is, and its process."""

    url: str
    process: subprocess.Popen

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and give the exit code."""
        self.process.send_signal(number)
        return self.process.wait(300)


def command(*options: object) -> list[str]:
    return [sys.executable, "-m", "andornot", "serve", *map(str, options)]


@contextmanager
def serving(*options: object, **environment: str) -> Iterator[Service]:
    """`andornot serve` with these options, at a free port, until the end of the block."""
    process = subprocess.Popen(
        command("--no-browser", "--port", 0, *options),
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
    )
    try:
        line = process.stdout.readline()  # it says where it is once it is there
        assert "http://" in line, f"the service did not start: {line!r}"
        url = next(word for word in line.split() if word.startswith("http://"))
        yield Service(url, process)
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(60)
        process.stdout.close()
