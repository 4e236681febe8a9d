"""A real service in a process of its own, for the tests that talk to it."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from commands import PROGRAM


def need_server() -> None:
    """Skip a file of tests where what they need is not installed."""
    for name in ("fastapi", "uvicorn", "httpx"):
        pytest.importorskip(name, reason="needs the extras server and test")


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
    return [*PROGRAM, "serve", *map(str, options)]


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


def post(client, path, **body):
    """Ask the API."""
    return client.post(f"/v1/{path}", json=body)


def expected(answer):
    """The words and scores of an answer of the library."""
    return [(hit.word, pytest.approx(hit.score, abs=1e-5)) for hit in answer.hits]


def found(answer):
    """The words and scores of an answer of the service."""
    return [(hit["word"], hit["score"]) for hit in answer["hits"]]
