"""The page of all results: one table for each experiment, written from its result.json."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from andornot.base.errors import AndornotWarning, FileError
from andornot.base.replacing import replacing
from andornot.experiments import EXPERIMENTS, claims_of
from andornot.experiments.report import Cell, Claim, Table, Verdict, read_result

_HEAD = """# Results

`andornot reproduce` writes this page from the `result.json` of each experiment. It compares the
paper's figures with ours and names the text that ours come from. Brackets are 95 % bootstrap
intervals over the items of one training (triples, phrases, sentence pairs, words). They show
whether other items would give the same sign. They do not show whether another training would."""

_METHODS = """## Methods and measures

- orig: vectors as trained.
- unif: centred by the unweighted mean.
- freq: centred by the frequency-weighted mean, the paper's method. p(w) is the word frequency that
  the trainer used. The tables of sts, phrases and words also show p(w) of the text ("text's p").
- ABTT: all-but-the-top.
- whitened: Zipfian whitening.
- known shift: v.u plus the constants of word and context that the loss implies (log(p/kq) for SGNS,
  the biases for GloVe). It is not a centring.
- known origin: the centring that comes nearest to the known shift.
- sampled: stochastic steps, as in the original programs. exact: the whole loss.
- prior: the strength of a penalty on long vectors; "no prior" is the loss of the paper.
- x_max auto: GloVe's x_max in proportion to the text, instead of 100.
- by construction: rows of counts are added to make an OR word; no text is changed.
- 10 x 50: ten texts with 50 OR words each.

The two versions of p(w) differ if the trainer subsamples frequent words (SGNS on Wikipedia).
Theorem 1 needs the trainer's p(w); the paper's text defines p(w) by the corpus.

MRR is the mean reciprocal rank. STS is semantic textual similarity, scored by Pearson's correlation
with human ratings."""

_VERDICTS = """The rule for each claim is in the code of its experiment. In general:

- reproduced: our interval excludes 0 and has the paper's sign, and the paper's figure is inside it
  or closer to 0.
- in part: this holds for some of the cases only, or our figure is smaller than the paper's.
- holds for another model: this holds for another BERT than the paper's, which was not available.
- not reproduced: our interval includes 0 or has the opposite sign.

A claim that figures are the same is reproduced if the interval of each difference is within 5 % of
the figure. It is not reproduced if a larger difference is shown.

Each cell has the figure that decides. The other figures are in the tables."""


def write_summary(folder: Path) -> None:
    """Write README.md in a folder of results, with all its experiments and benchmarks.

    For example `write_summary(Path("results"))`.
    """
    sections: list[str] = []
    claims: list[tuple[Cell, ...]] = []
    for name in [key for each in EXPERIMENTS for key in (each, f"{each}-trend")]:
        path = folder / name / "result.json"
        if not path.exists():
            continue
        try:
            facts = read_result(path)
            found = [_row(each, name) for each in claims_of(name, facts)]
            _table_of_claims(found)  # fails if they have values that no claim has
            sections.append(_section(name, facts, path.parent))
            claims += found
        except (FileError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError):
            warnings.warn(
                f"{path} is not an andornot result, so README.md leaves it out; run its experiment "
                "again or remove it",
                AndornotWarning,
                stacklevel=2,
            )
    benchmarks = sorted(path for path in folder.glob("*.md") if path.name != "README.md")
    if benchmarks:
        links = [f"- [{_heading(path)}]({path.name})" for path in benchmarks]
        sections.append("\n".join(["## Benchmarks", "", *links]))
    parts = [_HEAD, *([_table_of_claims(claims)] if claims else []), _METHODS, *sections]
    with replacing(folder / "README.md", shared=True) as file:
        file.write(("\n\n".join(parts) + "\n").encode())


def _row(claim: Claim, name: str) -> tuple[Cell, ...]:
    """Return a claim as a row, with a link to the tables of its experiment."""
    has_gap = claim.verdict in (Verdict.IN_PART, Verdict.NOT)
    cause = claim.cause or "Not known." * has_gap
    return (claim.what, claim.verdict, claim.figure, cause, f"[{name}]({name}/table.md)")


def _table_of_claims(rows: list[tuple[Cell, ...]]) -> str:
    """Return the claims of the paper with their verdicts."""
    header = (
        "claim of the paper",
        "verdict",
        "our figure",
        "cause of a gap, or remark",
        "tables",
    )
    table = Table("", header, tuple(rows)).markdown()
    return "\n\n".join(["## The claims of the paper", _VERDICTS, table])


def _section(name: str, facts: dict[str, Any], folder: Path) -> str:
    """Return the section of an experiment: its summary, its table and links to the rest."""
    summary = Table(**facts["summary"])
    links = f"[all tables]({name}/table.md)"
    if (folder / "figure.svg").exists():
        links += f" and [the figure]({name}/figure.svg)"
    return "\n\n".join(
        [
            f"## {facts['title']}",
            f"`{facts['command']}`, on {facts['corpus']}.",
            facts["agreement"],
            summary.markdown(),
            f"See {links}.",
        ]
    )


def _heading(path: Path) -> str:
    """Return the first heading of a page."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((line.lstrip("# ") for line in lines if line.startswith("#")), path.stem)
