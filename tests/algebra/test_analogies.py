"""Analogies, `king - man + woman`: 3CosAdd, from the query to the explanation."""

import math
import os
import random
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from errors import assert_names, raises
from planted import LOGICS, SIZE, SPACE, WORDS, every_logic

import andornot
from andornot import Space
from andornot.algebra import Logic, explain, parse
from andornot.algebra.expression import Analogy, And, Given, Named, Not, Or, Term
from andornot.algebra.facts import facts_of
from andornot.algebra.notation import quoted
from andornot.base.errors import AndornotError, UnknownWordError
from andornot.datasets.analogy import Question, read_questions
from andornot.datasets.locating import locate
from andornot.evaluation import analogies
from andornot.postprocessing import postprocess
from andornot.server.costs import Cost

CAPITALS = [
    ("Athens", "Greece"),
    ("Berlin", "Germany"),
    ("Paris", "France"),
    ("Rome", "Italy"),
    ("Madrid", "Spain"),
    ("Tokyo", "Japan"),
    ("Cairo", "Egypt"),
    ("Oslo", "Norway"),
]


@every_logic
@pytest.mark.parametrize(
    ("query", "signs"),
    [
        ("w3 - w1 + w2", {3: 1, 1: -1, 2: 1}),
        ("w5 + w7", {5: 1, 7: 1}),
        ("w9 - w4 - w2 + w11 - w6", {9: 1, 4: -1, 2: -1, 11: 1, 6: -1}),
        ("w3 + w3 - w1", {3: 2, 1: -1}),
    ],
)
def test_an_answer_is_that_of_brute_force(logic, query, signs):
    mapped = logic.target(logic.space.target).astype(float)
    unit = mapped / np.linalg.norm(mapped, axis=1, keepdims=True)
    goal = sum(sign * unit[i] for i, sign in signs.items())
    scores = unit @ goal / np.linalg.norm(goal)
    order = [i for i in np.argsort(-scores) if i not in signs]
    answer = logic.ask(query, k=SIZE)
    assert answer.words == tuple(WORDS[i] for i in order)
    np.testing.assert_allclose([hit.score for hit in answer.hits], scores[order], atol=2e-4)
    assert_names(answer.notes[0], "read as an analogy", query)
    assert logic.ask_many(["w1", query])[1].words == answer.words[:10]


def test_an_analogy_without_spaces_is_an_unknown_word_whose_error_asks_for_them():
    for query in ("queen-king+prince", "queen+king"):
        with raises(UnknownWordError, query, "spaces around + and -"):
            Logic(SPACE).ask(query)


def assert_answered_as_evaluated(questions, method):
    """Expect the query's first word to be right where the evaluation finds the answer.

    Each question is a section of its own, so that every single answer is compared.
    """
    space = andornot.default()
    numbered = [each._replace(section=str(i)) for i, each in enumerate(questions)]
    score = analogies(postprocess(space, method) if method != "none" else space, numbered)
    known = [each for each in numbered if each.section in score.sections]
    logic = Logic(space, postprocess=method)
    queries = [f"{quoted(q.b)} - {quoted(q.a)} + {quoted(q.c)}" for q in known]
    for question, answer in zip(known, logic.ask_many(queries, k=1), strict=True):
        is_right = answer.words[0] == space.vocabulary.spelling(question.answer)
        assert score.sections[question.section] == (int(is_right), 1)
    assert 0 < score.correct < score.covered == len(known)
    return score


@pytest.mark.parametrize("method", ["frequency", "none"])
def test_answers_agree_with_the_evaluation(method):
    pairs = permutations(CAPITALS, 2)
    assert_answered_as_evaluated([Question("", *one, *other) for one, other in pairs], method)


@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
def test_answers_agree_on_the_google_analogies():
    questions = random.Random(1).sample(read_questions(locate("google-analogies")), 500)
    score = assert_answered_as_evaluated(questions, "frequency")
    assert (score.correct, score.covered) == (277, 454)  # as docs/algebra.md says


def test_it_has_no_probability_and_an_explanation():
    answer = LOGICS["first-order"].ask("w3 - w1 + w2", k=1)
    assert math.isnan(answer.concept.probability)
    facts = facts_of("w3 - w1 + w2", answer)
    assert facts["probability"] is None
    assert facts["formula"] == "w3 - w1 + w2"
    explained = explain(answer)
    first, *words = explained.parts
    assert (first.kind, first.formula) == ("offset", "w3 - w1 + w2")
    assert first.vector == "v(w3)/|v(w3)| - v(w1)/|v(w1)| + v(w2)/|v(w2)|"
    assert first.probability is None
    assert [part.formula for part in words] == ["w3", "w1", "w2"]
    assert "offset w3 - w1 + w2" in explained.text()
    assert_names(explained.inapplicable, "analogy")


def test_its_price_is_that_of_its_words():
    assert Cost.of(parse("w3 - w1 + w2")) == Cost(words=3, members=0, searches=0)


def test_it_does_not_nest():
    logic = LOGICS["first-order"]
    analogy, word = logic.concept("w3 - w1 + w2"), logic["w4"]
    made = parse("w3 - w1")
    for combine in (
        lambda: analogy & word,
        lambda: word | analogy,
        lambda: ~analogy,
        lambda: analogy.given(["w1", "w2"]),
        lambda: And((Term("w1"), made)),
        lambda: Or((made, Term("w1"))),
        lambda: Not(made),
        lambda: Given(made, Named("x")),
    ):
        with raises(AndornotError, "analogy", "alone"):
            combine()
    with raises(AndornotError, "join words"):
        Analogy((Term("w1"), Not(Term("w2"))), (1, -1))
    with raises(AndornotError, "signs", "(1, 2)"):
        Analogy((Term("w1"), Term("w2")), (1, 2))
    with raises(AndornotError, "two words"):
        Analogy((Term("w1"),), (1,))


def test_what_has_no_answer():
    logic = LOGICS["first-order"]
    with raises(AndornotError, "w1 - w1", "direction"):
        logic.ask("w1 - w1")
    with raises(AndornotError, "analogy", "cosine"):
        logic.ask("w1 - w2", measure="pmi")
    vectors = SPACE.target.copy()
    vectors[4] = 0
    with raises(AndornotError, "w4", "direction"):
        Logic(Space(SPACE.vocabulary, vectors), postprocess="none").ask("w1 - w4")


def test_long_vectors_count_as_much_as_short_ones():
    vectors = SPACE.target.copy()
    vectors[3] *= 1e7
    scaled = Logic(Space(SPACE.vocabulary, vectors), postprocess="none").ask("w3 - w1 + w2")
    plain = Logic(SPACE, postprocess="none").ask("w3 - w1 + w2")
    assert scaled.words == plain.words


def test_a_word_that_is_cut_is_the_sum_of_its_pieces(monkeypatch):
    def pieces_of(space, word):
        return ("w1", "w2") if word == "whole" else None

    monkeypatch.setattr(Space, "pieces_of", pieces_of)
    logic = Logic(replace(SPACE, pieces=object()))
    total = logic.concept("w1 & w2").vector
    other = logic["w5"].vector
    goal = total / np.linalg.norm(total) - other / np.linalg.norm(other)
    np.testing.assert_allclose(logic.concept("whole - w5").vector, goal, atol=1e-6)
    assert str(logic.concept("whole - w5").formula) == "(w1 & w2) - w5"
