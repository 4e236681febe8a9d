"""Inputs of the fuzzer: made from valid ones at random, kept as JSON, taken by a target.

A target takes an input as a user would. It may return, or raise an AndornotError.
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mutations import mutated

from andornot.base.errors import AndornotError


class UnnamedFileError(Exception):
    """An error about a file doesn't name it."""


@dataclass(frozen=True)
class Input:
    """Files by their names, and a word that says what is done with them."""

    choice: str
    files: dict[str, bytes]

    def to_json(self, target: str) -> str:
        """Return it as text, with the name of its target."""
        files = {name: base64.b64encode(data).decode() for name, data in self.files.items()}
        return json.dumps({"target": target, "choice": self.choice, "files": files}, indent=1)

    @classmethod
    def from_json(cls, text: str) -> tuple[str, Input]:
        """Return the name of the target, and the input."""
        kept = json.loads(text)
        files = {name: base64.b64decode(data) for name, data in kept["files"].items()}
        return kept["target"], cls(kept["choice"], files)

    def write(self, folder: Path) -> Path:
        """Write the files to a folder."""
        made(folder)
        for name, data in self.files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(data)
        return folder


@dataclass(frozen=True)
class Target:
    """How an input is made, and how it is taken."""

    draw: Callable[[random.Random], Input]
    take: Callable[[Input], object]


def one_damaged(rng: random.Random, files: dict[str, bytes]) -> dict[str, bytes]:
    """Return files of which one is damaged."""
    name = rng.choice(sorted(files))
    return files | {name: mutated(rng, files[name])}


def made(folder: Path) -> Path:
    """Return a folder that exists."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Expect that an error of the block names the path."""
    try:
        yield
    except AndornotError as error:
        if str(path) not in str(error):
            raise UnnamedFileError(f"{path} is not named: {error}") from error
        raise
