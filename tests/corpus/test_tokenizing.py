"""The rules of `words` against a slow way to follow them."""

import unicodedata

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from andornot.corpus.tokenizing import find_words


def slow_words(text: str) -> list[list[str]]:
    """The rules of `words`, character by character."""

    def is_word(c: str) -> bool:
        return unicodedata.category(c)[0] in "LMN"

    def is_digit(c: str) -> bool:
        return unicodedata.category(c)[0] == "N"

    def lowered(c: str) -> str:
        return c.lower() if len(c.lower()) == 1 else c

    result = []
    for line in text.split("\n"):
        words, word = [], ""
        for i, c in enumerate(line):
            before = line[i - 1] if i else " "
            after = line[i + 1] if i + 1 < len(line) else " "
            plain = {"’": "'", "‐": "-", "‑": "-", "−": "-"}.get(c, c)
            keep = is_word(c)
            if plain in "'-" and word:
                keep = is_word(before) and is_word(after)
            elif plain in ".," and word:
                keep = is_digit(before) and is_digit(after)
            elif plain == "-":
                keep = is_digit(after) and (
                    before.isspace() or unicodedata.category(before) in ("Ps", "Pi")
                )
            if keep:
                word += lowered(plain)
            elif word:
                words.append(word)
                word = ""
        if word:
            words.append(word)
        result.append(words)
    return result


def quick_words(text: str) -> list[list[str]]:
    found, broken = find_words(np.frombuffer(text.encode(), dtype=np.uint8))
    assert broken == 0
    return [line.split(" ")[:-1] for line in found.tobytes().decode().split("\n")]


interesting = st.text(
    st.one_of(
        st.sampled_from("aB9 3-−–'’.,([\n\t«İßΣ%_ǅ²½Ⅷ東é́"), st.characters(exclude_categories=["Cs"])
    ),
    max_size=40,
)


@settings(max_examples=1500)
@given(interesting)
def test_words_agree_with_the_rules(text):
    assert quick_words(text) == slow_words(text)


def test_words_as_documented():
    for text, words in {
        "Don’t PANIC, l'eau!": "don't panic l'eau",
        "a well-known covid-19 case -- or - not": "a well-known covid-19 case or not",
        "it is −3 or (-4) but 5-3, x-1 and -x": "it is -3 or -4 but 5-3 x-1 and x",
        "3.14, 1,000. end.": "3.14 1,000 end",
        "[-9] «-8» 'quoted' rock 'n' roll": "-9 -8 quoted rock n roll",
        "naïve café 東京 ΑΒΓ": "naïve café 東京 αβγ",
    }.items():
        assert quick_words(text) == [words.split()]


def test_broken_bytes_separate_words_and_are_counted():
    raw = b"a\xffb \xe6\x9d c\xed\xa0\x80d \xf4\x90\x80\x80 \xc0\xaf e"
    words, broken = find_words(np.frombuffer(raw, dtype=np.uint8))
    assert words.tobytes() == b"a b c d e "
    replaced = raw.decode("utf-8", "replace")
    assert broken >= replaced.count("\ufffd")
