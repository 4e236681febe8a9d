"""Relations between words: BATS, antonyms beside synonyms, OR tuples, and counts of words."""

import os

import pytest
from errors import raises

from andornot import Vocabulary
from andornot.base.errors import FileError
from andornot.datasets import locate
from andornot.datasets.relations import (
    Opposition,
    Related,
    read_oppositions,
    read_relation,
    relation_files,
)
from andornot.datasets.tuples import OrTuple, read_tuples

REAL = pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")


def test_a_relation_of_bats(tmp_path):
    path = tmp_path / "E02 [country - language].txt"
    path.write_bytes(b"andorra\tcatalan\r\nbelgium\tdutch/french//german\r\n\r\n")
    assert read_relation(path) == [
        Related("andorra", ("catalan",)),
        Related("belgium", ("dutch", "french", "german")),
    ]
    path.write_text("andorra\tcatalan\nbelgium\n")
    with raises(FileError, path, "1 fields", "two") as caught:
        read_relation(path)
    assert caught.value.line == 2


def test_the_relations_of_a_folder(tmp_path):
    for name in ("3_Encyclopedic_semantics/E01 [a - b].txt", "1_inflectional/I01 [c - d].txt"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    assert {code: path.name for code, path in relation_files(tmp_path).items()} == {
        "I01": "I01 [c - d].txt",
        "E01": "E01 [a - b].txt",
    }
    with raises(FileError, tmp_path / "1_inflectional", "BATS"):
        relation_files(tmp_path / "1_inflectional")


def test_antonyms_and_synonyms(tmp_path):
    path = tmp_path / "pairs"
    path.write_text("noble\tignoble\t1\n\nbig\tlarge\t0\n")
    assert read_oppositions(path) == [
        Opposition("noble", "ignoble", True),
        Opposition("big", "large", False),
    ]
    path.write_text("noble\tignoble\t2\n")
    with raises(FileError, path, "ignoble") as caught:
        read_oppositions(path)
    assert caught.value.line == 1


def test_or_tuples(tmp_path):
    path = tmp_path / "tuples.txt"
    path.write_text("sibling\tbrother\tsister\n\nseason\tspring\tsummer\tautumn \twinter\n")
    assert read_tuples(path) == [
        OrTuple("sibling", ("brother", "sister")),
        OrTuple("season", ("spring", "summer", "autumn", "winter")),
    ]
    for line in ("sibling brother sister", "sibling\tbrother", "a\tb\t\tc", "\ta\tb"):
        path.write_text(f"a\tb\tc\n{line}\n")
        with raises(FileError, path, repr(line.strip())[1:-1], "two words") as caught:
            read_tuples(path)
        assert caught.value.line == 2
    path.write_text("\n")
    with raises(FileError, path, "no tuples"):
        read_tuples(path)


@REAL
def test_the_real_relations():
    files = relation_files(locate("bats"))
    assert len(files) == 40
    assert all(len(read_relation(path)) == 50 for path in files.values())
    assert read_relation(files["E02"])[0] == Related("andorra", ("catalan",))
    train, val = (read_oppositions(locate(f"antonyms-{part}")) for part in ("train", "val"))
    assert (len(train), len(val)) == (5562, 398)
    assert {pair.is_antonym for pair in val} == {True, False}


@REAL
def test_the_real_frequencies_are_counts():
    words = Vocabulary(["the", "king", "no-such-word"]).with_counts(locate("word-frequencies"))
    assert words.counts is not None
    assert words.counts.values[0] == 167485604
    assert words.counts.values[1] > 0 == words.counts.values[2]
