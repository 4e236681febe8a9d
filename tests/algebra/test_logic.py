"""A logic over a space: what it is asked, and what it needs."""

import numpy as np
import pytest
from planted import LOGICS, SPACE, WORDS, every_logic

import andornot
from andornot import Space, Vocabulary
from andornot.algebra import Logic, explain
from andornot.algebra.expression import And, Or, Term
from andornot.base.errors import AndornotError, UnknownWordError


def test_the_example(example):
    space = andornot.load(example).with_counts(example.with_suffix(".counts"))
    assert Logic(space).ask("royal & woman", k=1).words == ("queen",)


def test_the_same_query_has_the_same_vector_again():
    logic = Logic(SPACE)
    before = {(a, b): logic.concept(f"{a} | {b}").vector for a in WORDS[:9] for b in WORDS[9:18]}
    for (a, b), vector in before.items():
        np.testing.assert_array_equal(logic.concept(f"{a} | {b}").vector, vector)


@every_logic
def test_nobody_changes_a_logic_through_its_vectors(logic):
    before = logic.ask("w1 & w2").words
    with pytest.raises(ValueError, match="read-only"):
        logic["w1"].vector[:] = 0
    with pytest.raises(ValueError, match="read-only"):
        logic.concept("w1 @ {w1, w2}").computed.origin[:] = 0
    assert logic.ask("w1 & w2").words == before


def test_one_bad_query_spoils_no_other():
    good, bad, other = LOGICS["exact"].answer_all(["w1 & w2", "w1 &", "!w1 @ {w1, w2}"])
    assert good.words
    assert "missing" in str(bad)
    assert other.words == ("w2",)
    with pytest.raises(AndornotError, match="missing"):
        LOGICS["exact"].ask_many(["w1", "w1 &"])
    with pytest.raises(AndornotError, match="k must be at least 1, got 0"):
        LOGICS["exact"].ask("!w1 @ {w1, w2}", k=0)


def test_an_unknown_word_has_suggestions():
    with pytest.raises(UnknownWordError, match="did you mean"):
        LOGICS["first-order"].ask("w1 & w100")
    with pytest.raises(UnknownWordError):
        LOGICS["first-order"]["w100"]


def test_without_frequencies():
    bare = Space(Vocabulary(["a", "b", "c"]), np.array([[1.0, 0.2], [0.3, 1.0], [-1.0, 0.1]]))
    logic = Logic(bare, postprocess="uniform", weights="uniform")
    centred = bare.target - bare.target.mean(0)
    either = logic.concept("a | b")
    np.testing.assert_allclose(either.vector, centred[:2].mean(0), atol=1e-6)
    for query in ("a", "a & b", "a | b", "(a & b) | c", "!a @ {a, b}", "(a & b) @ {b, c}"):
        concept = logic.concept(query)
        assert np.isnan(concept.probability)
        assert np.isfinite(concept.vector).all()
        found = explain(concept)
        assert "p = unknown" in found.text()
        assert found.to_dict()["probability"] is None
    assert logic.ask("!a @ {a, b, c}").words
    weighing = Logic(bare, postprocess="none", weights="frequency")
    assert weighing.ask("a & b").words == ("c",)
    for query in ("a | b", "(a & b) | c", "!a @ {a, b}"):
        with pytest.raises(AndornotError, match="weighing by frequency needs word frequencies"):
            weighing.ask(query)


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (
            lambda: Or((Term("w1"), Term("w2")), (-1.0, 2.0)),
            "a weight must be a number of at least 0",
        ),
        (
            lambda: Or((Term("w1"), Term("w2")), (np.nan, 2.0)),
            "a weight must be a number of at least 0",
        ),
        (lambda: Or((Term("w1"), Term("w2")), (0.0, 0.0)), "add up to zero"),
        (lambda: Or((Term("w1"), Term("w2")), (1.0,)), "have a weight, or none"),
        (lambda: Or(()), "an OR needs at least one"),
        (lambda: And(()), "an AND needs at least one"),
        (lambda: LOGICS["first-order"].ask(None), "a query is a text"),
        (lambda: LOGICS["first-order"].ask_many("w1"), "several queries are a list"),
        (lambda: LOGICS["first-order"].ask("w1", k=1.5), "k must be a whole number"),
        (lambda: LOGICS["first-order"].ask("!w1 @ {w1, w2}", k="2"), "k must be a whole number"),
        (lambda: LOGICS["first-order"].ask("!w1 @ {w1, w2}", k=0), "k must be at least 1"),
        (lambda: LOGICS["first-order"]["w1"] and LOGICS["first-order"]["w2"], "not by `and`"),
        (lambda: not LOGICS["first-order"]["w1"], "not by `and`"),
        (lambda: "x" * LOGICS["first-order"]["w1"], "a weight must be a number of at least 0"),
        (lambda: LOGICS["first-order"]["w1"] * LOGICS["first-order"]["w2"], "a weight must be"),
        (lambda: LOGICS["first-order"]["w1"].given(None), "a category is the name of one"),
        (lambda: LOGICS["first-order"]["w1"].given(["w1", 3]), "words of a category are texts"),
        (lambda: LOGICS["first-order"]["w1"].given([]), "a category without words"),
        (lambda: LOGICS["first-order"]["w1"].given(""), "a category without words"),
        (lambda: LOGICS["first-order"].ask(0.5 * LOGICS["first-order"]["w1"]), "weight belongs"),
        (lambda: Logic("x.safetensors"), "a logic is over a Space"),
        (lambda: Logic(SPACE, categories={"few": 3}), "must be a list of words"),
        (lambda: LOGICS["first-order"].ask(LOGICS["exact"]["w1"]), "logic that it belongs to"),
        (lambda: Logic(SPACE, categories={"few": "w1"}), "must be a list of words"),
        (
            lambda: Logic(SPACE, categories={"few": ["w1", "x", "y"]}).ask("w1 @ few"),
            "'few' has 1 words of the vocabulary, and needs two; not in the space: x, y",
        ),
    ],
)
def test_misuse_is_said_in_one_line(make, problem):
    with pytest.raises(AndornotError, match=problem) as error:
        make()
    assert "\n" not in str(error.value)
