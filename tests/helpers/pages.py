"""Read the examples of a Markdown page and run them.

A page is Markdown with fenced blocks. Blocks of `sh` and `python` are examples, and a block without
a language directly after one is the output that it prints. A comment before an example says what is
special about it:

    <!-- needs: gensim, data:wordnet-3.0 -->  run where these modules and datasets are installed
    <!-- not run: needs a text of your own --> only check that the command accepts the options
    <!-- output: varies -->                    run, but do not compare the output
    <!-- exits: 1 -->                          the last command ends with this status

Examples of a page run from top to bottom in one folder that has copies of `examples/` and of the
pages. `pip install` is left out, and so are examples that start a service or talk to one. Python
examples share their names. `...` in an output stands for any characters.
"""

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import patch

from commands import run

from andornot.datasets.locating import find

ROOT = Path(__file__).parents[2]
FENCE = re.compile(
    r"(?P<marks>(?:<!--[^>]*-->\n+)*)```(?P<language>sh|python)\n(?P<code>.*?)```\n"
    r"(?:\n```(?:text)?\n(?P<output>.*?)```\n)?",
    re.DOTALL,
)
SERVICE = re.compile(r"^(?:andornot serve|curl)\b| && andornot serve\b", re.MULTILINE)
SHELL_SIGNS = re.compile(r"[|<>;*$`]|&&")


@dataclass
class Example:
    """A block of code with the output that the page shows, and what its marks say."""

    language: str
    code: str
    output: str | None
    start: int  # of the output's text in the page; where it would be if there is none
    marks: dict[str, str] = field(default_factory=dict)

    @property
    def runs(self) -> bool:
        return "not run" not in self.marks and not SERVICE.search(self.code)

    def missing(self) -> list[str]:
        """Return the needed modules and datasets that are not installed."""
        needs = [name.strip() for name in self.marks.get("needs", "").split(",")]
        return [name for name in needs if name and not _installed(name)]


def pages() -> dict[str, Path]:
    """Return the pages with examples by their path in the repository."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return {path.relative_to(ROOT).as_posix(): path for path in found}


def examples(text: str) -> list[Example]:
    """Return the examples of a page, in order."""
    found = []
    for match in FENCE.finditer(text):
        marks = dict(
            (part.strip() for part in mark.partition(":")[::2])
            for mark in re.findall(r"<!--(.*?)-->", match["marks"], re.DOTALL)
        )
        start = match.start("output") if match["output"] is not None else match.end()
        found.append(Example(match["language"], match["code"], match["output"], start, marks))
    return found


def commands_of(example: Example) -> list[list[str]]:
    """Return the arguments of each `andornot` in a shell example."""
    code = example.code.replace("\\\n", " ")
    found = []
    for line in code.splitlines():
        for part in re.split(r"\s&&\s", line):
            words = shlex.split(part, comments=True)
            if words[:1] == ["andornot"]:
                found.append(words[1:])
    return found


class Runner:
    """Runs the examples of one page in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, object] = {"__name__": "page"}
        shutil.copytree(ROOT / "examples", folder / "examples")
        (folder / "docs").mkdir()
        for path in (ROOT / "docs").glob("*.md"):
            shutil.copy(path, folder / "docs")
        program = folder / ".bin" / "andornot"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m andornot "$@"\n')
        program.chmod(0o755)

    def run(self, example: Example) -> str:
        """Run an example, check its status and return what it printed."""
        environment = dict(os.environ)
        if "data:" not in example.marks.get("needs", ""):
            environment.pop("ANDORNOT_DATA", None)  # answers must not depend on WordNet
        environment["PATH"] = os.pathsep.join([str(self.folder / ".bin"), os.environ["PATH"]])
        with patch.dict(os.environ, environment, clear=True), chdir(self.folder):
            if example.language == "python":
                return self._python(example.code)
            return self._shell(example)

    def _python(self, code: str) -> str:
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(code, "page", "exec"), self.names)
        return printed.getvalue()

    def _shell(self, example: Example) -> str:
        status = int(example.marks.get("exits", "0"))
        code = re.sub(r"^pip install .*?( && |$)", "", example.code, flags=re.MULTILINE)
        commands = commands_of(example)
        plain = all(line.startswith("andornot ") for line in _lines(code))
        if plain and not any(_needs_a_shell(line) for line in _lines(code)):
            printed = ""
            for command in commands:
                done = run(*command)
                printed += done.stderr + done.stdout if status else done.stdout + _notes(done)
            assert done.returncode == status, done.stderr
            return printed
        done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, timeout=600)
        assert done.returncode == status, done.stderr
        return done.stdout + _notes(done)


def _notes(done: subprocess.CompletedProcess[str]) -> str:
    """Return the lines of standard error that a page shows too."""
    return "".join(line + "\n" for line in done.stderr.splitlines() if line.startswith("note: "))


def _lines(code: str) -> Iterator[str]:
    for line in code.replace("\\\n", " ").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line


def _needs_a_shell(line: str) -> bool:
    outside = re.sub(r"'[^']*'|\"[^\"]*\"", "", line)
    return bool(SHELL_SIGNS.search(outside))


def _installed(name: str) -> bool:
    kind, _, rest = name.partition(":")
    if kind == "data":
        return find(rest) is not None
    if kind == "program":
        return shutil.which(rest) is not None
    return find_spec(name) is not None


def agree(shown: str, printed: str) -> bool:
    """Whether an output is the one shown: words are equal, numbers within rounding."""
    if "..." in shown:
        parts = [re.escape(" ".join(part.split())) for part in shown.split("...")]
        return re.search(r"\s?.*?\s?".join(parts), " ".join(printed.split()), re.DOTALL) is not None
    expected, found = shown.split(), printed.split()
    return len(expected) == len(found) and all(map(_same, expected, found))


def _same(expected: str, found: str) -> bool:
    if expected == found:
        return True
    one, other = (
        re.findall(r"-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?", each) for each in (expected, found)
    )
    if len(one) != len(other) or not one:
        return False
    if re.sub(r"[\d.,e-]", "", expected) != re.sub(r"[\d.,e-]", "", found):
        return False
    pairs = (
        (float(a.replace(",", "")), float(b.replace(",", "")))
        for a, b in zip(one, other, strict=True)
    )
    return all(abs(a - b) <= max(0.002, 0.01 * abs(a)) for a, b in pairs)
