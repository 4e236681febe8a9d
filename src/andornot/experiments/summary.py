"""The page of all results: one table for each experiment, written from what is in their folders."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

from andornot.base.errors import AndornotWarning
from andornot.base.files import replacing
from andornot.experiments import EXPERIMENTS
from andornot.experiments.report import Claim, Table

_HEAD = """# Results

Written by `andornot reproduce`, from the `result.json` of each experiment: the paper's figures
beside ours, the text ours come from, and how far they agree.

orig: vectors as they were trained; unif: centred by the plain mean; freq: by the
frequency-weighted mean, the paper's, with p as the trainer met the words (the tables of sts,
phrases and words have p of the text beside it); ABTT: all-but-the-top; whitened: zipfian
whitening. MRR: mean reciprocal rank. STS: semantic textual similarity, Pearson's correlation with
people's ratings. Brackets are 95 % intervals by the bootstrap.

The two p differ because the trainer meets frequent words less often where they are subsampled (SGNS
on Wikipedia). Theorem 1 needs the p of the trainer; the paper's text names that of the corpus.

Intervals are over the items of one training (triples, phrases, pairs of sentences, words). They
say whether other items would give the same sign, not whether another training would."""

_VERDICTS = """A claim is reproduced if our interval excludes 0 on the paper's side and reaches the
paper's figure, in part if it does so for some of its cases or falls short of the figure, and not
reproduced if no difference is shown. The rule of each claim is in the code of its experiment."""


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
                f"{path} is not an andornot result, so README.md leaves it out; make it again or "
                "remove it",
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
    """The claims of the paper, with their verdicts."""
    rows = tuple((each.what, each.verdict, each.figure, each.cause) for each in claims)
    header = ("claim of the paper", "verdict", "our figure", "cause, or what is known of the gap")
    return "\n\n".join(
        ["## The claims of the paper", _VERDICTS, Table("", header, rows).markdown()]
    )


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
