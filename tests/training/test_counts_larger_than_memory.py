"""Training from counts that don't fit into the memory that is given: the result, and the memory."""

import os
import sys
from dataclasses import replace

import numpy as np
import pytest
from commands import run, run_code
from comparing import assert_same_space
from errors import raises
from random_counts import SETTINGS

import andornot
from andornot import Vocabulary
from andornot.base.errors import FileError
from andornot.cooccurrence import Cooccurrence, count, load_counts
from andornot.cooccurrence.row_blocks import ArrayEntries
from andornot.training import Settings, glove_loss, sgns_gradient, sgns_loss, train
from andornot.training.jobs import plan_training
from andornot.words.counts import Counts, CountsOrigin

WORDS, LINES = 300, 600
SGNS = Settings(model="sgns", solver="exact", dim=8, epochs=3, prior=5.0)
GLOVE = Settings(model="glove", solver="exact", dim=8, epochs=3, prior=1.0)
ADAGRAD = Settings(model="glove", solver="sampled", dim=8, epochs=4)
LARGE, SMALL = 1 << 30, 1 << 13  # bytes: one block, and dozens of them


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Counts of a random text whose words follow Zipf's law, with held-out blocks."""
    rng = np.random.default_rng(4)
    p = 1 / np.arange(1, WORDS + 1)
    drawn = rng.choice(WORDS, size=(LINES, 50), p=p / p.sum())
    lines = [[f"w{i:03}" for i in line] for line in drawn]
    output = tmp_path_factory.mktemp("counts") / "counts"
    counts = count(lines, min_count=1, window=3, held_out=3, output=output)
    assert counts.held_out is not None
    assert 8 * counts.pairs > 20 * SMALL
    return output


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("settings", [SGNS, GLOVE], ids=lambda each: each.model)
def test_exact_solvers_give_the_same_bits_for_any_number_of_blocks(folder, settings, threads):
    counts = load_counts(folder)
    whole = train(counts, settings, threads=threads, memory=LARGE)
    for memory in (SMALL, 1):  # one byte: each row is a block
        assert_same_space(train(counts, settings, threads=threads, memory=memory), whole)


@pytest.mark.parametrize("model", ["sgns", "glove"])
def test_so_does_the_choice_of_a_prior(folder, model):
    settings = replace(SGNS if model == "sgns" else GLOVE, prior=None, epochs=2)
    counts = load_counts(folder)
    spaces = [train(counts, settings, threads=1, memory=memory) for memory in (LARGE, SMALL)]
    assert_same_space(*spaces)
    paths = [space.provenance.settings["prior_path"] for space in spaces]
    assert paths[0] == paths[1]


def test_negatives_in_turn(folder, monkeypatch):
    """Large vocabularies: pairs outside the chosen columns are computed apart."""
    monkeypatch.setattr(sgns_gradient, "WHOLE", 100)
    monkeypatch.setattr(sgns_gradient, "HEAD", 60)
    monkeypatch.setattr(sgns_gradient, "_BLOCK", 1 << 12)
    counts = load_counts(folder)
    spaces = [train(counts, SGNS, threads=1, memory=memory) for memory in (LARGE, SMALL)]
    assert_same_space(*spaces)


def test_counts_in_memory_and_on_disk_give_the_same(folder):
    counts = load_counts(folder)
    for settings in (SGNS, GLOVE, ADAGRAD):
        in_memory = train(counts.loaded(LARGE), settings, threads=1)
        assert_same_space(train(counts, settings, threads=1, memory=LARGE), in_memory)


def test_the_losses_of_a_space_are_those_of_counts_in_memory(folder):
    counts = load_counts(folder)
    space = train(counts, GLOVE, threads=1)
    assert glove_loss(space, counts) == glove_loss(space, counts.loaded(LARGE))
    space = train(counts, SGNS, threads=1)
    assert sgns_loss(space, counts) == sgns_loss(space, counts.loaded(LARGE))


def test_adagrad_in_blocks_is_determined_by_the_seed_and_the_memory(folder):
    counts = load_counts(folder)
    spaces = [train(counts, ADAGRAD, threads=1, memory=SMALL) for _ in range(2)]
    assert_same_space(*spaces)
    assert spaces[0].provenance.settings["blocks"] > 20
    whole = train(counts, ADAGRAD, threads=1, memory=LARGE)
    assert "blocks" not in whole.provenance.settings
    assert not np.array_equal(whole.target, spaces[0].target)


def test_adagrad_in_blocks_trains_every_pair_once_in_an_epoch(folder):
    counts = load_counts(folder)
    trainer = plan_training(counts, ADAGRAD)._trainer(1, SMALL, None)
    held_out = trainer._one_in and len(trainer._held_out[0])
    orders = []
    for epoch in range(2):
        trained, seen = 0, []
        while trainer.done < (epoch + 1) / ADAGRAD.epochs:
            trained += trainer.step().units
            seen.append(trainer._block.first)
        assert trained == counts.pairs - held_out
        assert sorted(seen) == [first for first, _ in trainer._blocks]
        orders.append(seen)
    assert orders[0] != orders[1]


def test_adagrad_in_blocks_reaches_the_loss_of_one_block(folder):
    """Blocks change the order of pairs alone."""
    counts = load_counts(folder)
    settings = replace(ADAGRAD, epochs=25)
    budgets = LARGE, 8 * SMALL
    spaces = [train(counts, settings, threads=1, memory=memory) for memory in budgets]
    one, many = (glove_loss(space, counts) for space in spaces)
    assert many == pytest.approx(one, rel=0.05)


def test_adagrad_goes_on_only_with_as_many_blocks(folder, tmp_path):
    counts = load_counts(folder)
    output = tmp_path / "s.safetensors"
    whole = train(counts, ADAGRAD, threads=1, memory=SMALL)

    def stop(step):
        if step.done > 0.4:
            raise KeyboardInterrupt

    options = {"threads": 1, "output": output, "checkpoint_every": 0}
    with pytest.raises(KeyboardInterrupt):
        train(counts, ADAGRAD, memory=SMALL, watch=stop, **options)
    with raises(FileError, "blocks of counts", "memory"):
        train(counts, ADAGRAD, memory=LARGE, resume=True, **options)
    assert_same_space(train(counts, ADAGRAD, memory=SMALL, resume=True, **options), whole)


@pytest.mark.parametrize("settings", [SGNS, GLOVE, ADAGRAD], ids=["sgns", "glove", "adagrad"])
@pytest.mark.parametrize("name", ["columns", "values"])
def test_files_that_are_cut_off_during_the_training(folder, tmp_path, settings, name):
    """An error in one line, where mapped memory would end the process by a signal."""
    load_counts(folder).save(tmp_path / "counts")
    path = tmp_path / "counts" / f"{name}.bin"

    def cut(step):
        os.truncate(path, 8 if step.units else path.stat().st_size)

    with raises(FileError, path, "make it again"):
        train(load_counts(tmp_path / "counts"), settings, threads=2, memory=SMALL, watch=cut)


@pytest.mark.parametrize("settings", [SGNS, GLOVE, ADAGRAD], ids=["sgns", "glove", "adagrad"])
def test_columns_that_change_during_the_training(folder, tmp_path, settings):
    """No kernel indexes memory by a number that was not checked."""
    load_counts(folder).save(tmp_path / "counts")
    path = tmp_path / "counts" / "columns.bin"

    def change(step):
        columns = np.fromfile(path, "<i4")
        columns[1::2] = 1_000_000_000
        columns.tofile(path)

    with raises(FileError, tmp_path / "counts", "make the counts again"):
        train(load_counts(tmp_path / "counts"), settings, threads=2, memory=SMALL, watch=change)


def test_the_command(folder, tmp_path):
    arguments = ["train", folder, "--dim", 8, "--epochs", 2, "--prior", 5, "--threads", 1]
    for name, memory in (("large", "1GB"), ("small", "8kB")):
        done = run(*arguments, "--memory", memory, "-o", tmp_path / f"{name}.safetensors")
        assert done.returncode == 0, done.stderr
    spaces = [andornot.load(tmp_path / f"{name}.safetensors") for name in ("large", "small")]
    assert_same_space(*spaces)


MEASURE = """
import sys
from andornot.base.choices import Model, Solver
from andornot.cooccurrence import load_counts
from andornot.training import Settings, train

def memory(name):
    with open("/proc/self/status") as file:
        line = next(line for line in file if line.startswith(name))
    return int(line.split()[1]) * 1024

small, large, model, solver, budget = sys.argv[1:]
prior = 1.0 if solver == "exact" else None
settings = Settings(model=Model(model), solver=Solver(solver), dim=4, epochs=2, prior=prior)
train(load_counts(small), settings, threads=2)  # compiled, and the threads of BLAS started
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak begins again
start = memory("VmRSS")
train(load_counts(large), settings, threads=2, memory=int(budget))
print(memory("VmHWM") - start)
"""


@pytest.fixture(scope="module")
def large_folder(tmp_path_factory):
    """Counts of 128 MB: a symmetric matrix in which every word has as many neighbours."""
    size, near = 8192, 1024
    steps = np.sort(np.random.default_rng(1).permutation(np.arange(1, size // 2))[:near])
    steps = np.concatenate([steps, size - steps[::-1]])
    words = np.arange(size)
    columns = np.sort((words[:, None] + steps) % size, axis=1).astype(np.int32)
    values = (1 + (words[:, None] + columns) % 7).astype(np.float32)
    counts = Cooccurrence(
        Vocabulary(
            [f"w{i}" for i in words], Counts(np.ones(size), CountsOrigin.TRAINING, "a test")
        ),
        np.arange(size + 1) * len(steps),
        ArrayEntries(columns.ravel(), values.ravel()),
        values.sum(axis=1, dtype=float),
        SETTINGS,
    )
    output = tmp_path_factory.mktemp("large") / "counts"
    counts.save(output)
    return output


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
@pytest.mark.parametrize(
    ("model", "solver", "fixed"),
    [("sgns", "exact", 64), ("glove", "exact", 0), ("glove", "sampled", 0)],
)
def test_peak_memory(folder, large_folder, model, solver, fixed, monkeypatch):
    """The scores of exact SGNS take 64 MiB more, whatever the counts.

    glibc keeps freed memory for each thread, up to 20 MiB more on a busy machine. One arena leaves
    what the solver itself takes.
    """
    monkeypatch.setenv("MALLOC_ARENA_MAX", "1")
    peaks = []
    for budget in (32 << 20, 1 << 30):
        done = run_code(MEASURE, folder, large_folder, model, solver, budget)
        assert done.returncode == 0, done.stderr
        peaks.append(int(done.stdout) >> 20)
    few, many = peaks
    print(f"{model}, {solver}: {few} MiB with 32 MiB, {many} MiB with 1 GiB")
    assert few < 32 + fixed + 16
    assert many > 128
