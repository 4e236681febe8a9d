"""What an experiment found: tables with the paper's figures beside ours, numbers, a figure."""

from __future__ import annotations

import importlib.util
import io
import json
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from andornot.base.errors import FileError
from andornot.base.files import replacing, replacing_together, writing
from andornot.base.outputs import check_folder

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Cell = str | int | float | None


@dataclass(frozen=True)
class Table:
    """Rows under a header; numbers that aren't whole are shown with `digits` after the point."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    digits: int = 3

    def markdown(self) -> str:
        """The table in Markdown, under its title where it has one.

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


@dataclass(frozen=True)
class Finding:
    """One of the figures that an experiment is about, and the paper's."""

    what: str
    ours: float | int
    paper: float | int | None = None


class Verdict(StrEnum):
    """How far a claim of the paper holds here."""

    REPRODUCED = "reproduced"
    IN_PART = "in part"
    NOT = "not reproduced"
    NOT_TESTED = "not tested"


@dataclass(frozen=True)
class Claim:
    """A claim of the paper, how far it holds here, our figure, and the cause of a gap."""

    what: str
    verdict: Verdict
    figure: str = ""
    cause: str = ""


@dataclass(frozen=True)
class Result:
    """What an experiment found, on which text, and one honest sentence on how far it agrees.

    `command` is what is typed to get it again; `summary` stands for it among all results, by
    default a table of its findings. `claims` open the page of all results.
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
        """The result as a page."""
        parts = [f"# {self.title}", f"`{self.command}`, on {self.corpus}.", self.agreement]
        return "\n\n".join([*parts, *(table.markdown() for table in self.tables)]) + "\n"

    def write(self, folder: Path) -> None:
        """Write result.json, table.md and, where there is one, figure.svg and figure.png.

        Without matplotlib there are no figures.
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
                if name not in pictures:  # one of an earlier result
                    (folder / name).unlink(missing_ok=True)
        with replacing_together():
            for name, content in (contents | pictures).items():
                with replacing(folder / name) as file:
                    file.write(content)


def _summary(findings: tuple[Finding, ...]) -> Table:
    """The figures that an experiment is about, the paper's first."""
    rows = tuple((each.what, each.paper, each.ours) for each in findings)
    return Table("", ("", "paper", "ours"), rows)


_OTHER_FOLDER = "name another folder (-o), or replace it with --force"


def check_result_folder(folder: Path, command: str, *, force: bool) -> None:
    """Check that the result of a command may be written to a folder.

    Raises:
        FileError: If it can't be written, or if the result of another command is there and `force`
            is off.
    """
    check_folder(folder)
    path = folder / "result.json"
    if force or not path.exists():
        return
    try:
        before = str(json.loads(path.read_text(encoding="utf-8"))["command"])
    except (OSError, ValueError, LookupError, TypeError):
        raise FileError(path, "it is not a result of andornot's", _OTHER_FOLDER) from None
    if before != command:
        raise FileError(path, f"it is of `{before}`", _OTHER_FOLDER)


def can_draw() -> bool:
    """Whether matplotlib is there.

    For example `can_draw()`.
    """
    return importlib.util.find_spec("matplotlib") is not None


def panels_of(figure: Figure, names: Collection[str], *, sharey: bool) -> list[Axes]:
    """Return a panel for each name, titled, in a grid that is read at the width of a page."""
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
    """One legend for all panels, that of one of them, below and in the way of nothing."""
    handles, labels = panel.get_legend_handles_labels()
    columns = min(len(labels), 4)
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, fontsize="small")


def _pictures(draw: Callable[[Figure], None]) -> dict[str, bytes]:
    """The figure as SVG and PNG, the same bytes for the same numbers."""
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
