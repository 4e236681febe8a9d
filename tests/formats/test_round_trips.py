"""Every format gives back what it was given, and the formats' own libraries agree."""

import gzip

import numpy as np
import pytest
from comparing import assert_same_space
from errors import raises
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import andornot
from andornot import AndornotWarning, Provenance, Space, Vocabulary
from andornot.base.errors import FileError, MissingContextError, UsageError
from andornot.formats import READ_FORMATS, WRITE_FORMATS, text
from andornot.words.counts import Counts, CountsOrigin
from andornot.words.subwords import Subwords

any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
simple_text = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=" \t\r\n"), min_size=1, max_size=12
)
spaced_text = st.lists(simple_text, min_size=1, max_size=3).map(" ".join)
SUFFIX = {
    "native": ".safetensors",
    "word2vec": ".txt",
    "word2vec-binary": ".bin",
    "glove": ".txt",
    "fasttext": ".vec",
}


@st.composite
def spaces(draw, words):
    names = draw(st.lists(words, min_size=1, max_size=8, unique=True))
    dim = draw(st.integers(1, 6))
    finite = st.floats(width=32, allow_nan=False, allow_infinity=False)
    target = draw(hnp.arrays(np.float32, (len(names), dim), elements=finite))
    return Space(Vocabulary(names), target)


@pytest.mark.parametrize("format", [f for f in WRITE_FORMATS if f in SUFFIX and f != "native"])
@settings(max_examples=60)
@given(data=st.data())
def test_vectors_come_back_to_the_bit(tmp_path, format, data):
    space = data.draw(spaces(spaced_text if format == "glove" else simple_text))
    path = tmp_path / f"vectors{SUFFIX[format]}"
    try:
        andornot.save(space, path, format=format, force=True)
    except FileError as error:  # a word that the format can't hold is refused, not mangled
        assert "native" in str(error)
        assert format == "glove"
        return
    again = andornot.load(path)
    assert again.words == space.words
    assert again.target.tobytes() == space.target.tobytes()
    assert format in again.provenance.origin.replace(" ", "-")


@settings(max_examples=60)
@given(data=st.data())
def test_native_keeps_everything(tmp_path, data):
    space = data.draw(spaces(any_text))
    size, dim = space.target.shape
    positive = st.floats(0.5, 1e9)
    if data.draw(st.booleans()):
        counts = data.draw(hnp.arrays(np.float64, size, elements=positive))
        origin = data.draw(st.sampled_from(CountsOrigin))
        space = Space(
            Vocabulary(space.words, Counts(counts, origin, data.draw(any_text))),
            space.target,
            context=-space.target,
            target_bias=np.ones(size, np.float32),
            context_bias=np.zeros(size, np.float32),
            marginal=counts * 2,
            subwords=Subwords(np.full((3, dim), 0.5, np.float32), 2, 4),
            provenance=Provenance(data.draw(any_text), window=5, history=(data.draw(any_text),)),
        )
    path = tmp_path / "space.safetensors"
    andornot.save(space, path, force=True)
    again = andornot.load(path)
    assert_same_space(space, again)
    assert again.provenance == space.provenance


def test_native_is_mapped_and_its_words_are_read_on_first_use(tmp_path, full_space):
    andornot.save(full_space, tmp_path / "s.safetensors")
    space = andornot.load(tmp_path / "s.safetensors")
    base = space.target
    while base is not None and not isinstance(base, np.memmap):
        base = base.base
    assert isinstance(base, np.memmap)
    assert "words" not in vars(space.vocabulary)
    assert "king" in space
    assert "words" in vars(space.vocabulary)


def test_the_safetensors_package_reads_what_we_write_and_we_read_what_it_writes(
    tmp_path, full_space
):
    from safetensors import safe_open
    from safetensors.numpy import load_file, save_file

    ours, theirs = tmp_path / "ours.safetensors", tmp_path / "theirs.safetensors"
    andornot.save(full_space, ours)
    tensors = load_file(ours)
    assert tensors["target"].tobytes() == full_space.target.tobytes()
    assert tensors["counts"].tolist() == full_space.counts.tolist()
    with safe_open(ours, framework="numpy") as file:
        metadata = file.metadata()
    save_file(tensors, theirs, metadata=metadata)
    assert_same_space(andornot.load(theirs), full_space)


def test_a_file_can_be_replaced_while_it_is_open(tmp_path, full_space):
    path = tmp_path / "s.safetensors"
    andornot.save(full_space, path)
    space = andornot.load(path)
    with raises(FileError, path, "exists", "force=True"):
        andornot.save(space.top(3), path)
    andornot.save(space.top(3), path, force=True)
    assert_same_space(space, full_space)  # the old mapping lives on
    assert len(andornot.load(path)) == 3


@pytest.mark.parametrize("suffix", ["gz", "bz2", "xz"])
@pytest.mark.parametrize("name", ["v.vec", "v.txt", "v.bin"])
def test_compressed_files(tmp_path, example, name, suffix):
    space = andornot.load(example)
    path = tmp_path / f"{name}.{suffix}"
    andornot.save(space, path)
    again = andornot.load(path)
    assert again.words == space.words
    assert np.array_equal(again.target, space.target)
    assert path.read_bytes()[:2] in (b"\x1f\x8b", b"BZ", b"\xfd7")


def test_zip_archives(tmp_path, example):
    import zipfile

    path = tmp_path / "one.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(example, "royal.vec")
    assert len(andornot.load(path)) == 8
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("sub/second.txt", "cat 1 2\ndog 3 4\n")
    assert andornot.load(path / "sub/second.txt").words == ("cat", "dog")
    with raises(FileError, "2 files", "royal.vec, sub/second.txt", path / "royal.vec"):
        andornot.load(path)
    with raises(FileError, path / "third.txt", "royal.vec, sub/second.txt"):
        andornot.load(path / "third.txt")


def test_the_content_decides_not_the_name(tmp_path, example, full_space):
    space = andornot.load(example)
    for format in WRITE_FORMATS:
        path = tmp_path / f"{format}.dat"
        andornot.save(space, path, format=format)
        assert np.array_equal(andornot.load(path).target, space.target)
    (tmp_path / "really.gz").write_bytes(example.read_bytes())
    assert len(andornot.load(tmp_path / "really.gz")) == 8
    (tmp_path / "plain.vec").write_bytes(gzip.compress(example.read_bytes()))
    assert len(andornot.load(tmp_path / "plain.vec")) == 8


def test_text_across_blocks_and_threads(tmp_path, monkeypatch):
    monkeypatch.setattr(text, "BLOCK", 1 << 12)
    rng = np.random.default_rng(1)
    words = [f"wörd{i}" if i % 7 else f"two words {i}x" for i in range(3000)]
    space = Space(Vocabulary(words), rng.normal(size=(3000, 7)).astype(np.float32))
    path = tmp_path / "v.txt"
    andornot.save(space, path, format="glove")
    path.write_bytes(path.read_bytes() + b"\n \r\n" * 800)  # blank lines at the end are harmless
    for threads in (1, 2, 5):
        again = andornot.load(path, threads=threads)
        assert again.words == space.words
        assert again.target.tobytes() == space.target.tobytes()


def test_lines_as_other_programs_write_them(tmp_path):
    path = tmp_path / "v.txt"
    path.write_bytes(b"\xef\xbb\xbf2 2\r\nking 1 2 \r\nqueen\t3\t4\t\r\n")
    space = andornot.load(path)
    assert space.words == ("king", "queen")
    assert space.target.tolist() == [[1, 2], [3, 4]]
    path.write_bytes(b". . . 0.5 1\nat name@domain.com 2 3\nplain 4 5\n")
    space = andornot.load(path)
    assert space.words == (". . .", "at name@domain.com", "plain")
    assert space.target.tolist() == [[0.5, 1], [2, 3], [4, 5]]


def test_a_last_line_without_an_end_is_read_with_a_warning(tmp_path):
    (tmp_path / "v.txt").write_bytes(b"a 0.25 0.5\nb 0.25 0.12")
    with pytest.warns(AndornotWarning, match=r"v.txt: .*last line.* cut off"):
        space = andornot.load(tmp_path / "v.txt")
    assert space.words == ("a", "b")


def test_a_named_format_is_taken_at_its_word(tmp_path):
    path = tmp_path / "v.txt"
    path.write_text("5 1\n6 2\n7 3\n")  # one value for each word, or a header?
    assert andornot.load(path, format="glove").words == ("5", "6", "7")
    with raises(FileError, "5 words", "2 follow"):
        andornot.load(path)
    path.write_text("a 1\nb 2\n")
    with raises(FileError, "'a 1'", "header", "format='glove'"):
        andornot.load(path, format="word2vec")


def test_words_that_look_like_other_things(tmp_path):
    words = ["PKK", "nan", "inf", "5", "-3", "1e5", "0x10", "\x80", "BZhang", "{", "of nan x"]
    space = Space(Vocabulary(words), np.arange(22, dtype=np.float32).reshape(11, 2) / 8)
    for first in range(len(words)):
        order = np.roll(np.arange(len(words)), -first)
        part = space.take(order, "rolled")
        andornot.save(part, tmp_path / "v.txt", format="glove", force=True)
        again = andornot.load(tmp_path / "v.txt")
        assert again.words == part.words
        assert np.array_equal(again.target, part.target)


def test_words_that_a_format_cannot_hold_are_refused_before_writing(tmp_path, full_space):
    for format in ("word2vec", "word2vec-binary", "glove", "fasttext"):
        path = tmp_path / f"{format}.x"
        path.write_text("old")
        word = r"'a\tb'" if format == "glove" else "'new york'"
        with raises(FileError, path, word, "native", ".safetensors"):
            andornot.save(full_space, path, format=format, force=True)
        assert path.read_text() == "old"
        assert [p.name for p in tmp_path.iterdir() if p.suffix == ".tmp"] == []


def test_which_vectors_are_written(tmp_path, example):
    plain = andornot.load(example)
    space = Space(plain.vocabulary, plain.target, context=plain.target * 2)
    for vectors, factor in (("target", 1), ("context", 2), ("sum", 3)):
        andornot.save(space, tmp_path / "v.vec", vectors=vectors, force=True)
        again = andornot.load(tmp_path / "v.vec")
        assert np.allclose(again.target, plain.target * factor)
    with raises(MissingContextError, "sum"):
        andornot.save(plain, tmp_path / "v.vec", vectors="sum")
    with raises(UsageError, "native", "leave out vectors"):
        andornot.save(space, tmp_path / "v.safetensors", vectors="sum")
    for each in (space, plain):  # a misspelled name needs no context vectors
        with raises(UsageError, "'mean'", "'target', 'context' or 'sum'"):
            andornot.save(each, tmp_path / "v.vec", vectors="mean")


def test_names_that_do_not_say_a_format(tmp_path, full_space):
    for name, remedies in [
        ("v.xyz", [".safetensors", "format=..."]),
        ("v.vec.zip", [".gz, .bz2 or .xz"]),
        ("v.safetensors.gz", ["leave out .gz"]),
    ]:
        with raises(UsageError, name, *remedies):
            andornot.save(full_space, tmp_path / name)
    with raises(UsageError, "'fasttext-binary'", *WRITE_FORMATS):
        andornot.save(full_space, tmp_path / "v", format="fasttext-binary")
    with raises(UsageError, "'x'", *READ_FORMATS):
        andornot.load(tmp_path / "v", format="x")


def test_options_of_loading_are_checked(example, tmp_path):
    with raises(UsageError, "'skip'", "'strict'", "'replace'"):
        andornot.load(example, undecodable="skip")
    with raises(UsageError, "threads", "at least 1", "got 0"):
        andornot.load(example, threads=0)
    andornot.save(andornot.load(example), tmp_path / "v.safetensors")
    with raises(UsageError, "threads", "at least 1", "got 0"):
        andornot.load(tmp_path / "v.safetensors", threads=0)


@pytest.mark.parametrize("bits", [None, 8, 4])
def test_words_that_all_count_0(tmp_path, example, bits):
    space = andornot.load(example).with_counts({"king": 5})
    part = space.take(np.arange(3), "kept three")
    assert "king" not in part
    andornot.save(part, tmp_path / "a.safetensors", bits=bits)
    found = andornot.load(tmp_path / "a.safetensors")
    assert found.words == part.words
    assert found.vocabulary.counts is None
