"""From text to token numbers, in blocks and threads, also where it is not UTF-8."""

import pytest
from errors import raises
from hypothesis import given, settings
from hypothesis import strategies as st
from texts import sentences, write

from andornot import AndornotError, AndornotWarning
from andornot.corpus import open_corpus, reading


@settings(max_examples=60)
@given(st.text(st.sampled_from("ab é\n\t 東"), max_size=200), st.integers(1, 3))
def test_any_text_blocks_and_threads(tmp_path_factory, text, threads):
    folder = tmp_path_factory.mktemp("any")
    path = write(folder / "a.txt", text)
    if not text.split():
        with raises(AndornotError, path, "empty"):
            open_corpus([path], cache=folder / "cache")
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "BLOCK", 16)
        corpus = open_corpus([path], cache=folder / "cache", threads=threads)
    assert sentences(corpus) == [line.split() for line in text.split("\n") if line.split()]


def test_bytes_that_are_not_utf8(tmp_path):
    path = write(tmp_path / "a.txt", b"good b\xffd b\xfed good\n")
    for _ in range(2):  # the second comes from the cache, and warns as well
        with pytest.warns(AndornotWarning, match=r"2 tokens are not UTF-8; .* U\+FFFD; .*iconv"):
            corpus = open_corpus([path])
    assert sentences(corpus) == [["good", "b\ufffdd", "b\ufffdd", "good"]]
    with pytest.warns(AndornotWarning, match="2 bytes are not UTF-8; .* are cut; .*strict=True"):
        corpus = open_corpus([path], tokenizer="words")
    assert sentences(corpus) == [["good", "b", "d", "b", "d", "good"]]
    for tokenizer in ("whitespace", "words"):
        with raises(AndornotError, path, "UTF-8", "`iconv", "leave out strict"):
            open_corpus([path], tokenizer=tokenizer, strict=True)
    one = write(tmp_path / "one.txt", b"good b\xffd\n")
    with pytest.warns(AndornotWarning, match="1 byte is not UTF-8"):
        open_corpus([one], tokenizer="words")
