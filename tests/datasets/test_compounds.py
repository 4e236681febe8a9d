"""Compositional noun compounds: judges and means on either side of the line."""

import os

import pytest
from errors import raises

from andornot.base.errors import FileError
from andornot.datasets import locate
from andornot.datasets.category_norms import read_category_norms
from andornot.datasets.compounds import (
    compositional_phrases,
    read_farahmand,
    read_ramisch,
    read_reddy,
)
from andornot.datasets.feature_norms import read_feature_norms

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
        (read_ramisch, "compound,mean\r\ngold mine,3\r\n", 1, "no column 'target'"),
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


LONG = '"a' + "b,0,1,0,1\n" * 20_000


@pytest.mark.parametrize(
    ("read", "heading"),
    [
        (read_farahmand, ""),
        (read_ramisch, "target,cpd\n"),
        (read_ramisch, ""),
        (read_category_norms, "Category,Response,Production.frequency,Mean.rank\n"),
    ],
)
def test_a_quotation_mark_that_stays_open_is_named(tmp_path, read, heading):
    path = tmp_path / "set.csv"
    path.write_text(heading + LONG)
    with raises(FileError, path, "line ", "quotation marks"):
        read(path)


def test_a_value_of_the_feature_norms_that_is_too_long_is_named(tmp_path):
    path = tmp_path / "norms.txt"
    path.write_text("Concept\tFeature\tBR_Label\tProd_Freq\n" + "a" * 140_000 + "\tb\tc\t3\n")
    with raises(FileError, path, "line 2", "field limit"):
        read_feature_norms(path)
