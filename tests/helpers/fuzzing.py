"""Damaged inputs from valid ones, through everything that reads.

Each input is made from the name of its target and its number, so that any of them can be run again:
`python tests/helpers/fuzzing.py TARGET FIRST COUNT`. An input may be taken, or refused by an
AndornotError. Anything else is a finding: another exception, a dead process, too much CPU time or
memory, an error while a file is loaded that doesn't name it.
`tests/trust/cases` has the findings of the past, which stay mended.
"""

from __future__ import annotations

import errno
import random
import resource
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from fuzz_targets import TARGETS, Input, Target

from andornot.base.errors import AndornotError

SECONDS = 10.0  # of CPU time, for one input
MEMORY = 1_500_000_000  # bytes, for all inputs of a process
CASES = Path(__file__).parent.parent / "trust" / "cases"
_LARGEST_CASE = 50_000  # bytes of an input that is worth keeping


@dataclass
class Findings:
    """How many inputs ended how, and the numbers of those that failed."""

    outcomes: Counter = field(default_factory=Counter)
    failed: dict[int, str] = field(default_factory=dict)


def fuzz(
    target: str, first: int, number: int, *, seconds: float | None = None, keep: Path | None = None
) -> Findings:
    """Take inputs in processes of their own; one that dies is a finding, and the next goes on.

    Args:
        target: The name of a target.
        first: The number of the first input.
        number: How many inputs to take.
        seconds: Stop after so much time, however many inputs were taken.
        keep: A folder to which inputs that failed are written.
    """
    findings = Findings()
    end = None if seconds is None else time.monotonic() + seconds
    at, last = first, first + number
    with tempfile.TemporaryDirectory(prefix="andornot-fuzz-") as home:
        log = Path(home, "log")
        while at < last and (end is None or time.monotonic() < end):
            left = "" if end is None else str(max(1.0, end - time.monotonic()))
            log.write_text("")
            command = [sys.executable, __file__, target, str(at), str(last - at), str(log), left]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            for line in log.read_text().splitlines():
                case, outcome, *detail = line.split("\t", 2)
                if outcome == "begun":
                    at = int(case)
                    continue
                findings.outcomes[outcome] += 1
                at = int(case) + 1
                if outcome == "failed":
                    findings.failed[int(case)] = detail[0]
            if done.returncode == 0:
                break
            if not log.read_text():
                raise RuntimeError(f"{target} could not begin: {done.stderr}")
            findings.outcomes["died"] += 1
            findings.failed[at] = f"exit {done.returncode}: {done.stderr.strip()[-500:]}"
            at += 1
        if keep is not None and findings.failed:
            _keep(target, findings.failed, keep, Path(home, "seeds"))
    return findings


def _generator(target: str, number: int) -> random.Random:
    return random.Random(f"{target} {number}")


def _keep(target: str, numbers: dict[int, str], folder: Path, seeds: Path) -> None:
    """Write inputs to a folder, to be taken again by the tests."""
    made = TARGETS[target](seeds)
    folder.mkdir(parents=True, exist_ok=True)
    for number in numbers:
        text = made.draw(_generator(target, number)).to_json(target)
        if len(text) <= _LARGEST_CASE:
            (folder / f"{target}-{number}.json").write_text(text + "\n")


def outcome_of(target: Target, given: Input) -> tuple[str, str]:
    """Take an input; return "taken", "refused" or "failed", and what failed."""
    before = time.process_time()
    outcome, detail = "taken", ""
    try:
        target.take(given)
    except AndornotError as error:
        outcome = "refused"
        if _lacked_memory(error):
            outcome, detail = "failed", f"no memory: {error}"
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic of a library in Rust is not an Exception
        outcome = "failed"
        where = traceback.extract_tb(error.__traceback__)[-1]
        detail = f"{type(error).__name__}: {error} ({where.filename}:{where.lineno})"
    spent = time.process_time() - before
    if spent > SECONDS:
        outcome, detail = "failed", f"{spent:.0f} s of CPU time"
    return outcome, " ".join(detail.split())


def _lacked_memory(error: BaseException | None) -> bool:
    """Return True if an error is, or comes from, one about missing memory."""
    while error is not None:
        if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
            return True
        error = error.__cause__ or error.__context__
    return False


def _limit_memory() -> None:
    """Let this process take little more address space, so that too much of it is an error."""
    now = Path("/proc/self/statm")
    if now.exists():  # on Linux
        limit = int(now.read_text().split()[0]) * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _work(name: str, first: int, number: int, log: Path, seconds: float | None) -> None:
    """Take inputs in this process, and write what came of each."""
    warnings.simplefilter("ignore")
    end = None if seconds is None else time.monotonic() + seconds
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    with (
        tempfile.TemporaryDirectory(prefix="andornot-fuzz-") as home,
        log.open("a") as lines,
        patch("os.fsync"),  # no input cuts the power
    ):
        target = TARGETS[name](Path(home, name))
        _limit_memory()
        for i in range(first, first + number):
            if end is not None and time.monotonic() > end:
                break
            given = target.draw(_generator(name, i))
            print(i, "begun", sep="\t", file=lines, flush=True)
            limit = int(time.process_time() + 6 * SECONDS)  # a hang ends the process
            resource.setrlimit(resource.RLIMIT_CPU, (limit, hard))
            print(i, *outcome_of(target, given), sep="\t", file=lines)


if __name__ == "__main__":
    name, start, count_of, *rest = sys.argv[1:]
    if rest:
        _work(name, int(start), int(count_of), Path(rest[0]), float(rest[1]) if rest[1] else None)
    else:
        found = fuzz(name, int(start), int(count_of))
        print(dict(found.outcomes))
        for case_number, what in found.failed.items():
            print(case_number, what)
