"""Files that are wrong in every way users have met: one line of error, and nothing lost."""

import gzip
import json
import os
import resource
import struct
import tracemalloc
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from commands import run_code
from errors import assert_names, raises
from vector_files import ROW, fasttext

import andornot
from andornot import AndornotError, AndornotWarning, Space, Vocabulary
from andornot.base.errors import FileError
from andornot.words.counts import Counts, CountsOrigin


def native(tensors: dict | None = None, metadata: dict | None = None, body: bytes = b"") -> bytes:
    """A native file with a header of one's own making."""
    header = json.dumps(
        {
            "__metadata__": {
                "format": "andornot space",
                "version": "1",
                "provenance": "{}",
            }
            | (metadata or {}),
            **(tensors or {}),
        }
    ).encode()
    return struct.pack("<Q", len(header)) + header + body


GOOD = {
    "word_offsets": {"dtype": "I64", "shape": [2], "data_offsets": [0, 16]},
    "target": {"dtype": "F32", "shape": [1, 2], "data_offsets": [16, 24]},
    "words": {"dtype": "U8", "shape": [1], "data_offsets": [24, 25]},
}
BODY = struct.pack("<2q", 0, 1) + ROW + b"a"


def changed(name: str, **entry) -> dict:
    return GOOD | {name: GOOD[name] | entry}


LEVELS = np.arange(-8, 8, dtype="<f4")
ROUNDED = {
    "target_levels": {"dtype": "F32", "shape": [1, 16], "data_offsets": [0, 64]},
    "target_offset": {"dtype": "F32", "shape": [2], "data_offsets": [64, 72]},
    "counts": {"dtype": "U32", "shape": [1], "data_offsets": [72, 76]},
    "target_scale": {"dtype": "F16", "shape": [1], "data_offsets": [76, 78]},
    "target_codes": {"dtype": "U8", "shape": [1, 1], "data_offsets": [78, 79]},
    "word_lengths": {"dtype": "U8", "shape": [1], "data_offsets": [79, 80]},
    "words": {"dtype": "U8", "shape": [1], "data_offsets": [80, 81]},
}
COUNTED = {"counts_origin": "training", "counts_detail": ""}
ROUNDED_BODY = (  # codes 8 and 6 are the levels 0 and -2
    LEVELS.tobytes()
    + struct.pack("<2fI", 0.5, -0.5, 7)
    + np.array([0.5], "<f2").tobytes()
    + b"\x68\x01a"
)


def four_bits(
    name: str | None = None, *, body: bytes = ROUNDED_BODY, leave_out: str | None = None, **entry
) -> bytes:
    """A native file with vectors in 4 bits, one entry of its header changed or left out."""
    tensors = {key: value for key, value in ROUNDED.items() if key != leave_out}
    if name is not None:
        tensors[name] = tensors.get(name, {}) | entry
    return native(tensors, COUNTED, body)


# each with the line or the word that its error names, and what else it names
TEXT_FILES = {
    "empty": (b"", {}, ["empty"]),
    "only blank lines": (b"\n\n \n", {}, ["empty"]),
    "row too short": (b"2 2\na 1 2\nb 1\n", {"line": 3}, ["1 values", "where 2", "'b'"]),
    "row too short, no header": (
        b"a 1 2\nb 1\nc 3 4\n",
        {"line": 2},
        ["1 values", "where 2", "'b'"],
    ),
    "row too long": (b"2 2\na 1 2\nb 0.1 0.2 0.3\n", {"line": 3}, ["3 values", "where 2", "'b'"]),
    "row too long, no header": (
        b"a 1 2\nb 0.1 1 2\nc 3 4\n",
        {"line": 2},
        ["3 values", "where 2", "'b'"],
    ),
    "whole value too many": (
        b"2 2\na 1 2\nb 1 2 3\n",
        {"line": 3},
        ["3 values", "where 2", "'b'"],
    ),
    "NaN too many": (
        b"a 0.1 0.2\nb nan 0.5 0.6\nc 0.1 0.2\n",
        {"line": 2},
        ["3 values", "where 2", "'b'"],
    ),
    "header of 5,000 digits": (
        b"9" * 5000 + b" 2\na 1 2\n",
        {"line": 1},
        ["1 values", "where 2", "'99"],
    ),
    "cut inside a row": (
        b"a 1 2 3\nb 1 2 3\nc 1 2",
        {"line": 3},
        ["2 values", "where 3", "'c'", "get it again"],
    ),
    "fewer words than the header": (
        b"3 2\na 1 2\nb 1 2\n",
        {"line": 1},
        ["header", "3 words", "2 follow"],
    ),
    "more words than the header": (
        b"1 2\na 1 2\nb 1 2\n",
        {"line": 1},
        ["header", "1 words", "2 follow"],
    ),
    "wrong dimension in the header": (b"1 9\na 1 2\n", {"line": 2}, ["2 values", "header", "9"]),
    "header alone": (b"5 2\n", {"line": 1}, ["header", "5 words", "none"]),
    "header of a trillion words": (
        b"1000000000000 2\na 1 2\n",
        {"line": 1},
        ["header", "1,000,000,000,000 words", "1 follow"],
    ),
    "header of a trillion values": (
        b"1 1000000000000\na 1 2\n",
        {"line": 2},
        ["2 values", "header", "1,000,000,000,000"],
    ),
    "header of zero": (b"0 2\na 1 2\n", {"line": 1}, ["header", "zero"]),
    "NaN": (b"a 1 2\nb 1 nan\n", {"line": 2}, ["'nan'", "'b'", "float32"]),
    "infinity": (b"a 1 -inf\n", {"line": 1}, ["'-inf'", "'a'", "float32"]),
    "too large for float32": (b"a 1 2\nb 1 1e39\n", {"line": 2}, ["'1e39'", "'b'", "float32"]),
    "a word among the numbers": (b"2 2\na 1 2\nb x 2\n", {"line": 3}, ["'x'", "number"]),
    "not UTF-8": (
        b"a 1 2\n\xff\xfe 1 2\n",
        {"line": 2},
        [r"b'\xff\xfe'", "UTF-8", "undecodable='replace'"],
    ),
    "half a character each": (b"\xc3 1 2\n\xa9 1 2\n", {"line": 1}, [r"b'\xc3'", "UTF-8"]),
    "blank line inside": (b"a 1 2\n\nb 1 2\n", {"line": 2}, ["blank", "delete"]),
    "no word": (b"a 1 2\n 1 2\n", {"line": 2}, ["no word", "' 1 2'"]),
    "no numbers": (b"just some text\nand more\n", {"line": 1}, ["numbers", "'just some text'"]),
    "one endless line": (b"x" * (9 << 20), {}, ["2 MB"]),
    "thousands of short lines after a long one": (
        b"9 500000\na" + b" 1" * 500_000 + b"\n" + b"b 1\n" * 500_000,
        {"line": 3},
        ["1 values", "where 500,000", "'b'"],
    ),
}
BINARY_FILES = {
    "cut inside a vector": (
        b"2 2\na " + ROW + b"\nb " + ROW[:5],
        {},
        ["header", "2 words of 2", "after 1", "get it again"],
    ),
    "cut after a row": (
        b"3 2\na " + ROW + b"\nb " + ROW + b"\n" + b"\0" * 8,
        {},
        ["header", "3 words of 2", "after 2"],
    ),
    "more than promised": (
        b"1 2\na " + ROW + b"\nb " + ROW,
        {},
        ["header", "1 words", "more follow"],
    ),
    "a trillion words": (
        b"1000000000000 2\na " + ROW,
        {"line": 1},
        ["header", "1,000,000,000,000 words of 2", "has 26"],
    ),
    "a trillion values": (
        b"1 1000000000000\na " + ROW,
        {"line": 1},
        ["header", "1 words of 1,000,000,000,000", "has 26"],
    ),
    "NaN in it": (b"1 2\na " + struct.pack("<2f", 1, float("nan")), {"row": 1}, ["nan"]),
    "word not UTF-8": (
        b"1 2\n\xff\xfe " + ROW,
        {"row": 1},
        [r"b'\xff\xfe'", "UTF-8", "undecodable='replace'"],
    ),
    "an empty word": (b"1 2\n " + ROW, {"row": 1}, ["empty word"]),
    "no format at all": (bytes(range(256)) * 8, {}, ["format=...", "vocabulary=FILE"]),
    "an empty zip": (b"PK\x05\x06" + b"\0" * 18, {}, ["empty zip"]),
    "a pickle": (b"\x80\x04\x95abc", {}, ["pickle", "andornot.from_gensim"]),
    "a NumPy array": (b"\x93NUMPY\x01\x00", {}, ["NumPy", "Space"]),
}
NATIVE_FILES = {
    "not a space": (
        native(GOOD, {"format": "pt"}, BODY),
        {},
        ["target, word_offsets, words", "andornot convert"],
    ),
    "of the future": (native(GOOD, {"version": "9"}, BODY), {}, ["version 9", "update andornot"]),
    "header beyond the file": (
        struct.pack("<Q", 9999) + b'{"a":1}',
        {},
        ["header", "9,999 bytes", "15 bytes"],
    ),
    "header no JSON": (struct.pack("<Q", 4) + b"{abc", {}, ["header", "JSON"]),
    "cut": (native(GOOD, None, BODY[:-1]), {}, ["'words'", "inside", "make it again"]),
    "a trillion rows": (
        native(changed("target", shape=[10**12, 2]), None, BODY),
        {},
        ["'target'", "inside"],
    ),
    "overflowing shape": (
        native(changed("target", shape=[2**63, 2**63]), None, BODY),
        {},
        ["'target'", "inside"],
    ),
    "negative shape": (
        native(changed("target", shape=[-1, -2]), None, BODY),
        {},
        ["'target'", "inside"],
    ),
    "another type": (native(changed("target", dtype="F16"), None, BODY), {}, ["'target'", "F16"]),
    "malformed entry": (native(GOOD | {"target": 7}, None, BODY), {}, ["'target'", "malformed"]),
    "codes without a scale": (
        native(
            {name: entry for name, entry in GOOD.items() if name != "target"}
            | {"target_codes": {"dtype": "I8", "shape": [1, 8], "data_offsets": [16, 24]}},
            None,
            BODY,
        ),
        {},
        ["scale", "offset", "'target'"],
    ),
    "codes with another scale": (
        native(
            GOOD
            | {"target_codes": {"dtype": "I8", "shape": [1, 8], "data_offsets": [16, 24]}}
            | {"target_scale": {"dtype": "F32", "shape": [1], "data_offsets": [16, 20]}}
            | {"target_offset": {"dtype": "F32", "shape": [2], "data_offsets": [16, 24]}},
            None,
            BODY,
        ),
        {},
        ["scale", "offset", "'target'"],
    ),
    "8 bits with levels": (
        native(
            GOOD
            | {"target_codes": {"dtype": "I8", "shape": [1, 2], "data_offsets": [0, 2]}}
            | {"target_scale": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}
            | {"target_offset": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}
            | {"target_levels": {"dtype": "F32", "shape": [0, 16], "data_offsets": [0, 0]}},
            None,
            BODY,
        ),
        {},
        ["codes, scale, offset of 'target'", "fit"],
    ),
    **{
        f"4 bits: {name}": (content, {}, named)
        for name, content, named in (
            *(
                (
                    f"no {part}",
                    four_bits(leave_out=f"target_{part}"),
                    ["codes, scale, offset, levels of 'target'", "fit"],
                )
                for part in ("scale", "offset", "levels")
            ),
            ("no codes", four_bits(leave_out="target_codes"), ["no tensor 'target'"]),
            (
                "one level too few",
                four_bits("target_levels", shape=[1, 15], data_offsets=[0, 60]),
                ["levels of 'target'", "fit"],
            ),
            (
                "levels of two blocks",
                four_bits("target_levels", shape=[2, 16], data_offsets=[0, 128], body=bytes(200)),
                ["levels of 'target'", "fit"],
            ),
            (
                "levels beyond the file",
                four_bits("target_levels", shape=[10**12, 16]),
                ["'target_levels'", "inside"],
            ),
            (
                "levels of another type",
                four_bits("target_levels", dtype="F16", data_offsets=[0, 32]),
                ["'target_levels'", "F16"],
            ),
            (
                "codes for four columns",
                four_bits("target_codes", shape=[1, 2], data_offsets=[78, 80]),
                ["levels of 'target'", "fit"],
            ),
            (
                "codes of two words",
                four_bits("target_codes", shape=[2, 1], data_offsets=[78, 80]),
                ["levels of 'target'", "fit"],
            ),
            (
                "codes beyond the file",
                four_bits("target_codes", shape=[10**12, 1]),
                ["'target_codes'", "inside"],
            ),
            (
                "a trillion rows of nothing",
                four_bits("target_codes", shape=[10**12, 0], data_offsets=[0, 0]),
                ["levels of 'target'", "fit"],
            ),
            (
                "codes of another type",
                four_bits("target_codes", dtype="F16", data_offsets=[76, 78]),
                ["'target_codes'", "F16"],
            ),
            (
                "codes for 8 bits",
                four_bits("target_codes", dtype="I8"),
                ["codes, scale, offset of 'target'", "fit"],
            ),
            (
                "scales of two words",
                four_bits("target_scale", shape=[2], data_offsets=[76, 80]),
                ["levels of 'target'", "fit"],
            ),
            (
                "a scale of another type",
                four_bits("target_scale", dtype="F64", data_offsets=[0, 8]),
                ["'target_scale'", "F64"],
            ),
            (
                "an offset for three columns",
                four_bits("target_offset", shape=[3], data_offsets=[64, 76]),
                ["levels of 'target'", "fit"],
            ),
            (
                "two words, one vector",
                four_bits(
                    "word_lengths",
                    shape=[2],
                    data_offsets=[78, 80],
                    body=ROUNDED_BODY[:78] + b"\0\x01a",
                ),
                ["1 counts", "2 words"],
            ),
            (
                "lengths that don't fit",
                four_bits(body=ROUNDED_BODY[:79] + b"\x02a"),
                ["offsets", "words"],
            ),
            ("no lengths", four_bits(leave_out="word_lengths"), ["no tensor 'word_offsets'"]),
            (
                "lengths of another type",
                four_bits("word_lengths", dtype="I32", data_offsets=[72, 76]),
                ["'word_lengths'", "I32"],
            ),
            (
                "counts of two words",
                four_bits("counts", shape=[2], data_offsets=[68, 76]),
                ["2 counts", "1 words"],
            ),
            (
                "counts that are all 0",
                four_bits(body=ROUNDED_BODY[:72] + bytes(4) + ROUNDED_BODY[76:]),
                ["all counts are zero"],
            ),
            ("counts of another type", four_bits("counts", dtype="I32"), ["'counts'", "I32"]),
            (
                "a marginal of another type",
                four_bits("marginal", dtype="F16", shape=[1], data_offsets=[76, 78]),
                ["'marginal'", "F16"],
            ),
            (
                "a marginal of two words",
                four_bits("marginal", dtype="F32", shape=[2], data_offsets=[64, 72]),
                ["marginal", "(2,)", "(1,)"],
            ),
            ("cut", four_bits(body=ROUNDED_BODY[:-1]), ["'words'", "inside"]),
        )
    },
    "unknown tensor": (
        native(GOOD | {"x": GOOD["target"]}, None, BODY),
        {},
        ["'x'", "update andornot"],
    ),
    "no target": (
        native({k: v for k, v in GOOD.items() if k != "target"}, None, BODY),
        {},
        ["no tensor 'target'"],
    ),
    "offsets that don't fit": (
        native(GOOD, None, struct.pack("<2q", 0, 7) + BODY[16:]),
        {},
        ["offsets", "words"],
    ),
    "a subword of any length": (
        native(
            changed("words", data_offsets=[32, 33])
            | {"subwords": {"dtype": "F32", "shape": [1, 2], "data_offsets": [24, 32]}},
            {"subword_lengths": f"[1, {2**64 - 1}]"},
            BODY[:-1] + ROW + b"a",
        ),
        {},
        ["subwords", "at most 255", "1 to 18446744073709551615"],
    ),
    "provenance no JSON": (native(GOOD, {"provenance": "x"}, BODY), {}, ["Expecting value"]),
    "one word, two vectors": (
        native(
            GOOD
            | {"word_offsets": {"dtype": "I64", "shape": [2], "data_offsets": [0, 16]}}
            | {"target": {"dtype": "F32", "shape": [2, 1], "data_offsets": [16, 24]}},
            None,
            BODY,
        ),
        {},
        ["target", "(2, 1)", "1 words"],
    ),
}
FASTTEXT_FILES = {
    "cut in the dictionary": (fasttext()[:90], {}, ["90 bytes", "get it again"]),
    "cut in the matrix": (fasttext()[:-4], {}, ["matrix", "1 x 2", "149 bytes"]),
    "a trillion rows": (
        fasttext(rows=10**12),
        {},
        ["matrix", "1,000,000,000,000 x 2", "153 bytes"],
    ),
    "another version": (struct.pack("<ii", 793712314, 99), {}, ["version 99", "11 and 12"]),
    "word not UTF-8": (
        fasttext(words=(b"\xff",)),
        {"row": 1},
        [r"b'\xff'", "UTF-8", "undecodable='replace'"],
    ),
    "dimension zero": (fasttext(settings=(0, *range(11))), {}, ["dimension", "0"]),
    "a subword of any length": (
        fasttext((2, 5, 1, 1, 5, 1, 2, 2, 1, 1, 2**31 - 1, 0)),
        {},
        ["subwords", "at most 255", "1 to 2147483647"],
    ),
    "subwords that end before they begin": (
        fasttext((2, 5, 1, 1, 5, 1, 2, 2, 1, 4, 3, 0)),
        {},
        ["subwords", "1 <= shortest <= longest", "4 to 3"],
    ),
    "a very long word": (fasttext(words=(b"a" * 70_000,)), {}, ["a word of over 65,536 bytes"]),
    "all counts zero": (fasttext(count=0), {}, ["counts are zero", "get it again"]),
    "a count below zero": (fasttext(count=-3), {}, ["counts", "-3.0", "get it again"]),
}
ALL = [
    pytest.param(suffix, *case, id=f"{kind}: {name}")
    for kind, suffix, files in (
        ("text", ".txt", TEXT_FILES),
        ("binary", ".bin", BINARY_FILES),
        ("native", ".safetensors", NATIVE_FILES),
        ("fasttext", ".bin", FASTTEXT_FILES),
    )
    for name, case in files.items()
]


def check_refused(path, place, named):
    """Loading the file has one line of error: the place in it, what is wrong, and the remedy."""
    with raises(FileError) as caught:
        andornot.load(path)
    error = caught.value
    assert (error.path, error.line, error.row) == (path, place.get("line"), place.get("row"))
    rest = str(error).removeprefix(str(path))  # the path has numbers too
    assert rest != str(error)
    assert_names(rest, *named)


@pytest.mark.parametrize(("suffix", "content", "place", "named"), ALL)
def test_one_line_with_the_file_the_place_and_the_remedy(tmp_path, suffix, content, place, named):
    path = tmp_path / f"vectors{suffix}"
    path.write_bytes(content)
    check_refused(path, place, named)
    assert path.read_bytes() == content


@pytest.mark.parametrize("case", ["cut inside a row", "not UTF-8", "header of a trillion words"])
def test_the_same_inside_a_compressed_file(tmp_path, case):
    content, place, named = TEXT_FILES[case]
    path = tmp_path / "vectors.txt.gz"
    path.write_bytes(gzip.compress(content))
    check_refused(path, place, named)


def two_words(first_end, words):
    """A native file with two words of one dimension."""
    shapes = {
        "target": {"dtype": "F32", "shape": [2, 1], "data_offsets": [24, 32]},
        "words": {"dtype": "U8", "shape": [len(words)], "data_offsets": [32, 32 + len(words)]},
    }
    offsets = struct.pack("<3q", 0, first_end, len(words))
    known = changed("word_offsets", shape=[3], data_offsets=[0, 24]) | shapes
    return native(known, None, offsets + ROW + words)


OFFSETS_THAT_GO_BACK = two_words(-2_000_000, b"a")
TWICE = two_words(1, b"aa")


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (OFFSETS_THAT_GO_BACK, "offsets"),
        (native(GOOD, None, BODY[:-1] + b"\xff"), "UTF-8"),
        (TWICE, "'a' occurs twice"),
    ],
    ids=["offsets that go back", "not UTF-8", "twice"],
)
def test_words_of_a_native_file_are_checked_when_they_are_read(tmp_path, content, named):
    path = tmp_path / "vectors.safetensors"
    path.write_bytes(content)
    space = andornot.load(path)
    with raises(AndornotError, path, named):
        _ = space.words, "a" in space


@pytest.mark.parametrize("name", ["v.gz", "v.bz2", "v.xz", "v.zip"])
def test_compressed_files_that_are_cut_off(tmp_path, example, name):
    path = tmp_path / name
    if name == "v.zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(example, "v.vec")
    else:
        andornot.save(andornot.load(example), path, format="fasttext")
    path.write_bytes(path.read_bytes()[:-30])
    with raises(FileError, path, "compressed", "get the file again"):
        andornot.load(path)


def test_the_good_originals_of_the_malformed_files_load(tmp_path):
    for name, content in (("a.safetensors", native(GOOD, None, BODY)), ("a.bin", fasttext())):
        (tmp_path / name).write_bytes(content)
        space = andornot.load(tmp_path / name)
        assert space.words == ("a",)
        assert space.target.tolist() == [[0.5, -1.5]]
    eight = {
        "word_offsets": GOOD["word_offsets"],
        "target_scale": {"dtype": "F32", "shape": [1], "data_offsets": [16, 20]},
        "target_offset": {"dtype": "F32", "shape": [2], "data_offsets": [20, 28]},
        "target_codes": {"dtype": "I8", "shape": [1, 2], "data_offsets": [28, 30]},
        "words": {"dtype": "U8", "shape": [1], "data_offsets": [30, 31]},
    }
    body = struct.pack("<2q3f2b", 0, 1, 0.25, 1, -1, -2, -2) + b"a"
    (tmp_path / "8.safetensors").write_bytes(native(eight, None, body))
    assert andornot.load(tmp_path / "8.safetensors").target.tolist() == [[0.5, -1.5]]
    (tmp_path / "4.safetensors").write_bytes(four_bits())
    space = andornot.load(tmp_path / "4.safetensors")
    assert (space.words, space.counts.tolist()) == (("a",), [7.0])
    assert space.target.tolist() == [[0.5, -1.5]]


def test_repeated_words_keep_the_first_and_are_counted(tmp_path):
    (tmp_path / "v.txt").write_text("a 1 2\nb 3 4\na 5 6\nb 7 8\nc 9 10\n")
    (tmp_path / "v.bin").write_bytes(
        b"3 2\n" + b"".join(b"a " + struct.pack("<2f", i, i) + b"\n" for i in range(3))
    )
    with pytest.warns(AndornotWarning, match=r"v.txt: 2 repeated .* first"):
        space = andornot.load(tmp_path / "v.txt")
    assert space.words == ("a", "b", "c")
    assert space.target.tolist() == [[1, 2], [3, 4], [9, 10]]
    assert_names(space.provenance.history[0], "2 repeated")
    with pytest.warns(AndornotWarning, match=r"v.bin: 2 repeated .* first"):
        assert andornot.load(tmp_path / "v.bin").target.tolist() == [[0, 0]]


def test_undecodable_words_are_replaced_on_request(tmp_path):
    (tmp_path / "v.txt").write_bytes(b"a 1 2\nb\xff 1 2\n")
    (tmp_path / "v.bin").write_bytes(b"1 2\nb\xff " + ROW)
    (tmp_path / "f.bin").write_bytes(fasttext(words=(b"b\xff",)))
    for name in ("v.txt", "v.bin", "f.bin"):
        space = andornot.load(tmp_path / name, undecodable="replace")
        assert space.words[-1] == "b\ufffd"
    (tmp_path / "f.bin").write_bytes(fasttext(words=(b"\xff", b"\xfe", b"c")))
    with pytest.warns(AndornotWarning, match=r"f.bin: 1 repeated .* first"):
        assert andornot.load(tmp_path / "f.bin", undecodable="replace").words == ("\ufffd", "c")


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["v.safetensors", "v.vec", "v.bin"])
def test_values_that_are_not_finite_are_never_written(tmp_path, name, value):
    target = np.ones((3, 2), np.float32)
    target[1, 1] = value
    path = tmp_path / name
    path.write_text("old")
    with raises(FileError, path, "'b'", value) as caught:
        andornot.save(Space(Vocabulary(["a", "b", "c"]), target), path, force=True)
    assert caught.value.row == 2
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["counts", "marginal", "context_bias"])
def test_values_of_words_are_finite_in_a_native_file(tmp_path, full_space, name):
    path = tmp_path / "v.safetensors"
    andornot.save(full_space, path)
    data = bytearray(path.read_bytes())
    (size,) = struct.unpack("<Q", data[:8])
    entry = json.loads(data[8 : 8 + size])[name]
    value = struct.pack("<d" if entry["dtype"] == "F64" else "<f", float("nan"))
    start = 8 + size + entry["data_offsets"][0]
    data[start : start + len(value)] = value
    path.write_bytes(data)
    with raises(FileError, path, "nan"):
        andornot.load(path)


def test_vectors_that_are_not_finite_are_named_when_they_are_asked_for(tmp_path, full_space):
    target = full_space.target.copy()
    target[1, 0] = np.nan
    logic = andornot.Logic(replace(full_space, target=target), postprocess="none")
    word, other = full_space.words[1], full_space.words[2]
    for query in (word, f"{other} - {word} + {other}"):
        with raises(AndornotError, word, "not finite"):
            logic.ask(query)


def test_values_near_the_limit_of_float32_are_finite(tmp_path):
    target = np.full((3, 4), np.finfo(np.float32).max)
    for name in ("v.safetensors", "v.vec", "v.bin"):
        andornot.save(Space(Vocabulary(["a", "b", "c"]), target), tmp_path / name)
        assert np.array_equal(andornot.load(tmp_path / name).target, target)


def test_places_that_are_no_files(tmp_path):
    for path, named in [
        (tmp_path, ["folder", "name a file"]),
        (tmp_path / "none.txt", ["no such file", "check the path"]),
        (tmp_path / "no" / "none.txt", ["no such file", "check the path"]),
    ]:
        with raises(FileError, path, *named):
            andornot.load(path)


def test_pipes_devices_and_paths_through_files_are_refused(tmp_path, example, full_space):
    os.mkfifo(tmp_path / "fifo")
    with raises(FileError, tmp_path / "fifo", "regular file"):
        andornot.save(full_space, tmp_path / "fifo", format="native")
    for path in ("/dev/null", tmp_path / "fifo"):  # nothing writes to the pipe
        with raises(FileError, path, "device", "file first"):
            andornot.load(path)
    with raises(FileError, example / "inside.txt", f"{example} ", "zip"):
        andornot.load(example / "inside.txt")


def test_places_that_cannot_be_written(tmp_path, full_space):
    (tmp_path / "file").write_text("old")
    for path, named in [
        (tmp_path, ["folder", "name a file"]),
        (tmp_path / "none" / "v", ["folder", "make the folder"]),
        (tmp_path / "file" / "v", ["part of the path", "file"]),
    ]:
        with raises(FileError, path, *named):
            andornot.save(full_space, path, format="native")


def in_child(task, prepare=lambda: None) -> str:
    """The error that `task` raises in a forked process, after `prepare` has changed the process."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if not child:
        message = "no error"
        try:
            prepare()
            task()
        except BaseException as error:
            message = f"{type(error).__name__}: {error}"
        os.write(write_end, message.encode())
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        message = pipe.read()
    os.waitpid(child, 0)
    return message


def give_up_root() -> None:
    if os.geteuid() == 0:
        os.setuid(65534)


def test_no_permission(tmp_path, example, full_space):
    path = tmp_path / "v.vec"
    path.write_bytes(example.read_bytes())
    path.chmod(0)
    tmp_path.chmod(0o500)
    message = in_child(lambda: andornot.load(path), give_up_root)
    assert_names(message, f"FileError: {path}", "permission", "read")
    message = in_child(
        lambda: andornot.save(full_space, tmp_path / "new", format="native"), give_up_root
    )
    assert_names(message, f"FileError: {tmp_path / 'new'}", "permission", "write")
    tmp_path.chmod(0o700)


@pytest.mark.parametrize("name", ["v.safetensors", "v.vec", "v.bin", "v.vec.gz"])
def test_a_disk_that_fills_up_leaves_the_old_file(tmp_path, name):
    rng = np.random.default_rng(0)
    words = Vocabulary([f"w{i}" for i in range(2000)])
    space = Space(words, rng.normal(size=(2000, 50)).astype(np.float32))
    path = tmp_path / name
    path.write_text("old")

    def fill_up() -> None:  # writing past 64 kB fails as on a full disk
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))

    message = in_child(lambda: andornot.save(space, path, force=True), fill_up)
    assert_names(message, f"FileError: {path}", "no room", "untouched")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_kill_in_the_middle_leaves_the_old_file(tmp_path):
    path = tmp_path / "v.safetensors"
    path.write_text("old")
    script = (
        "import sys, os, signal, numpy as np, andornot\n"
        "words = andornot.Vocabulary([f'w{i}' for i in range(100_000)])\n"
        "space = andornot.Space(words, np.ones((100_000, 100), np.float32))\n"
        "from watching import watching\n"
        "kill = lambda done: os.kill(os.getpid(), signal.SIGKILL) if done > 0.5 else None\n"
        "with watching(kill):\n"
        "    andornot.save(space, sys.argv[1], force=True)\n"
    )
    done = run_code(script, path)
    assert done.returncode == -9
    assert path.read_text() == "old"


def test_a_claimed_size_takes_no_memory(tmp_path):
    """With 4 GB of address space, files that claim terabytes end in their own error."""
    files = [
        ("a.txt", TEXT_FILES["header of a trillion words"][0]),
        ("b.txt", TEXT_FILES["thousands of short lines after a long one"][0]),
        ("c.txt.gz", gzip.compress(TEXT_FILES["header of a trillion values"][0])),
        ("d.bin", BINARY_FILES["a trillion words"][0]),
        ("e.bin.gz", gzip.compress(BINARY_FILES["a trillion words"][0])),
        ("f.bin.gz", gzip.compress(BINARY_FILES["a trillion values"][0])),
        ("g.bin.gz", gzip.compress(fasttext(rows=10**12))),
        ("h.safetensors", NATIVE_FILES["a trillion rows"][0]),
        ("i.safetensors", NATIVE_FILES["4 bits: codes beyond the file"][0]),
        ("j.safetensors", NATIVE_FILES["4 bits: a trillion rows of nothing"][0]),
    ]
    script = (
        "import resource, sys, andornot\n"
        "resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))\n"
        "for path in sys.argv[1:]:\n"
        "    try:\n"
        "        andornot.load(path)\n"
        "    except BaseException as error:\n"
        "        print(type(error).__name__)\n"
    )
    for name, content in files:
        (tmp_path / name).write_bytes(content)
    # a process of its own: this one may have more than 4 GB already
    done = run_code(script, *(tmp_path / name for name, _ in files))
    assert done.stdout.split() == ["FileError"] * len(files), done.stderr


def test_a_compressed_glove_binary_of_too_many_dimensions_is_not_read_whole(tmp_path):
    (tmp_path / "vocab.txt").write_text("king 3\nqueen 2\n")
    path = tmp_path / "vectors.bin.gz"
    path.write_bytes(gzip.compress(bytes(200_000_000)))
    tracemalloc.start()
    try:
        with raises(FileError, path, "16,384 dimensions", "decompress"):
            andornot.load(path, format="glove-binary")
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def _nested(levels: int) -> str:
    return '{"settings": {"a": ' + "[" * levels + "]" * levels + "}}"


@pytest.mark.parametrize(
    ("provenance", "named"),
    [
        ("[" * 100_000, "nested too deeply"),
        (_nested(100_000), "nested too deeply"),
        (_nested(9), "at most 8 levels"),
        ('{"noise_total": NaN}', "finite numbers, got NaN"),
        ('{"noise_total": -Infinity}', "finite numbers, got -Infinity"),
        ('{"settings": {"a": [1e400]}}', "finite numbers, got 1e400"),
    ],
)
def test_provenance_that_is_too_deep_or_not_finite(tmp_path, provenance, named):
    path = tmp_path / "a.safetensors"
    path.write_bytes(native(GOOD, {"provenance": provenance}, BODY))
    with raises(FileError, path, named):
        andornot.load(path)


def test_provenance_of_8_levels_is_read(tmp_path):
    path = tmp_path / "a.safetensors"
    path.write_bytes(native(GOOD, {"provenance": _nested(8)}, BODY))
    assert andornot.load(path).provenance.settings["a"] == [[[[[[[[]]]]]]]]


@pytest.mark.parametrize("value", [float("nan"), [[[[[[[[[1]]]]]]]]]])
def test_provenance_that_could_not_be_read_is_not_written(tmp_path, value):
    path = tmp_path / "a.safetensors"
    path.write_bytes(native(GOOD, {}, BODY))
    space = andornot.load(path)
    space = replace(space, provenance=replace(space.provenance, settings={"a": value}))
    with raises(FileError, "the provenance can't be stored", "change its settings"):
        andornot.save(space, tmp_path / "b.safetensors")
    assert not (tmp_path / "b.safetensors").exists()


@pytest.mark.parametrize("version", [json.loads("[" * 600 + "]" * 600), {"a": 1}])
def test_a_version_of_another_type(tmp_path, version):
    path = tmp_path / "a.safetensors"
    path.write_bytes(native(GOOD, {"version": version}, BODY))
    with raises(FileError, path, f"version {type(version).__name__}", "update andornot"):
        andornot.load(path)


def test_provenance_that_is_too_long_is_not_written(tmp_path, full_space, monkeypatch):
    path = tmp_path / "a.safetensors"
    path.write_text("old")
    record = replace(full_space.provenance, settings={"corpus": ["x" * 10_000]})
    monkeypatch.setattr("andornot.base.tensors.LONGEST_HEADER", 10_000)
    with raises(FileError, path, "at most 10,000", "shorten its provenance"):
        andornot.save(replace(full_space, provenance=record), path, force=True)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("length", [64_000_001, 2**32 - 1])
def test_a_header_that_is_too_long_is_named(tmp_path, length):
    path = tmp_path / "a.safetensors"
    with path.open("wb") as file:
        file.write(struct.pack("<Q", length) + b"{")
        file.truncate(length + 8)  # a hole, which takes no room
    with raises(FileError, path, f"the header has {length:,} bytes", "at most 64,000,000"):
        andornot.load(path)


def test_a_fasttext_model_is_no_long_header(tmp_path):
    """Its dimension 123 is the byte of "{"."""
    path = tmp_path / "f.bin"
    path.write_bytes(fasttext((123, 5, 1, 1, 5, 1, 2, 2, 0, 0, 0, 0)))
    with raises(FileError, path, "a matrix of 1 x 123"):
        andornot.load(path)


@pytest.mark.parametrize("value", [float("nan"), 3e38, -3e38])
def test_rounded_vectors_that_would_not_be_finite_are_refused(tmp_path, value):
    path = tmp_path / "a.safetensors"
    levels = LEVELS.copy()
    levels[3] = value
    body = levels.tobytes() + struct.pack("<2fI", 0.5, 3e38, 7) + ROUNDED_BODY[76:]
    path.write_bytes(four_bits(body=body))
    with raises(FileError, path, "'target' are not finite"):
        andornot.load(path)


def test_counts_that_cannot_be_read_are_not_written(tmp_path, full_space):
    zeros = Counts(np.zeros(len(full_space)), CountsOrigin.GIVEN)
    space = replace(full_space, vocabulary=Vocabulary(full_space.words, zeros))
    with raises(AndornotError, "all counts are zero"):
        andornot.save(space, tmp_path / "a.safetensors")
    assert not list(tmp_path.iterdir())
