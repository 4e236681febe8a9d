"""Reuters-21578: the archive as it is, and what is wrong with one."""

import os

import pytest
from downloads import tarred
from errors import raises

from andornot.base.errors import FileError
from andornot.datasets import locate
from andornot.datasets.news import NewsText, read_reuters

HEAD = '<!DOCTYPE lewis SYSTEM "lewis.dtd">\n'
OIL = (
    '<REUTERS TOPICS="YES">\n<TOPICS><D>crude</D><D>nat-gas</D></TOPICS>\n<PLACES><D>usa</D>'
    "</PLACES><TEXT>&#2;\n<TITLE>OIL &amp; GAS</TITLE>\n<BODY>Prices of\ncrude &lt;rose>.\n"
    "</BODY></TEXT>\n</REUTERS>\n"
)
BRIEF = (
    '<REUTERS TOPICS="NO">\n<TOPICS></TOPICS>\n<TEXT TYPE="BRIEF">\n<TITLE>A bank</TITLE>Blah'
    "</TEXT>\n</REUTERS>\n"
)


def test_an_archive(tmp_path):
    path = tmp_path / "reuters.tar.gz"
    files = {"README.txt": b"<REUTERS>", "a.sgm": (HEAD + OIL).encode(), "b.sgm": BRIEF.encode()}
    path.write_bytes(tarred(files))
    assert read_reuters(path) == [
        NewsText(("crude", "nat-gas"), "OIL & GAS", "Prices of\ncrude <rose>.\n"),
        NewsText((), "A bank", "Blah"),
    ]


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"not an archive", ["archive"]),
        (b"", ["archive"]),
        (tarred({"a.sgm": OIL.encode()})[:150], ["cut off"]),
        (tarred({"README.txt": b"nothing"}), ["no .sgm files"]),
        (tarred({"a.sgm": b"nothing"}), ["a.sgm", "<REUTERS>"]),
        (tarred({"a.sgm": b"<REUTERS></REUTERS>"}), ["text 1 of a.sgm", "<TOPICS>"]),
        (
            tarred({"a.sgm": OIL.encode() + b"<REUTERS><TOPICS></TOPICS></REUTERS>"}),
            ["text 2 of a.sgm", "<TEXT>"],
        ),
    ],
    # an archive contains the time when it was made, so its bytes can't name a test
    ids=["text", "empty", "cut off", "no texts", "not SGML", "no topics", "no text"],
)
def test_what_is_wrong_with_an_archive_is_named(tmp_path, content, named):
    path = tmp_path / "reuters.tar.gz"
    path.write_bytes(content)
    with raises(FileError, path, "again", *named):
        read_reuters(path)


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "reuters.tar.gz"
    path.write_bytes(tarred({"a.sgm": b"<" * 1001}))
    monkeypatch.setattr("andornot.datasets.news._MOST_BYTES", 1000)
    with raises(FileError, path, "a.sgm", "1,000 bytes"):
        read_reuters(path)


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
def test_the_real_collection():
    found = read_reuters(locate("reuters-21578"))
    assert len(found) == 21_578
    assert sum(bool(each.topics) for each in found) == 11_367
    assert found[0].topics == ("cocoa",)
    assert found[0].title == "BAHIA COCOA REVIEW"
    assert sum(not each.title.strip() and not each.body.strip() for each in found) == 1
