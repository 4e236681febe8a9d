"""Artificial OR words: a_OR_b stands for a and for b in a copy of the text, behind the text itself.

Its vector is compared with the OR of a and b, to first order (the paper) and exactly. The OR moves
with the origin, cosines and ranks don't: all three centrings are shown.
"""

from __future__ import annotations

import numpy as np

from andornot.algebra import Logic
from andornot.algebra.expression import Or, Word
from andornot.choices import Model, Solver
from andornot.corpus.edits import add_or_words
from andornot.experiments.lab import Lab, Scale
from andornot.experiments.ranks import ranks, unit_rows
from andornot.experiments.report import Cell, Result, Table
from andornot.space import Space
from andornot.training import Settings

METHODS = {"orig": "none", "unif": "uniform", "freq": "frequency"}
PAPER = {"SGNS": (0.936, 1.012), "GloVe": (0.907, 1.000)}
TRAINERS = {
    "SGNS, exact solver": ("SGNS", Model.SGNS, Solver.EXACT),
    "SGNS, 5 sampled epochs": ("SGNS", Model.SGNS, Solver.SAMPLED),
    "GloVe, exact solver": ("GloVe", Model.GLOVE, Solver.EXACT),
    "GloVe, AdaGrad": ("GloVe", Model.GLOVE, Solver.SAMPLED),
}


def run(lab: Lab) -> Result:
    """The mean cosine and rank of a_OR_b for the OR of a and b."""
    pairs, min_count, dim = (20, 20, 50) if lab.scale == Scale.QUICK else (500, 100, 300)
    corpus, drawn = add_or_words(lab.text8, pairs, min_count, lab.seed)
    numbers: dict[str, dict[str, tuple[float, float]]] = {}
    rows: list[tuple[Cell, ...]] = []
    for name, (model, kind, solver) in TRAINERS.items():
        space = lab.trained(corpus, Settings(model=kind, solver=solver, dim=dim), min_count)
        numbers[name] = {}
        for method, process in METHODS.items():
            for exact in (False, True):
                key = f"{method}, {'exact' if exact else 'first order'}"
                numbers[name][key] = _compared(space, process, exact, drawn)
        for way in ("first order", "exact"):
            cells = [
                f"{c:.3f} ({r:.3f})" for c, r in (numbers[name][f"{m}, {way}"] for m in METHODS)
            ]
            paper = "{:.3f} ({:.3f})".format(*PAPER[model]) if way == "first order" else ""
            rows.append((f"{name}, {way}", *cells, paper))
    cosine, rank = numbers["SGNS, exact solver"]["orig, first order"]
    return Result(
        name="or-artificial",
        title="Artificial OR words",
        scale=lab.scale,
        corpus=f"{lab.text8_corpus} and a copy of it with {pairs} artificial words",
        agreement=f"Uncentred, SGNS by the exact solver has the mean cosine {cosine:.3f} and the "
        f"mean rank {rank:.3f}; the paper has .936 and 1.012, among 2 million words.",
        tables=(Table("Mean cosine (mean rank)", ("", *METHODS, "paper"), tuple(rows)),),
        numbers=dict(numbers),
    )


def _compared(
    space: Space, method: str, exact: bool, pairs: list[tuple[str, str]]
) -> tuple[float, float]:
    """The mean cosine of a_OR_b with the OR of a and b, and its mean rank without the two."""
    logic = Logic(space, postprocess=method, exact=exact)
    index = space.vocabulary.index
    goals = [index(f"{a}_OR_{b}") for a, b in pairs]
    operands = [(index(a), index(b)) for a, b in pairs]
    unions = np.array([logic.concept(Or((Word(a), Word(b)))).vector for a, b in pairs])
    words = unit_rows(logic.target(space.target))
    cosines = (unit_rows(unions) * words[goals]).sum(1)
    return float(cosines.mean()), float(ranks(words, unions, goals, operands).mean())
