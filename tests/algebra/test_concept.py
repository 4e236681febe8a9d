"""Concepts joined in Python: what combines, and what doesn't."""

import pytest
from errors import raises
from planted import LOGICS, SPACE

from andornot.algebra import explain
from andornot.base.errors import AndornotError

LOGIC = LOGICS["first-order"]


def test_weights_multiply():
    a, b = LOGIC["w1"], LOGIC["w2"]
    assert (2 * (3 * a)).weight == 6.0
    assert str((2 * (3 * a) | 1 * b).formula) == "6*w1 | 1*w2"


def test_outside_of_its_category_a_concept_is_final():
    outside = (~LOGIC["w1"].given(["w1", "w2", "w3"])).in_global_frame
    for combine in (lambda: outside & LOGIC["w2"], lambda: LOGIC["w1"] | outside):
        with raises(AndornotError, "category", "combine first"):
            combine()
    found = explain(outside)
    p = SPACE.probability
    assert found.probability == pytest.approx(p[2] + p[3])
    assert found.parts[0].kind == "lift"
    assert "v = v(!w1 @ A) + v(A)" in found.text()


def test_concepts_of_different_logics_do_not_mix():
    with raises(AndornotError, "same logic"):
        LOGIC["w1"] & LOGICS["exact"]["w1"]


def test_a_word_beside_a_concept_is_an_error_that_says_how_to_make_it_one():
    with raises(AndornotError, "'w2'", "logic['w2']"):
        LOGIC["w1"] & "w2"


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf"), "x", LOGIC["w1"]])
def test_weights_are_numbers_of_at_least_0(weight):
    with raises(AndornotError, "weight", "at least 0", weight):
        weight * LOGIC["w1"]


@pytest.mark.parametrize(
    ("combine", "operation"),
    [
        (lambda weighted: weighted & LOGIC["w2"], "AND"),
        (lambda weighted: ~weighted, "NOT"),
        (lambda weighted: weighted.given(["w1", "w2"]), "given"),
    ],
)
def test_weights_belong_to_an_or(combine, operation):
    with raises(AndornotError, "weight", "|", operation):
        combine(0.5 * LOGIC["w1"])


@pytest.mark.parametrize("use", [bool, lambda a: a and LOGIC["w2"], lambda a: not a])
def test_words_of_python_join_no_concepts(use):
    with raises(AndornotError, "&, | and ~", "`and`, `or` and `not`"):
        use(LOGIC["w1"])


@pytest.mark.parametrize(
    ("category", "named"),
    [
        (None, "name"),
        (["w1", 3], "numbers"),
        ([], "without words"),
        ("", "without words"),
    ],
)
def test_a_category_is_a_name_or_words(category, named):
    with raises(AndornotError, "category", named):
        LOGIC["w1"].given(category)


def test_a_concept_is_given_one_category():
    with raises(AndornotError, "one category", "remove"):
        LOGIC["w1"].given(["w1", "w2"]).given(["w1", "w3"])
