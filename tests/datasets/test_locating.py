"""Which sets there are, and where they are looked for."""

import hashlib
import os
import re
from importlib import import_module
from pathlib import Path

import pytest
from downloads import PAIRS
from errors import raises

from andornot.base.errors import UsageError
from andornot.datasets import DATASETS, fetch, find, locate
from andornot.datasets.locating import MissingSetError


def test_every_set_has_a_home_a_licence_and_a_reader():
    for name, data in DATASETS.items():
        assert re.fullmatch(r"[a-z0-9.-]+", name)
        assert data.home.startswith("http")
        assert data.licence
        module, _, function = data.reader.rpartition(".")
        assert callable(getattr(import_module(module), function))
        assert not Path(data.file).is_absolute()
        assert (data.download is None) == bool(data.note)
        if data.download and data.download.checksum:
            algorithm, digest = data.download.checksum.split(":")
            assert len(bytes.fromhex(digest)) == hashlib.new(algorithm).digest_size


def test_a_set_is_found_under_andornot_data_then_in_the_cache(empty_cache, tmp_path, monkeypatch):
    assert find("simlex-999") is None
    fetched = empty_cache / "word-similarity" / "EN-SIMLEX-999.txt"
    fetched.parent.mkdir(parents=True)
    fetched.write_bytes(PAIRS)
    assert locate("simlex-999") == fetched
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path / "mine"))
    assert locate("simlex-999") == fetched
    own = tmp_path / "mine" / "word-similarity" / "EN-SIMLEX-999.txt"
    own.parent.mkdir(parents=True)
    own.write_bytes(PAIRS)
    assert locate("simlex-999") == own
    assert fetch("simlex-999") == own


def test_a_folder_counts_where_it_holds_its_files(empty_cache):
    folder = empty_cache / "wordnet-3.0"
    folder.mkdir(parents=True)
    assert find("wordnet-3.0") is None
    (folder / "data.noun").touch()
    assert find("wordnet-3.0") == folder


@pytest.mark.usefixtures("empty_cache")
@pytest.mark.parametrize("name", ["sts12", "simlex-999"])
def test_what_is_missing_is_named_with_its_place(name, tmp_path, monkeypatch):
    data = DATASETS[name]
    fetching = f"`andornot data fetch {name}`"
    with raises(
        MissingSetError, data.name, "ANDORNOT_DATA", data.file, data.home, fetching
    ) as none:
        locate(name)
    assert none.value.name == name
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path))
    with raises(MissingSetError, data.name, tmp_path / data.file, data.home, fetching):
        locate(name)


@pytest.mark.usefixtures("empty_cache")
def test_what_can_not_be_fetched_is_described():
    with raises(MissingSetError, DATASETS["or-tuples"].note) as caught:
        locate("or-tuples")
    assert "data fetch" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "proposal"), [("sts21", "'sts12'"), ("wordnet", "'wordnet-3.0'"), ("king", "text8,")]
)
def test_an_unknown_name_has_a_proposal(name, proposal):
    with raises(UsageError, repr(name), proposal):
        locate(name)


@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
def test_the_real_sets_are_those_that_would_be_fetched():
    checked = 0
    for name, data in DATASETS.items():
        if name in ("text8", "enwiki", "or-tuples"):  # what few have
            continue
        path = locate(name)
        if data.download and data.download.checksum and path.is_file():
            assert path.stat().st_size == data.download.size
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            assert f"sha256:{digest}" == data.download.checksum, name
            checked += 1
    assert checked == 8
