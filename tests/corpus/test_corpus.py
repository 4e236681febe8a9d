"""From text to token numbers, against slow and obvious ways to do the same."""

import bz2
import gzip
import lzma
import os
import subprocess
import sys
import unicodedata
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from andornot import AndornotError, AndornotWarning, Vocabulary
from andornot.base.errors import FileError
from andornot.cooccurrence import count
from andornot.corpus import corpus as corpus_module
from andornot.corpus import open_corpus, reading
from andornot.corpus.edits import add_or_words, merge_phrases
from andornot.corpus.tokenizing import find_words

TEXT = "b a c a\n\nThe naïve 東京 a\tb\r\nlast line a"


def sentences(corpus) -> list[list[str]]:
    """The corpus as lists of words, from its numbers."""
    result: list[list[str]] = [[]]
    for number in corpus.tokens.tolist():
        if number < 0:
            result.append([])
        else:
            result[-1].append(corpus.vocabulary.words[number])
    return [sentence for sentence in result if sentence]


def write(path, text=TEXT):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


# --- reading ---------------------------------------------------------------------------------


def test_tokens_sentences_and_counts(tmp_path):
    corpus = open_corpus([write(tmp_path / "a.txt")])
    assert sentences(corpus) == [line.split() for line in TEXT.split("\n") if line.split()]
    counts = Counter(TEXT.split())
    assert corpus.size == len(TEXT.split())
    assert dict(zip(corpus.vocabulary, corpus.vocabulary.counts.values, strict=True)) == counts
    ordered = sorted(counts, key=lambda word: (-counts[word], word.encode()))
    assert corpus.vocabulary.words == tuple(ordered)


@settings(max_examples=60)
@given(st.text(st.sampled_from("ab é\n\t 東"), max_size=200), st.integers(1, 3))
def test_any_text_blocks_and_threads(tmp_path_factory, text, threads):
    folder = tmp_path_factory.mktemp("any")
    path = write(folder / "a.txt", text)
    if not text.split():
        with pytest.raises(AndornotError, match="the corpus is empty"):
            open_corpus([path], cache=folder / "cache")
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "BLOCK", 16)
        corpus = open_corpus([path], cache=folder / "cache", threads=threads)
    assert sentences(corpus) == [line.split() for line in text.split("\n") if line.split()]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, "zstd"])
def test_compressed_text(tmp_path, pack):
    if pack == "zstd":
        zstandard = pytest.importorskip("zstandard", reason="needs the extra zstd")
        pack = zstandard.ZstdCompressor().compress
    corpus = open_corpus([write(tmp_path / "packed", pack(TEXT.encode()))])
    assert corpus.size == len(TEXT.split())


def test_folders_and_several_files(tmp_path):
    (tmp_path / "sub").mkdir()
    write(tmp_path / "b.txt", "second file")
    write(tmp_path / "a.txt", "first")
    write(tmp_path / "sub" / "c.txt", "third\n")
    write(tmp_path / ".hidden", "hidden")
    corpus = open_corpus([tmp_path, tmp_path / "a.txt"])
    assert sentences(corpus) == [["first"], ["second", "file"], ["third"], ["first"]]


def test_standard_input():
    code = (
        "from andornot.corpus import open_corpus\n"
        "corpus = open_corpus(['-'])\n"
        "print(corpus.size, corpus.vocabulary.words[0], corpus.path.name == corpus.key)"
    )
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code], input=TEXT.encode(), capture_output=True, check=True
        )
        assert done.stdout.decode().split() == [str(len(TEXT.split())), "a", "True"]


def test_standard_inputs_that_differ_only_in_a_word_are_not_confused():
    code = (
        "from andornot.corpus import open_corpus\n"
        "from andornot.corpus.edits import merge_phrases\n"
        "print(*merge_phrases(open_corpus(['-']), ['a b']).vocabulary)"
    )
    for text, words in [("a b a b c\n", "a_b c"), ("a b a b d\n", "a_b d")]:
        done = subprocess.run(
            [sys.executable, "-c", code], input=text, capture_output=True, check=True, text=True
        )
        assert done.stdout.strip() == words


def test_links_are_followed_and_what_cannot_be_read_is_an_error(tmp_path):
    folder, elsewhere = tmp_path / "folder", tmp_path / "elsewhere"
    (folder / "sub").mkdir(parents=True)
    elsewhere.mkdir()
    write(elsewhere / "far.txt", "far")
    write(folder / "near.txt", "near")
    (folder / "link").symlink_to(elsewhere)
    (folder / "sub" / "loop").symlink_to(folder)
    count(open_corpus([write(tmp_path / "x.txt")]), min_count=1, output=folder / "counts")
    assert sorted(open_corpus([folder]).vocabulary.words) == ["far", "near"]
    (folder / "broken").symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileError, match=r"broken: no such file"):
        open_corpus([folder])


def test_text_that_is_no_utf8_text(tmp_path):
    with pytest.raises(FileError, match="it holds zero bytes"):
        open_corpus([write(tmp_path / "a.txt", "some text\n".encode("utf-16"))])
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(FileError, match="give it as standard input: -"):
        open_corpus([tmp_path / "fifo"])


def test_a_second_run_opens_what_the_first_has_kept(tmp_path, monkeypatch):
    path = write(tmp_path / "a.txt")
    first = open_corpus([path], cache=tmp_path / "cache")

    def never(*_):
        raise AssertionError("tokenised again")

    monkeypatch.setattr(corpus_module, "tokenise", never)
    again = open_corpus([path], cache=tmp_path / "cache")
    assert again.path == first.path
    copy = write(tmp_path / "copy.txt")  # the content counts, not the name
    shared = open_corpus([copy], cache=tmp_path / "cache")
    assert shared.path == first.path
    assert shared.record["files"] == [str(copy)]  # not the name under which it was first read
    write(path, TEXT + " changed")
    with pytest.raises(AssertionError):
        open_corpus([path], cache=tmp_path / "cache")


def test_bytes_that_are_not_utf8(tmp_path):
    path = write(tmp_path / "a.txt", b"good b\xffd b\xfed good\n")
    for _ in range(2):  # the second comes from the cache, and warns as well
        with pytest.warns(AndornotWarning, match="2 tokens are not UTF-8 and were replaced"):
            corpus = open_corpus([path])
    assert sentences(corpus) == [["good", "b\ufffdd", "b\ufffdd", "good"]]
    with pytest.warns(AndornotWarning, match="2 bytes are not UTF-8"):
        corpus = open_corpus([path], tokenizer="words")
    assert sentences(corpus) == [["good", "b", "d", "b", "d", "good"]]
    for tokenizer in ("whitespace", "words"):
        with pytest.raises(AndornotError, match=r"are not UTF-8; convert the text"):
            open_corpus([path], tokenizer=tokenizer, strict=True)


def test_corpora_that_are_none(tmp_path, monkeypatch):
    (tmp_path / "folder").mkdir()
    monkeypatch.setattr(reading, "BLOCK", 1 << 10)
    for paths, problem in [
        ([write(tmp_path / "empty.txt", "")], "there are no tokens in"),
        ([write(tmp_path / "blank.txt", " \n \n")], "the corpus is empty"),
        ([tmp_path / "none.txt"], "no such file"),
        ([tmp_path / "folder"], "there are no files in this folder"),
        ([], "no corpus was named"),
        ([write(tmp_path / "endless", "x" * 10_000)], "bytes without a space"),
    ]:
        with pytest.raises(AndornotError, match=problem):
            open_corpus(paths, cache=tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []  # nothing half-written
    write(tmp_path / "file", "no folder")
    with pytest.raises(AndornotError, match="set ANDORNOT_CACHE to a folder"):
        open_corpus([write(tmp_path / "a.txt")], cache=tmp_path / "file")
    with pytest.raises(AndornotError, match="unknown tokenizer 'letters'"):
        open_corpus([write(tmp_path / "a.txt")], tokenizer="letters")


# --- words -----------------------------------------------------------------------------------


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


# --- vocabularies ----------------------------------------------------------------------------


def test_choosing_a_vocabulary(tmp_path):
    corpus = open_corpus([write(tmp_path / "a.txt", "c c c b b a d d\n")])
    assert corpus.choose(2).words == ("c", "b", "d")
    assert corpus.choose(1, max_size=2).words == ("c", "b")
    assert corpus.choose(2).counts.values.tolist() == [3, 2, 2]
    with pytest.raises(AndornotError, match=r"no word comes 9 times.*'c', comes 3 times"):
        corpus.choose(9)
    with pytest.raises(AndornotError, match="at least 1"):
        corpus.choose(0)


def test_a_saved_vocabulary_is_imposed(tmp_path):
    corpus = open_corpus([write(tmp_path / "a.txt", "c c c b b a d d\n")])
    write(tmp_path / "vocab.txt", "a 10\nc 5\nunseen 1\n")
    vocabulary = Vocabulary.read(tmp_path / "vocab.txt")
    numbers = dict(zip(corpus.vocabulary.words, corpus.numbers_in(vocabulary), strict=True))
    assert numbers == {"a": 0, "c": 1, "b": -2, "d": -2}
    with pytest.raises(AndornotError, match="not one of the 1 words"):
        corpus.numbers_in(Vocabulary(["elsewhere"]))
    write(tmp_path / "vocab.txt", "a 10\na 5\n")
    with pytest.raises(FileError, match="'a' stands twice"):
        Vocabulary.read(tmp_path / "vocab.txt")


# --- edits -----------------------------------------------------------------------------------


def slow_merge(words: list[str], phrases: list[str]) -> list[str]:
    split = sorted((phrase.split() for phrase in phrases), key=len, reverse=True)
    result, i = [], 0
    while i < len(words):
        phrase = next((p for p in split if words[i : i + len(p)] == p), words[i : i + 1])
        result.append("_".join(phrase))
        i += len(phrase)
    return result


@settings(max_examples=60)
@given(
    st.lists(st.text("abc", min_size=1, max_size=1), min_size=1, max_size=60),
    st.lists(st.lists(st.sampled_from("abcx"), min_size=2, max_size=4), min_size=1, max_size=5),
    st.integers(1, 4),
)
def test_merging_agrees_with_a_slow_merge(tmp_path_factory, words, phrases, block):
    from andornot.corpus import edits

    folder = tmp_path_factory.mktemp("merge")
    half = len(words) // 2
    lines = [words[:half], words[half:]]
    path = write(folder / "a.txt", "\n".join(" ".join(line) for line in lines))
    phrases = [" ".join(phrase) for phrase in phrases]
    corpus = open_corpus([path], cache=folder / "cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edits, "_TOKENS_AT_A_TIME", block)
        merged = merge_phrases(corpus, phrases)
    expected = [slow_merge(line, phrases) for line in lines if line]
    assert sentences(merged) == expected
    counts = Counter(word for line in expected for word in line)
    assert merged.vocabulary.counts.values.tolist() == sorted(counts.values(), reverse=True)
    assert merged.path == merge_phrases(corpus, phrases).path


def test_a_phrase_has_two_words(tmp_path):
    corpus = open_corpus([write(tmp_path / "a.txt")])
    with pytest.raises(AndornotError, match="'a' is no phrase"):
        merge_phrases(corpus, ["b a", "a"])


def test_or_words(tmp_path):
    text = "\n".join(" ".join(f"w{(i * j) % 17}" for j in range(20)) for i in range(30))
    corpus = open_corpus([write(tmp_path / "a.txt", text)])
    doubled, pairs = add_or_words(corpus, pairs=4, min_count=5, seed=3)
    assert pairs == add_or_words(corpus, pairs=4, min_count=5, seed=3)[1]
    assert pairs != add_or_words(corpus, pairs=4, min_count=5, seed=4)[1]
    assert len({word for pair in pairs for word in pair}) == 8  # nobody in two pairs
    names = {word: f"{a}_OR_{b}" for a, b in pairs for word in (a, b)}
    original = sentences(corpus)
    copy = [[names.get(word, word) for word in sentence] for sentence in original]
    assert sentences(doubled) == original + copy
    counts = dict(zip(corpus.vocabulary, corpus.vocabulary.counts.values, strict=True))
    both = dict(zip(doubled.vocabulary, doubled.vocabulary.counts.values, strict=True))
    for a, b in pairs:
        assert both[f"{a}_OR_{b}"] == counts[a] + counts[b]
        assert both[a] == counts[a]
    with pytest.raises(AndornotError, match="can't be drawn"):
        add_or_words(corpus, pairs=400, min_count=5)


def test_a_process_that_dies_leaves_no_corpus(tmp_path):
    path = write(tmp_path / "a.txt", "word " * 2_000_000)
    code = (
        "import os, signal, sys\n"
        "from andornot.corpus import open_corpus\n"
        "kill = lambda done: done > 0.3 and os.kill(os.getpid(), signal.SIGKILL)\n"
        "open_corpus([sys.argv[1]], progress=kill)"
    )
    environment = os.environ | {"ANDORNOT_CACHE": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", code, path], env=environment)
    assert done.returncode == -9
    assert open_corpus([path], cache=tmp_path / "cache" / "corpora").size == 2_000_000
