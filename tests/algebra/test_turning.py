"""`a & !b` turns away from b: closed forms, a search over the cone, and every logic."""

import itertools

import numpy as np
import pytest
from errors import assert_names, raises
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from planted import LOGICS, WORDS, assert_same_concept, every_logic

import andornot
from andornot.algebra import explain
from andornot.algebra.turning import MOST, turn_away
from andornot.base.errors import AndornotError

NUMBERS = st.integers(-30, 30).map(lambda number: number / 10)


def cosine(left, right):
    return left @ right / np.linalg.norm(left) / np.linalg.norm(right)


def turned(wanted, unwanted, most):
    return turn_away(wanted, unwanted, most).factors @ np.vstack([wanted, unwanted])


# --- the vectors -------------------------------------------------------------------------------


@given(arrays(float, (4, 6), elements=NUMBERS), st.integers(1, 3), st.floats(0.01, np.pi / 2))
def test_a_turn_is_never_towards_what_is_negated(rows, count, most):
    wanted, unwanted = rows[0], rows[1 : count + 1]
    if not np.linalg.norm(rows, axis=1).all():
        return
    turn = turn_away(wanted, unwanted, most)
    found = turn.factors @ np.vstack([wanted, unwanted])
    if not turn.factors.any():  # nothing is left of a sum of what is negated
        assert cosine(wanted, np.linalg.lstsq(unwanted.T, wanted)[0] @ unwanted) > 1 - 1e-6
        return
    before = np.array([cosine(wanted, each) for each in unwanted])
    after = np.array([cosine(found, each) for each in unwanted])
    np.testing.assert_allclose(turn.before, before, atol=1e-6)
    np.testing.assert_allclose(turn.after, after, atol=1e-6)
    assert (after <= np.maximum(before, 0) + 1e-6).all()
    assert np.linalg.norm(found) == pytest.approx(np.linalg.norm(wanted))
    assert cosine(wanted, found) >= np.cos(most) - 1e-6
    assert cosine(wanted, found) == pytest.approx(np.cos(np.radians(turn.degrees)), abs=1e-6)
    if (before <= 0).all():
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("degrees", [10, 40, 70])
@pytest.mark.parametrize("most", [5, 20, 60])
def test_in_a_plane_a_turn_is_a_rotation_by_most_or_twice_the_angle_to_a_right_one(degrees, most):
    wanted = np.array([2.0, 0.0])
    unwanted = 3 * np.array([[np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]])
    angle = -np.radians(min(most, 2 * (90 - degrees)))
    expected = 2 * np.array([np.cos(angle), np.sin(angle)])
    np.testing.assert_allclose(turned(wanted, unwanted, np.radians(most)), expected, atol=1e-12)


def test_what_is_negated_is_the_nearest_point_of_the_cone():
    rng = np.random.default_rng(5)
    grid = np.linspace(0, 1.5, 151)
    compared = 0
    for _ in range(20):
        wanted, *unwanted = rng.normal(size=(3, 3)) + 0.5
        wanted /= np.linalg.norm(wanted)
        units = [each / np.linalg.norm(each) for each in unwanted]
        points = [s * units[0] + t * units[1] for s, t in itertools.product(grid, grid)]
        nearest = min(points, key=lambda point: np.linalg.norm(wanted - point))
        found = turned(wanted, np.array(unwanted), 1e-3)
        direction = (wanted - found) - (wanted - found) @ wanted * wanted
        across = nearest - nearest @ wanted * wanted
        if np.linalg.norm(across) < 0.3:  # too few steps of the grid
            continue
        assert cosine(direction, across) > 0.995
        compared += 1
    assert compared > 5


def test_the_order_of_nots_and_how_long_their_vectors_are_change_nothing():
    rng = np.random.default_rng(6)
    wanted, first, second = rng.normal(size=(3, 8)) + 0.3
    one = turned(wanted, np.array([first, second]), 0.4)
    other = turned(wanted, np.array([5 * second, 0.1 * first]), 0.4)
    np.testing.assert_allclose(one, other, atol=1e-10)


# --- queries -----------------------------------------------------------------------------------


@every_logic
@pytest.mark.parametrize(
    ("query", "wanted", "unwanted"),
    [
        ("w1 & !w2", "w1", ["w2"]),
        ("!w2 & w1", "w1", ["w2"]),
        ("w1 & w5 & !w2", "w1 & w5", ["w2"]),
        ("(w1 | w5) & !w2 & !w3", "w1 | w5", ["w2", "w3"]),
        ("w1 & !(w2 | w3 | w4)", "w1", ["w2", "w3", "w4"]),
        ("w1 & !(w2 & w3)", "w1", ["w2 & w3"]),
        ('w1 & !"w2 w3"', "w1", ['"w2 w3"']),
    ],
)
def test_the_result_is_no_nearer_to_what_is_negated(logic, query, wanted, unwanted):
    rng = np.random.default_rng(len(query))
    for _ in range(8):
        names = dict(zip([f"w{n}" for n in range(1, 6)], rng.permutation(WORDS), strict=False))

        def renamed(text, names=names):
            return "".join(names.get(f"w{c}", f"w{c}") if c.isdigit() else c for c in text).replace(
                "ww", "w"
            )

        found = logic.concept(renamed(query)).vector
        a = logic.concept(renamed(wanted)).vector
        assert np.linalg.norm(found) == pytest.approx(np.linalg.norm(a), rel=1e-4)
        for each in unwanted:
            b = logic.concept(renamed(each)).vector
            assert cosine(found, b) <= max(0, cosine(a, b)) + 1e-4
        assert cosine(found, a) >= np.cos(MOST) - 1e-4


@every_logic
@pytest.mark.parametrize(
    ("query", "same"),
    [
        ("w1 & !w2 & !w3", "w1 & !(w2 | w3)"),
        ("w1 & !w2 & !w3", "w1 & !w3 & !w2"),
        ("w1 & !w2 & !w2", "w1 & !w2"),
        ("w1 & !!w2", "w1 & w2"),
        ("w1 & !(w2 | !w3)", "w1 & w3 & !w2"),
        ("!w1 & !w2", "!(w1 | w2)"),
        ("!!w1", "w1"),
    ],
)
def test_de_morgan(logic, query, same):
    assert_same_concept(logic.concept(query), logic.concept(same))


def test_or_with_a_bare_not_is_the_union_with_the_rest_of_its_category():
    logic = LOGICS["first-order"]
    rest = [word for word in logic.propose_category("w2") if word != "w2"]
    assert_same_concept(logic.concept("w1 | !w2"), logic.concept(" | ".join(["w1", *rest])))


@every_logic
def test_what_is_far_already_stays(logic):
    vectors = {word: logic[word].vector for word in WORDS}
    pairs = itertools.permutations(WORDS, 2)
    a, b = next((a, b) for a, b in pairs if cosine(vectors[a], vectors[b]) < -0.1)
    answer = logic.ask(f"{a} & !{b}")
    np.testing.assert_allclose(answer.concept.vector, vectors[a], atol=1e-5)
    assert_names(answer.readings[0], f"{a} is not near {b}")
    assert not {a, b} & set(answer.words)


def test_nothing_is_left_of_a_word_without_itself():
    with raises(AndornotError, "w1 & !w1", "zero"):
        LOGICS["first-order"].ask("w1 & !w1")


@every_logic
def test_an_explanation_has_the_factors_and_the_answer_says_how_far(logic):
    answer = logic.ask("w1 & !w2")
    (turn,) = answer.concept.computed.turns.values()
    found = explain(answer)
    (step, *_) = found.parts
    assert step.kind == "AND"
    assert step.sign == "<="
    assert step.probability == pytest.approx(logic["w1"].probability)
    assert found.readings == answer.readings
    assert f"{turn.factors[0]:.3g}" in step.vector
    assert f"{turn.degrees:.0f} degrees" in answer.readings[0] or "not near" in answer.readings[0]


def test_people_get_the_other_sense():
    logic = andornot.Logic(andornot.default())
    for query, wanted, unwanted in [
        ("apple & !fruit", "macintosh", "fruits"),
        ("java & !island", "objective-c", "islands"),
        ("jaguar & !car", "leopard", "cars"),
    ]:
        words = logic.ask(query, k=2000).words
        assert wanted in words[:10], query
        assert unwanted not in words[:100], query
