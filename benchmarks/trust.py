"""Disturb everything: faults at every write, kill -9, damaged inputs, hostile requests.

    python benchmarks/trust.py --again --write results/trust

runs all of it, for hours; --parts chooses. Each row of a part is kept in the .json as it ends, with
the date and the size of the part. Without --again a run that was interrupted goes on after the last
row, and a part that was run at this size stays. Processes that run different parts at the same time
can write to the same file. Inputs that fail are written to tests/trust/cases. All requests go to
loopback.
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
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

from filelock import FileLock
from reporting import machine

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))
from faults import inject
from fuzzing import CASES, TARGETS, fuzz
from hostile import QUICK, Load, load
from kills import kill
from serving import serving
from trials import TRIALS, Trial, fetching, prepare

SHARES = {  # of all inputs: what is quick to take gets more of them
    "spaces": 0.25,
    "models": 0.05,
    "texts": 0.25,
    "archives": 0.05,
    "queries": 0.2,
    "bodies": 0.1,
    "counts": 0.03,
    "parquet": 0.03,
    "partial_counts": 0.005,
    "corpora": 0.01,
    "token_counts": 0.015,
    "checkpoints": 0.01,
}
STEPS = 20  # an interrupted run loses at most this part of a kind of input
SHORTEST = 500  # inputs of a step: each begins with a new process
CONNECTIONS = 64
SLOWER = 2.0  # times that quick requests may take beside hostile ones
GROWTH = 1.1  # times the memory that the service may have at the end
ROUNDS = 3  # of valid requests alone and beside hostile ones
Row = dict[str, object]


class Record:
    """The rows of one part, kept in a file as they end."""

    def __init__(self, path: Path | None, part: str, size: dict[str, object], again: bool) -> None:
        self._path, self._part = path, part
        known = _written(path).get(part)
        if again or known is None or known["size"] != size:
            known = {"size": size, "begun": _now(), "ended": None, "rows": {}}
        self._known = known

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to do."""
        return self._known["ended"] is not None

    def __getitem__(self, name: str) -> Row | None:
        return self._known["rows"].get(name)

    def __setitem__(self, name: str, row: Row) -> None:
        self._known["rows"][name] = row
        print(self._part, name, row, flush=True)
        self._save()

    def end(self) -> None:
        """Note that the part is complete."""
        self._known["ended"] = _now()
        self._save()

    def _save(self) -> None:
        if self._path is None:
            _IN_MEMORY[self._part] = self._known
            return
        with FileLock(tempfile.gettempdir() + "/andornot-trust.lock"):
            parts = _written(self._path) | {self._part: self._known}
            parts = {name: parts[name] for name in PARTS if name in parts}
            whole = {"machine": machine(), "parts": parts}
            self._path.write_text(json.dumps(whole, indent=1) + "\n")
            self._path.with_suffix(".md").write_text(table(parts))


_IN_MEMORY: dict[str, dict] = {}


def _written(path: Path | None) -> dict[str, dict]:
    """Return the parts that were run so far."""
    if path is None or not path.exists():
        return dict(_IN_MEMORY)
    return json.loads(path.read_text()).get("parts", {})


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M}"


# --- the parts -----------------------------------------------------------------------------------


@contextmanager
def trial_folder() -> Iterator[Path]:
    """Make a folder with what the commands read."""
    with tempfile.TemporaryDirectory(prefix="andornot-trust-") as home:
        folder = Path(home, "trial")
        folder.mkdir()
        prepare(folder)
        yield folder


def every_trial(record: Record, work: Callable[[Trial, Path], tuple[Counter, list[str]]]) -> None:
    """Do the same to every command that writes."""
    with fetching() as fetch:
        for trial in [*TRIALS, fetch]:
            if record[trial.name] is None:
                with trial_folder() as folder:
                    seen, problems = work(trial, folder)
                record[trial.name] = {**seen, "problems": problems}


def faults(record: Record, options: argparse.Namespace) -> None:
    """ENOSPC, EIO and a short write at every write of every command."""
    every_trial(record, lambda trial, folder: inject(trial, folder, options.most))


def kills(record: Record, options: argparse.Namespace) -> None:
    """Kill -9 at random moments of every command."""
    every_trial(record, lambda trial, folder: kill(trial, folder, options.kills))


def damaged(record: Record, options: argparse.Namespace) -> None:
    """Damaged inputs through every reader, the query language, requests and training."""
    for target in TARGETS:
        number = round(SHARES[target] * options.inputs)
        row = record[target] or {"inputs": 0, "seconds": 0, "problems": []}
        while (first := row["inputs"]) < number:
            step = min(max(SHORTEST, number // STEPS), number - first)
            began = time.perf_counter()
            result = fuzz(target, first, step, keep=CASES)
            row = dict(row)
            for outcome, count in result.outcomes.items():
                row[outcome] = row.get(outcome, 0) + count
            row["inputs"] = first + step
            row["seconds"] += round(time.perf_counter() - began)
            found = [f"{target} {case}: {what}" for case, what in result.failed.items()]
            row["problems"] = [*row["problems"], *found]
            record[target] = row


def requests(record: Record, options: argparse.Namespace) -> None:
    """Valid requests alone, then beside as many hostile ones, at 64 connections in all.

    The two take turns, so that another load of the machine meets both.
    """
    half = CONNECTIONS // 2
    kinds = {"valid alone": (0, 0.2), "with hostile ones": (half, 0.8)}
    found = {name: Load() for name in kinds}
    with serving() as running:
        load(running.url, running.process.pid, 5, valid=half, hostile=0)  # to compile and warm up
        for turn in range(ROUNDS):
            for name, (hostile, part) in kinds.items():
                seconds = 60 * options.minutes * part / ROUNDS
                found[name] += load(
                    running.url,
                    running.process.pid,
                    seconds,
                    valid=half,
                    hostile=hostile,
                    seed=turn,
                )
    for name, (_, part) in kinds.items():
        row = judged(found[name], found["valid alone"])
        row["problems"] = [f"{name}: {problem}" for problem in row["problems"]]
        record[name] = {"seconds": round(60 * options.minutes * part), **row}


def judged(result: Load, alone: Load) -> Row:
    """Return the figures of a load, and what is wrong with them.

    Asks are quick, and files of the page: hostile requests may delay neither much. Slow requests
    give way to them, so their times are only reported.
    """
    size = max(1, len(result.memory) // 10)
    first, last = max(result.memory[:size]), max(result.memory[-size:])
    slowest = {kind: result.percentile(0.99, kind) for kind in sorted(result.seconds)}
    delays = {kind: slowest[kind] / alone.percentile(0.99, kind) for kind in QUICK}
    problems = [f"{what}: {count:,} times" for what, count in result.unexpected.items()]
    problems += [
        f"p99 of {kind} is {delay:.1f} times that without hostile requests; at most {SLOWER:g}"
        for kind, delay in delays.items()
        if delay > SLOWER
    ]
    if last > GROWTH * first:
        problems.append(f"memory grew to {last / first:.2f} times; at most {GROWTH:g}")
    return {
        "valid": sum(result.valid.values()),
        "hostile": sum(result.hostile.values()),
        "valid statuses": dict(result.valid),
        "statuses": dict(result.hostile),
        "p50 ms": round(1000 * result.percentile(0.5), 1),
        "p99 ms": round(1000 * slowest["ask"], 1),
        "p99 / alone": round(delays["ask"], 2),
        "p99 ms by kind": {kind: round(1000 * p99, 1) for kind, p99 in slowest.items()},
        "memory at first MB": round(first / 1000),
        "memory at last MB": round(last / 1000),
        "problems": problems,
    }


@dataclass(frozen=True)
class Part:
    """A part of the trial: its work, the options for its size, and the columns of its table."""

    run: Callable[[Record, argparse.Namespace], None]
    size: str
    columns: tuple[str, ...]


PARTS = {
    "faults": Part(faults, "most", ("operations", "faults", "refused", "done")),
    "kills": Part(kills, "kills", ("kills", "left something", "already new", "ended before")),
    "damaged": Part(damaged, "inputs", ("inputs", "taken", "refused", "failed", "died", "seconds")),
    "requests": Part(
        requests,
        "minutes",
        (
            "seconds",
            "valid",
            "hostile",
            "p50 ms",
            "p99 ms",
            "p99 / alone",
            "memory at first MB",
            "memory at last MB",
        ),
    ),
}


def table(parts: dict[str, dict]) -> str:
    """Return a table of each part."""
    command = "python benchmarks/trust.py --again --write results/trust"
    lines = ["# Trust", "", f"`{command}`; {machine()}. Its options make a part smaller.", ""]
    for name, known in parts.items():
        part = PARTS[name]
        ((option, size),) = known["size"].items()
        said = f"`--{option} {size:,}`" if size is not None else "At full size"
        when = f"ended {known['ended']}" if known["ended"] else "not ended"
        lines += [f"## {name.capitalize()}", "", str(part.run.__doc__).partition("\n")[0]]
        lines += [f"{said}; begun {known['begun']} UTC, {when}.", ""]
        lines += [f"| | {' | '.join(part.columns)} | problems |"]
        lines += ["|---|" + "---:|" * (len(part.columns) + 1)]
        for row_name, row in known["rows"].items():
            cells = [f"{row.get(column, 0):,}" for column in part.columns]
            lines.append(f"| {row_name} | {' | '.join(cells)} | {len(row['problems'])} |")
        lines += ["", *[f"- {each}" for row in known["rows"].values() for each in row["problems"]]]
        lines.append("")
    return "\n".join(lines).replace("\n\n\n", "\n\n").rstrip() + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--write", type=Path, help="also write FILE.json and FILE.md")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--most", type=int, help="writes of each command; default: all")
    parser.add_argument("--kills", type=int, default=100, help="of each command")
    parser.add_argument("--inputs", type=int, default=1_000_000, help="damaged inputs in all")
    parser.add_argument("--minutes", type=float, default=30, help="of requests")
    parser.add_argument("--again", action="store_true", help="begin the parts anew")
    options = parser.parse_args()
    path = None if options.write is None else options.write.with_suffix(".json")
    for name in options.parts:
        part = PARTS[name]
        size = {part.size: getattr(options, part.size)}
        record = Record(path, name, size, options.again)
        if not record.is_complete:
            with patch("os.fsync"):  # no trial cuts the power, and many write
                part.run(record, options)
            record.end()
    parts = _written(path)
    print(table(parts))
    sys.exit(any(row["problems"] for known in parts.values() for row in known["rows"].values()))


if __name__ == "__main__":
    os.environ.pop("ANDORNOT_DATA", None)
    main()
