"""Words that exist in lower case only: read so wherever words are resolved, with a note."""

import numpy as np
import pytest
from errors import assert_names, raises

from andornot import Space, Vocabulary
from andornot.algebra import Logic
from andornot.base.errors import UnknownWordError

WORDS = ["paris", "rome", "May", "may", "berlin", "river", "king", "queen", "man", "woman"]
CITIES = ["paris", "rome", "berlin"]


@pytest.fixture(scope="module")
def logic():
    vectors = np.random.default_rng(3).normal(size=(len(WORDS), 6))
    space = Space(Vocabulary(WORDS).with_counts("rank"), vectors)
    return Logic(space, categories={"cities": ["Paris", "ROME", "berlin", "Nowhere"]})


def notes(answer):
    """The notes without the one on estimated frequencies."""
    return [note for note in answer.notes if "rank" not in note]


@pytest.mark.parametrize(
    ("query", "plain", "named"),
    [
        ("Paris", "paris", ["Paris was read as paris"]),
        ("PARIS", "paris", ["PARIS was read as paris"]),
        ("Paris & paris", "paris & paris", ["Paris was read as paris"]),
        ("Paris | ROME", "paris | rome", ["read in lower case: Paris, ROME"]),
        ("River & !Paris @ {Paris, rome, Berlin}", "river & !paris @ {paris, rome, berlin}", []),
        ("!Paris @ {paris, rome, berlin}", "!paris @ {paris, rome, berlin}", ["Paris was read"]),
        ("!paris @ {Paris, rome, berlin}", "!paris @ {paris, rome, berlin}", ["Paris was read"]),
        ("rome @ {PARIS, rome}", "rome @ {paris, rome}", ["PARIS was read as paris"]),
        ("!paris @ cities", "!paris @ {paris, rome, berlin}", ["read in lower case: Paris, ROME"]),
        ("King - Man + woman", "king - man + woman", ["read in lower case: King, Man"]),
        ("2*Paris | 1*rome", "2*paris | 1*rome", ["Paris was read as paris"]),
    ],
)
def test_a_capitalised_word_is_read_in_lower_case(logic, query, plain, named):
    answer, expected = logic.ask(query), logic.ask(plain)
    assert answer.words == expected.words
    np.testing.assert_array_equal(answer.concept.vector, expected.concept.vector)
    for each in named:
        assert sum(each in note for note in answer.notes) == 1
    assert not any("read in" in note or "was read" in note for note in expected.notes)


def test_the_exact_spelling_wins(logic):
    for word in ("May", "may"):
        answer = logic.ask(word, k=len(WORDS))
        assert set(answer.words) == set(WORDS) - {word}
        assert notes(answer) == []
    answer = logic.ask("MAY", k=len(WORDS))  # only lower case is tried
    assert set(answer.words) == set(WORDS) - {"may"}
    assert notes(answer) == ["MAY was read as may"]


def test_decomposed_letters_are_composed():
    words = Vocabulary(["café", "thé", "e\u0301te\u0301"]).with_counts("rank")
    logic = Logic(Space(words, np.eye(3) + 1), postprocess="none")
    for written in ("cafe\u0301", "CAFE\u0301", "CAFÉ"):
        answer = logic.ask(written)
        assert answer.words == logic.ask("café").words
        assert notes(answer) == [f"{written} was read as café"]
    answer = logic.ask("cafe\u0301 & the\u0301")
    assert notes(answer) == ["read in the vocabulary's spelling: cafe\u0301, the\u0301"]
    assert notes(logic.ask("e\u0301te\u0301")) == []  # the exact spelling wins
    with raises(UnknownWordError, "'zze\u0301'"):
        logic.ask("zze\u0301")


def test_words_to_rank(logic):
    answer = logic.ask("river", among=["PARIS", "rome"])
    assert answer.words == logic.ask("river", among=["paris", "rome"]).words
    assert notes(answer) == ["PARIS was read as paris"]
    answer = logic.ask("river", among="Paris")
    assert answer.words == ("paris",)
    assert "Paris was read as paris" in notes(answer)
    answer = logic.ask("river", among="cities")
    assert set(answer.words) == set(CITIES)
    assert_names(notes(answer)[0], "Paris, ROME")
    assert_names(notes(answer)[1], "not in the space", "Nowhere")


def test_in_python(logic):
    assert str(logic["Paris"].formula) == "paris"
    concept = ~logic["PARIS"].given(["Paris", "ROME", "berlin"]) & logic["River"]
    assert [n for n in concept.notes if "read" in n] == [
        "read in lower case: Paris, ROME",
        "read in lower case: PARIS, River",
    ]
    assert logic.propose_category("Paris", 2) == logic.propose_category("paris", 2)


def test_what_is_unknown_in_lower_case_too_is_an_error(logic):
    with raises(UnknownWordError, "'Qeen'", "'queen'"):
        logic.ask("Qeen")
    with raises(UnknownWordError, "'PARISH'", "'paris'"):
        logic.ask("!paris @ {paris, PARISH}")
    with raises(UnknownWordError, "'Kings'", "'king'"):
        _ = logic["Kings"]


def test_a_first_answer_below_zero_is_noted(logic):
    vector = logic["paris"].vector
    scores = {word: float(vector @ logic[word].vector) for word in WORDS if word != "paris"}
    far = [word for word, score in scores.items() if score < 0]
    near = [word for word, score in scores.items() if score > 0]
    assert far
    assert near
    assert_names(notes(logic.ask("paris", among=far))[-1], "no word is near", "below 0")
    assert notes(logic.ask("paris", among=[*far, near[0]])) == []
