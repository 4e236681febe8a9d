"""The page of all results: one table for each experiment, written from what is in their folders."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

from andornot.base.errors import AndornotWarning
from andornot.base.files import replacing
from andornot.experiments import EXPERIMENTS
from andornot.experiments.report import Claim, Table, Verdict

_HEAD = """# Results

Written by `andornot reproduce`, from the `result.json` of each experiment: the paper's figures
beside ours, the text ours come from, and one sentence on how far they agree.

orig: vectors as they were trained; unif: centred by the plain mean; freq: by the
frequency-weighted mean, the paper's, with p as the trainer met the words (the tables of sts,
phrases and words have p of the text beside it); ABTT: all-but-the-top; whitened: zipfian
whitening. MRR: mean reciprocal rank. STS: semantic textual similarity, Pearson's correlation with
people's ratings. Brackets are 95 % intervals by the bootstrap.

The two p differ because subsampling and the weights of the window make the marginal that the
trainer meets flatter than the frequencies of the text: Theorem 1 needs the trainer's, and the
paper's text speaks of the text's."""

UNTESTED = (
    Claim(
        "OR of the 22 tuples that Dasgupta et al. wrote by hand: cosine .444 (SGNS), .439 (GloVe)",
        Verdict.NOT_TESTED,
        cause="the tuples are not published as data; `or-actual` reads them from or-tuples/ where "
        "they are",
    ),
)
"""Claims that no experiment here can test, and why."""


def write_summary(folder: Path) -> None:
    """Write README.md in a folder of results, on the experiments and benchmarks that are in it.

    For example `write_summary(Path("results"))`.
    """
    sections: list[str] = []
    claims: list[Claim] = []
    for name in [key for each in EXPERIMENTS for key in (each, f"{each}-trend")]:
        path = folder / name / "result.json"
        if not path.exists():
            continue
        try:
            facts = json.loads(path.read_text(encoding="utf-8"))
            sections.append(_section(name, facts, path.parent))
            claims += [Claim(**each) for each in facts.get("claims", [])]
        except (OSError, ValueError, LookupError, TypeError):
            warnings.warn(
                f"{path}: it is no result, and README.md leaves it out; make it again or remove it",
                AndornotWarning,
                stacklevel=2,
            )
    benchmarks = sorted(path for path in folder.glob("*.md") if path.name != "README.md")
    if benchmarks:
        links = [f"- [{_heading(path)}]({path.name})" for path in benchmarks]
        sections.append("\n".join(["## Benchmarks", "", *links]))
    parts = [_HEAD, *([_table_of_claims(claims)] if claims else []), *sections]
    with replacing(folder / "README.md") as file:
        file.write(("\n\n".join(parts) + "\n").encode())


def _table_of_claims(claims: list[Claim]) -> str:
    """The claims of the paper, those that no experiment tests at the end."""
    rows = tuple(
        (each.what, each.verdict, each.figure, each.cause) for each in [*claims, *UNTESTED]
    )
    header = ("claim of the paper", "here", "our figure", "cause of the gap")
    return "\n\n".join(["## The claims of the paper", Table("", header, rows).markdown()])


def _section(name: str, facts: dict[str, Any], folder: Path) -> str:
    """An experiment: its table, and where there is more."""
    summary = Table(**facts["summary"])
    links = f"[all tables]({name}/table.md)"
    if (folder / "figure.svg").exists():
        links += f", [figure]({name}/figure.svg)"
    return "\n\n".join(
        [
            f"## {facts['title']}",
            f"{facts['agreement']} ({links})",
            f"`{facts['command']}`, on {facts['corpus']}.",
            summary.markdown(),
        ]
    )


def _heading(path: Path) -> str:
    """The first heading of a page."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((line.lstrip("# ") for line in lines if line.startswith("#")), path.stem)
