"""AND by centring, and AND with the known scores of PMI 0: the error of each, and the answers.

Centring uses the mean vector as the vector whose PMI is 0 with every context, which leaves an error
of eps_c (Theorem 1). These scores are known if the space records q and k, or biases, and the best
vector for them has a smaller error. Neither error depends on the words: it is the same for all sums
of two words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from andornot.algebra import Logic, explain
from andornot.algebra.expression import And, Term
from andornot.base.moments import unit_rows
from andornot.base.progress import track
from andornot.experiments.intervals import Interval, mean_interval
from andornot.experiments.ranks import ranks
from andornot.experiments.report import Table
from andornot.experiments.triples import Triple
from andornot.space import Space


class ExactAnd(NamedTuple):
    """The rms errors of both methods in the model's PMI, the MRR of z with both, and the change."""

    error_by_centring: float
    error_with_shift: float
    by_centring: float
    with_shift: float
    change: Interval


def exact_and(space: Space, asked: Sequence[Triple]) -> ExactAnd | None:
    """Compare both methods on the triples, or return None if the shift of the space is unknown."""
    if space.context is None or not space.has_frequencies:
        return None
    logic = Logic(space)
    exact = logic.exact_arithmetic
    if not exact.zero_is_known:
        return None
    word = space.vocabulary.word
    sums = [And((Term(word(t.x)), Term(word(t.y)))) for t in asked]
    found = explain(logic.concept(sums[0]))
    assert found.rms is not None
    assert found.residual is not None
    rows = logic.target.of_block(np.asarray(space.target))
    words, goals = unit_rows(rows), [t.z for t in asked]
    first = np.array([rows[t.x] + rows[t.y] for t in asked])
    again = Logic(space, exact=True)
    shifted = np.array([again.concept(each).vector for each in track(sums, "AND, exactly")])
    before, after = (1 / ranks(words, queries, goals) for queries in (first, shifted))
    return ExactAnd(
        # the error of the best vector is orthogonal to the error of centring against that vector
        float(np.hypot(found.rms, found.residual)),
        found.residual,
        float(before.mean()),
        float(after.mean()),
        mean_interval(after - before, clusters=[t.relation for t in asked]),
    )


def exact_and_table(found: dict[str, ExactAnd]) -> Table:
    """Return a table of both methods for each model."""
    return Table(
        "AND by centring, and with the known scores of PMI 0 (exact mode): rms error in the "
        "model's PMI, and MRR",
        ("", "error, centring", "error, known", "MRR, centring", "MRR, known", "known - centring"),
        tuple((model, *each[:-1], str(each.change)) for model, each in found.items()),
    )
