"""`andornot data`: the list of sets, fetching them, and where they are."""

import json
import re

import pytest
from commands import run
from downloads import PAIRS, SHA256
from errors import assert_refused

from andornot.datasets import DATASETS

FILE = DATASETS["simlex-999"].file


def test_the_list_fits_a_terminal(empty_cache):
    path = empty_cache / FILE
    path.parent.mkdir(parents=True)
    path.write_bytes(PAIRS)
    done = run("data", "list")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if re.match(r"simlex-999 .* \d+ bytes  in the cache", line)]
    assert [line for line in lines if re.match(r"text8 .* 31\.3 MB  can be fetched", line)]
    assert f"  {DATASETS['ramisch-2016'].home}" in lines
    facts = {each["key"]: each for each in json.loads(run("data", "list", "--json").stdout)}
    assert list(facts) == list(DATASETS)
    assert facts["simlex-999"]["path"] == str(path)
    assert facts["simlex-999"]["size"] == len(PAIRS)
    assert facts["wordnet-3.0"]["path"] is None
    assert facts["wordnet-3.0"]["licence"] == "WordNet licence"


def test_the_list_says_which_sets_are_in_the_folder(empty_cache, tmp_path, monkeypatch):
    path = tmp_path / "sets" / FILE
    path.parent.mkdir(parents=True)
    path.write_bytes(PAIRS)
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path / "sets"))
    lines = run("data", "list").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if re.match(r"simlex-999 .* \d+ bytes  ANDORNOT_DATA", line)]
    assert DATASETS["simlex-999"].home not in "\n".join(lines)


def test_a_set_is_fetched_and_then_has_a_path(empty_cache, file_server, offered):
    offered("simlex-999", file_server("/simlex.txt", PAIRS), checksum=SHA256)
    assert_refused(run("data", "path", "simlex-999"), 1, "`andornot data fetch simlex-999`")
    for words in (("fetch", "simlex-999"), ("path", "simlex-999")):
        done = run("data", *words)
        assert done.returncode == 0, done.stderr
        assert done.stdout == f"{empty_cache / FILE}\n"
    assert (empty_cache / FILE).read_bytes() == PAIRS


def test_what_was_fetched_before_an_error_stays(empty_cache, file_server, offered):
    offered("simlex-999", file_server("/simlex.txt", PAIRS), checksum=SHA256)
    offered("mturk-771", file_server("/gone.txt"), checksum=SHA256)
    done = run("data", "fetch", "simlex-999", "mturk-771")
    assert done.returncode == 1
    assert done.stdout == f"{empty_cache / FILE}\n"
    assert re.fullmatch(r"error: http://.*/gone\.txt: .*404.*\n", done.stderr)


@pytest.mark.parametrize("words", [("fetch", "wordsim-353", "simlex-99"), ("path", "simlex-99")])
def test_an_unknown_name_is_refused_before_anything_is_fetched(empty_cache, words):
    assert_refused(run("data", *words), 2, "'simlex-99'", "'simlex-999'")
    assert not empty_cache.exists()
