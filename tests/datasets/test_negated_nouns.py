"""Alternatives to a negated noun: the file as it is, and what is wrong with a line."""

import os
from collections import Counter

import pytest
from errors import raises

from andornot.base.errors import FileError
from andornot.datasets import locate
from andornot.datasets.negated_nouns import RatedAlternative, read_alternatives

HEADING = "NEGATED\tALTERNATIVE\tRELATION\tMEANRATING\tSPLIT\n"
GOOD = "dog\twolf\tcohyponym\t4.5\ttest\n"


def test_a_file_of_ratings(tmp_path):
    path = tmp_path / "ratings.txt"
    path.write_text(HEADING + GOOD + "dog\tjob\tunrelated\t1\tdev\n")
    assert read_alternatives(path) == [
        RatedAlternative("dog", "wolf", 4.5, "test"),
        RatedAlternative("dog", "job", 1.0, "dev"),
    ]


@pytest.mark.parametrize(
    ("content", "line", "named"),
    [
        ("", None, ["fewer than two"]),
        (HEADING + GOOD, None, ["fewer than two"]),
        (HEADING + GOOD + "dog\twolf\t4.5\ttest\n", 3, ["'dog\\twolf\\t4.5"]),
        (HEADING + "dog\twolf\tcohyponym\thigh\ttest\n", 2, ["high"]),
        (HEADING + "dog\twolf\tcohyponym\tnan\ttest\n", 2, ["nan"]),
        (HEADING + "dog\twolf\tcohyponym\t4.5\ttset\n", 2, ["tset", "train, dev, test"]),
        (HEADING + "\twolf\tcohyponym\t4.5\ttest\n", 2, ["wolf"]),
    ],
)
def test_what_is_wrong_with_a_file_is_named(tmp_path, content, line, named):
    path = tmp_path / "ratings.txt"
    path.write_text(content)
    with raises(FileError, path, *named) as caught:
        read_alternatives(path)
    assert caught.value.line == line


@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
def test_the_real_ratings():
    found = read_alternatives(locate("alternatives"))
    assert Counter(each.part for each in found) == {"train": 563, "dev": 186, "test": 482}
    assert found[0] == RatedAlternative("goat", "beard", 1.3, "train")
