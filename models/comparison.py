"""The comparison of the candidates, and of the sizes of the chosen one."""

from __future__ import annotations

import json
import math
import sys
import tempfile
from pathlib import Path

from candidates import CANDIDATES, CHOSEN, file_of, is_kept, trained, training_text
from reporting import machine, write_report
from score_tables import Row, print_row, table_of
from scores import SCORES, largest_product, place_of_queen, scores_of

import andornot
from andornot import Logic
from andornot.base.errors import AndornotError
from andornot.corpus import Corpus

COMPARISON = Path(__file__).parent.parent / "results/default-model.json"
SIZES, WIDTHS = (40_000, 60_000, 80_000), (8, 4)


def compare(names: list[str], folder: Path, report: Path | None) -> None:
    """Train and score candidates, and print each when it is ready.

    A report has all candidates that are kept, not only those that are asked for. It also keeps the
    rows that it had before if they have the same settings and version of the solver.
    """
    corpus = training_text()
    rows: dict[str, Row] = {}
    missing, failed = [], {}
    before = recorded(report)
    for name, candidate in CANDIDATES.items():
        if name not in names:
            if report is None:
                continue
            if not is_kept(folder, file_of(candidate, corpus)):
                if name in before:
                    rows[name] = before[name]
                else:
                    missing.append(name)
                continue
        try:
            rows[name] = candidate_row(name, corpus, folder)
        except AndornotError as error:
            failed[name] = str(error)
            print(f"{name}: failed: {error}", file=sys.stderr, flush=True)
            continue
        print_row(name, rows[name])
    told = [
        "`python models/default_model.py compare --write results/default-model` on "
        f"{machine()}. docs/default-model.md explains the scores. The mean is that of "
        f"{', '.join(SCORES)}. Coverage: the share of the analogies whose words are known. "
        "Definitions, known: the share of those whose word can be found. Min count: the count of "
        "the rarest word. Place of queen: its rank for `royal & woman`. Seconds: of the training, "
        "without the counting. No v.u may exceed log N, N being the total count.",
        *([f"Not trained yet: {', '.join(missing)}."] if missing else []),
        *(f"{name} failed: {problem}." for name, problem in failed.items()),
    ]
    if not rows:
        raise SystemExit("no candidate was scored; name some with --only")
    heading = "# Candidates for the default model\n\n" + "\n\n".join(told)
    write_report(report, rows, table_of(rows, heading))
    if failed:
        raise SystemExit(f"{len(failed)} of the candidates failed: {', '.join(failed)}")


def candidate_row(name: str, corpus: Corpus, folder: Path) -> Row:
    """Train a candidate, or open what is kept of it, and score it."""
    space, seconds = trained(name, corpus, folder)
    return {
        **CANDIDATES[name].columns(),
        "min count": int(space.counts.min()),
        **scores_of(space),
        "place of queen": place_of_queen(Logic(space)),
        "seconds": round(seconds),
        "largest v.u": largest_product(space),
        "log N": math.log(space.marginal.sum()),
    }


def recorded(report: Path | None) -> dict[str, Row]:
    """Return the rows of a report that was written before, if their settings are the present ones."""
    path = None if report is None else report.with_suffix(".json")
    rows = json.loads(path.read_text())["result"] if path and path.exists() else {}
    return {
        name: rows[name]
        for name, candidate in CANDIDATES.items()
        if candidate.columns().items() <= rows.get(name, {}).items()
    }


def compared_candidates() -> dict[str, Row]:
    """Read the table of candidates, which the card reports."""
    rows = recorded(COMPARISON)
    for name in ("20k-base", CHOSEN):
        if name not in rows:
            raise SystemExit(
                f"{COMPARISON.name} must have the candidate {name} with its present settings; run "
                "`python models/default_model.py compare --write results/default-model` first"
            )
    return rows


def sizes(folder: Path, report: Path | None) -> None:
    """Cut the chosen candidate to fewer words, round it, and print file size and scores."""
    trained_words = CANDIDATES[CHOSEN].words
    if max(SIZES) > trained_words:
        raise SystemExit(
            f"SIZES must be at most {trained_words:,}, the words of {CHOSEN}, got {max(SIZES):,}"
        )
    space, _ = trained(CHOSEN, training_text(), folder)
    rows: dict[str, Row] = {}
    with tempfile.TemporaryDirectory() as temporary:
        for words in SIZES:
            for bits in WIDTHS:
                path = Path(temporary) / f"{words}-{bits}.safetensors"
                andornot.save(space.top(words), path, bits=bits, force=True)
                name = f"{words:,} words, {bits} bits"
                rows[name] = {"MB": path.stat().st_size / 1e6, **scores_of(andornot.load(path))}
                print_row(name, rows[name])
    heading = (
        "# The default model by size\n\n`python models/default_model.py sizes --write "
        f"results/default-model-sizes` on {machine()}: the candidate {CHOSEN}, cut to its most "
        "frequent words and rounded. docs/default-model.md explains the scores."
    )
    write_report(report, rows, table_of(rows, heading))
