"""Markup in a text: lines of a real dump of Wikipedia, and what is left of them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from andornot.corpus import open_corpus
from andornot.corpus.markup import _without_templates, strip_markup

# lines of Wikipedia as its extracted text has them, and the words that should stay
LINES = {
    'title="ctx_ver=Z39.88-2004&rft_val_fmt={{urlencode:info:ofi/fmt:kev:mtx:}}{{': "",
    "|journal&rft.genre=article&rft.atitle={{urlencode:": "",
    "|&rft.genre=bookitem&rft.btitle={{urlencode:}}&rft.atitle={{urlencode:": "",
    "| {{#if:||}}{{": "",
    "#if: {{": "",
    "</dl>": "",
    'students from abroad.<ref name="http://about.asu.edu/': "students from abroad.",
    "Details can be found at http://www.netacquire.ca. It is free.": (
        "Details can be found at It is free."
    ),
    "water is H<sub>2</sub>O&nbsp;at last": "water is H 2 O at last",
    "a [[Bank (finance)|bank]] by the [[river]]": "a bank by the river",
    "a {{convert|3|km}} walk {{citation needed}} home": "a walk home",
    "it is {{outer|{{inner}}}} nested": "it is nested",
    "it ends here}} and goes on": "and goes on",
    "AT&T and R&B are names; 3 < 4 and a = b": "AT&T and R&B are names; 3 < 4 and a = b",
    "plain words, as they are": "plain words, as they are",
}


@pytest.mark.parametrize("line", LINES)
def test_a_line(line):
    stripped = strip_markup(line.encode()).decode()
    assert " ".join(stripped.split()) == LINES[line]


def test_lines_stay_apart_and_others_are_untouched():
    lines = list(LINES)
    together = strip_markup("\n".join(lines).encode())
    assert together.split(b"\n") == [strip_markup(line.encode()) for line in lines]
    plain = b"no markup at all\nin these\n  two lines  \n"
    assert strip_markup(plain) == plain


def test_a_corpus_with_and_without(tmp_path):
    path = tmp_path / "wiki.txt"
    path.write_text("the <b>bold</b> king {{cite|queen}}\nthe end\n" * 3)
    kept, removed = (
        open_corpus([path], tokenizer="words", without_markup=each, cache=tmp_path / "cache")
        for each in (False, True)
    )
    assert {"b", "cite", "queen"} <= set(kept.vocabulary.words)
    assert set(removed.vocabulary.words) == {"the", "bold", "king", "end"}
    again = open_corpus([path], tokenizer="words", cache=tmp_path / "cache")
    assert again.vocabulary.words == kept.vocabulary.words  # each is kept under its own name


def test_blocks_are_cut_between_lines(tmp_path, monkeypatch):
    """A template at the end of a block is removed whole, wherever the block would be cut."""
    monkeypatch.setattr("andornot.corpus.reading.BLOCK", 64)
    path = tmp_path / "wiki.txt"
    path.write_text("some words {{a template with spaces}} more words\n" * 50)
    corpus = open_corpus(
        [path], tokenizer="words", without_markup=True, threads=1, cache=tmp_path / "cache"
    )
    assert dict(zip(corpus.vocabulary.words, corpus.vocabulary.counts.values, strict=True)) == {
        "words": 100,
        "some": 50,
        "more": 50,
    }


@given(st.text("{}|a ", max_size=14))
def test_templates_are_removed_from_the_innermost_on(text):
    line = text.encode()
    expected, found = line, 1
    while found:
        expected, found = re.subn(rb"\{\{[^{}]*\}\}|\{\|[^{}]*\|\}", b" ", expected)
    assert _without_templates(line) == expected
