"""Which sets there are, and where they are looked for."""

import hashlib
import os
import re
from importlib import import_module
from pathlib import Path

import pytest
from downloads import PAIRS

from andornot.base.errors import AndornotError
from andornot.datasets import DATASETS, fetch, find, locate


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


def test_what_is_missing_is_named_with_its_place(empty_cache, tmp_path, monkeypatch):
    with pytest.raises(
        AndornotError, match=r"holds sts/STS12-en-test \(from http.*data fetch sts12"
    ):
        locate("sts12")
    with pytest.raises(AndornotError, match="separated by tabs") as caught:
        locate("or-tuples")
    assert "data fetch" not in str(caught.value)
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path))
    with pytest.raises(AndornotError, match=r"STS12-en-test: STS 2012 isn't there; get it from"):
        locate("sts12")
    for name, proposal in [("sts21", "'sts12'"), ("wordnet", "'wordnet-3.0'?")]:
        with pytest.raises(AndornotError, match=f"unknown set {name!r}; did you mean {proposal}"):
            locate(name)


def test_sets_that_are_not_there(monkeypatch, tmp_path):
    monkeypatch.delenv("ANDORNOT_DATA", raising=False)
    with pytest.raises(AndornotError, match="set ANDORNOT_DATA to a folder that holds word-sim"):
        locate("simlex-999")
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path))
    with pytest.raises(AndornotError, match=r"SimLex-999 isn't there; get it from https"):
        locate("simlex-999")


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
