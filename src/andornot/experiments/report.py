"""The result of an experiment: tables with the paper's figures and ours, numbers, a figure."""

from __future__ import annotations

import importlib.util
import io
import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from andornot.base.errors import FileError
from andornot.base.files import writing
from andornot.base.outputs import check_folder
from andornot.base.regular_files import read_small
from andornot.base.replacing import replacing, replacing_together

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Cell = str | int | float | None


@dataclass(frozen=True)
class Table:
    """Rows under a header; floats are shown with `digits` decimal places."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    digits: int = 3

    def markdown(self) -> str:
        """Return the table in Markdown, under its title if it has one.

        >>> print(Table("Two", ("name", "ours"), (("a", 0.5), ("b", None))).markdown())
        **Two**
        <BLANKLINE>
        | name | ours |
        |---|---|
        | a | 0.500 |
        | b |  |
        """
        lines = [f"**{self.title}**", ""] if self.title else []
        lines.append(f"| {' | '.join(self.header)} |")
        lines.append("|" + "---|" * len(self.header))
        lines += [f"| {' | '.join(map(self._shown, row))} |" for row in self.rows]
        return "\n".join(lines)

    def _shown(self, cell: Cell) -> str:
        if cell is None:
            return ""
        if isinstance(cell, float):
            tiny = 0 < abs(cell) < 0.1**self.digits / 2
            return f"{cell:.1e}" if tiny else f"{cell:.{self.digits}f}"
        return f"{cell:,}" if isinstance(cell, int) else cell.replace("|", "\\|")


def listed(statements: Iterable[str]) -> str:
    """Return statements as a list in Markdown; empty ones are left out.

    >>> print(listed(["The cosine is 0.9.", "", "The rank is 1."]))
    - The cosine is 0.9.
    - The rank is 1.
    """
    return "\n".join(f"- {each}" for each in statements if each)


@dataclass(frozen=True)
class Finding:
    """One of the main figures of an experiment, and the paper's figure."""

    what: str
    ours: float | int
    paper: float | int | None = None


class Verdict(StrEnum):
    """The verdict on a claim of the paper."""

    REPRODUCED = "reproduced"
    ELSEWHERE = "holds for another model"
    IN_PART = "in part"
    NOT = "not reproduced"
    NOT_TESTED = "not tested"


@dataclass(frozen=True)
class Claim:
    """A claim of the paper, the verdict, our figure, and the cause of a gap."""

    what: str
    verdict: Verdict
    figure: str = ""
    cause: str = ""


@dataclass(frozen=True)
class Result:
    """The result of an experiment.

    Attributes:
        name: The experiment.
        title: Heading of its page.
        corpus: The text and the models that the figures come from.
        agreement: What the figures show, and how far they agree with the paper's (`listed`).
        tables: All tables.
        numbers: All numbers, for JSON.
        findings: The main figures beside the paper's.
        draw: Draws the figure.
        command: The command that reproduces the result.
        summary: The table on the page of all results; default: a table of the findings.
        claims: The paper's claims, which the page of all results lists first.
    """

    name: str
    title: str
    corpus: str
    agreement: str
    tables: tuple[Table, ...]
    numbers: dict[str, Any]
    findings: tuple[Finding, ...] = ()
    draw: Callable[[Figure], None] | None = None
    command: str = ""
    summary: Table | None = None
    claims: tuple[Claim, ...] = ()

    def markdown(self) -> str:
        """Return the result as a page in Markdown."""
        parts = [f"# {self.title}", f"`{self.command}`, on {self.corpus}.", self.agreement]
        return "\n\n".join([*parts, *(table.markdown() for table in self.tables)]) + "\n"

    def write(self, folder: Path) -> None:
        """Write result.json, table.md and, if the result has a drawing, figure.svg and figure.png.

        Without matplotlib, no drawing is written.
        """
        facts = {
            "experiment": self.name,
            "title": self.title,
            "corpus": self.corpus,
            "command": self.command,
            "agreement": self.agreement,
            "summary": asdict(self.summary or _summary(self.findings)),
            "claims": [asdict(claim) for claim in self.claims],
            "numbers": self.numbers,
            "tables": [asdict(table) for table in self.tables],
        }
        text = json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False)
        pictures = _pictures(self.draw) if self.draw is not None and can_draw() else {}
        contents = {"result.json": text.encode() + b"\n", "table.md": self.markdown().encode()}
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            for name in ("figure.svg", "figure.png"):
                if name not in pictures:  # left by an earlier result
                    (folder / name).unlink(missing_ok=True)
        with replacing_together():
            for name, content in (contents | pictures).items():
                with replacing(folder / name, shared=True) as file:
                    file.write(content)


def _summary(findings: tuple[Finding, ...]) -> Table:
    """Return a table of the findings: the paper's figure, then ours."""
    rows = tuple((each.what, each.paper, each.ours) for each in findings)
    return Table("", ("", "paper", "ours"), rows)


_OTHER_FOLDER = "name another folder (-o), or replace it with --force"


def check_result_folder(folder: Path, command: str, *, force: bool) -> None:
    """Check that the result of a command may be written to a folder.

    Args:
        folder: The folder to write to.
        command: The command that makes the result.
        force: Allow replacing the result of another command.

    Raises:
        FileError: If the folder can't be written, or has the result of another command and `force`
            is off.
    """
    check_folder(folder)
    path = folder / "result.json"
    if force or not path.exists():
        return
    before = read_result(path).get("command")
    if before != command:
        raise FileError(path, f"it is the result of `{before}`", _OTHER_FOLDER)


def read_result(path: Path) -> dict[str, Any]:
    """Return the facts of a result.json.

    Raises:
        FileError: If it can't be read, or is not the result of a command.
    """
    raw = read_small(path, _OTHER_FOLDER)
    try:
        facts = json.loads(raw)
    except (ValueError, RecursionError):
        facts = None
    if not isinstance(facts, dict) or not isinstance(facts.get("command"), str):
        raise FileError(path, "it is not an andornot result", _OTHER_FOLDER)
    return facts


def can_draw() -> bool:
    """Return True if matplotlib is installed.

    For example `can_draw()`.
    """
    return importlib.util.find_spec("matplotlib") is not None


def panels_of(figure: Figure, names: Collection[str], *, sharey: bool) -> list[Axes]:
    """Return a titled panel for each name, in a grid as wide as a page."""
    columns = 2 if len(names) in (2, 4) else 3
    height = -(-len(names) // columns)
    figure.set_size_inches(7.2, 0.8 + 2.6 * height)
    grid = figure.subplots(height, min(columns, len(names)), squeeze=False, sharey=sharey).ravel()
    for panel in grid[len(names) :]:
        panel.set_visible(False)
    for panel, name in zip(grid, names, strict=False):
        panel.set_title(name, fontsize="small")
    return list(grid[: len(names)])


def legend_below(figure: Figure, panel: Axes) -> None:
    """Draw the legend of one panel below the figure, for all panels."""
    handles, labels = panel.get_legend_handles_labels()
    columns = min(len(labels), 4)
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, fontsize="small")


def _pictures(draw: Callable[[Figure], None]) -> dict[str, bytes]:
    """Return the figure as SVG and PNG; the same numbers give the same bytes."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    found = {}
    for kind, metadata in (("svg", {"Date": None}), ("png", {"Software": None})):
        figure = Figure(figsize=(7.2, 4.0), layout="constrained")
        buffer = io.BytesIO()
        with mpl.rc_context({"svg.hashsalt": "andornot", "svg.fonttype": "none"}):
            draw(figure)
            figure.savefig(buffer, format=kind, dpi=150, metadata=metadata)
        found[f"figure.{kind}"] = buffer.getvalue()
    return found
