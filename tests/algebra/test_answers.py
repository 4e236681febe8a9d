"""Answers as Python objects: sequences, tables of pandas, HTML in notebooks."""

import copy
import pickle
import re
import sys
from html.parser import HTMLParser

import numpy as np
import pytest
from errors import raises
from planted import LOGICS, SPACE

import andornot
from andornot import AndornotError, Logic, Space
from andornot.algebra import explain
from andornot.algebra.detached import DetachedError
from andornot.algebra.facts import facts_of
from andornot.algebra.plot import plot_of
from andornot.base.errors import UsageError
from andornot.training import Settings

LOGIC = LOGICS["first-order"]


def test_an_answer_is_a_sequence_of_hits():
    answer = LOGIC.ask("w1 & w2", k=4)
    assert len(answer) == 4
    assert list(answer) == list(answer.hits)
    assert answer[0] == answer.hits[0]
    assert (answer[0][0], answer[0][1]) == tuple(answer[0]) == (answer.words[0], answer[0].score)
    assert answer[-1].word == answer.words[3]
    assert answer[1:3] == answer.hits[1:3]
    assert answer.hits[1] in answer
    assert [word for word, _ in answer] == list(answer.words)
    assert dict(answer)[answer.words[2]] == answer.hits[2].score
    with pytest.raises(IndexError):
        answer[4]


@pytest.mark.parametrize("query", ["w1 & w2", "w1 & !w2", "!w1 @ {w1, w2, w3}", "w1 - w2 + w3"])
def test_a_pickled_answer_is_small_and_complete(query):
    answer = LOGIC.ask(query, k=4)
    data = pickle.dumps(answer)
    again = pickle.loads(data)
    assert len(data) < 10_000
    assert again == answer == LOGIC.ask(query, k=4)
    assert hash(again) == hash(answer)
    assert (again.notes, again.readings) == (answer.notes, answer.readings)
    assert facts_of(query, again) == facts_of(query, answer)
    np.testing.assert_array_equal(again.concept.vector, answer.concept.vector)
    assert pickle.loads(pickle.dumps(again)) == answer
    for needs_logic in (explain, plot_of):
        with raises(DetachedError, "a pickled answer has no logic", "ask the query again"):
            needs_logic(again)
    with raises(DetachedError, "ask the query again"):
        _ = again.concept.logic.space
    assert copy.deepcopy(answer).concept.logic is copy.copy(answer).concept.logic is LOGIC


def test_answers_with_other_words_or_options_are_not_equal():
    answer = LOGIC.ask("w1 & w2", k=4)
    assert answer != LOGIC.ask("w1 & w2", k=3)
    assert answer != LOGIC.ask("w2 & w1", k=4, length="2")
    assert answer != answer.hits


def test_reprs_are_short():
    answer = LOGIC.ask("w1 & w2", k=10)
    first = ", ".join(f"{hit.word} {hit.score:.3f}" for hit in answer[:3])
    assert repr(answer) == f"Answer('w1 & w2': {first}, ...)"
    assert repr(LOGIC.ask("w1", k=1)).count(",") == 0
    nothing = LOGIC.ask("w1 @ {w1, w2}", among=["w1"])
    assert repr(nothing) == "Answer('w1 @ {w1, w2}': no words)"
    assert repr(Logic(SPACE)) == f"Logic({SPACE!r}, postprocess='frequency', weights='uniform')"
    assert repr(LOGICS["exact"]).endswith(", exact=True)")
    settings = Settings(model="glove", dim=7, window="line", prior=None)
    assert repr(settings) == "Settings(model='glove', dim=7, window='line')"
    assert eval(repr(settings)) == settings
    assert repr(Settings()) == "Settings()"
    assert repr(Settings(solver="exact").resolved()).startswith("ResolvedSettings(solver='exact'")


def test_a_table_of_pandas():
    pytest.importorskip("pandas", reason="needs pandas")
    answer = LOGIC.ask("w1 & w2", k=4)
    frame = answer.to_pandas()
    assert frame.columns.tolist() == ["word", "score"]
    assert frame.word.tolist() == list(answer.words)
    assert frame.score.tolist() == [hit.score for hit in answer]
    assert LOGIC.ask("w1", among=["w1"]).to_pandas().shape == (0, 2)


def test_without_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with raises(AndornotError, "pandas", "pip install"):
        LOGIC.ask("w1").to_pandas()


class Seen(HTMLParser):
    """The elements and the text of a page; every element must be closed in its order."""

    def __init__(self, page):
        super().__init__()
        self.kinds, self.texts, self.open, self.attributes = set(), [], [], set()
        self.feed(page)
        assert not self.open

    def handle_starttag(self, kind, attributes):
        self.kinds.add(kind)
        self.open.append(kind)
        self.attributes |= {name for name, _ in attributes}

    def handle_endtag(self, kind):
        assert self.open.pop() == kind

    def handle_data(self, text):
        self.texts.append(text)


WICKED = ["<script>alert(1)</script>", "a & b", '"><img src=x onerror=y>', "c", "d\u202ee"]
SAFE = {"table", "caption", "thead", "tbody", "tr", "th", "td", "div"}


def wicked_logic():
    matrix = np.random.default_rng(2).normal(size=(5, 3))
    return Logic(Space.from_arrays(WICKED, matrix, counts=[5, 4, 3, 2, 1]))


def test_html_is_escaped_and_self_contained():
    logic = wicked_logic()
    one = (logic[WICKED[0]] & logic[WICKED[1]]).given(WICKED)
    for shown in (logic.ask("c"), logic.ask(one), logic.explain(one), logic.space):
        page = Seen(shown._repr_html_())
        assert page.kinds <= SAFE
        assert page.attributes <= {"style"}
    hits = Seen(logic.ask("c")._repr_html_()).texts
    assert set(WICKED) - {"c"} <= set(hits)
    assert "url(" not in logic.ask("c")._repr_html_()


def test_html_has_what_is_printed():
    answer = LOGIC.ask("w1 & !w2", k=3)
    texts = Seen(answer._repr_html_()).texts
    assert [f"{hit.score:.3f}" for hit in answer] == [t for t in texts if re.match(r"-?0\.", t)]
    assert [f"note: {note}" for note in answer.notes] == [t for t in texts if t[:4] == "note"]
    assert [f"read: {each}" for each in answer.readings] == [t for t in texts if t[:4] == "read"]
    assert answer.readings
    why = explain(answer)
    texts = "\n".join(Seen(why._repr_html_()).texts)
    for part in why.parts:
        assert part.formula in texts
        assert part.kind == "word" or part.probability_formula in texts
    for figure in why.figures:
        assert figure.text in texts
    space = "\n".join(Seen(SPACE._repr_html_()).texts)
    assert f"{len(SPACE):,}: w0, w1" in space
    assert str(SPACE.dim) in space


def test_explaining_a_query():
    query = "w1 & (w2 | w3)"
    expected = explain(LOGIC.concept(query))
    for asked in (query, LOGIC.concept(query), LOGIC.concept(query).formula):
        assert LOGIC.explain(asked) == expected
    answer = LOGIC.ask("w1", among=["w1"])
    assert LOGIC.explain(answer).notes == answer.notes != LOGIC.explain("w1").notes


def test_a_text_alone_has_no_logic():
    with raises(UsageError, "'w1 & w2'", "logic.explain(query)"):
        explain("w1 & w2")


def test_only_public_names_are_listed():
    assert dir(andornot) == sorted(andornot.__all__)
    for name in dir(andornot):
        assert getattr(andornot, name) is not None
