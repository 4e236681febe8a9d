"""Endings of English words: each form has its word among the spellings, and all are shorter."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from andornot.words.inflections import base_forms


@pytest.mark.parametrize(
    ("form", "word"),
    [
        ("stars", "star"),
        ("studies", "study"),
        ("boxes", "box"),
        ("houses", "house"),
        ("wolves", "wolf"),
        ("knives", "knife"),
        ("ties", "tie"),
        ("king's", "king"),
        ("walked", "walk"),
        ("moved", "move"),
        ("tried", "try"),
        ("stopped", "stop"),
        ("filled", "fill"),
        ("walking", "walk"),
        ("making", "make"),
        ("swimming", "swim"),
    ],
)
def test_a_form_has_its_word_among_the_spellings(form, word):
    assert word in base_forms(form)


@pytest.mark.parametrize("word", ["star", "glass", "bus", "ring", "bed", "string", "", "'s", "s"])
def test_words_without_an_ending_have_none(word):
    assert base_forms(word) == []


@example("aves")
@given(st.text(alphabet="aebsdingvf'y", max_size=12))
def test_spellings_are_shorter_and_begin_like_the_word(word):
    for base in base_forms(word):
        assert 0 < len(base) < len(word)
        assert word.startswith(re.sub("(fe|[yfe])$", "", base))  # knives: knif, knife
