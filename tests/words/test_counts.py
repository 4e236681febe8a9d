import bz2
import gzip
import lzma

import numpy as np
import pytest
from errors import assert_names, raises

from andornot import AndornotError, AndornotWarning, Space, Vocabulary
from andornot.base.errors import FileError, UsageError
from andornot.words.counts import (
    Counts,
    CountsOrigin,
    find_counts,
    read_counts_file,
    write_counts_file,
)

WORDS = ["the", "king", "new york", "unseen"]
TEXT = "the 100\nnew york 7\r\nking\t12.5\nother 3\n\n"


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_counts_from_a_file_compressed_or_not(tmp_path, pack):
    path = tmp_path / "vocab.txt"
    path.write_bytes(pack(TEXT.encode()))
    counts = find_counts(WORDS, path)
    assert counts.values.tolist() == [100, 12.5, 7, 0]
    assert counts.origin == CountsOrigin.FILE
    assert_names(counts.detail, path, "1 of 4")


def test_only_spaces_and_tabs_separate_a_word_from_its_count(tmp_path):
    words = ["foo", "foo\u3000", "\u00a0"]
    write_counts_file(words, np.array([3.0, 5.0, 7.0]), tmp_path / "counts.txt")
    assert find_counts(words, tmp_path / "counts.txt").values.tolist() == [3, 5, 7]


def test_a_byte_order_mark_is_not_part_of_a_word(tmp_path):
    path = tmp_path / "vocab.txt"
    path.write_bytes(b"\xef\xbb\xbfthe 3\n")
    assert list(read_counts_file(path)) == [("the", 3)]


def test_lines_across_blocks(tmp_path):
    path = tmp_path / "vocab.txt"
    expected = [(f"word{i}", float(i)) for i in range(100_000)]  # two blocks of a megabyte
    path.write_text("".join(f"{word} {int(count)}\n" for word, count in expected))
    assert list(read_counts_file(path)) == expected


@pytest.mark.parametrize(
    ("text", "line", "named"),
    [
        (b"", None, "empty"),
        (b"the 3\nking\n", 2, "'king'"),
        (b"the three\n", 1, "'three'"),
        (b"the -1\n", 1, "'-1'"),
        (b"the nan\n", 1, "'nan'"),
        (b"the 1\n\xff\xfe 2\n", 2, "UTF-8"),
        (b"x" * (3 << 20), None, "megabyte"),
    ],
)
def test_malformed_counts_files(tmp_path, text, line, named):
    path = tmp_path / "vocab.txt"
    path.write_bytes(text)
    with raises(FileError, path, named) as caught:
        list(read_counts_file(path))
    assert (caught.value.path, caught.value.line) == (path, line)


def test_words_listed_twice_keep_the_first_count_and_are_reported(tmp_path):
    path = tmp_path / "vocab.txt"
    path.write_text("the 3\nthe 4\n")
    with pytest.warns(AndornotWarning, match=r"vocab.txt: 1 words .* first"):
        assert find_counts(["the"], path).values.tolist() == [3]


def test_a_file_of_another_language_is_an_error(tmp_path):
    path = tmp_path / "vocab.txt"
    path.write_text("der 3\n")
    with raises(AndornotError, 4, path, "language"):
        find_counts(WORDS, path)


def test_rank_is_zipf_and_says_so():
    counts = find_counts(WORDS, "rank")
    assert np.allclose(counts.values, [1, 1 / 2, 1 / 3, 1 / 4])
    assert str(counts.origin) == "estimated from rank"


def test_wordfreq_gives_its_own_numbers():
    wordfreq = pytest.importorskip("wordfreq", reason="needs the extra wordfreq")
    counts = find_counts(["the", "king", "qqzzx"], "wordfreq")
    expected = [wordfreq.word_frequency(word, "en", wordlist="best") for word in ("the", "king")]
    assert np.allclose(counts.values, [*expected, 0], rtol=1e-3)
    assert counts.origin == CountsOrigin.WORDFREQ
    years = find_counts(["1990", "10", "London", "The", "the", "THE"], "wordfreq").values
    assert np.allclose(years[:2], [wordfreq.word_frequency(n, "en") for n in ("1990", "10")])
    assert years[2] == pytest.approx(wordfreq.word_frequency("london", "en"), rel=2e-3)
    assert years[[3, 5]].tolist() == [0, 0]  # the one in lower case has it all
    assert years[4] > 0.01
    assert find_counts(["der"], "wordfreq:de").values[0] > 0.01
    with raises(UsageError, "'xx'", "wordfreq:en"):
        find_counts(["a"], "wordfreq:xx")


@pytest.mark.parametrize(
    "source", [np.array([1.0, 2.0]), np.array([1, 2]), [1, 2.0], (1, 2), range(1, 3)], ids=str
)
def test_counts_of_an_array(source):
    vocabulary = Vocabulary(["the", "king"])
    space = Space(vocabulary, np.eye(2)).with_counts(source)
    for counts in (find_counts(["the", "king"], source), space.vocabulary.counts):
        assert counts.values.tolist() == [1, 2]
        assert str(counts) == "given (an array)"


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ([1.0], ["2 names", "(1,)"]),
        (np.ones((2, 2)), ["2 names", "(2, 2)"]),
        ([1.0, -2.0], ["counts[1]", "-2.0"]),
        (np.array([np.nan, 1.0]), ["counts[0]", "nan"]),
        (["the", "king"], ["numbers", "['the', 'king']"]),
        (None, ["got None", "a file, a mapping", "an array", "'wordfreq' or 'rank'"]),
        (3, ["got 3 (int)", "an array"]),
        ({1.0, 2.0}, ["(set)", "an array"]),
        (b"vocab.txt", ["(bytes)", "a file"]),
    ],
)
def test_counts_of_other_kinds_are_refused(source, named):
    with raises(UsageError, *named):
        Vocabulary(["the", "king"]).with_counts(source)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ([3.0, -1.0], ["-1.0", "number 2"]),
        ([np.nan, 1.0], ["nan", "number 1"]),
        ([np.inf, 1.0], ["inf", "number 1"]),
        ([0.0, 0.0], ["zero"]),
    ],
)
def test_impossible_counts(values, named):
    with raises(AndornotError, *named):
        Counts(np.array(values), CountsOrigin.GIVEN).check()


def test_written_counts_come_back(tmp_path):
    path = tmp_path / "counts.txt"
    values = np.array([3.0, 0.25, 1e12, 0.0])
    write_counts_file(WORDS, values, path)
    assert find_counts(WORDS, path).values.tolist() == values.tolist()
    assert path.read_text().splitlines()[0] == "the 3"


@pytest.mark.parametrize("word", ["", "a\nb", " a", "a "])
def test_words_a_counts_file_cannot_hold(tmp_path, word):
    path = tmp_path / "counts.txt"
    path.write_text("old")
    with raises(FileError, path, repr(word), "native"):
        write_counts_file([word], np.ones(1), path)
    assert path.read_text() == "old"
