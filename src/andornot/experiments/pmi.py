"""The error of PMI = v.u, and how centring changes it: the paper's figure 2.

e_wc = PMI(w,c) - v.u over the pairs that co-occur more than once, for vectors as trained (orig),
centred uniformly (unif) and by frequency (freq), v and u both. PMI is estimated from counts that
are weighted by distance as each trainer weighs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from andornot.choices import Model, Solver
from andornot.cooccurrence import Cooccurrence
from andornot.cooccurrence.pmi import pmi_blocks
from andornot.experiments.lab import Lab, Scale
from andornot.experiments.report import Result, Table
from andornot.postprocessing import postprocess
from andornot.space import Space
from andornot.training import Settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Errors = npt.NDArray[np.float64]
METHODS = {"orig": "none", "unif": "uniform", "freq": "frequency"}
MODELS = {"SGNS": (Model.SGNS, "linear"), "GloVe": (Model.GLOVE, "harmonic")}
SOLVERS = {Solver.EXACT: "exact solver", Solver.SAMPLED: "5 sampled epochs"}
EDGES = np.linspace(-8, 8, 161)
_PAIRS = 1 << 18  # whose vectors are held at a time


def run(lab: Lab) -> Result:
    """Mean, spread and rms of the error, and its histogram."""
    min_count, dim = (20, 50) if lab.scale == Scale.QUICK else (100, 300)
    met = lab.counts(lab.text8, min_count, "flat").values > 1
    errors: dict[str, dict[str, Errors]] = {}
    for model, (kind, weights) in MODELS.items():
        counts = lab.counts(lab.text8, min_count, weights)
        for solver, trainer in SOLVERS.items():
            settings = Settings(
                model=kind, solver=solver, dim=dim, negative=15, epochs=_epochs(solver)
            )
            space = lab.trained(lab.text8, settings, min_count)
            errors[f"{model}, {trainer}"] = _errors(space, counts, met)
    numbers = {
        name: {method: _summary(found) for method, found in each.items()}
        for name, each in errors.items()
    }
    better = all(each["freq"]["rms"] < each["orig"]["rms"] for each in numbers.values())
    return Result(
        name="pmi",
        title="The error of PMI = v.u",
        scale=lab.scale,
        corpus=f"{lab.text8_corpus}, words that come {min_count} times, dimension {dim}",
        agreement="Centring by frequency "
        + ("has the smaller error" if better else "doesn't always have the smaller error")
        + " beside vectors as trained, for both models and trainers.",
        tables=tuple(_table(name, each) for name, each in numbers.items()),
        numbers={"pairs": int(met.sum()), "errors": numbers},
        draw=lambda figure: _draw(figure, errors),
    )


def _epochs(solver: Solver) -> int | None:
    return 5 if solver == Solver.SAMPLED else None


def _errors(space: Space, counts: Cooccurrence, met: npt.NDArray[np.bool_]) -> dict[str, Errors]:
    """PMI itself, and e_wc for each post-processing."""
    found: dict[str, list[Errors]] = {name: [] for name in ("PMI", *METHODS)}
    spaces = {name: postprocess(space, method) for name, method in METHODS.items()}
    first = 0
    for block in pmi_blocks(counts, _PAIRS):
        wanted = met[first : first + len(block.pmi)]
        first += len(block.pmi)
        rows, columns, pmi = block.rows[wanted], block.columns[wanted], block.pmi[wanted]
        found["PMI"].append(pmi)
        for name, each in spaces.items():
            assert each.context is not None
            scores = np.einsum("ij,ij->i", each.target[rows], each.context[columns])
            found[name].append(pmi - scores)
    return {name: np.concatenate(pieces) for name, pieces in found.items()}


def _summary(errors: Errors) -> dict[str, float]:
    rms = float(np.sqrt(np.mean(errors**2)))
    return {"mean": float(errors.mean()), "spread": float(errors.std()), "rms": rms}


def _table(name: str, numbers: dict[str, dict[str, float]]) -> Table:
    rows = tuple(
        (method, each["mean"], each["spread"], each["rms"]) for method, each in numbers.items()
    )
    return Table(f"{name}: PMI - v.u", ("", "mean", "spread", "rms"), rows)


def _draw(figure: Figure, errors: dict[str, dict[str, Errors]]) -> None:
    panels = figure.subplots(2, 2, sharex=True).ravel()
    colours = {"orig": "grey", "unif": "tab:blue", "freq": "tab:red"}
    for panel, (name, each) in zip(panels, errors.items(), strict=True):
        for method, colour in colours.items():
            panel.hist(
                each[method],
                EDGES.tolist(),
                density=True,
                histtype="step",
                color=colour,
                label=method,
            )
        panel.hist(
            each["PMI"],
            EDGES.tolist(),
            density=True,
            histtype="step",
            color="purple",
            linestyle="--",
            label="PMI",
        )
        panel.set_title(name)
    panels[0].legend()
