"""The formulas of OR, conditional embeddings and NOT on planted tables: their errors by Delta.

With PMI = v.u, a formula for vectors is a formula for rows of PMI. OR approximates
log sum_i pi_i exp(PMI_i) by the weighted mean of the rows. A conditional embedding is the
difference between a row and the OR of its category, and NOT is -pi/(1-pi) times that difference.
Each drops terms of second order in PMI. AND drops none, as its PMI is defined as a sum.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from andornot.experiments.report import Claim, Table, Verdict

Matrix = npt.NDArray[np.float64]
FORMULAS = {
    "OR": "the weighted mean of vectors",
    "given": "a conditional embedding is v_w - v_A",
    "NOT": "-pi/(1-pi) times the conditional embedding",
}
CATEGORY = 6  # words of the planted category; the first is conditioned on it and negated


def formula_errors(pmi: Matrix, p: Matrix) -> dict[str, float]:
    """Return the largest error of each formula over all contexts, for the first words of a table.

    >>> p = np.full(8, 1 / 8)
    >>> formula_errors(np.zeros((8, 8)), p) == dict.fromkeys(FORMULAS, 0.0)
    True
    """
    weights = p[:CATEGORY] / p[:CATEGORY].sum()
    rows, rest = pmi[:CATEGORY], weights[1:] / weights[1:].sum()
    first_order = weights @ rows
    exact = np.log(weights @ np.exp(rows))
    exact_rest = np.log(rest @ np.exp(rows[1:]))
    share = weights[0]
    errors = {
        "OR": first_order - exact,
        "given": (rows[0] - first_order) - (rows[0] - exact),
        "NOT": -share / (1 - share) * (rows[0] - first_order) - (exact_rest - exact),
    }
    return {name: float(np.abs(each).max()) for name, each in errors.items()}


def orders_of(deltas: Matrix, errors: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return the order in Delta of each formula's error."""
    return {
        name: float(np.polyfit(np.log(deltas), np.log([each[name] for each in errors]), 1)[0])
        for name in FORMULAS
    }


def formula_table(deltas: Matrix, errors: Sequence[dict[str, float]]) -> Table:
    """Return a table of the largest errors as Delta goes to 0."""
    return Table(
        "The formulas: the largest error in PMI as Delta goes to 0",
        ("Delta", *FORMULAS),
        tuple(
            (f"{delta:.2e}", *(f"{each[name]:.2e}" for name in FORMULAS))
            for delta, each in zip(deltas, errors, strict=True)
        ),
    )


def formula_claims(orders: dict[str, float]) -> tuple[Claim, ...]:
    """Judge the formulas, which the paper states for small PMI: the errors have order 2."""
    return tuple(
        Claim(
            f"{name}: {what}, for small PMI",
            Verdict.REPRODUCED if round(orders[name], 1) == 2.0 else Verdict.NOT,
            f"The error is of order {orders[name]:.2f} in Delta on planted tables.",
        )
        for name, what in FORMULAS.items()
    )
