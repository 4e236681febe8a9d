"""Theorem 1 and Proposition 2: centring makes PMI = v.u, up to error terms of order Delta^2.

PMI(w,c) = v~.u~ + eps_bar - eps_w - eps_c, with eps_w = KL(p || p(.|w)). Four parts are tested:

- the identity, on planted factorisations;
- its error terms on real text, from the PMI of a trained model (finite everywhere) and from counts
  with a constant added;
- Delta, the largest |PMI|, on real text;
- the order of the error terms on normalised joint tables p(w) p(c) exp(tM), as t goes to 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from andornot.base.choices import Model, Solver
from andornot.cooccurrence.pmi import error_terms_of_counts, largest_pmi
from andornot.experiments.formula_errors import (
    formula_claims,
    formula_errors,
    formula_table,
    orders_of,
)
from andornot.experiments.lab import WEIGHTS, Lab, Training
from andornot.experiments.report import Claim, Finding, Result, Table, Verdict, listed
from andornot.model_pmi import ErrorTerms, error_terms_of_space, log_normaliser
from andornot.training.settings import PRIORS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Matrix = npt.NDArray[np.float64]
WORDS, NEGATIVES = 60, 15
STEPS = np.geomspace(1e-3, 1.0, 13)
ADDED = (1.0, 0.1)
"""Constants added to every count, including the counts of unseen pairs."""

MODELS = {"SGNS": Model.SGNS, "GloVe": Model.GLOVE}
OWN = "the model's own"
_SLIP = (
    "The paper has a slip: the last line of its proof of Proposition 2 bounds |eps_bar| by "
    "c1 c2 Delta^2. The bound should be c1^2 c2 Delta^2, that of every |eps_w|. The order in Delta "
    "is the same."
)
ROUNDING = 1e-10
"""The largest error of an identity in double precision."""


def datasets(lab: Lab) -> list[str]:
    """Return no datasets: without text8, the error terms are left out."""
    return []


def trainings(lab: Lab) -> dict[str, Training]:
    """Return both models on text8 if it is installed: without a prior and with the default one."""
    if not lab.has_text8:
        return {}
    found = {}
    for name, model in MODELS.items():
        prior = PRIORS[model]
        found[f"{name}, no prior"] = lab.text8_training(model, Solver.EXACT)
        found[f"{name}, prior {prior:g}"] = lab.text8_training(model, Solver.EXACT, prior)
    return found


def run(lab: Lab) -> Result:
    """Measure the identity, the error terms of the models, and their order in Delta."""
    rng = np.random.default_rng(lab.seed)
    joint = rng.gamma(1.0, size=(WORDS, WORDS))
    joint = (joint + joint.T) / (2 * joint.sum())
    identity = {
        "SGNS": _identity(joint, *_sgns(joint)),
        "GloVe": _identity(joint, *_glove(joint, rng)),
    }
    orders = [_order(joint, float(t)) for t in STEPS]
    delta, mean, largest = (np.array(column) for column in zip(*orders, strict=True))
    errors = [formula_errors(*_scaled(joint, float(t))) for t in STEPS]
    formulas = orders_of(delta[:7], errors[:7])
    slope = float(np.polyfit(np.log(delta[:7]), np.log(mean[:7]), 1)[0])
    terms, deltas = error_terms(lab), largest_of_text(lab)
    text = f"; {lab.text8.name} for error terms" if terms else ""
    said = ["The error terms on real text need text8 (andornot data fetch text8)."]
    if terms:
        counted = [each["under p"] for name, each in terms.items() if OWN not in name]
        own = [each["under p"] for name, each in terms.items() if OWN in name]
        said = [
            f"On real text, eps_bar is {min(counted):.2f} to {max(counted):.2f} from counts and "
            f"{min(own):.2f} to {max(own):.2f} from the models' own PMI, depending on its "
            "normalisation.",
            f"The proposition assumes Delta << 1, but {_listed(deltas)}.",
        ]
    return Result(
        name="theorem",
        title="The theorems",
        corpus=f"planted tables of {WORDS} words{text}",
        agreement=listed(
            [
                f"The identity holds to {max(identity.values()):.0e}.",
                f"The mean error term is proportional to Delta^{slope:.2f}; the proposition "
                "predicts Delta^2.",
                *said,
                _SLIP,
            ]
        ),
        tables=(
            Table(
                "Theorem 1 as an identity: the largest error in PMI",
                ("factorisation", "error"),
                tuple((name, f"{error:.1e}") for name, error in identity.items()),
            ),
            *([_terms_table(terms), _delta_table(deltas)] if terms else []),
            Table(
                "Proposition 2: the error terms as Delta goes to 0",
                ("Delta", "eps_bar", "eps_bar / Delta^2", "largest eps_w / Delta^2"),
                tuple(
                    (f"{d:.2e}", f"{m:.2e}", float(m / d**2), float(w / d**2))
                    for d, m, w in zip(delta, mean, largest, strict=True)
                ),
            ),
            formula_table(delta, errors),
        ),
        numbers={
            "identity": identity,
            "slope": slope,
            "delta": delta.tolist(),
            "mean": mean.tolist(),
            "largest": largest.tolist(),
            "error terms": terms,
            "Delta of the text": deltas,
            "orders of the formulas": formulas,
        },
        findings=(
            Finding("the largest error of the identity", max(identity.values()), 0.0),
            Finding("the order of the error terms in Delta", slope, 2.0),
            *(Finding(f"eps_bar, {name}", each["under p"]) for name, each in terms.items()),
            *(Finding(f"Delta, the counts of {name}", each) for name, each in deltas.items()),
        ),
        claims=(*_claims(identity, slope, deltas), *formula_claims(formulas)),
        draw=lambda figure: _draw(figure, delta, mean, largest),
    )


def error_terms(lab: Lab) -> dict[str, dict[str, float]]:
    """Return the error terms on real text by the source of the PMI."""
    found = {}
    for name, training in trainings(lab).items():
        space = lab.trained(training)
        counts = lab.text8_counts(WEIGHTS[training.settings.model])
        found[f"{name}, {OWN}"] = error_terms_of_space(space, float(np.log(counts.total)))
        if training.settings.model == Model.GLOVE:
            found[f"{name}, {OWN}, normalised over all pairs"] = error_terms_of_space(
                space, log_normaliser(space)
            )
    for name, model in MODELS.items() if found else ():
        for added in ADDED:
            counts = lab.text8_counts(WEIGHTS[model])
            key = f"the counts of {name}, {added:g} added"
            found[key] = error_terms_of_counts(counts, added)
    return {name: _summary(terms) for name, terms in found.items()}


def largest_of_text(lab: Lab) -> dict[str, float]:
    """Return Delta, the largest |PMI| of a seen pair of text8, by the weights of each model."""
    if not lab.has_text8:
        return {}
    return {name: largest_pmi(lab.text8_counts(WEIGHTS[model])) for name, model in MODELS.items()}


def _listed(deltas: dict[str, float]) -> str:
    """Describe Delta of each model's counts.

    >>> _listed({"SGNS": 8.25, "GloVe": 9.0})
    'Delta is 8.2 for the counts of SGNS, 9.0 for the counts of GloVe'
    """
    each = [f"{delta:.1f} for the counts of {name}" for name, delta in deltas.items()]
    return f"Delta is {', '.join(each)}"


def _claims(
    identity: dict[str, float], slope: float, deltas: dict[str, float]
) -> tuple[Claim, ...]:
    """Judge Theorem 1 and Proposition 2, and give Delta on real text."""
    exact = all(error < ROUNDING for error in identity.values())
    second = round(slope, 1) == 2.0
    largest = max(deltas.values(), default=0.0)
    return (
        Claim(
            "Theorem 1: PMI = v~.u~ + eps_bar - eps_w - eps_c is an identity",
            Verdict.REPRODUCED if exact else Verdict.NOT,
            f"The largest error is {max(identity.values()):.0e}.",
        ),
        Claim(
            "Proposition 2: the error terms are of order Delta^2 for small Delta",
            Verdict.REPRODUCED if second else Verdict.NOT,
            f"The order is {slope:.2f} on planted tables.",
            f"Delta is {largest:.1f} on text8, so it is not small there." if deltas else "",
        ),
    )


def _delta_table(deltas: dict[str, float]) -> Table:
    return Table(
        "Delta on real text: the largest |PMI| of a seen pair (infinite for unseen pairs)",
        ("counts of", "Delta", "Delta^2"),
        tuple((name, each, each**2) for name, each in deltas.items()),
    )


def _terms_table(terms: dict[str, dict[str, float]]) -> Table:
    return Table(
        "Error terms on real text (a model's own PMI has no joint table, so its terms may be < 0)",
        ("PMI from", "mean eps_w", "smallest", "largest", "eps_bar, under p"),
        tuple((name, *summary.values()) for name, summary in terms.items()),
    )


def _summary(terms: ErrorTerms) -> dict[str, float]:
    return {
        "mean": float(terms.of_words.mean()),
        "smallest": float(terms.of_words.min()),
        "largest": float(terms.of_words.max()),
        "under p": terms.mean,
    }


def _pmi(joint: Matrix) -> tuple[Matrix, Matrix]:
    """Return PMI and p of a symmetric joint table."""
    p = joint.sum(axis=0)
    return np.log(joint / np.outer(p, p)), p


def _sgns(joint: Matrix) -> tuple[Matrix, Matrix]:
    """Return V and U with v.u = PMI - log(q/p) - log k (eq. 5)."""
    pmi, p = _pmi(joint)
    q = p**0.75 / (p**0.75).sum()
    return _factors(pmi - np.log(q / p) - np.log(NEGATIVES))


def _glove(joint: Matrix, rng: np.random.Generator) -> tuple[Matrix, Matrix]:
    """Return V and U with v.u = log N - a - b (eq. 6), with random biases."""
    a, b = rng.normal(size=(2, len(joint)))
    return _factors(np.log(1e6 * joint) - a[:, None] - b)


def _factors(scores: Matrix) -> tuple[Matrix, Matrix]:
    left, sizes, right = np.linalg.svd(scores)
    return left * np.sqrt(sizes), right.T * np.sqrt(sizes)


def _identity(joint: Matrix, v: Matrix, u: Matrix) -> float:
    """Return the largest difference between the two sides of Theorem 1."""
    pmi, p = _pmi(joint)
    centred = (v - p @ v) @ (u - p @ u).T
    eps_w, eps_c = -(pmi @ p), -(p @ pmi)
    right = centred + p @ eps_w - eps_w[:, None] - eps_c
    return float(np.abs(right - pmi).max())


def _scaled(joint: Matrix, t: float) -> tuple[Matrix, Matrix]:
    """Return PMI and p of the normalised table p(w) p(c) exp(tM)."""
    pattern, p = _pmi(joint)
    table = np.outer(p, p) * np.exp(t * pattern)
    return _pmi(table / table.sum())


def _order(joint: Matrix, t: float) -> tuple[float, float, float]:
    """Return Delta, eps_bar and the largest eps_w of the normalised table p(w) p(c) exp(tM)."""
    pmi, p = _scaled(joint, t)
    eps_w = -(pmi @ p)
    return float(np.abs(pmi).max()), float(p @ eps_w), float(eps_w.max())


def _draw(figure: Figure, delta: Matrix, mean: Matrix, largest: Matrix) -> None:
    panel = figure.subplots()
    panel.loglog(delta, largest, "o-", label=r"largest $\epsilon_w$")
    panel.loglog(delta, mean, "s-", label=r"$\bar\epsilon$")
    panel.loglog(delta, mean[0] * (delta / delta[0]) ** 2, "k--", label=r"slope 2")
    panel.set_xlabel(r"$\Delta = \max |PMI|$")
    panel.set_ylabel("error terms")
    panel.set_title("Proposition 2")
    panel.legend()
