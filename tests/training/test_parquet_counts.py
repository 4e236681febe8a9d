"""Training from counts in Parquet gives the bits of training from the same counts in a folder."""

from dataclasses import replace

import numpy as np
import pytest
from commands import run
from comparing import assert_same_space
from errors import raises
from parquet_counts import write_parquet_counts
from random_counts import random_counts

import andornot
from andornot.base.errors import FileError
from andornot.cooccurrence import load_counts
from andornot.cooccurrence.pmi import largest_pmi
from andornot.training import Settings, train

pytest.importorskip("pyarrow", reason="needs the extra spark (pyarrow)")

SOLVERS = {
    "sgns": Settings(model="sgns", solver="exact", dim=5, epochs=3, prior=2.0),
    "glove": Settings(model="glove", solver="exact", dim=5, epochs=3, prior=1.0),
    "adagrad": Settings(model="glove", solver="sampled", dim=5, epochs=3),
}
MEMORY = {"one block": 1 << 30, "many blocks": 1 << 10}


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The same counts as arrays and as Parquet files."""
    home = tmp_path_factory.mktemp("counts")
    counts = random_counts(60)
    counts.save(home / "arrays")
    write_parquet_counts(counts, home / "parquet")
    return home


@pytest.mark.parametrize("memory", MEMORY.values(), ids=MEMORY)
@pytest.mark.parametrize("settings", SOLVERS.values(), ids=SOLVERS)
def test_the_same_bits_in_one_thread(folders, settings, memory):
    spaces = [
        train(load_counts(folders / name), settings, threads=1, memory=memory)
        for name in ("arrays", "parquet")
    ]
    assert_same_space(*spaces)


def test_the_same_bits_from_an_address_in_two_threads(folders):
    settings = replace(SOLVERS["glove"], seed=3)
    address = (folders / "parquet").as_uri()
    spaces = [
        train(load_counts(source), settings, threads=2, memory=1 << 10)
        for source in (folders / "arrays", address)
    ]
    assert_same_space(*spaces)


def test_pmi(folders):
    arrays, parquet = (load_counts(folders / name) for name in ("arrays", "parquet"))
    assert largest_pmi(parquet) == largest_pmi(arrays)
    assert np.array_equal(parquet.matrix().toarray(), arrays.matrix().toarray())


def test_the_command_takes_a_path_and_an_address(folders, tmp_path):
    options = ["--dim", 5, "--epochs", 2, "--prior", 1, "--threads", 1, "--memory", "1kB"]
    spaces = []
    for source in (folders / "arrays", folders / "parquet", (folders / "parquet").as_uri()):
        output = tmp_path / f"{len(spaces)}.safetensors"
        done = run("train", source, "-o", output, *options)
        assert done.returncode == 0, done.stderr
        spaces.append(andornot.load(output))
    assert_same_space(spaces[1], spaces[0])
    assert_same_space(spaces[2], spaces[0])


def test_damaged_files_are_refused(tmp_path):
    write_parquet_counts(random_counts(60), tmp_path / "parquet")
    file = next((tmp_path / "parquet").glob("pairs-*/*.parquet"))
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(data)
    with raises(FileError, file, "make the counts again"):
        train(load_counts(tmp_path / "parquet"), SOLVERS["sgns"], threads=1)
