"""Words by their description in Python: what is ranked, what is left out, and what is said."""

from dataclasses import replace

import numpy as np
import pytest
from errors import raises

import andornot
from andornot import Logic, Space, Vocabulary
from andornot.base.errors import (
    AndornotError,
    MissingCountsError,
    UnknownTextError,
    UnknownWordError,
    UsageError,
)
from andornot.postprocessing import postprocess

STAR = "a person who studies stars"


@pytest.fixture(scope="module")
def small():
    """A space with planted words: queen and duchess are made of royal and woman."""
    rng = np.random.default_rng(4)
    words = [
        "royal",
        "woman",
        "women",
        "womans",
        "queen",
        "duchess",
        "river",
        "lake",
        "who",
        "Rome",
    ]
    words += [f"other{i}" for i in range(30)]
    rows = {side: rng.normal(size=(len(words), 12)) for side in ("target", "context")}
    for each in rows.values():
        each[4] = each[0] + each[1] + 0.1 * each[4]
        each[5] = each[0] + each[1] + 0.4 * each[5]
        each[3] = each[1] + 0.1 * each[3]
    counts = {word: 100 + i for i, word in enumerate(words)}
    return Space(Vocabulary(words).with_counts(counts), **rows)


def test_the_described_word_is_found(small):
    answer = Logic(small).describe("a royal woman", k=2)
    assert answer.words == ("queen", "duchess")
    assert answer.measure == "description"
    assert answer.notes == ()
    assert answer.hits[0].score > answer.hits[1].score > 0


def test_words_of_the_description_and_their_forms_are_no_answers(small):
    answer = Logic(small).describe("who is a royal woman", k=100)
    assert {"who", "royal", "woman", "womans"}.isdisjoint(answer.words)
    assert len(answer.words) == len(small) - 4


def test_the_order_is_that_of_the_scores(small):
    logic = Logic(small)
    answer = logic.describe("royal woman", k=1000)
    index = small.vocabulary.index
    node = logic.concept('"royal woman"').node
    scores = logic.descriptions.scores([index("royal"), index("woman")], node.factors)
    order = np.argsort(-scores, kind="stable")
    expected = [small.words[i] for i in order if scores[i] > -np.inf]
    assert list(answer.words) == expected
    assert logic.describe("royal woman", k=3).hits == answer.hits[:3]


def test_a_description_has_its_own_frame_whatever_the_logic_has(small):
    plain = Logic(small).describe("royal woman")
    for other in (Logic(small, postprocess="none", weights="uniform"), Logic(small, exact=True)):
        assert other.describe("royal woman").hits == plain.hits


def test_filters_are_those_of_ask(small):
    logic = Logic(small)
    everything = logic.describe("royal woman", k=100)
    for options in ({"pattern": "OTHER1*"}, {"length": "4-5"}, {"length": 4, "pattern": "?a*"}):
        answer = logic.describe("royal woman", k=100, **options)
        allowed = set(logic.ask("river", k=100, keep_operands=True, **options).words)
        assert list(answer.words) == [word for word in everything.words if word in allowed]
        assert answer.filter is not None
    with raises(AndornotError, "no word", "'x*'"):
        logic.describe("royal woman", pattern="x*")
    with raises(AndornotError, "no word is left", "filter"):
        logic.describe("royal women woman", pattern="wom?n")


def test_unknown_words_are_named_and_left_out(small):
    logic = Logic(small)
    answer = logic.describe("a royal xyzzy woman", k=3)
    assert answer.hits == logic.describe("a royal woman", k=3).hits
    (note,) = answer.notes
    assert "xyzzy" in note


def test_without_a_known_word_spellings_are_suggested(small):
    logic = Logic(small)
    with raises(UnknownTextError, "'roial womann'", "'royal'", "'woman'"):
        logic.describe("roial womann")
    with raises(UnknownWordError, "'roial'", "'royal'"):
        logic.describe("roial")
    with raises(UnknownTextError, "use other words"):
        logic.describe("xyzzy plugh")
    with raises(AndornotError, "'who is it'", "only stop words"):
        logic.describe("who is it")


def test_a_single_word_and_another_case(small):
    logic = Logic(small)
    assert "river" not in logic.describe("river").words
    assert logic.describe("ROYAL WOMAN").words == logic.describe("royal woman").words


@pytest.mark.parametrize("text", ["", "  ", 5, None, ["royal", "woman"]])
def test_what_is_not_a_description(small, text):
    with raises(UsageError, "description"):
        Logic(small).describe(text)


def test_options_are_checked(small):
    with raises(UsageError, "k must be at least 1, got 0"):
        Logic(small).describe("royal", k=0)
    with raises(MissingCountsError, "counts"):
        Logic(replace(small, vocabulary=Vocabulary(small.words))).describe(
            "royal woman", frequency="rare"
        )


def test_a_space_that_lacks_something_says_what(small):
    bare = Logic(Space(Vocabulary(small.words), small.target))
    answer = bare.describe("royal woman", k=1)
    assert answer.words == ("queen",)
    notes = " ".join(answer.notes)
    assert "no context vectors" in notes
    assert "no frequencies" in notes
    done = Logic(postprocess(small, "frequency")).describe("royal woman", k=1)
    assert done.words == ("queen",)
    assert "frequency already" in done.notes[0]


def test_the_default_model_finds_what_people_describe(logic):
    assert "astronomer" in logic.describe(STAR).words
    assert logic.describe("a small flying insect that makes honey").words[0] == "bee"
    assert logic.describe(STAR, pattern="ast????mer").words == ("astronomer",)
    assert andornot.Logic(andornot.default()).describe(STAR).hits == logic.describe(STAR).hits
