"""`andornot convert`: every format, what is lost, and what is refused."""

import os

import numpy as np
from commands import EXAMPLES
from commands import run_apart as run

import andornot

COUNTS = EXAMPLES / "royal.counts"


def test_convert_then_info(tmp_path, example):
    space = tmp_path / "royal.safetensors"
    done = run("convert", example, space, "--counts", COUNTS)
    assert done.returncode == 0, done.stderr
    assert "8 words x 3, native" in done.stdout
    done = run("info", space)
    assert done.returncode == 0
    assert done.stderr == ""
    for line in ("words            8", "dimension        3", "context vectors  no"):
        assert line in done.stdout
    assert "counts           file" in done.stdout
    assert "most frequent    the man woman king royal queen prince princess" in done.stdout


def test_convert_to_8_bits(tmp_path, full_space):
    andornot.save(full_space, tmp_path / "full.safetensors")
    small = tmp_path / "small.safetensors"
    done = run("convert", tmp_path / "full.safetensors", small, "--quantise")
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(andornot.load(small).target, full_space.target, atol=0.02)
    assert "rounded to 8 bits" in run("info", small).stdout
    done = run("convert", small, tmp_path / "s.vec", "--quantise")
    assert done.returncode == 1
    assert "only the native format" in done.stderr


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
    assert "not in this format: the counts (--save-counts FILE keeps them)" in done.stderr
    assert "the context vectors, the biases" in done.stderr
    done = run("convert", path, tmp_path / "w.vec", "--save-counts", tmp_path / "w.counts")
    assert done.returncode == 0
    assert (tmp_path / "w.counts").read_text() == "the 99\nking 88\nqueen 77\n"
    done = run("convert", path, tmp_path / "x.vec", "--vectors", "sum")
    expected = full_space.target[:3] + full_space.context[:3]
    assert np.array_equal(andornot.load(tmp_path / "x.vec").target, expected)


def test_estimated_counts_are_labelled(tmp_path, example):
    space = tmp_path / "s.safetensors"
    done = run("convert", example, space, "--counts", "rank")
    assert "estimated from the order of the words" in done.stderr
    assert "counts           estimated from rank" in run("info", space).stdout


def test_an_existing_file_is_replaced_only_when_told(tmp_path, example):
    target = tmp_path / "v.safetensors"
    target.write_text("precious")
    done = run("convert", example, target)
    assert done.returncode == 1
    assert "it exists already; add --force" in done.stderr
    assert target.read_text() == "precious"
    assert run("convert", example, target, "--force").returncode == 0
    assert len(andornot.load(target)) == 8


def test_the_default_model_is_converted_by_its_name(tmp_path):
    done = run("convert", "default", str(tmp_path / "it.vec"), "--top", "50")
    assert done.returncode == 0, done.stderr
    assert andornot.load(tmp_path / "it.vec").words == andornot.default().top(50).words


def test_names_of_files_that_are_not_unicode(tmp_path, example):
    odd = tmp_path / os.fsdecode(b"\xff.vec")
    odd.write_bytes(example.read_bytes())
    done = run("convert", odd, tmp_path / "s.safetensors")
    assert done.returncode == 0, done.stderr
    assert run("info", tmp_path / "s.safetensors").returncode == 0
