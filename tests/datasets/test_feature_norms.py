"""Feature norms: the columns wherever they are, and what is wrong with a line."""

import os

import pytest
from errors import raises

from andornot.base.errors import FileError
from andornot.datasets import locate
from andornot.datasets.feature_norms import Feature, read_feature_norms

HEADING = "Concept\tFeature\tWB_Label\tBR_Label\tProd_Freq\r\n"


def test_a_file_of_norms(tmp_path):
    path = tmp_path / "norms.txt"
    lines = (
        'violin\ta_musical_instrument\tx\ttaxonomic\t25\r\nbat_(animal)\tis_"odd\tx\ttaste\t5\r\n'
    )
    path.write_text(HEADING + lines, newline="")
    assert read_feature_norms(path) == [
        Feature("violin", "a_musical_instrument", "taxonomic", 25),
        Feature("bat_(animal)", 'is_"odd', "taste", 5),
    ]


@pytest.mark.parametrize(
    ("content", "line", "named"),
    [
        ("", 1, ["'Concept'"]),
        ("Concept\tFeature\tProd_Freq\r\n", 1, ["'BR_Label'"]),
        (HEADING, None, ["no features"]),
        (HEADING + "violin\tmade_of_wood\tx\tvisual\tmany\r\n", 2, ["made_of_wood", "many"]),
        (HEADING + "violin\tmade_of_wood\tx\tvisual\t-1\r\n", 2, ["-1"]),
        (HEADING + "violin\tmade_of_wood\r\n", 2, ["violin"]),
        (HEADING + "\tmade_of_wood\tx\tvisual\t9\r\n", 2, ["made_of_wood"]),
    ],
)
def test_what_is_wrong_with_a_file_is_named(tmp_path, content, line, named):
    path = tmp_path / "norms.txt"
    path.write_text(content, newline="")
    with raises(FileError, path, *named) as caught:
        read_feature_norms(path)
    assert caught.value.line == line


@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
def test_the_real_norms():
    found = read_feature_norms(locate("feature-norms"))
    assert len(found) == 7259
    assert len({each.concept for each in found}) == 541
    assert found[0] == Feature("accordion", "a_musical_instrument", "taxonomic", 28)
