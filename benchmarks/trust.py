"""Disturb everything: faults at every write, kill -9, damaged inputs, hostile requests.

`python benchmarks/trust.py --write results/trust` runs all of it, for hours; --parts chooses. Each
part is kept in the .json as it ends, so that a run that was interrupted goes on after it. All
requests go to loopback.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from reporting import machine

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))
from faults import inject
from fuzzing import TARGETS, fuzz
from hostile import load
from kills import kill
from serving import serving
from trials import TRIALS, Trial, fetching, prepare

# of a million: what is quick to run gets more of them
SHARES = {
    "spaces": 0.3,
    "texts": 0.3,
    "queries": 0.25,
    "bodies": 0.1,
    "counts": 0.03,
    "corpora": 0.01,
    "checkpoints": 0.01,
}
CONNECTIONS = 64


@contextmanager
def trial_folder() -> Iterator[Path]:
    """A folder with what the commands read."""
    with tempfile.TemporaryDirectory(prefix="andornot-trust-") as home:
        folder = Path(home, "trial")
        folder.mkdir()
        prepare(folder)
        yield folder


def every_trial(work: Callable[[Trial, Path], tuple[Counter, list[str]]]) -> dict[str, dict]:
    """Do the same to every command that writes."""
    found = {}
    with fetching() as fetch:
        for trial in [*TRIALS, fetch]:
            with trial_folder() as folder:
                seen, problems = work(trial, folder)
            found[trial.name] = {**seen, "problems": problems}
            print(trial.name, dict(seen), *problems[:5], sep="\n  ", flush=True)
    return found


def faults(options: argparse.Namespace) -> dict[str, dict]:
    """ENOSPC, EIO and a short write at every write of every command."""
    return every_trial(lambda trial, folder: inject(trial, folder, options.most))


def kills(options: argparse.Namespace) -> dict[str, dict]:
    """Kill -9 at random moments of every command."""
    return every_trial(lambda trial, folder: kill(trial, folder, options.kills))


def damaged(options: argparse.Namespace) -> dict[str, dict]:
    """Damaged inputs through every reader, the query language, requests and training."""
    found = {}
    for target in TARGETS:
        began = time.perf_counter()
        result = fuzz(target, 0, round(SHARES[target] * options.inputs), seconds=options.seconds)
        found[target] = {
            **result.outcomes,
            "seconds": round(time.perf_counter() - began),
            "problems": [f"case {case}: {what}" for case, what in result.failed.items()],
        }
        print(target, found[target], flush=True)
    return found


def requests(options: argparse.Namespace) -> dict[str, dict]:
    """Valid requests alone, then beside as many hostile ones, at 64 connections in all."""
    found = {}
    half = CONNECTIONS // 2
    with serving() as running:
        load(running.url, running.process.pid, 5, valid=half, hostile=0)  # to compile and warm up
        for name, hostile, part in (("valid alone", 0, 0.1), ("with hostile ones", half, 0.9)):
            seconds = 60 * options.minutes * part
            result = load(running.url, running.process.pid, seconds, valid=half, hostile=hostile)
            size = max(1, len(result.memory) // 10)
            found[name] = {
                "seconds": seconds,
                "valid": sum(result.valid.values()),
                "hostile": sum(result.hostile.values()),
                "statuses": dict(result.hostile),
                "p50 ms": round(1000 * result.percentile(0.5), 1),
                "p99 ms": round(1000 * result.percentile(0.99), 1),
                "memory at first MB": round(max(result.memory[:size]) / 1000),
                "memory at last MB": round(max(result.memory[-size:]) / 1000),
                "problems": [f"{name}: {count}" for name, count in result.unexpected.items()],
            }
            print(name, found[name], flush=True)
    return found


PARTS = {"faults": faults, "kills": kills, "damaged": damaged, "requests": requests}
COLUMNS = {
    "faults": ("operations", "faults", "refused", "done"),
    "kills": ("kills", "left something", "already new", "ended before"),
    "damaged": ("taken", "refused", "failed", "died", "seconds"),
    "requests": (
        "seconds",
        "valid",
        "hostile",
        "p50 ms",
        "p99 ms",
        "memory at first MB",
        "memory at last MB",
    ),
}


def table(result: dict) -> str:
    """The counts of all parts, a table for each."""
    lines = ["# Trust", "", f"`python benchmarks/trust.py --write results/trust`; {machine()}.", ""]
    lines += ["Its options make it shorter: the counts say how much of it was run.", ""]
    for part, found in result.items():
        names = COLUMNS[part]
        lines += [f"## {part.capitalize()}", "", str(PARTS[part].__doc__), ""]
        lines += [f"| | {' | '.join(names)} | problems |", "|---|" + "---:|" * (len(names) + 1)]
        for name, each in found.items():
            cells = [f"{each.get(column, 0):,}" for column in names]
            lines.append(f"| {name} | {' | '.join(cells)} | {len(each['problems'])} |")
        lines += ["", *[f"- {problem}" for each in found.values() for problem in each["problems"]]]
        lines.append("")
    return "\n".join(lines).replace("\n\n\n", "\n\n").rstrip() + "\n"


def _written(path: Path | None) -> dict:
    """The parts that earlier runs have done."""
    if path is None or not path.exists():
        return {}
    return json.loads(path.read_text())["result"]


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--write", type=Path, help="also write FILE.json and FILE.md")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--most", type=int, help="writes of each command; default: all")
    parser.add_argument("--kills", type=int, default=100, help="of each command")
    parser.add_argument("--inputs", type=int, default=1_000_000, help="damaged inputs in all")
    parser.add_argument("--seconds", type=float, help="most time for each kind of damaged input")
    parser.add_argument("--minutes", type=float, default=30, help="of requests")
    parser.add_argument("--again", action="store_true", help="run parts that are there already")
    options = parser.parse_args()
    path = None if options.write is None else options.write.with_suffix(".json")
    result = _written(path)
    for part in options.parts:
        found = None
        if part not in result or options.again:
            with patch("os.fsync"):  # no trial cuts the power, and many write
                found = PARTS[part](options)
        known = result | _written(path)  # another run may have done other parts meanwhile
        if found is not None:
            known[part] = found
        result = {name: known[name] for name in PARTS if name in known}
        if path is not None:
            path.write_text(json.dumps({"machine": machine(), "result": result}, indent=2) + "\n")
            path.with_suffix(".md").write_text(table(result))
    print(table(result))
    sys.exit(any(each["problems"] for found in result.values() for each in found.values()))


if __name__ == "__main__":
    os.environ.pop("ANDORNOT_DATA", None)
    main()
