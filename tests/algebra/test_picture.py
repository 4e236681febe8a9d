"""Pictures: the height of a word is its score, whatever was asked."""

import json
import math
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from errors import raises
from pictured import answers
from planted import LOGICS, SPACE
from queries import FAMILIAR

import andornot
from andornot import Logic
from andornot.algebra.picture import NoPictureError, picture_facts, picture_of
from andornot.algebra.picture_data import PointKind
from andornot.base.moments import unit_rows
from andornot.postprocessing import postprocess


def check_heights(found):
    for answer in found:
        picture = picture_of(answer)
        assert [hit.name for hit in picture.hits] == list(answer.words)
        assert [hit.score for hit in picture.hits] == [hit.score for hit in answer]
        heights = np.array([hit.y for hit in picture.hits])
        np.testing.assert_allclose(heights, [hit.score for hit in answer], atol=1e-6)
        assert all(point.share <= 1 + 1e-9 for point in picture.points)
        result = picture.points[-1]
        assert (result.kind, result.x, result.y) == ("result", 0, 1)


def test_heights_are_scores():
    check_heights(answers())


@pytest.fixture(scope="module")
def model():
    """The frequent words of the default model."""
    return andornot.default().top(10_000)


@pytest.mark.slow
def test_heights_are_scores_in_a_model(model):
    check_heights(answers(model, tuple(FAMILIAR)))


def check_cosines(logic, found):
    """The products of positions are the scores of asks for the operands alone."""
    checked = 0
    for answer in found:
        picture = picture_of(answer)
        if len(picture.operands) != 2 or answer.concept.logic.exact or picture.origin.is_category:
            continue
        assert min(operand.share for operand in picture.operands) == pytest.approx(1, abs=1e-9)
        for operand in picture.operands:
            alone = logic.ask(operand.name, among=answer.words, k=99, everywhere=True)
            scores = {hit.word: hit.score for hit in alone}
            for hit in picture.hits:
                if hit.name in scores:  # not a word of the operand itself
                    read = hit.x * operand.x + hit.y * operand.y
                    assert read == pytest.approx(scores[hit.name], abs=1e-6)
                    checked += 1
    assert checked > 500


def test_cosines_with_two_operands_can_be_read_off():
    check_cosines(Logic(SPACE), answers())


@pytest.mark.slow
def test_cosines_can_be_read_off_in_a_model(model):
    check_cosines(Logic(model), answers(model, tuple(FAMILIAR)))


@pytest.mark.parametrize("name", LOGICS)
@pytest.mark.parametrize("query", ["w3 & w5 & w7", "w3 | (w5 & w7) | w9", "w3 & w5 & !w7"])
def test_across_is_the_first_singular_direction(name, query):
    logic = LOGICS[name]
    answer = logic.ask(query)
    picture = picture_of(answer)
    operands = [logic.concept(operand.name).vector for operand in picture.operands]
    result = answer.concept.vector / np.linalg.norm(answer.concept.vector)
    rows = unit_rows(np.stack(operands))
    rest = rows - np.outer(rows @ result, result)
    largest = np.linalg.eigvalsh(rest @ rest.T)[-1]
    found = np.array([operand.x for operand in picture.operands])
    assert found @ found == pytest.approx(largest)
    assert found[np.abs(found) > 1e-6][0] < 0
    np.testing.assert_allclose([operand.y for operand in picture.operands], rows @ result)


@pytest.mark.parametrize("query", ["w3", "!w3 @ {w3, w4, w5, w6}"])
def test_where_nothing_of_the_operands_is_left_the_words_span_the_plane(query):
    answer = Logic(SPACE).ask(query)
    picture = picture_of(answer)
    assert picture.axis.of == "words"
    assert picture.axis.right == "does not change the order"
    origin = 0 if answer.concept.computed.origin is None else answer.concept.computed.origin
    logic = answer.concept.logic
    rows = unit_rows(np.stack([logic[word].vector for word in answer.words]) - origin)
    result = answer.concept.vector / np.linalg.norm(answer.concept.vector)
    rest = rows - np.outer(rows @ result, result)
    found = np.array([hit.x for hit in picture.hits])
    assert found @ found == pytest.approx(np.linalg.eigvalsh(rest @ rest.T)[-1])


def points(query, **options):
    logic = Logic(SPACE, **options)
    return {(point.kind.value, point.label): point for point in picture_of(logic.ask(query)).points}


def test_a_word_lies_at_the_top_and_the_operand_of_not_at_the_bottom():
    word = points("w3")["operand", "w3"]
    assert (word.x, word.y) == (pytest.approx(0, abs=1e-9), pytest.approx(1))
    negated = points("!w3 @ {w3, w4, w5, w6}")["operand", "w3"]
    assert (negated.x, negated.y) == (pytest.approx(0, abs=1e-9), pytest.approx(-1))
    assert negated.is_negated


def test_both_sides_of_a_turn_are_operands():
    found = points("w3 & w4 & !w7")
    assert [key for key in found if key[0] == "operand"] == [
        ("operand", "w3"),
        ("operand", "w4"),
        ("operand", "w7"),
    ]
    assert [point.is_negated for key, point in found.items() if key[0] == "operand"] == [
        False,
        False,
        True,
    ]


def test_categories_are_drawn():
    logic = Logic(SPACE)
    query = "w1 @ {w1, w2, w3} & !w5 @ {w5, w6, w7, w8, w9}"
    picture = picture_of(logic.ask(query))
    first, second = picture.of(PointKind.CATEGORY)
    assert first.name == "{w1, w2, w3}"
    assert second.label == "{w5, w6, w7, and 2 more}"
    assert [operand.label for operand in picture.operands] == ["w1", "!w5"]
    vector = logic.concept("w1 | w2 | w3").vector
    result = logic.concept(query).in_global_frame.vector
    cosine = vector @ result / np.linalg.norm(vector) / np.linalg.norm(result)
    assert first.y == pytest.approx(cosine)
    own = picture_of(logic.ask("!w5 @ {w5, w6, w7, w8}"))
    (category,) = own.of(PointKind.CATEGORY)
    assert (category.x, category.y) == (0, 0)
    assert own.origin.is_category
    assert own.origin.name == "the origin of {w5, w6, w7, w8}"


def test_the_bisector_shows_the_weights():
    """It lies halfway between the angles at which the operands are asked alone."""
    logic = Logic(SPACE)
    for query in ("w3 & w9", "0.9*w3 | 0.1*w9", "0.1*w3 | 0.9*w9"):
        picture = picture_of(logic.ask(query))
        result = logic.concept(query).vector
        left, right = (
            math.degrees(math.acos(v @ result / np.linalg.norm(v) / np.linalg.norm(result)))
            for v in (logic["w3"].vector, logic["w9"].vector)
        )
        assert picture.bisector.tilt == pytest.approx((right - left) / 2)
        assert math.hypot(picture.bisector.x, picture.bisector.y) == pytest.approx(1)
        one, other = picture.operands
        near = (one.x * picture.bisector.x + one.y * picture.bisector.y) - (
            other.x * picture.bisector.x + other.y * picture.bisector.y
        )
        assert near == pytest.approx(0, abs=1e-9)
    assert picture_of(logic.ask("w3 & w5 & w9")).bisector is None
    assert picture_of(Logic(SPACE, exact=True).ask("w3 & w9")).bisector is None  # not in the plane


def test_ends_of_the_axis_are_named():
    logic = Logic(SPACE)
    axis = picture_of(logic.ask("w3 & w9")).axis
    assert (axis.left, axis.right) == ("more like w3", "more like w9")
    turned = logic.ask("w3 & !w9")
    assert turned.concept.computed.turns
    axis = picture_of(turned).axis
    assert {axis.left, axis.right} == {"more like w9", "less like w9"}


@pytest.mark.parametrize(
    ("name", "origin"),
    [
        ("uniform", "the plain mean"),
        ("frequency", "the mean by frequency"),
        ("none", "zero, without centring"),
        ("zipfian-whitening", "the mean by frequency, whitened"),
    ],
)
def test_the_origin_has_a_name(name, origin):
    assert picture_of(Logic(SPACE, postprocess=name).ask("w1 & w2")).origin.name == origin
    done = postprocess(SPACE, name)
    assert picture_of(Logic(done).ask("w1 & w2")).origin.name == (
        "the mean by frequency" if name == "none" else origin
    )


def test_words_in_a_line_have_a_picture():
    space = andornot.Space.from_arrays(["a", "b", "c", "d"], [[1.0], [2.0], [4.0], [-3.0]])
    picture = picture_of(Logic(space).ask("c"))
    assert picture.axis.of == "nothing"
    assert {hit.x for hit in picture.hits} == {0.0}
    assert picture.caution.startswith("This plane holds 100 % of a word")


def test_without_cosines_there_is_only_the_list():
    logic = Logic(SPACE)
    for answer, named in (
        (logic.ask("w1 & w2", measure="pmi"), "pmi"),
        (logic.describe("w1 w2"), "description"),
        (logic.ask("w1", among=["w1"]), "none"),
    ):
        with raises(NoPictureError, named):
            picture_of(answer)
        facts = picture_facts(answer)
        assert facts["exists"] is False
        assert named in facts["reason"]


def test_facts_are_json_and_the_picture_cannot_be_changed():
    answer = Logic(SPACE).ask("w1 & !w2 @ {w2, w3, w4}")
    picture = picture_of(answer)
    facts = picture_facts(answer)
    assert json.loads(json.dumps(facts)) == facts
    assert facts["exists"] is True
    assert len(facts["points"]) == len(picture.points)
    assert facts["points"][0]["share"] == picture.hits[0].share
    with pytest.raises(FrozenInstanceError):
        picture.points = ()
