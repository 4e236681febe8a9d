"""kill -9 at any moment of a command: the older or the newer output is there, and nothing is lost.

The command runs in a fork of this process, over an older output. It is killed after a part of the
time that it takes; then the same command must give the newer output and leave nothing else.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

from commands import run
from trials import OUTPUT, Trial, clear, environment, fingerprints

from andornot.base.folders import recover


def kill(trial: Trial, folder: Path, number: int, seed: int = 1) -> tuple[Counter, list[str]]:
    """Kill a command so many times; what came of it, and what went wrong."""
    rng = random.Random(f"{trial.name} {seed}")
    older, newer = (trial.arguments(folder, each) for each in (1, 2))
    seen: Counter = Counter()
    problems: list[str] = []
    with environment(folder, trial) as variables:
        clear(folder)
        old, new = (_whole(each, folder, variables) for each in (older, newer))
        at = 0
        while seen["kills"] < number and at < 4 * number:
            at += 1
            clear(folder, cache=at % 2 == 0)
            _whole(older, folder, variables)
            if at % 10 == 1:  # the machine may be busier than before
                _whole(older, folder, variables)
                duration = _seconds(newer, variables)
                clear(folder, cache=at % 2 == 0)
                _whole(older, folder, variables)
            killed = _killed_after(rng.uniform(0, duration), newer, variables)
            seen["kills" if killed else "ended before"] += 1
            now = fingerprints(folder)
            broken = [
                name
                for name in {**old, **new}
                if not name.startswith(".") and now.get(name) not in (old.get(name), new.get(name))
            ]
            if broken and not _is_recovered(folder, old, new, broken):
                problems.append(f"{trial.name}, kill {at}: {broken} is broken or lost")
            seen["left something"] += any(name not in {**old, **new} for name in now)
            seen["already new"] += all(now.get(name) == each for name, each in new.items())
            done = run(*newer, env=variables)
            again = fingerprints(folder)
            if again != new:
                left = sorted(set(again) ^ set(new)) or "another output"
                said = done.stderr.strip()[-300:]
                problems.append(f"{trial.name}, kill {at}: after the rerun {left}; {said}")
    return seen, problems


def _whole(command, folder: Path, variables: dict[str, str]) -> dict[str, str]:
    """Run a command to its end; what is there then."""
    done = run(*command, env=variables)
    assert done.returncode == 0, done.stderr
    return fingerprints(folder)


def _forked(command, variables: dict[str, str]) -> int:
    """Start a command in a fork; the number of its process."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        code = run(*command, env=variables).returncode
    finally:
        os._exit(code)


def _seconds(command, variables: dict[str, str]) -> float:
    began = time.monotonic()
    os.waitpid(_forked(command, variables), 0)
    return time.monotonic() - began


def _killed_after(seconds: float, command, variables: dict[str, str]) -> bool:
    """Kill a command after so many seconds; whether it was still at work."""
    child = _forked(command, variables)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def _is_recovered(folder: Path, old: dict, new: dict, broken: list[str]) -> bool:
    """Whether the replacements of folders that were cut off half-way are finished when opened.

    On Linux nothing is cut off, because two folders exchange their names in one step.
    """
    if sys.platform == "linux":
        return False
    for inner in {Path(name).parent for name in broken}:
        for each in [*reversed(inner.parents), inner][1:]:  # without the folder of all outputs
            recover(folder / OUTPUT / each)
    now = fingerprints(folder)
    return any(all(now.get(name) == each.get(name) for name in broken) for each in (old, new))
