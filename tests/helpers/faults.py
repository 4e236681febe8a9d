"""Faults at the n-th write: a full disk, a broken one, and writes that take only a part.

Every file that this process opens for writing is counted, with each write to it, each flush to the
disk and each rename or exchange of two names. Kernels write through memory maps nowhere but in
files that are there already.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from commands import run
from trials import OUTPUT, Trial, clear, environment, fingerprints

from andornot.base import folders

KINDS = {"ENOSPC": errno.ENOSPC, "EIO": errno.EIO, "short": None}
_OPEN, _FSYNC, _LINK = io.open, os.fsync, os.link
_REPLACE, _RENAME, _EXCHANGE = os.replace, os.rename, folders.exchange


class Faults:
    """Counts what is done to the disk, and lets one operation fail.

    `links` are operations that are done in another way if they fail. `struck` is the path of the
    operation that failed, `flushed` has the inodes of all that was flushed to the disk.
    """

    def __init__(self, at: int, kind: str, below: Path) -> None:
        self.done = 0
        self.links = 0
        self.struck: Path | None = None
        self.flushed: set[int] = set()
        self._at, self._code, self._below = at, KINDS[kind], str(below)

    def counts(self, path: object) -> bool:
        """Whether a path is among those that are watched."""
        return not isinstance(path, int) and str(Path(str(path)).absolute()).startswith(self._below)

    def strikes(self, path: object) -> bool:
        """Count an operation on a path; whether it is the one."""
        self.done += 1
        if self.done == self._at:
            self.struck = Path(str(path)).absolute()
        return self.done == self._at

    def error(self, path: object) -> OSError:
        """The error of the operation."""
        code = self._code or errno.EIO
        return OSError(code, os.strerror(code), str(path))

    @property
    def is_short(self) -> bool:
        """Whether a write takes a part, instead of failing."""
        return self._code is None


def _faulty(faults: Faults) -> type[io.FileIO]:
    class Faulty(io.FileIO):
        def write(self, data):  # type: ignore[no-untyped-def]
            if faults.strikes(self.name):
                if not faults.is_short:
                    code = faults.error(None).errno
                    raise OSError(code, os.strerror(code))  # as the system does, without a name
                data = memoryview(data).cast("B")
                return super().write(data[: max(1, len(data) // 2)])
            return super().write(data)

    return Faulty


@contextmanager
def failing(at: int, kind: str, below: Path) -> Iterator[Faults]:
    """Let the n-th operation on files below a folder fail; 0 only counts them."""
    faults = Faults(at, kind, below)
    file_type = _faulty(faults)

    def opened(
        file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, *more, **options
    ):  # type: ignore[no-untyped-def]
        if not (set(mode) & set("wxa+")) or not faults.counts(file):
            return _OPEN(file, mode, buffering, encoding, errors, newline, *more, **options)
        plain = mode.replace("b", "").replace("t", "")
        raw = file_type(file, plain, opener=options.get("opener"))
        stream = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
        return stream if "b" in mode else io.TextIOWrapper(stream, encoding, errors, newline)

    def fsync(number):  # type: ignore[no-untyped-def]
        path = Path(f"/proc/self/fd/{number}").readlink()
        if faults.counts(path) and faults.strikes(path) and not faults.is_short:
            raise faults.error(path)
        faults.flushed.add(os.fstat(number).st_ino)

    def exchange(first: Path, second: Path) -> bool:
        faults.links += faults.counts(second)
        if faults.counts(second) and faults.strikes(second) and not faults.is_short:
            return False
        return _EXCHANGE(first, second)

    def renaming(call):  # type: ignore[no-untyped-def]
        def called(source, target, **options):  # type: ignore[no-untyped-def]
            faults.links += call is _LINK and faults.counts(target)
            if faults.counts(target) and faults.strikes(target) and not faults.is_short:
                raise faults.error(target)
            return call(source, target, **options)

        return called

    with (
        patch.object(io, "open", opened),
        patch.object(builtins, "open", opened),
        patch.object(os, "fsync", fsync),
        patch.object(os, "link", renaming(_LINK)),
        patch.object(os, "replace", renaming(_REPLACE)),
        patch.object(os, "rename", renaming(_RENAME)),
        patch.object(folders, "exchange", exchange),
    ):
        yield faults


def inject(trial: Trial, folder: Path, most: int | None = None) -> tuple[Counter, list[str]]:
    """Run a command with a fault at each of its writes; what came of it, and what went wrong.

    Args:
        trial: The command.
        folder: A folder with what the commands read (`trials.prepare`).
        most: Try at most so many of the operations, evenly spread.
    """
    older, newer = (list(trial.arguments(folder, seed)) for seed in (1, 2))
    problems: list[str] = []
    seen: Counter = Counter()
    with environment(folder, trial) as variables:
        clear(folder)
        _must(run(*older, env=variables))
        old = fingerprints(folder)
        before = {path.stat().st_ino for path in (folder / OUTPUT).rglob("*")}
        with failing(0, "EIO", folder) as faults:
            _must(run(*newer, env=variables))
        new, number = fingerprints(folder), faults.done
        links = faults.links
        problems += [
            f"{trial.name}: {path} is not flushed to the disk"
            for path in (folder / OUTPUT).rglob("*")
            if path.stat().st_ino not in faults.flushed | before
        ]
        step = 1 if most is None else max(1, number // most)
        for kind in KINDS:
            for at in range(1, number + 1, step):
                clear(folder)
                _must(run(*older, env=variables))
                with failing(at, kind, folder) as faults:
                    done = run(*newer, env=variables)
                names = _names_of(faults.struck, folder, {**old, **new})
                seen["faults"] += 1
                seen["refused" if done.returncode else "done"] += 1
                problems += [
                    f"{trial.name}, {kind} at {at}: {problem}"
                    for problem in _judge(done, fingerprints(folder), old, new, names, kind)
                ]
                again = run(*newer, env=variables)
                if again.returncode or fingerprints(folder) != new:
                    said = again.stderr.strip()[-300:]
                    names = sorted(fingerprints(folder))
                    problems.append(f"{trial.name}, {kind} at {at}: the rerun has {names}: {said}")
    seen["operations"], seen["links"] = number, links
    return seen, problems


def _names_of(struck: Path | None, folder: Path, outputs: dict[str, str]) -> set[str]:
    """What an error may name: an output, a folder of it, or the file of the operation that failed.

    That of a temporary file is the file that it becomes, or a folder that it is in.
    """
    names = {
        str(folder / OUTPUT / each)
        for name in map(Path, outputs)
        for each in (name, *name.parents[:-1])
    }
    if struck is None:  # what was counted is not done every time
        return names
    for path in (struck, *struck.parents):
        if path == folder or folder not in path.parents:
            break
        stem = re.sub(r"\.[0-9a-f]{8}\.(tmp|old)$", "", path.name)
        names |= {str(path), str(path.with_name(stem)), str(path.with_name(stem.lstrip(".")))}
    return names


def _judge(done, now, old, new, names, kind) -> Iterator[str]:
    """What is wrong after a fault: a traceback, an error without a file, a broken output."""
    visible = {name for name in {**old, **new} if not name.startswith(".")}
    broken = [name for name in visible if now.get(name) not in (old.get(name), new.get(name))]
    if broken:
        yield f"{broken} is neither the old nor the new one"
    if "Traceback" in done.stderr:
        yield f"a traceback: {done.stderr[-300:]}"
    if done.returncode == 0:
        if any(now.get(name) != new[name] for name in new):
            yield "it says that all went well, and its output isn't the new one"
    elif not any(re.search(rf"{re.escape(name)}(?![\w/])", done.stderr) for name in names):
        yield f"the error names neither an output nor the file: {done.stderr}"
    elif kind == "short":
        yield f"a write that took a part ended the run: {done.stderr}"


def _must(done) -> None:
    assert done.returncode == 0, done.stderr
