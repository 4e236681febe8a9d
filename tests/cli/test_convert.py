"""`andornot convert`: every format, what is lost, and what is refused."""

import os

import numpy as np
import pytest
from commands import EXAMPLES, run
from errors import assert_refused

import andornot
from andornot import formats

COUNTS = EXAMPLES / "royal.counts"


def test_a_space_with_counts_is_written_as_native(tmp_path, example):
    target = tmp_path / "royal.safetensors"
    done = run("convert", example, target, "--counts", COUNTS)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{target}: 8 words x 3, native")
    written = andornot.load(target)
    assert written.words == andornot.load(example).words
    assert written.vocabulary.counts.origin == "file"


@pytest.mark.parametrize(("bits", "near"), [(8, 0.02), (4, 0.3)])
def test_few_bits_are_for_the_native_format(tmp_path, full_space, bits, near):
    andornot.save(full_space, tmp_path / "full.safetensors")
    small = tmp_path / "small.safetensors"
    done = run("convert", tmp_path / "full.safetensors", small, "--bits", bits)
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(andornot.load(small).target, full_space.target, atol=near)
    assert f"{bits} bits" in andornot.load(small).provenance.history[-1]


def test_top_and_every_format_in_a_chain(tmp_path, example):
    native = tmp_path / "a.safetensors"
    run("convert", example, native, "--counts", COUNTS, "--top", 3)
    previous = native
    for name, options in [
        ("b.vec.gz", []),
        ("c.bin", []),
        ("d.txt", ["--to", "glove"]),
        ("e.txt.xz", []),
        ("f.safetensors", []),
    ]:
        done = run("convert", previous, tmp_path / name, *options)
        assert done.returncode == 0, done.stderr
        previous = tmp_path / name
    last = andornot.load(previous)
    assert last.words == ("the", "man", "woman")
    assert np.array_equal(last.target, andornot.load(native).target)


def test_what_a_format_loses_is_said_and_counts_can_be_kept(tmp_path, full_space):
    path = tmp_path / "s.safetensors"
    andornot.save(full_space.take(np.arange(3), "three"), path)
    done = run("convert", path, tmp_path / "v.vec")
    (note,) = done.stderr.splitlines()
    for lost in ("--save-counts", "context vectors", "biases"):
        assert lost in note
    done = run("convert", path, tmp_path / "w.vec", "--save-counts", tmp_path / "w.counts")
    assert done.returncode == 0
    assert "--save-counts" not in done.stderr
    assert (tmp_path / "w.counts").read_text() == "the 99\nking 88\nqueen 77\n"
    done = run("convert", path, tmp_path / "x.vec", "--vectors", "sum")
    expected = full_space.target[:3] + full_space.context[:3]
    assert np.array_equal(andornot.load(tmp_path / "x.vec").target, expected)


def test_vectors_that_would_be_centred_again_are_said_to_be(tmp_path, example):
    for name, is_noted in (("v.vec", True), ("v.safetensors", False)):
        done = run("convert", example, tmp_path / name, "--postprocess", "uniform")
        assert done.returncode == 0
        assert ("--postprocess none" in done.stderr) is is_noted
    assert "--postprocess" not in run("convert", example, tmp_path / "raw.vec").stderr


def test_estimated_counts_are_labelled(tmp_path, example):
    space = tmp_path / "s.safetensors"
    done = run("convert", example, space, "--counts", "rank")
    assert done.returncode == 0
    assert "estimated" in done.stderr
    assert andornot.load(space).vocabulary.counts.origin == "estimated from rank"


def test_an_existing_file_is_replaced_only_when_told(tmp_path, example):
    target = tmp_path / "v.safetensors"
    target.write_text("precious")
    assert_refused(run("convert", example, target), 1, target, "exists", "--force")
    assert target.read_text() == "precious"
    assert run("convert", example, target, "--force").returncode == 0
    assert len(andornot.load(target)) == 8


@pytest.mark.parametrize("name", ["v.vec", "v.counts"])
def test_a_file_that_appears_while_vectors_are_loaded_is_kept(tmp_path, example, monkeypatch, name):
    load = formats.load

    def late(*arguments, **options):
        (tmp_path / name).write_text("precious")
        return load(*arguments, **options)

    monkeypatch.setattr(formats, "load", late)
    command = ["convert", example, tmp_path / "v.vec", "--counts", COUNTS]
    command += ["--save-counts", tmp_path / "v.counts"]
    assert_refused(run(*command), 1, tmp_path / name, "exists", "--force")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "precious"
    assert run(*command, "--force").returncode == 0
    assert (tmp_path / name).read_text() != "precious"


def test_the_default_model_is_converted_by_its_name(tmp_path):
    done = run("convert", "default", tmp_path / "it.vec", "--top", 50)
    assert done.returncode == 0, done.stderr
    assert andornot.load(tmp_path / "it.vec").words == andornot.default().top(50).words


def test_counts_are_not_vectors(tmp_path):
    (tmp_path / "text.txt").write_text("a b a b c c\n" * 9)
    counts = tmp_path / "text.counts"
    assert run("count", tmp_path / "text.txt", "-o", counts).returncode == 0
    done = run("convert", counts, tmp_path / "v.vec")
    assert_refused(done, 1, counts, "these are counts", f"andornot train {counts}")


def test_names_of_files_that_are_not_unicode(tmp_path, example):
    odd = tmp_path / os.fsdecode(b"\xff.vec")
    odd.write_bytes(example.read_bytes())
    done = run("convert", odd, tmp_path / "s.safetensors")
    assert done.returncode == 0, done.stderr
    assert run("info", tmp_path / "s.safetensors").returncode == 0


def test_one_word_is_in_the_singular(tmp_path, example):
    done = run("convert", example, tmp_path / "o.vec", "--counts", "rank", "--top", 1)
    assert done.stdout.startswith(f"{tmp_path / 'o.vec'}: 1 word x 3, ")


def test_a_post_processed_space_is_not_post_processed_again(tmp_path, example):
    done = run("convert", example, tmp_path / "once.safetensors", "--postprocess", "uniform")
    assert done.returncode == 0, done.stderr
    again = ("convert", tmp_path / "once.safetensors", tmp_path / "twice.safetensors")
    refused = run(*again, "--postprocess", "uniform")
    assert_refused(refused, 1, "the post-processing uniform already", "use the original vectors")
    assert "again=True" not in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        (["out.xyz"], 2, ["out.xyz", ".vec", "--to"]),
        (["-", "--to", "word2vec"], 2, ["- is not a file name", "name a file"]),
        (["out.vec", "--glove-vocab", "v.txt"], 2, ["fasttext", "leave out --glove-vocab"]),
        (["out.vec", "--to", "fasttext-binary"], 2, ["fasttext-binary", "--to", "glove"]),
        (["out.vec", "--top", "3"], 1, ["--top needs word frequencies", "--counts"]),
        (["out.vec", "--counts", "none.txt"], 1, ["none.txt", "no such file"]),
        (["out.vec", "--counts", "rank", "--corpus", "x"], 2, ["--counts", "--corpus"]),
        (["no/out.vec"], 1, ["no/out.vec", "folder"]),
        (["out.vec", "--vectors", "sum"], 1, ["sum", "context vectors"]),
        (["out.vec", "--save-counts", "c"], 1, ["--save-counts needs word", "--counts"]),
        (["out.vec", "--postprocess", "frequency"], 1, ["the post-processing frequency needs"]),
        (["o.vec", "--counts", "rank", "--save-counts", "./o.vec"], 1, ["o.vec", "outside of it"]),
        (
            ["m", "--to", "model2vec", "--counts", "rank", "--save-counts", "m/config.json"],
            1,
            ["m/config.json", "outside of it"],
        ),
        (["o.vec", "--counts", "rank", "--save-counts", "n/c"], 1, ["n/c", "folder"]),
        (["out.vec", "--top", "0"], 2, ["--top", "1"]),
        (
            ["o.vec", "--counts", "rank", "--save-counts", "c", "--bits", "4"],
            2,
            ["4 bits", "native"],
        ),
        (["out.safetensors", "--bits", "3"], 2, ["--bits", "4, 8"]),
        ([], 2, ["OUT"]),
    ],
)
def test_errors_write_nothing(tmp_path, example, arguments, code, named):
    assert_refused(run("convert", example, *arguments, cwd=tmp_path), code, *named)
    assert list(tmp_path.iterdir()) == []
