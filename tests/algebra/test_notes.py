"""Notes of an answer: words that hardly count, or nearly alone."""

import numpy as np
import pytest
from errors import assert_names
from planted import LOGICS, PaperLogic

from andornot import Space, Vocabulary
from andornot.algebra.expression import QuotedText
from andornot.algebra.notes import words_as_read, words_weigh_alike
from andornot.words.counts import Counts, CountsOrigin


def test_a_faint_operand_is_reported():
    concept = LOGICS["first-order"].concept("(w1 & w2 & w3) | w0")
    (note,) = concept.notes
    assert_names(note, "w1 & w2 & w3 carries", "1 %", "1*(w1 & w2 & w3) | 1*(w0)")
    assert concept.is_bound
    retold = LOGICS["first-order"].concept("1*(w1 & w2 & w3) | 1*(w0)")
    assert retold.notes == ()


def test_faint_words_are_reported_too():
    counts = Counts(np.array([1e6, 10.0, 5.0]), CountsOrigin.TRAINING, "a test")
    space = Space(Vocabulary(["the", "elephant", "giraffe"], counts), np.eye(3))
    (note,) = PaperLogic(space).concept("the | elephant | giraffe").notes
    assert_names(note, "elephant and giraffe carry", "1 %")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("red\nzzz \t sea", '"red zzz sea"'),
        ("red\x1b[2J zzz", r"'red\x1b[2J zzz'"),
        (f"red zzz {'sea ' * 40}", f'"red zzz {"sea " * 12}sea..."'),
    ],
)
def test_a_text_in_a_note_is_short_and_in_one_line(text, shown):
    (note,) = words_as_read([QuotedText(text, ("red", "sea"), ("zzz",))])
    assert note == f"not in the space, and left out of {shown}: zzz"
    assert_names(words_weigh_alike(QuotedText(text, ("red", "sea"))), f"the words of {shown} weigh")


def test_not_says_where_one_word_is_nearly_all_that_is_left():
    counts = {"rare": 1, "common": 1000, "other": 2, "last": 3}
    words = Vocabulary(list(counts)).with_counts(counts)
    logic = PaperLogic(Space(words, np.random.default_rng(0).normal(size=(4, 3))))
    answer = logic.ask("!rare @ {rare, common, other, last}")
    (note,) = answer.notes
    assert_names(note, "common is 100%", "uniform weights")
    assert logic.ask("!common @ {rare, common, other}").notes == ()
    assert logic.ask("!rare @ {rare, common}").notes == ()  # there is no other
