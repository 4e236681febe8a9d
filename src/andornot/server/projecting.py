"""A plane with words, origins and the vector of a query."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from andornot.algebra import Logic
from andornot.algebra.categories import Category
from andornot.algebra.concept import Concept
from andornot.algebra.expression import Members, Or, Term, words_of
from andornot.algebra.nodes import every_node
from andornot.base import defaults
from andornot.base.choices import OrWeights
from andornot.base.errors import AndornotError
from andornot.server.served_spaces import ServedSpace

Rows = npt.NDArray[np.float64]


def principal_axes(rows: Rows, weights: Rows) -> tuple[Rows, Rows, list[float]]:
    """Return the weighted mean of rows, their first two principal axes, and the variance on each.

    The sign of an axis makes its largest number positive.

    >>> centre, axes, shares = principal_axes(np.array([[0.0, 1], [4, 1]]), np.array([1.0, 1]))
    >>> centre.tolist(), axes.tolist(), shares
    ([2.0, 1.0], [[1.0, 0.0], [0.0, 0.0]], [1.0, 0.0])
    """
    weights = weights / weights.sum()
    centre = weights @ rows
    scaled = np.sqrt(weights)[:, None] * (rows - centre)
    _, sizes, found = np.linalg.svd(scaled, full_matrices=False)
    variance = sizes**2
    total = variance.sum()
    axes = np.zeros((2, rows.shape[1]))
    shares = [0.0, 0.0]
    for number in range(min(2, len(sizes))):
        if variance[number] > 1e-12 * total:  # else there is no such direction
            axis = found[number]
            axes[number] = axis * np.sign(axis[np.abs(axis).argmax()])
            shares[number] = float(variance[number] / total)
    return centre, axes, shares


def project(
    served: ServedSpace,
    logic: Logic,
    words: Sequence[str],
    categories: Sequence[Sequence[str]],
    concept: Concept | None,
    axes_by: str = defaults.PLANE_AXES,
) -> dict[str, Any]:
    """Return the coordinates of words, origins and a query's vector in a plane.

    The words, those of the query and those of its categories span the plane, all alike or
    weighted by frequency (`axes_by`); the origins are weighted as the logic weighs.
    """
    vocabulary = served.space.vocabulary
    operands = [] if concept is None else list(dict.fromkeys(words_of(concept.formula)))
    shown_categories = [logic.category(Members(tuple(each))) for each in categories]
    shown_categories += _categories(concept)
    members = [word for category in shown_categories for word in category.words]
    shown = list(dict.fromkeys([*logic.whole_words(words), *operands, *members]))
    if not shown:
        raise AndornotError("there is nothing to show; name words, or a query")
    ids = np.array([vocabulary.index(word) for word in shown], dtype=np.int64)
    rows = _mapped(logic, served.space.target[ids])
    centre, axes, shares = principal_axes(rows, _weights(logic, ids, axes_by))

    def coordinates(row: Rows) -> dict[str, float]:
        x, y = ((row - centre) @ axes.T).tolist()
        return {"x": x, "y": y}

    p = (
        served.space.probability[ids].tolist()
        if served.space.has_frequencies
        else [None] * len(ids)
    )
    result = None
    if concept is not None:
        outside = concept.in_global_frame if concept.frame is not None else concept
        result = {"formula": str(concept.formula)} | coordinates(outside.vector)
    return {
        "words": [
            {"word": word, "probability": mass, "is_operand": word in operands} | coordinates(row)
            for word, mass, row in zip(shown, p, rows, strict=True)
        ],
        "origins": [
            {"name": name} | coordinates(_mapped(logic, mean[None])[0])
            for name, mean in served.means.items()
        ],
        "categories": [
            {"words": list(category.words), "origin": category.origin}
            | coordinates(_origin(logic, category))
            for category in shown_categories
        ],
        "result": result,
        "explained": shares,
    }


def _mapped(logic: Logic, rows: npt.NDArray[Any]) -> Rows:
    return np.asarray(logic.target.of_block(rows.astype(np.float64)), dtype=np.float64)


def _weights(logic: Logic, ids: npt.NDArray[np.int64], by: str) -> Rows:
    """Return the weights of words; all are alike if none has a frequency."""
    if by == OrWeights.UNIFORM:
        return np.ones(len(ids))
    weights = logic.probabilities[ids]
    total = float(weights.sum())
    return weights if total > 0 and not math.isnan(total) else np.ones(len(ids))


def _origin(logic: Logic, category: Category) -> Rows:
    """Return the vector of the OR of a category's words."""
    return logic.concept(Or(tuple(map(Term, category.words)))).vector


def _categories(concept: Concept | None) -> list[Category]:
    """Return the categories within which parts of a query are seen."""
    if concept is None:
        return []
    found = (node.category for node in every_node(concept.node))
    return list(dict.fromkeys(category for category in found if category is not None))
