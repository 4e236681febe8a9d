"""White space between tokens: the same four characters everywhere."""

import sys

from texts import write

from andornot.corpus import open_corpus
from andornot.corpus.edits import merge_phrases
from andornot.corpus.phrase_merging import split_phrases
from andornot.corpus.white_space import split_at_white_space

BLANKS = [chr(code) for code in range(1, sys.maxunicode) if chr(code).isspace()]


def test_texts_are_split_as_the_corpus_is(tmp_path):
    assert len(BLANKS) > 20
    text = "".join(f"a{blank}b c{blank}\n" for blank in BLANKS)
    corpus = open_corpus([write(tmp_path / "a.txt", text)])
    found = [corpus.vocabulary.word(token) for token in corpus.tokens.tolist() if token >= 0]
    assert found == split_at_white_space(text)


def test_a_phrase_with_a_no_break_space_in_a_token_is_merged(tmp_path):
    corpus = open_corpus([write(tmp_path / "a.txt", "a\u00a0b c")])
    assert split_phrases(["a\u00a0b\tc"]) == [("a\u00a0b", "c")]
    assert merge_phrases(corpus, ["a\u00a0b c"]).vocabulary.words == ("a\u00a0b_c",)
