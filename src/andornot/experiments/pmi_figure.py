"""The error of PMI = v.u, and how centring changes it: the paper's figure 2.

e_wc = PMI(w,c) - v.u over the pairs that co-occur more than once, for vectors as trained (orig),
centred uniformly (unif) and by frequency (freq), v and u both. PMI is estimated from counts that
are weighted by distance as each trainer weighs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from andornot.base.choices import Model, Solver
from andornot.base.progress import stage
from andornot.cooccurrence import Cooccurrence
from andornot.cooccurrence.pmi import pmi_blocks
from andornot.experiments.centring import ORIGINS
from andornot.experiments.lab import TEXT8, WEIGHTS, Lab, Training
from andornot.experiments.report import Finding, Result, Table, legend_below
from andornot.postprocessing import postprocess
from andornot.space import Space
from andornot.training.settings import PRIORS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Errors = npt.NDArray[np.float64]
MODELS = {"SGNS": Model.SGNS, "GloVe": Model.GLOVE}
EDGES = np.linspace(-8, 8, 161)
_PAIRS = 1 << 18  # whose vectors are held at a time


def datasets(lab: Lab) -> list[str]:
    """The text of the models."""
    return lab.text8_datasets


def trainings(lab: Lab) -> dict[str, Training]:
    """Both models by both solvers; exact ones at the bare minimum, and with the default prior."""
    found = {}
    for name, model in MODELS.items():
        epochs, prior = lab.text8_epochs(model), PRIORS[model]
        found[f"{name}, exact, no prior"] = lab.text8_training(model, Solver.EXACT)
        found[f"{name}, exact, prior {prior:g}"] = lab.text8_training(model, Solver.EXACT, prior)
        found[f"{name}, {epochs} sampled epochs"] = lab.text8_training(model, Solver.SAMPLED)
    return found


def run(lab: Lab) -> Result:
    """Mean, spread and rms of the error, and its histogram."""
    met = lab.text8_counts("flat").values > 1
    counts = {model: lab.text8_counts(weights) for model, weights in WEIGHTS.items()}
    assert all(len(each.values) == len(met) for each in counts.values())  # pair by pair
    errors = {
        name: _errors(lab.trained(training), counts[training.settings.model], met)
        for name, training in trainings(lab).items()
    }
    numbers = {
        name: {method: _summary(found) for method, found in each.items()}
        for name, each in errors.items()
    }
    least = sum(_is_least("freq", each) for each in numbers.values())
    text = TEXT8[lab.scale]
    return Result(
        name="pmi",
        title="The error of PMI = v.u",
        corpus=f"{lab.text8.name}, words that come at least {text.min_count} times, dimension "
        f"{text.dim}",
        agreement="Centring by frequency has the smallest root mean square of the error, or to two "
        f"digits the same, in {least} of {len(numbers)} trainings (two models; exact with and "
        "without a prior, and sampled); in the paper's figure it is nearest to 0 in both models.",
        tables=tuple(_table(name, each) for name, each in numbers.items()),
        numbers={"pairs": int(met.sum()), "errors": numbers},
        findings=tuple(
            Finding(f"{name}: rms of PMI - v.u, {method}", each[method]["rms"])
            for name, each in numbers.items()
            for method in ORIGINS
        ),
        draw=lambda figure: _draw(figure, errors),
    )


def _errors(space: Space, counts: Cooccurrence, met: npt.NDArray[np.bool_]) -> dict[str, Errors]:
    """PMI itself, and e_wc for each post-processing."""
    found: dict[str, list[Errors]] = {name: [] for name in ("PMI", *ORIGINS)}
    spaces = {name: postprocess(space, method) for name, method in ORIGINS.items()}
    first = 0
    with stage("errors of PMI") as report:
        for block in pmi_blocks(counts, _PAIRS):
            wanted = met[first : first + len(block.pmi)]
            first += len(block.pmi)
            rows, columns, pmi = block.rows[wanted], block.columns[wanted], block.pmi[wanted]
            found["PMI"].append(pmi)
            for name, each in spaces.items():
                assert each.context is not None
                scores = np.einsum("ij,ij->i", each.target[rows], each.context[columns])
                found[name].append(pmi - scores)
            report(first / len(met))
    return {name: np.concatenate(pieces) for name, pieces in found.items()}


def _is_least(name: str, found: dict[str, dict[str, float]]) -> bool:
    """Whether a centring has the least error of all, to two digits."""
    return round(found[name]["rms"], 2) == min(round(found[each]["rms"], 2) for each in ORIGINS)


def _summary(errors: Errors) -> dict[str, float]:
    rms = float(np.sqrt(np.mean(errors**2)))
    return {"mean": float(errors.mean()), "spread": float(errors.std()), "rms": rms}


def _table(name: str, numbers: dict[str, dict[str, float]]) -> Table:
    rows = tuple(
        (method, each["mean"], each["spread"], each["rms"]) for method, each in numbers.items()
    )
    return Table(f"{name}: PMI - v.u", ("", "mean", "spread", "rms"), rows)


def _draw(figure: Figure, errors: dict[str, dict[str, Errors]]) -> None:
    panels = figure.subplots(2, 3, sharex=True).ravel()
    looks = {
        "orig": {"color": "grey"},
        "unif": {"color": "tab:blue"},
        "freq": {"color": "tab:red"},
        "PMI": {"color": "purple", "linestyle": "--"},
    }
    for panel, (name, each) in zip(panels, errors.items(), strict=True):
        for key, look in looks.items():
            panel.hist(each[key], EDGES.tolist(), density=True, histtype="step", label=key, **look)
        panel.set_title(name, fontsize="small")
    legend_below(figure, panels[0])
