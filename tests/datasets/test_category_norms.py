"""Category norms: the columns wherever they are, and what is wrong with a line."""

import os

import pytest
from errors import raises

from andornot.base.errors import FileError
from andornot.datasets import locate
from andornot.datasets.category_norms import Member, read_category_norms

HEADING = "Category,Response,Rank,Production.frequency,Mean.rank\n"


def test_a_file_of_norms(tmp_path):
    path = tmp_path / "norms.csv"
    path.write_text(HEADING + 'animal,dog,1,14,2.5\n"animal, large",polar bear,3,2,7\n')
    assert read_category_norms(path) == [
        Member("animal", "dog", 14, 2.5),
        Member("animal, large", "polar bear", 2, 7.0),
    ]


@pytest.mark.parametrize(
    ("content", "line", "named"),
    [
        (b"", 1, ["'Category'"]),
        (b"Category,Response,Mean.rank\nanimal,dog,2\n", 1, ["'Production.frequency'"]),
        (HEADING.encode(), None, ["no responses"]),
        (HEADING.encode() + b"animal,dog,1,14,2.5\nanimal,cat,1,many,2\n", 3, ["animal,cat,many"]),
        (HEADING.encode() + b"animal,dog,1,14,NA\n", 2, ["NA"]),
        (HEADING.encode() + b"animal,dog,1,14,nan\n", 2, ["nan"]),
        (HEADING.encode() + b"animal,dog\n", 2, ["animal,dog"]),
        (HEADING.encode() + b"animal,,1,14,2\n", 2, ["animal,,14"]),
        (HEADING.encode() + b"caf\xe9,a,1,2,3\n", None, ["UTF-8"]),
    ],
)
def test_what_is_wrong_with_a_file_is_named(tmp_path, content, line, named):
    path = tmp_path / "norms.csv"
    path.write_bytes(content)
    with raises(FileError, path, *named) as caught:
        read_category_norms(path)
    assert caught.value.line == line


@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
def test_the_real_norms():
    found = read_category_norms(locate("category-norms"))
    assert len(found) == 2236
    assert len({each.category for each in found}) == 117
    assert found[0] == Member("academic subject", "accounting", 2, 6.5)
