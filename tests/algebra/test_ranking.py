"""Answers: which words are ranked, by what, and in which order."""

import numpy as np
import pytest
from errors import assert_names, raises
from planted import DIM, LOGICS, SIZE, SPACE, WORDS, every_logic

from andornot import Space
from andornot.algebra import Logic, explain
from andornot.base.errors import AndornotError, UnknownWordError, UsageError
from andornot.postprocessing import postprocess


@every_logic
def test_answers_are_those_of_brute_force(logic):
    queries = ["w1 & w5", "w2 | w3", "w7", "w1 & (w2 | !w3 @ {w3, w4, w5})"]
    mapped = logic.target(logic.space.target).astype(float)
    unit = mapped / np.linalg.norm(mapped, axis=1, keepdims=True)
    for query, answer in zip(queries, logic.ask_many(queries, k=5), strict=True):
        concept = logic.concept(query)
        scores = unit @ concept.vector / np.linalg.norm(concept.vector)
        spoken = {word for word in WORDS if word in query.replace("{w3, w4, w5}", "").split()}
        spoken |= {word.strip("()!") for word in query.split("@")[0].split()}
        order = [WORDS[i] for i in np.argsort(-scores) if WORDS[i] not in spoken][:5]
        assert answer.words == tuple(order)
        assert answer.hits[0].score == pytest.approx(scores[WORDS.index(order[0])], abs=1e-5)
        assert logic.ask(query, k=5).words == answer.words


def test_not_ranks_the_members_of_its_category():
    logic = LOGICS["first-order"]
    category = ["w1", "w4", "w6", "w9"]
    answer = logic.ask("!w4 @ {w1, w4, w6, w9}")
    assert set(answer.words) == {"w1", "w6", "w9"}
    p, v = SPACE.probability, SPACE.target - SPACE.probability @ SPACE.target
    ids = [WORDS.index(word) for word in category]
    centre = p[ids] @ v[ids] / p[ids].sum()
    goal = -(v[4] - centre)
    scores = {
        word: float((v[i] - centre) @ goal / np.linalg.norm(v[i] - centre) / np.linalg.norm(goal))
        for word, i in zip(category, ids, strict=True)
    }
    assert answer.words == tuple(sorted(answer.words, key=lambda word: -scores[word]))
    assert answer.hits[0].score == pytest.approx(scores[answer.words[0]], abs=1e-5)
    everywhere = logic.ask("!w4 @ {w1, w4, w6, w9}", everywhere=True, k=30)
    assert everywhere.among is None
    assert len(everywhere.hits) == SIZE - 1


def test_pmi_is_the_product_with_the_contexts():
    logic = LOGICS["first-order"]
    centred = postprocess(SPACE, "frequency")
    answer = logic.ask("w1 & w5", measure="pmi", k=3)
    scores = centred.context @ (centred.vector("w1") + centred.vector("w5"))
    order = [i for i in np.argsort(-scores) if i not in (1, 5)][:3]
    assert answer.words == tuple(WORDS[i] for i in order)
    assert answer.hits[0].score == pytest.approx(scores[order[0]], abs=1e-4)


def test_operands_can_be_kept():
    assert "w1" not in LOGICS["first-order"].ask("w1", k=SIZE).words
    assert LOGICS["first-order"].ask("w1", k=1, keep_operands=True).words == ("w1",)


def test_the_words_to_be_ranked():
    logic = Logic(SPACE, categories={"few": ["w4", "w5", "w6"]})
    everything = logic.ask("w1 & w2", k=SIZE)
    for among in (["w4", "w6", "w5"], "few"):
        answer = logic.ask("w1 & w2", among=among)
        assert list(answer.words) == [w for w in everything.words if w in ("w4", "w5", "w6")]
    inside = logic.ask("!w1 @ {w1, w2, w3}", among=["w7", "w8", "w9"])
    v_a = logic.concept("w1 | w2 | w3").vector
    goal = logic.concept("!w1 @ {w1, w2, w3}").vector

    def angle(word):
        row = logic[word].vector - v_a
        return row @ goal / np.linalg.norm(row) / np.linalg.norm(goal)

    for hit in inside.hits:
        assert hit.score == pytest.approx(angle(hit.word), abs=1e-5)
    scores = [hit.score for hit in inside.hits]
    assert scores == sorted(scores, reverse=True)
    assert logic.ask("w1", among="w4").words == ("w4",)


def test_an_answer_without_words_says_why():
    answer = LOGICS["first-order"].ask("w1 @ {w1, w2} & w2 @ {w1, w2}")
    assert answer.words == ()
    assert_names(answer.notes[-1], "no word is left", "add keep_operands=True")


def test_vectors_of_zero_have_no_direction():
    flat = Space(SPACE.vocabulary, np.ones((SIZE, DIM)))
    with raises(AndornotError, "the vector of 'w1 & w2' is zero", "direction"):
        Logic(flat).ask("w1 & w2")
    with raises(AndornotError, "the vector of 'w1' is zero", "direction"):
        Logic(flat).ask("w1 - w2")


def test_what_cancels_has_no_direction():
    logic = LOGICS["first-order"]
    for query in (
        "(w1 | w2 | w3) @ {w3, w1, w2}",
        "(!w1 @ {w1, w2, w3}) | (!w2 @ {w3, w2, w1})",
        " | ".join(WORDS),
    ):
        with raises(AndornotError, logic.concept(query).node.formula, "direction"):
            logic.ask(query, keep_operands=True)
    assert explain(logic.concept("(w1 | w2) @ {w1, w2}")).cosine is None


@pytest.mark.parametrize(
    ("options", "kind", "named"),
    [
        ({"k": 0}, UsageError, ["k ", "at least 1", "got 0"]),
        ({"k": 1.5}, UsageError, ["k ", "whole number", "1.5"]),
        ({"k": "2"}, UsageError, ["k ", "whole number", "'2'"]),
        ({"measure": "dot"}, UsageError, ["'dot'", "cosine, pmi"]),
        ({"among": 5}, UsageError, ["among", "list"]),
        ({"among": []}, AndornotError, ["no words", "leave among off"]),
        ({"among": ""}, AndornotError, ["no words", "leave among off"]),
        ({"among": "w1 w2"}, AndornotError, ["'w1 w2'", "give a list of words"]),
        ({"among": ["w1", "nothing"]}, UnknownWordError, ["'nothing'"]),
    ],
)
@pytest.mark.parametrize("query", ["w1 | w2", "!w1 @ {w1, w2}"])
def test_options_are_checked_before_anything_is_computed(monkeypatch, query, options, kind, named):
    monkeypatch.setattr(Logic, "resolve", None)
    with raises(kind, *named):
        LOGICS["first-order"].ask(query, **options)
