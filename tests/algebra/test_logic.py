"""A logic over a space: what it is asked, and what it needs."""

import numpy as np
import pytest
from errors import raises
from planted import LOGICS, SPACE, WORDS, every_logic

import andornot
from andornot import Space, Vocabulary
from andornot.algebra import Logic, QuerySyntaxError, explain
from andornot.base.choices import OrWeights
from andornot.base.errors import AndornotError, MissingCountsError, UnknownWordError, UsageError
from andornot.postprocessing import postprocess

LOGIC = LOGICS["first-order"]


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
    assert isinstance(bad, QuerySyntaxError)
    assert bad.column == 4
    assert other.words == ("w2",)
    with raises(QuerySyntaxError, "column 5"):
        LOGICS["exact"].ask_many(["w1", "w1 &"])


def test_an_unknown_word_has_suggestions():
    for use in (lambda: LOGIC.ask("w1 & w100"), lambda: LOGIC["w100"]):
        with raises(UnknownWordError, "'w100'", "'w10'") as caught:
            use()
        assert caught.value.word == "w100"
        assert caught.value.suggestions[0] == "w10"


def test_a_logic_has_the_words_that_it_can_look_up():
    assert "w1" in LOGIC
    assert "w100" not in LOGIC
    assert 5 not in LOGIC
    for word in (5, None, ["w1"]):
        with raises(UsageError, type(word).__name__, "a word must be a text", "logic['king']"):
            LOGIC[word]


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
        with raises(MissingCountsError, "weighing", "with_counts"):
            weighing.ask(query)


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: LOGIC.ask(None), ["query", "text", "NoneType"]),
        (lambda: LOGIC.ask_many("w1"), ["list", "ask"]),
        (lambda: LOGIC.ask(0.5 * LOGIC["w1"]), ["weight", "|"]),
        (lambda: LOGIC.ask(LOGICS["exact"]["w1"]), ["logic"]),
        (lambda: Logic("x.safetensors"), ["Space", "str"]),
        (lambda: Logic(SPACE, categories={"few": 3}), ["'few'", "list"]),
        (lambda: Logic(SPACE, categories={"few": "w1"}), ["'few'", "list"]),
    ],
)
def test_what_a_logic_does_not_take(make, named):
    with raises(AndornotError, *named):
        make()


def test_weights_of_an_or_are_one_of_a_few():
    with raises(UsageError, "'even'", *OrWeights):
        Logic(SPACE, weights="even")


def test_centring_by_frequency_needs_frequencies():
    bare = Space(Vocabulary(["a", "b"]), np.eye(2))
    with raises(MissingCountsError, "with_counts"):
        Logic(bare, postprocess="frequency")


def test_post_processing_is_done_once():
    whitened = postprocess(SPACE, "zipfian-whitening")
    with raises(AndornotError, "zipfian-whitening", "none"):
        Logic(whitened, postprocess="frequency")
    assert Logic(whitened, postprocess="zipfian-whitening").postprocess == "none"
