"""Concepts joined in Python: what combines, and what doesn't."""

import numpy as np
import pytest
from planted import LOGICS, SPACE

from andornot import Space, Vocabulary
from andornot.algebra import Logic, explain
from andornot.base.errors import AndornotError


def test_weights_multiply():
    a, b = LOGICS["first-order"]["w1"], LOGICS["first-order"]["w2"]
    assert (2 * (3 * a)).weight == 6.0
    assert str((2 * (3 * a) | 1 * b).formula) == "6*w1 | 1*w2"


def test_outside_of_its_category_a_concept_is_final():
    outside = (~LOGICS["first-order"]["w1"].given(["w1", "w2", "w3"])).in_global_frame
    with pytest.raises(AndornotError, match="combine first"):
        outside & LOGICS["first-order"]["w2"]
    found = explain(outside)
    p = SPACE.probability
    assert found.probability == pytest.approx(p[2] + p[3])
    assert found.parts[0].kind == "lift"
    assert "v = v(!w1 @ A) + v(A)" in found.text()


def test_concepts_of_different_logics_do_not_mix():
    with pytest.raises(AndornotError, match="same logic"):
        LOGICS["first-order"]["w1"] & LOGICS["exact"]["w1"]
    with pytest.raises(AndornotError, match="weight belongs"):
        (0.5 * LOGICS["first-order"]["w1"]) & LOGICS["first-order"]["w2"]
    with pytest.raises(AndornotError, match="a weight must be a number of at least 0"):
        -1 * LOGICS["first-order"]["w1"]
    with pytest.raises(AndornotError, match="needs word frequencies"):
        Logic(Space(Vocabulary(["a", "b"]), np.eye(2)), postprocess="frequency")
