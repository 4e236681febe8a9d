"""Commands that are disturbed while they write: by a full or broken disk, and by kill -9.

`python benchmarks/trust.py` does the same at every write and a hundred times.
"""

import pytest
from faults import inject
from kills import kill
from trials import TRIALS, fetching, prepare

NAMES = [trial.name for trial in TRIALS]
FEW = ["train sgns sampled", "count", "count in parts", "convert to a.vec.gz", "convert to a.bin"]
FEW += ["convert to model2vec", "grow"]
OF_FILES = [name for name in NAMES if name.startswith(("convert to a.", "convert to b."))]


@pytest.fixture
def folder(tmp_path):
    home = tmp_path / "trial"
    home.mkdir()
    prepare(home)
    return home


def trial_of(name):
    return next(trial for trial in TRIALS if trial.name == name)


@pytest.mark.parametrize("name", ["convert to a.safetensors", "convert to a.bin"])
def test_a_fault_at_any_write_leaves_the_old_output_or_the_new_one(folder, name):
    seen, problems = inject(trial_of(name), folder)
    assert problems == []
    assert seen["faults"] == 3 * seen["operations"]
    # a short write does no harm, and what a link can't do is done without one
    assert seen["refused"] == 2 * (seen["operations"] - seen["links"])
    assert seen["links"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name not in OF_FILES])
def test_a_fault_at_some_write(folder, name):
    seen, problems = inject(trial_of(name), folder, most=6)
    assert problems == []
    assert seen["refused"]


def test_a_fault_while_a_set_is_fetched(folder):
    with fetching() as trial:
        seen, problems = inject(trial, folder)
    assert problems == []
    assert seen["refused"]


@pytest.mark.slow
@pytest.mark.parametrize("name", FEW)
def test_a_kill_leaves_the_old_output_or_the_new_one(folder, name):
    seen, problems = kill(trial_of(name), folder, 8)
    assert problems == []
    assert seen["kills"] == 8


@pytest.mark.slow
def test_a_kill_while_a_set_is_fetched(folder):
    with fetching() as trial:
        seen, problems = kill(trial, folder, 8)
    assert problems == []
    assert seen["kills"] == 8
