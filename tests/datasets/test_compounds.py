"""Compositional noun compounds: judges and means on either side of the line."""

import os

import pytest
from errors import raises

from andornot.base.errors import FileError
from andornot.datasets import locate
from andornot.datasets.compounds import (
    compositional_phrases,
    read_farahmand,
    read_ramisch,
    read_reddy,
)

REDDY = "#word\tWord1_mean ...\nend-n user-n\t3.9 1.1 4.9 0.3 3.0 0.9 18.8\n"
REDDY += "rock-n bottom-n\t0.8 1.0 3.1 1.4 2.99 1.1 2.7\n"
RAMISCH = "target,modif,modif_std,head,head_std,cpd,cpd_std,dataset\r\n"
RAMISCH += "birth rate,4.6,0.6,4.5,0.9,3,0.5,x\r\neager beaver,2,1,0.4,1,0.36,0.5,x\r\n"


def test_three_of_four_judges(tmp_path):
    path = tmp_path / "judgments.csv"
    path.write_text("access card,0,0,0,0\nacid rain,0,1,0,0\nbad apple,1,1,0,0\nred tape,1,1,1,1\n")
    assert read_farahmand(path) == ["access card", "acid rain"]


def test_means_of_at_least_three(tmp_path):
    (tmp_path / "reddy.txt").write_text(REDDY)
    assert read_reddy(tmp_path / "reddy.txt") == ["end user"]
    (tmp_path / "ramisch.csv").write_text(RAMISCH)
    assert read_ramisch(tmp_path / "ramisch.csv") == ["birth rate"]


@pytest.mark.parametrize(
    ("read", "text", "line", "named"),
    [
        (read_farahmand, "access card,0,0,0,0\nacid rain,0,0,0\n", 2, "acid rain"),
        (read_farahmand, "access card,0,0,0,x\n", 1, "access card"),
        (read_reddy, "end-n user-n 3.9 1.1 4.9 0.3 4.3\n", 1, "end-n user-n"),
        (read_reddy, REDDY + "web-n site-n\t1 2 3 4 five\n", 4, "five"),
        (read_ramisch, RAMISCH + "gold mine\r\n", 4, "gold mine"),
        (read_ramisch, "compound,mean\r\ngold mine,3\r\n", 2, "gold mine"),
        (read_ramisch, RAMISCH + "gold mine,1,1,1,1,high,1,x\r\n", 4, "gold mine"),
    ],
)
def test_a_wrong_line_is_named(tmp_path, read, text, line, named):
    path = tmp_path / "set.txt"
    path.write_text(text, newline="")
    with raises(FileError, path, named) as caught:
        read(path)
    assert caught.value.line == line


@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
def test_the_real_sets():
    assert len(read_farahmand(locate("farahmand-2015"))) == 840
    assert len(read_reddy(locate("reddy-2011"))) == 37
    assert len(read_ramisch(locate("ramisch-2016"))) == 41
    phrases = compositional_phrases()
    assert len(phrases) == len(set(phrases)) == 908
    assert {"access card", "end user", "birth rate"} <= set(phrases)
