"""Categories: named, proposed, and written out in words of any case."""

from errors import assert_names, raises
from planted import LOGICS, SPACE, WORDS, assert_same_concept

from andornot import Space
from andornot.algebra import Logic
from andornot.algebra.categories import read_categories
from andornot.base.errors import AndornotError, FileError, UsageError


def test_named_categories():
    logic = Logic(SPACE, categories={"family": ["w1", "w2", "w3", "unknown"]})
    answer = logic.ask("!w1 @ family")
    assert set(answer.words) == {"w2", "w3"}
    (note,) = answer.notes
    assert_names(note, "family", "unknown")
    with raises(AndornotError, "'famly'", "did you mean family?"):
        logic.ask("!w1 @ famly")
    with raises(AndornotError, "'nowhere'", "family"):
        logic.ask("!w1 @ nowhere")
    with raises(AndornotError, "'nowhere'", "{word, word}"):
        LOGICS["first-order"].ask("!w1 @ nowhere")


def test_a_word_outside_of_a_named_category():
    logic = Logic(SPACE, categories={"family": ["w1", "w2", "w3"]})
    with raises(AndornotError, "'w4' is not in the category family: {w1, w2, w3}"):
        logic.ask("!w4 @ family")


def test_a_category_that_is_named_twice_is_refused(tmp_path):
    path = tmp_path / "categories.txt"
    path.write_text("family: w1, w2\n# more\nothers: w3, w4\nfamily : w5, w6\n")
    with raises(FileError, path, "line 4", "'family'", "line 1", "rename"):
        read_categories(path)


def test_a_category_has_two_words_of_the_space():
    logic = Logic(SPACE, categories={"few": ["w1", "x", "y"]})
    with raises(AndornotError, "'few'", "1 word of", "x, y"):
        logic.ask("w1 @ few")
    with raises(AndornotError, "1 word ", "two"):
        logic.ask("w1 @ {w1}")


def test_a_category_is_proposed_and_said():
    logic = LOGICS["first-order"]
    proposed = logic.propose_category("w4")
    assert len(proposed) == 11
    answer = logic.ask("!w4", k=len(WORDS))
    (reading,) = answer.readings
    assert_names(reading, "!w4", str(proposed), proposed.origin)
    assert answer.among is None  # the vocabulary is ranked
    assert set(answer.words) == set(WORDS) - {"w4"}
    rest = " | ".join(word for word in proposed if word != "w4")
    same = logic.ask(rest, k=len(WORDS), keep_operands=True)
    assert [word for word in same.words if word != "w4"] == list(answer.words)
    both = logic.ask("!(w4 | w5)")
    assert_names(both.readings[0], "{w4, w5, ")
    assert not {"w4", "w5"} & set(both.words)


def test_a_proposed_category_is_one_to_be_given():
    logic = LOGICS["first-order"]
    proposed = logic.propose_category("w3")
    assert len(proposed) == 11
    assert "w3" in proposed
    given = ~logic["w3"].given(proposed)
    assert_same_concept(given.in_global_frame, logic.concept("!w3"))
    with raises(AndornotError, "category", "one word"):
        logic.propose_category([])
    with raises(UsageError, "size must be at least 1, got 0"):
        logic.propose_category("w3", 0)


def test_words_of_any_case_are_found_where_the_tokenizer_lowers_them(monkeypatch):
    def pieces_of(space, word):
        if word in space.vocabulary:
            return None
        return (word.lower(),) if word.lower() in space.vocabulary else ("w1", "w2")

    monkeypatch.setattr(Space, "pieces_of", pieces_of)
    logic = Logic(SPACE, categories={"few": ["W1", "w2", "W3", "several pieces"]})
    expected = logic.ask("!w1 @ {w1, w2, w3}").words
    assert logic.ask("!w1 @ {W1, w2, W3}").words == expected
    named = logic.ask("!w1 @ few")
    assert named.words == expected
    (note,) = named.notes
    assert_names(note, "few", "several pieces")
    assert logic.ask("w5", among=["W1", "W2"]).words == logic.ask("w5", among=["w1", "w2"]).words
    assert logic.propose_category("W3") == logic.propose_category("w3")
    with raises(AndornotError, "'x'", "w1 w2", "leave it out"):
        logic.ask("!w1 @ {w1, x}")
