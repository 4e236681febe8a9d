"""Vectors that are not those of words, as operands."""

import numpy as np
import pytest
from errors import raises
from planted import DIM, LOGICS, SPACE, WORDS, every_logic

from andornot import Logic
from andornot.algebra import explain
from andornot.base.errors import AndornotError, UsageError

LOGIC = LOGICS["first-order"]


def as_vector(logic, word):
    """The vector of a word, as one that is not a word's."""
    return logic.vector(SPACE[word], name=word)


@every_logic
def test_the_vector_of_a_word_is_asked_as_the_word(logic):
    for word in ("w1", "w7"):
        given = as_vector(logic, word)
        np.testing.assert_allclose(given.vector, logic[word].vector, rtol=1e-4, atol=1e-4)
        asked = logic.ask(given, k=5)
        assert asked.words[0] == word  # it is not a word of the query, so it may be an answer
        assert asked.words == logic.ask(word, k=5, keep_operands=True).words


@every_logic
def test_operations_are_those_of_words(logic):
    a, b = as_vector(logic, "w1"), as_vector(logic, "w5")
    for found, query in (
        (a & b, "w1 & w5"),
        (a & logic["w5"], "w1 & w5"),
        (0.3 * a | 0.7 * logic["w5"], "0.3*w1 | 0.7*w5"),
        ((a & b).given(["w1", "w2", "w3"]), "(w1 & w5) @ {w1, w2, w3}"),
        ((a & logic["w2"]) & b, "w1 & w2 & w5"),
    ):
        if "|" in query and logic is LOGICS["exact-glove"]:
            continue  # an exact OR weighs by the bias of each word, which a vector doesn't have
        expected = logic.concept(query).vector
        np.testing.assert_allclose(found.vector, expected, rtol=1e-3, atol=1e-3)


@every_logic
def test_not_turns_away_from_a_vector(logic):
    a, b = as_vector(logic, "w1"), as_vector(logic, "w5")
    expected = logic.concept("w1 & !w5")
    for found in (a & ~b, logic["w1"] & ~b, a & ~logic["w5"]):
        np.testing.assert_allclose(found.vector, expected.vector, rtol=1e-3, atol=1e-3)
        assert str(found.formula).count("!") == 1
    assert logic.ask(a & ~b, k=5).readings


def test_an_or_weighs_alike_what_has_no_probability():
    a, b = as_vector(LOGIC, "w1"), LOGIC["w5"]
    either = a | b
    np.testing.assert_allclose(either.vector, (a.vector + b.vector) / 2, atol=1e-6)
    assert np.isnan(either.probability)
    assert any("alike" in note for note in either.notes)
    assert (a | as_vector(LOGIC, "w1")).vector == pytest.approx(a.vector)  # the same counts once
    other = LOGIC.vector(-np.asarray(SPACE["w1"]), name="w1")  # of the same name, another vector
    np.testing.assert_allclose((a | other).vector, (a.vector + other.vector) / 2, atol=1e-6)


def test_post_processing_is_applied():
    values = np.random.default_rng(1).normal(size=DIM)
    for method in ("none", "frequency", "zipfian-whitening"):
        logic = Logic(SPACE, postprocess=method)
        expected = logic.target(values[None].astype(np.float32))[0]
        np.testing.assert_allclose(logic.vector(values).vector, expected, rtol=1e-4, atol=1e-4)
        products = SPACE.target @ logic.query_vector(logic.vector(values))
        assert products.shape == (len(SPACE),)


def test_it_is_printed_and_explained():
    named, plain = as_vector(LOGIC, "w1"), LOGIC.vector(np.ones(DIM))
    assert str((named & LOGIC["w2"]).formula) == "<w1> & w2"
    assert str(plain.formula).startswith("<vector ")
    assert str(plain.formula) == str(LOGIC.vector(np.ones(DIM)).formula)
    assert str(plain.formula) != str(LOGIC.vector(2 * np.ones(DIM)).formula)
    for logic in LOGICS.values():
        found = explain(as_vector(logic, "w1") & logic["w2"])
        assert [part.kind for part in found.parts] == ["AND", "vector", "word"]
        assert found.parts[1].probability is None
        assert found.text()
        assert found._repr_html_()
        assert explain(as_vector(logic, "w1")).parts[0].kind == "vector"


def test_changing_the_array_changes_no_concept():
    values = np.array(SPACE["w1"])
    concept = LOGIC.vector(values)
    values[:] = 0
    np.testing.assert_allclose(concept.vector, LOGIC["w1"].vector, atol=1e-5)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        (np.ones(DIM - 1), ["values", DIM, DIM - 1]),
        (np.ones((2, DIM)), ["values"]),
        ([np.nan] * DIM, ["values", "nan"]),
        ("w1", ["values", "numbers"]),
        (None, ["values"]),
        (3.0, ["values"]),
    ],
    ids=str,
)
def test_what_is_no_vector(values, named):
    with raises(UsageError, *named):
        LOGIC.vector(values)


def test_what_a_vector_is_not():
    x = LOGIC.vector(np.ones(DIM))
    with raises(AndornotError, "NOT of a vector", "a & ~x"):
        LOGIC.ask(~x)
    with raises(AndornotError, "zero", "direction"):
        LOGIC.ask(LOGIC.vector(LOGIC.target.mean))
    assert LOGIC.ask(x, among=WORDS[:3]).words
