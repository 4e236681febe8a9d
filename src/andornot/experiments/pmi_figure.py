"""The error of PMI = v.u, and the effect of centring on it: the paper's figure 2.

e_wc = PMI(w,c) - v.u over the pairs that co-occur more than once, for vectors as trained (orig),
centred uniformly (unif) and by frequency (freq), both v and u. "known shift" subtracts the
prediction of the model's loss: v.u + log(q/p) + log k for SGNS (eq. 5), v.u plus the biases for
GloVe (eq. 6). PMI is estimated from counts with the distance weights of each trainer.

The paper counts each pair once, and most of these pairs occur two or three times. The second
weighting uses the distance-weighted counts.

The paper makes two statements about SGNS in this figure: unif and freq differ substantially (5.1),
and they do not differ significantly (5.2.3).
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from andornot.base.choices import Model, Solver
from andornot.experiments.centring import ORIGINS
from andornot.experiments.intervals import Interval
from andornot.experiments.lab import PAPERS_EPOCHS, TEXT8, WEIGHTS, Lab, Training
from andornot.experiments.pmi_claims import Differences, claims_of
from andornot.experiments.pmi_errors import (
    BANDS,
    EDGES,
    KNOWN,
    METHODS,
    ORIGIN,
    WEIGHTINGS,
    Errors,
    measure,
)
from andornot.experiments.report import (
    Cell,
    Finding,
    Result,
    Table,
    legend_below,
    listed,
)
from andornot.training.settings import PRIORS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MODELS = {"SGNS": Model.SGNS, "GloVe": Model.GLOVE}
OTHERS = ("orig", "unif", ORIGIN, KNOWN)
"""The methods that centring by frequency is compared with."""


def datasets(lab: Lab) -> list[str]:
    """Return the text of the models."""
    return lab.text8_datasets


def sampled_epochs(lab: Lab, model: Model) -> list[int]:
    """Return the epochs of the sampled solvers; the last is nearest to the paper's.

    >>> sampled_epochs(Lab(), Model.SGNS), sampled_epochs(Lab(thorough=True), Model.SGNS)
    ([5], [5, 100])
    """
    return sorted({lab.text8_epochs(model), *([PAPERS_EPOCHS] if lab.thorough else [])})


def trainings(lab: Lab) -> dict[str, Training]:
    """Return both models by both solvers; the exact ones with and without the default prior."""
    found = {}
    for name, model in MODELS.items():
        prior = PRIORS[model]
        found[f"{name}, exact, no prior"] = lab.text8_training(model, Solver.EXACT)
        found[f"{name}, exact, prior {prior:g}"] = lab.text8_training(model, Solver.EXACT, prior)
        for epochs in sampled_epochs(lab, model):
            training = lab.text8_training(model, Solver.SAMPLED, epochs=epochs)
            found[f"{name}, {epochs} sampled epochs"] = training
    return found


def run(lab: Lab) -> Result:
    """Measure the mean, the rms and the histogram of the error under both weightings."""
    flat = lab.text8_counts("flat").values
    counts = {model: lab.text8_counts(weights) for model, weights in WEIGHTS.items()}
    assert all(len(each.values) == len(flat) for each in counts.values())  # the same pairs
    errors = {
        name: measure(lab.trained(training), counts[training.settings.model], flat)
        for name, training in trainings(lab).items()
    }
    differences: Differences = {
        name: {
            weighting: {other: each.difference("freq", other, weighting) for other in OTHERS}
            for weighting in WEIGHTINGS
        }
        for name, each in errors.items()
    }
    papers = {
        name: f"{name}, {sampled_epochs(lab, model)[-1]} sampled epochs"
        for name, model in MODELS.items()
    }
    text = TEXT8[lab.scale]
    return Result(
        name="pmi",
        title="The error of PMI = v.u",
        corpus=f"{lab.text8.name}, words that occur at least {text.min_count} times, dimension "
        f"{text.dim}",
        agreement=listed([*_verdict(differences), *_compare_weightings(errors)]),
        tables=(
            *(_table(name, each, differences[name]) for name, each in errors.items()),
            _table_of_bands(errors),
        ),
        numbers={
            "pairs": int((flat > 1).sum()),
            "errors": {name: _numbers(each) for name, each in errors.items()},
            "freq less others": differences,
            "by how often pairs were seen": {name: each.by_band for name, each in errors.items()},
        },
        findings=tuple(
            Finding(f"{name}: rms of PMI - v.u, {method}, {weighting}", each.rms(method, weighting))
            for name, each in errors.items()
            for weighting in WEIGHTINGS
            for method in (*ORIGINS, ORIGIN, KNOWN)
        ),
        summary=_summary(errors),
        claims=claims_of(errors, differences, papers),
        draw=lambda figure: _draw(figure, errors),
    )


def _numbers(errors: Errors) -> dict[str, dict[str, dict[str, float]]]:
    return {
        weighting: {
            method: {
                "mean": errors.mean(method, weighting),
                "rms": errors.rms(method, weighting),
            }
            for method in METHODS
        }
        for weighting in WEIGHTINGS
    }


def _verdict(differences: Differences) -> list[str]:
    """Say in how many trainings centring by frequency has a smaller or larger rms than others."""
    said = []
    for model, weighting in product(MODELS, WEIGHTINGS):
        own = [each[weighting] for name, each in differences.items() if name.startswith(model)]
        signs = {other: [each[other].sign for each in own] for other in OTHERS}
        less, more = (
            ", ".join(f"{other} in {found.count(sign)}" for other, found in signs.items())
            for sign in (-1, 1)
        )
        said.append(
            f"{model}, {weighting}: of {len(own)} trainings, freq has a smaller root mean square "
            f"(rms) of the error than {less}, and a larger one than {more} (by 95 % intervals over "
            "words)."
        )
    return [
        *said,
        "In the paper's figure, which counts each pair once, freq is nearest to 0 in both models.",
    ]


def _compare_weightings(errors: dict[str, Errors]) -> list[str]:
    """Explain the difference between the weightings, with the figures that show it."""
    few = next(iter(BANDS))
    band = next(iter(errors.values())).by_band[few]
    biases = []
    for model in MODELS:
        means = [
            mean
            for name, each in errors.items()
            if name.startswith(model) and (mean := each.by_band[few]["mean error"]) is not None
        ]
        if means:
            biases.append(f"{min(means):.2f} to {max(means):.2f} for {model}")
    return [
        f"{band['part of the pairs']:.0%} of the pairs occur only {few}; they have "
        f"{band['part of the counts']:.0%} of the counts. The first weighting therefore mostly "
        "measures rare pairs, and the second the pairs that make up the text.",
        f"With the {KNOWN}, the mean error of these rare pairs is {', '.join(biases)}. SGNS is "
        "also trained on unseen pairs, and its PMI of rare pairs is below the counted PMI, so a "
        "centring that raises v.u reduces the error. GloVe is trained on seen pairs only.",
    ]


def _summary(errors: dict[str, Errors]) -> Table:
    """Return a table of the rms of each training under both weightings."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (f"{name}, {weighting}", *(each.rms(method, weighting) for method in METHODS))
        for name, each in errors.items()
        for weighting in WEIGHTINGS
    )
    return Table("", ("rms of PMI - v.u", *METHODS), rows)


def _table(name: str, errors: Errors, differences: dict[str, dict[str, Interval]]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for method in METHODS:
        figures = [
            figure
            for weighting in WEIGHTINGS
            for figure in (errors.mean(method, weighting), errors.rms(method, weighting))
        ]
        gaps = [differences[weighting].get(method) for weighting in WEIGHTINGS]
        rows.append((method, *figures, *("" if gap is None else str(gap) for gap in gaps)))
    header = ("", "mean", "rms", "mean, by count", "rms, by count", "rms of freq - this")
    return Table(f"{name}: PMI - v.u", (*header, "the same, by count"), tuple(rows))


def _table_of_bands(errors: dict[str, Errors]) -> Table:
    """Return the shares of rare and frequent pairs, and their error with the known shift."""
    parts = next(iter(errors.values())).by_band
    shares: list[tuple[Cell, ...]] = [
        (name, *(part[name] for part in parts.values()))
        for name in ("part of the pairs", "part of the counts")
    ]
    means = [
        (f"{name}: mean error", *(band["mean error"] for band in each.by_band.values()))
        for name, each in errors.items()
    ]
    title = f"By the number of occurrences of a pair, with the {KNOWN}"
    return Table(title, ("", *BANDS), (*shares, *means))


def _draw(figure: Figure, errors: dict[str, Errors]) -> None:
    """Draw a row of panels for each training, with a column for each weighting."""
    figure.set_size_inches(7.2, 1.0 + 1.5 * len(errors))
    panels = figure.subplots(len(errors), len(WEIGHTINGS), sharex=True, squeeze=False)
    looks: dict[str, dict[str, Any]] = {
        "orig": {"color": "grey"},
        "unif": {"color": "tab:blue"},
        "freq": {"color": "tab:red"},
        ORIGIN: {"color": "tab:orange"},
        KNOWN: {"color": "tab:green"},
        "PMI": {"color": "purple", "linestyle": "--"},
    }
    for row, (name, each) in zip(panels, errors.items(), strict=True):
        for panel, weighting in zip(row, WEIGHTINGS, strict=True):
            for key, look in looks.items():
                found = each.histograms[key, weighting]
                panel.stairs(found / (found.sum() * np.diff(EDGES)), EDGES, label=key, **look)
            panel.set_title(f"{name}, {weighting}", fontsize="small")
        row[0].set_ylabel("density")
    for panel in panels[-1]:
        panel.set_xlabel("PMI - v.u (dashed: PMI)")
    legend_below(figure, panels[0, 0])
