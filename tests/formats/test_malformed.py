"""Files that are wrong in every way users have met: one line of error, and nothing lost."""

import gzip
import json
import os
import resource
import struct
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import andornot
from andornot import AndornotError, AndornotWarning, Space, Vocabulary
from andornot.base.errors import FileError

ROW = np.array([0.5, -1.5], "<f4").tobytes()


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


def fasttext(settings=(2, 5, 1, 1, 5, 1, 2, 2, 0, 0, 0, 0), words=(b"a",), rows=None) -> bytes:
    """A small fastText model in its real layout."""
    rows = len(words) if rows is None else rows
    head = struct.pack("<ii12id", 793712314, 12, *settings, 1e-4)
    head += struct.pack("<3i2q", len(words), len(words), 0, 9, -1)
    for word in words:
        head += word + b"\0" + struct.pack("<qb", 3, 0)
    matrix = struct.pack("<2q", rows, settings[0]) + ROW * len(words)
    return head + b"\0" + matrix + b"\0" + matrix


TEXT_FILES = {
    "empty": (b"", "the file is empty"),
    "only blank lines": (b"\n\n \n", "the file is empty"),
    "row too short": (b"2 2\na 1 2\nb 1\n", "line 3: 1 values where 2 are expected"),
    "row too short, no header": (b"a 1 2\nb 1\nc 3 4\n", "line 2: 1 values where 2 are expected"),
    "row too long": (b"2 2\na 1 2\nb 0.1 0.2 0.3\n", "line 3: 3 values where 2 are expected"),
    "row too long, no header": (b"a 1 2\nb 0.1 1 2\nc 3 4\n", "line 2: 3 values where 2"),
    "whole value too many": (b"2 2\na 1 2\nb 1 2 3\n", "line 3: 3 values where 2 are expected"),
    "NaN too many": (b"a 0.1 0.2\nb nan 0.5 0.6\nc 0.1 0.2\n", "line 2: 3 values where 2"),
    "header of 5,000 digits": (b"9" * 5000 + b" 2\na 1 2\n", "line 1: 1 values where 2"),
    "cut inside a row": (b"a 1 2 3\nb 1 2 3\nc 1 2", "line 3: 2 values where 3 are expected"),
    "fewer words than the header": (b"3 2\na 1 2\nb 1 2\n", "promises 3 words and 2 follow"),
    "more words than the header": (b"1 2\na 1 2\nb 1 2\n", "promises 1 words and 2 follow"),
    "wrong dimension in the header": (b"1 9\na 1 2\n", "line 2: 2 values where the header"),
    "header alone": (b"5 2\n", "promises 5 words and none follows"),
    "header of a trillion words": (b"1000000000000 2\na 1 2\n", "promises 1,000,000,000,000 words"),
    "header of a trillion values": (b"1 1000000000000\na 1 2\n", "promises 1,000,000,000,000"),
    "header of zero": (b"0 2\na 1 2\n", "the header has a zero"),
    "NaN": (b"a 1 2\nb 1 nan\n", "line 2: the value 'nan' of 'b' is not a finite float32"),
    "infinity": (b"a 1 -inf\n", "line 1: the value '-inf' of 'a' is not a finite float32"),
    "too large for float32": (b"a 1 2\nb 1 1e39\n", "line 2: the value '1e39' of 'b'"),
    "a word among the numbers": (b"2 2\na 1 2\nb x 2\n", "line 3: 'x' is not a number"),
    "not UTF-8": (b"a 1 2\n\xff\xfe 1 2\n", "line 2: the word b'\\xff\\xfe' is not UTF-8"),
    "half a character each": (b"\xc3 1 2\n\xa9 1 2\n", "line 1: the word b'\\xc3' is not UTF-8"),
    "blank line inside": (b"a 1 2\n\nb 1 2\n", "line 2: a blank line between rows"),
    "no word": (b"a 1 2\n 1 2\n", "line 2: no word at the beginning"),
    "no numbers": (b"just some text\nand more\n", "no numbers follow the word"),
    "one endless line": (b"x" * (9 << 20), "a line of over 2 MB"),
    "thousands of short lines after a long one": (
        b"9 500000\na" + b" 1" * 500_000 + b"\n" + b"b 1\n" * 500_000,
        "line 3: 1 values where 500,000 are expected",
    ),
}
BINARY_FILES = {
    "cut inside a vector": (b"2 2\na " + ROW + b"\nb " + ROW[:5], "header promises 2 words of 2"),
    "cut after a row": (b"3 2\na " + ROW + b"\nb " + ROW + b"\n" + b"\0" * 8, "promises 3 words"),
    "more than promised": (b"1 2\na " + ROW + b"\nb " + ROW, "promises 1 words and more follow"),
    "a trillion words": (b"1000000000000 2\na " + ROW, "promises 1,000,000,000,000 words"),
    "a trillion values": (b"1 1000000000000\na " + ROW, "promises 1 words of 1,000,000,000,000"),
    "NaN in it": (b"1 2\na " + struct.pack("<2f", 1, float("nan")), "word 1: a value is nan"),
    "word not UTF-8": (b"1 2\n\xff\xfe " + ROW, "word 1: the word b'\\xff\\xfe' is not UTF-8"),
    "an empty word": (b"1 2\n " + ROW, "word 1: an empty word"),
    "no format at all": (bytes(range(256)) * 8, "not a format of vectors that andornot knows"),
    "an empty zip": (b"PK\x05\x06" + b"\0" * 18, "an empty zip archive"),
    "a pickle": (b"\x80\x04\x95abc", "a Python pickle, which andornot never opens"),
    "a NumPy array": (b"\x93NUMPY\x01\x00", "a NumPy array has no words"),
}
NATIVE_FILES = {
    "not a space": (native(GOOD, {"format": "pt"}, BODY), "but not a space"),
    "of the future": (native(GOOD, {"version": "9"}, BODY), "version 9 of the format"),
    "header beyond the file": (struct.pack("<Q", 9999) + b'{"a":1}', "its header of 9,999 bytes"),
    "header no JSON": (struct.pack("<Q", 4) + b"{abc", "its header is not JSON"),
    "cut": (native(GOOD, None, BODY[:-1]), "tensor 'words' doesn't lie inside the file"),
    "a trillion rows": (
        native(changed("target", shape=[10**12, 2]), None, BODY),
        "tensor 'target' doesn't lie inside",
    ),
    "overflowing shape": (
        native(changed("target", shape=[2**63, 2**63]), None, BODY),
        "tensor 'target' doesn't lie inside",
    ),
    "negative shape": (
        native(changed("target", shape=[-1, -2]), None, BODY),
        "tensor 'target' doesn't lie inside",
    ),
    "another type": (native(changed("target", dtype="F16"), None, BODY), "of type F16"),
    "malformed entry": (native(GOOD | {"target": 7}, None, BODY), "'target' is malformed"),
    "codes without a scale": (
        native(
            {name: entry for name, entry in GOOD.items() if name != "target"}
            | {"target_codes": {"dtype": "I8", "shape": [1, 8], "data_offsets": [16, 24]}},
            None,
            BODY,
        ),
        "scale and offset of 'target' don't fit",
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
        "scale and offset of 'target' don't fit",
    ),
    "unknown tensor": (native(GOOD | {"x": GOOD["target"]}, None, BODY), "tensor 'x'"),
    "no target": (
        native({k: v for k, v in GOOD.items() if k != "target"}, None, BODY),
        "no tensor 'target'",
    ),
    "offsets that don't fit": (
        native(GOOD, None, struct.pack("<2q", 0, 7) + BODY[16:]),
        "offsets of the words don't fit",
    ),
    "offsets that go back": (
        native(
            changed("word_offsets", shape=[3], data_offsets=[0, 24])
            | {
                "target": {"dtype": "F32", "shape": [2, 1], "data_offsets": [24, 32]},
                "words": {"dtype": "U8", "shape": [1], "data_offsets": [32, 33]},
            },
            None,
            struct.pack("<3q", 0, -2_000_000, 1) + ROW + b"a",
        ),
        "the offsets of the words make no sense",
    ),
    "words not UTF-8": (native(GOOD, None, BODY[:-1] + b"\xff"), "a word in it is not UTF-8"),
    "provenance no JSON": (native(GOOD, {"provenance": "x"}, BODY), "don't fit each other"),
    "two words, one vector": (
        native(
            GOOD
            | {"word_offsets": {"dtype": "I64", "shape": [2], "data_offsets": [0, 16]}}
            | {"target": {"dtype": "F32", "shape": [2, 1], "data_offsets": [16, 24]}},
            None,
            BODY,
        ),
        "don't fit each other",
    ),
}
FASTTEXT_FILES = {
    "cut in the dictionary": (fasttext()[:90], "it ends after"),
    "cut in the matrix": (fasttext()[:-4], "ends after the file's"),
    "a trillion rows": (fasttext(rows=10**12), "a matrix of 1,000,000,000,000 x 2 ends after"),
    "another version": (struct.pack("<ii", 793712314, 99), "fastText file version 99"),
    "word not UTF-8": (fasttext(words=(b"\xff",)), "word 1: the word b'\\xff' is not UTF-8"),
    "dimension zero": (fasttext(settings=(0, *range(11))), "a dimension of 0"),
}
ALL = [
    pytest.param(suffix, content, problem, id=f"{kind}: {name}")
    for kind, suffix, files in (
        ("text", ".txt", TEXT_FILES),
        ("binary", ".bin", BINARY_FILES),
        ("native", ".safetensors", NATIVE_FILES),
        ("fasttext", ".bin", FASTTEXT_FILES),
    )
    for name, (content, problem) in files.items()
]


@pytest.mark.parametrize(("suffix", "content", "problem"), ALL)
def test_one_line_with_the_file_the_place_and_the_remedy(tmp_path, suffix, content, problem):
    path = tmp_path / f"vectors{suffix}"
    path.write_bytes(content)
    with pytest.raises(AndornotError) as caught:
        _ = andornot.load(path).words
    message = str(caught.value)
    assert message.startswith(str(path))
    assert problem in message
    assert "\n" not in message
    assert path.read_bytes() == content


@pytest.mark.parametrize("case", ["cut inside a row", "not UTF-8", "header of a trillion words"])
def test_the_same_inside_a_compressed_file(tmp_path, case):
    content, problem = TEXT_FILES[case]
    path = tmp_path / "vectors.txt.gz"
    path.write_bytes(gzip.compress(content))
    with pytest.raises(FileError) as caught:
        andornot.load(path)
    assert problem in str(caught.value)


@pytest.mark.parametrize("name", ["v.gz", "v.bz2", "v.xz", "v.zip"])
def test_compressed_files_that_are_cut_off(tmp_path, example, name):
    path = tmp_path / name
    if name == "v.zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(example, "v.vec")
    else:
        andornot.save(andornot.load(example), path, format="fasttext")
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(FileError, match="damaged, cut off or of an unknown kind"):
        andornot.load(path)


def test_the_good_originals_of_the_malformed_files_load(tmp_path):
    for name, content in (("a.safetensors", native(GOOD, None, BODY)), ("a.bin", fasttext())):
        (tmp_path / name).write_bytes(content)
        space = andornot.load(tmp_path / name)
        assert space.words == ("a",)
        assert space.target.tolist() == [[0.5, -1.5]]


def test_repeated_words_keep_the_first_and_are_counted(tmp_path):
    (tmp_path / "v.txt").write_text("a 1 2\nb 3 4\na 5 6\nb 7 8\nc 9 10\n")
    (tmp_path / "v.bin").write_bytes(
        b"3 2\n" + b"".join(b"a " + struct.pack("<2f", i, i) + b"\n" for i in range(3))
    )
    with pytest.warns(AndornotWarning, match=r"v.txt: 2 repeated words were dropped"):
        space = andornot.load(tmp_path / "v.txt")
    assert space.words == ("a", "b", "c")
    assert space.target.tolist() == [[1, 2], [3, 4], [9, 10]]
    assert "2 repeated words were dropped" in space.provenance.history[0]
    with pytest.warns(AndornotWarning, match=r"v.bin: 2 repeated words were dropped"):
        assert andornot.load(tmp_path / "v.bin").target.tolist() == [[0, 0]]


def test_undecodable_words_are_replaced_on_request(tmp_path):
    (tmp_path / "v.txt").write_bytes(b"a 1 2\nb\xff 1 2\n")
    (tmp_path / "v.bin").write_bytes(b"1 2\nb\xff " + ROW)
    (tmp_path / "f.bin").write_bytes(fasttext(words=(b"b\xff",)))
    for name in ("v.txt", "v.bin", "f.bin"):
        space = andornot.load(tmp_path / name, undecodable="replace")
        assert space.words[-1] == "b\ufffd"
    (tmp_path / "f.bin").write_bytes(fasttext(words=(b"\xff", b"\xfe", b"c")))
    with pytest.warns(AndornotWarning, match="1 repeated words were dropped"):
        assert andornot.load(tmp_path / "f.bin", undecodable="replace").words == ("\ufffd", "c")


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", ["v.safetensors", "v.vec", "v.bin"])
def test_values_that_are_not_finite_are_never_written(tmp_path, name, value):
    target = np.ones((3, 2), np.float32)
    target[1, 1] = value
    path = tmp_path / name
    path.write_text("old")
    with pytest.raises(FileError, match=f"word 2: a value of 'b' is {value}"):
        andornot.save(Space(Vocabulary(["a", "b", "c"]), target), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_values_near_the_limit_of_float32_are_finite(tmp_path):
    target = np.full((3, 4), np.finfo(np.float32).max)
    for name in ("v.safetensors", "v.vec", "v.bin"):
        andornot.save(Space(Vocabulary(["a", "b", "c"]), target), tmp_path / name)
        assert np.array_equal(andornot.load(tmp_path / name).target, target)


def test_places_that_are_no_files(tmp_path):
    for path, problem in [
        (tmp_path, "this is a folder"),
        (tmp_path / "none.txt", "no such file"),
        (tmp_path / "no" / "none.txt", "no such file"),
    ]:
        with pytest.raises(FileError, match=problem):
            andornot.load(path)


def test_pipes_devices_and_paths_through_files_are_refused(tmp_path, example, full_space):
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(FileError, match="no ordinary file"):
        andornot.save(full_space, tmp_path / "fifo", format="native")
    with pytest.raises(FileError, match="a pipe or a device"):
        andornot.load("/dev/null")
    with pytest.raises(FileError, match="is no zip archive"):
        andornot.load(example / "inside.txt")


def test_places_that_cannot_be_written(tmp_path, full_space):
    (tmp_path / "file").write_text("old")
    for path, problem in [
        (tmp_path, "this is a folder"),
        (tmp_path / "none" / "v", "its folder doesn't exist"),
        (tmp_path / "file" / "v", "part of the path is a file"),
    ]:
        with pytest.raises(FileError, match=problem):
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
    assert message.startswith("FileError")
    assert "no permission to read it" in message
    message = in_child(
        lambda: andornot.save(full_space, tmp_path / "new", format="native"), give_up_root
    )
    assert "no permission to write there" in message
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

    message = in_child(lambda: andornot.save(space, path), fill_up)
    assert message.startswith("FileError")
    assert "no room to write it" in message
    assert "what was there before is untouched" in message
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_kill_in_the_middle_leaves_the_old_file(tmp_path):
    path = tmp_path / "v.safetensors"
    path.write_text("old")
    script = (
        "import sys, os, signal, numpy as np, andornot\n"
        "words = andornot.Vocabulary([f'w{i}' for i in range(100_000)])\n"
        "space = andornot.Space(words, np.ones((100_000, 100), np.float32))\n"
        "kill = lambda done: os.kill(os.getpid(), signal.SIGKILL) if done > 0.5 else None\n"
        "andornot.save(space, sys.argv[1], progress=kill)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, path])
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
    ]
    limit = 4 << 30
    for name, content in files:
        path = tmp_path / name
        path.write_bytes(content)
        message = in_child(
            lambda path=path: andornot.load(path),
            lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        )
        assert message.startswith("FileError"), (name, message)
