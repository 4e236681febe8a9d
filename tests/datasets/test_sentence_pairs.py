"""Rated pairs of sentences, as SemEval has them."""

import os

import pytest
from errors import raises

from andornot.base.errors import FileError
from andornot.datasets import locate
from andornot.datasets.sentence_pairs import SentencePair, read_sts


def write(folder, name, sentences, ratings, prefix="STS"):
    (folder / f"{prefix}.input.{name}.txt").write_text(sentences)
    (folder / f"{prefix}.gs.{name}.txt").write_text(ratings)


def test_a_year_of_sets(tmp_path):
    write(tmp_path, "surprise.OnWN", "A cat.\tA dog.\nUp .\tDown .\n", "2.5\n0\n")
    write(tmp_path, "answers", "a b\tc d\thttp://x\thttp://y\ne\tf\n", "5\n\n", prefix="STS2016")
    (tmp_path / "STS.gs.SMT.txt").write_text("3\n")
    (tmp_path / "STS.gs.ALL.txt").write_text("2.5\n0\n")
    assert read_sts(tmp_path) == {
        "surprise.OnWN": [
            SentencePair("A cat.", "A dog.", 2.5),
            SentencePair("Up .", "Down .", 0.0),
        ],
        "answers": [SentencePair("a b", "c d", 5.0)],
    }


@pytest.mark.parametrize(
    ("sentences", "ratings", "file", "line", "named"),
    [
        ("a\tb\nc\td\n", "1\n", "gs", None, ["1 ratings", "2 pairs"]),
        ("a b\n", "1\n", "input", 1, ["'a b'", "two sentences"]),
        ("a\tb\nc\td\n", "1\nmuch\n", "gs", 2, ["'much'", "0 to 5"]),
        ("a\tb\n", "nan\n", "gs", 1, ["'nan'", "0 to 5"]),
        ("a\tb\n", "6\n", "gs", 1, ["'6'", "0 to 5"]),
    ],
)
def test_what_is_wrong_is_named(tmp_path, sentences, ratings, file, line, named):
    write(tmp_path, "x", sentences, ratings)
    with raises(FileError, *named) as caught:
        read_sts(tmp_path)
    assert caught.value.path == tmp_path / f"STS.{file}.x.txt"
    assert caught.value.line == line


def test_files_that_are_missing(tmp_path):
    with raises(FileError, tmp_path, "STS.input.NAME.txt"):
        read_sts(tmp_path)
    (tmp_path / "STS.input.x.txt").write_text("a\tb\n")
    with raises(FileError, tmp_path / "STS.gs.x.txt", "no such file"):
        read_sts(tmp_path)


@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
def test_the_real_years():
    years = {year: read_sts(locate(f"sts{year}")) for year in range(12, 17)}
    pairs = {year: sum(map(len, sets.values())) for year, sets in years.items()}
    assert pairs == {12: 3108, 13: 1500, 14: 3750, 15: 3000, 16: 1186}
    assert sorted(years[13]) == ["FNWN", "OnWN", "headlines"]
    assert len(years[12]["MSRpar"]) == 750
    assert all(
        pair.first and pair.second
        for sets in years.values()
        for each in sets.values()
        for pair in each
    )
