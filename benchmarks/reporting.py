"""What the benchmarks share: the text, which machine it was, and the two files of a result."""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from andornot.base.files import Source
from andornot.corpus.tokenizing import find_words


def machine() -> str:
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"


def text_of(name: str, folder: Path) -> Path:
    """A plain copy of a corpus: decompressing is not what is measured."""
    source = Path(os.environ["ANDORNOT_DATA"]) / "corpora" / f"{name}.txt.xz"
    target = folder / f"{name}.txt"
    with Source(source) as packed, target.open("wb") as file:
        while block := packed.read(1 << 24):
            file.write(block)
    return target


def tokens_of(name: str, folder: Path, size: int) -> Path:
    """Write the first tokens of a corpus: lower-case words, a line for each of its lines."""
    target = folder / f"{name}-{size}.txt"
    source = Path(os.environ["ANDORNOT_DATA"]) / "corpora" / f"{name}.txt.xz"
    left = size
    tail = b""
    with Source(source) as packed, target.open("wb") as file:
        while left and (block := packed.read(1 << 22)):
            whole, _, tail = (tail + block).rpartition(b"\n")
            text = find_words(np.frombuffer(whole, dtype=np.uint8))[0].tobytes()
            for line in text.splitlines():
                words = line.split()[:left]
                left -= len(words)
                if words:
                    file.write(b" ".join(words) + b"\n")
    return target


def kept(folder: Path, name: str, make: Callable[[Path], None]) -> tuple[Path, float]:
    """What a slow program has made, and in how many seconds; made now where it isn't there."""
    path, record = folder / name, folder / f"{name}.json"
    if not record.exists():
        started = time.perf_counter()
        make(path)
        record.write_text(json.dumps({"seconds": time.perf_counter() - started}))
    return path, json.loads(record.read_text())["seconds"]


def write_report(path: Path | None, result: object, table: str) -> None:
    """Print the table, and write it beside the numbers where a path is given."""
    print(table)
    if path is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    numbers = {"machine": machine(), "result": result}
    path.with_suffix(".json").write_text(json.dumps(numbers, indent=2) + "\n")
    path.with_suffix(".md").write_text(table)


def run(description: str, measure: Callable[[], dict], table: Callable[[dict], str]) -> None:
    """The command of a benchmark without options of its own."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--write", type=Path, help="also write FILE.json and FILE.md")
    options = parser.parse_args()
    result = measure()
    write_report(options.write, result, table(result))
