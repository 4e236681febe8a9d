"""The laws of AND, OR and NOT, in both arithmetics and every post-processing."""

from itertools import permutations

import numpy as np
import pytest
from errors import raises
from hypothesis import given, settings
from hypothesis import strategies as st
from planted import DIM, LOGICS, SPACE, WORDS, PaperLogic, assert_same_concept, every_logic

from andornot import Space
from andornot.algebra.compute import row_of
from andornot.base.errors import AndornotError
from andornot.postprocessing import postprocess

some_words = st.lists(st.sampled_from(WORDS), min_size=2, max_size=5, unique=True)


@every_logic
@settings(max_examples=15, deadline=None)
@given(words=some_words)
def test_and_commutes_and_associates(logic, words):
    first, *others = (logic[word] for word in words)
    forward = first
    for other in others:
        forward = forward & other
    backward = others[-1]
    for other in [*others[-2::-1], first]:
        backward = other & backward
    assert_same_concept(forward, backward)
    twice, once = (row_of(each.node, logic.arithmetic) for each in (first & first, first))
    zero = logic.arithmetic.zero if logic.exact else 0  # the row at which PMI is 0
    np.testing.assert_allclose(twice - zero, 2 * (once - zero), atol=2e-4)  # not idempotent


@every_logic
@settings(max_examples=15, deadline=None)
@given(words=some_words)
def test_or_is_over_a_set(logic, words):
    concepts = [logic[word] for word in words]
    whole = concepts[0]
    for other in concepts[1:]:
        whole = whole | other
    turned = concepts[-1]
    for other in concepts[-2::-1]:
        turned = other | turned
    assert_same_concept(whole, turned)
    assert_same_concept(whole, whole | whole)
    assert_same_concept(whole, whole | concepts[0])
    assert_same_concept(concepts[0], concepts[0] | concepts[0])


@every_logic
@settings(max_examples=15, deadline=None)
@given(words=some_words)
def test_not_not_is_nothing(logic, words):
    category = sorted({*words, "w20", "w21"})
    inside = logic[words[0]].given(category)
    assert_same_concept(~~inside, inside)
    rest = [word for word in category if word != words[0]]
    long_way = logic.concept(f"({' | '.join(rest)}) @ {{{', '.join(category)}}}")
    assert_same_concept(~inside, long_way)


@pytest.mark.parametrize("method", ["none", "frequency"])
def test_or_moves_with_the_origin(method):
    shift = np.arange(DIM, dtype=np.float32)
    moved = Space(SPACE.vocabulary, SPACE.target + shift, SPACE.context)
    before, after = PaperLogic(SPACE, postprocess=method), PaperLogic(moved, postprocess=method)
    expected = shift if method == "none" else 0
    difference = after.concept("w1 | w5 | w9").vector - before.concept("w1 | w5 | w9").vector
    np.testing.assert_allclose(difference, expected + np.zeros(DIM), atol=1e-5)


def test_the_or_of_everything_is_the_centre():
    everything = " | ".join(WORDS)
    whole = LOGICS["first-order"].concept(everything)
    np.testing.assert_allclose(whole.vector, 0, atol=1e-6)
    assert whole.probability == pytest.approx(1)


def test_given_everything_is_frequency_centring():
    logic = PaperLogic(SPACE, postprocess="none")
    centred = postprocess(SPACE, "frequency")
    for word in ("w0", "w11"):
        np.testing.assert_allclose(logic[word].given(WORDS).vector, centred.vector(word), atol=1e-5)


def test_frames_that_differ_meet_outside():
    logic = LOGICS["first-order"]
    here, there = ["w1", "w2", "w3"], ["w4", "w5", "w6"]
    a, b = ~logic["w1"].given(here), ~logic["w4"].given(there)
    np.testing.assert_allclose(
        (a & b).vector, a.in_global_frame.vector + b.in_global_frame.vector, atol=1e-6
    )
    assert (a & b).frame is None
    c = ~logic["w2"].given([*here[::-1]])
    assert (a & c).frame == a.frame
    np.testing.assert_allclose((a & c).vector, a.vector + c.vector, atol=1e-6)


def test_unions_within_a_frame_are_unions_of_members():
    logic = LOGICS["first-order"]
    category = "{w1, w2, w3, w4}"
    left = logic.concept(f"(!w1 @ {category}) | (!w2 @ {category})")
    assert left.probability == pytest.approx(1)
    np.testing.assert_allclose(left.vector, 0, atol=1e-6)
    assert_same_concept(
        logic.concept(f"!(w1 | w2) @ {category}"),
        logic.concept(f"(w3 | w4) @ {category}"),
    )


def test_weights_change_the_vector_and_not_the_probability():
    logic = LOGICS["first-order"]
    a, b = logic["w3"], logic["w8"]
    weighted = 0.75 * a | 0.25 * b
    np.testing.assert_allclose(weighted.vector, 0.75 * a.vector + 0.25 * b.vector, atol=1e-6)
    assert weighted.probability == (a | b).probability
    assert_same_concept(weighted, logic.concept("0.75*w3 | 0.25*w8"))
    three = 0.5 * a | 0.25 * b | 0.25 * logic["w9"]
    assert_same_concept(three, logic.concept("2*w3 | 1*w8 | 1*w9"))
    even = LOGICS["uniform-weights"].concept("w3 | w8")
    np.testing.assert_allclose(even.vector, (a.vector + b.vector) / 2, atol=1e-6)


def test_weights_of_equal_operands_add_up_and_may_be_huge():
    logic = LOGICS["first-order"]
    assert_same_concept(logic.concept("1*w1 | 1*w1 | 2*w2"), logic.concept("1*w1 | 1*w2"))
    assert_same_concept(logic.concept("1e308*w1 | 1e308*w2"), logic.concept("1*w1 | 1*w2"))
    assert_same_concept(
        logic.concept("1e308*w1 | 1e308*w1 | 1e308*w2"), logic.concept("2*w1 | 1*w2")
    )


def test_weighted_unions_within_a_category():
    logic = LOGICS["first-order"]
    left = logic.concept("(1*w1 | 3*w2) @ {w1, w2, w3}")
    right = logic.concept("1*(w1 @ {w1, w2, w3}) | 3*(w2 @ {w1, w2, w3})")
    assert_same_concept(left, right)
    assert left.is_bound is right.is_bound is False
    assert_same_concept(left | left, left)
    inside = "{w1, w2, w3}"
    one, other = (
        logic.concept(f"({a}*w1 | {b}*w2) @ {inside} | w5") for a, b in ((0.9, 0.1), (0.1, 0.9))
    )
    assert np.linalg.norm(one.vector - other.vector) > 0.1
    assert one.probability == pytest.approx(other.probability)
    for query in ("!(1*w1 | 3*w2) @ {w1, w2, w3}", "!(1*(w1 @ {w1, w2}) | 3*(w2 @ {w1, w2}))"):
        with raises(AndornotError, "NOT", "1*", "3*", "weights"):
            logic.ask(query)


def test_order_of_operands_never_matters_to_answers():
    logic = LOGICS["exact"]
    answers = {
        logic.ask(" | ".join(words), k=5).words for words in permutations(["w1", "w2", "w3"])
    }
    assert len(answers) == 1
