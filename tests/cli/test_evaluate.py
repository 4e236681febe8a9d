"""`andornot evaluate`: scores on files of one's own and on the usual sets."""

import json

import numpy as np
import pytest
from commands import run
from errors import assert_names, assert_refused

import andornot
from andornot import Space, Vocabulary
from andornot.datasets import DATASETS, read_word_pairs
from andornot.evaluation import similarity
from andornot.postprocessing import postprocess

WORDS = [f"w{number}" for number in range(40)]


@pytest.fixture
def space(tmp_path):
    """The file of a space."""
    words = Vocabulary(WORDS).with_counts({word: i + 1 for i, word in enumerate(WORDS)})
    vectors = np.random.default_rng(1).normal(size=(40, 5)) + 1
    andornot.save(Space(words, vectors), tmp_path / "space.safetensors")
    return tmp_path / "space.safetensors"


@pytest.fixture
def asked(tmp_path):
    """Files of pairs and of questions, as options."""
    (tmp_path / "pairs.tsv").write_text("w1\tw2\t3\nw3\tw4\t1\nw5\tnone\t2\nw7\tw8\t5\n")
    (tmp_path / "questions.txt").write_text(": first\nw1 w2 w3 w4\nw1 w2 w3 none\n")
    return ["--pairs", tmp_path / "pairs.tsv", "--analogies", tmp_path / "questions.txt"]


@pytest.mark.parametrize("method", ["none", "frequency"])
def test_the_scores_are_those_of_the_library(space, asked, method):
    done = run("evaluate", space, *asked, "--json", "--postprocess", method)
    assert done.returncode == 0, done.stderr
    pairs, questions = json.loads(done.stdout)["results"]
    assert (pairs["covered"], pairs["items"]) == (3, 4)
    assert (questions["covered"], questions["items"]) == (1, 2)
    moved = postprocess(andornot.load(space), method)
    assert pairs["spearman"] == similarity(moved, read_word_pairs(asked[1])).spearman


def test_the_table_has_sections_and_says_how_it_is_centred(space, asked):
    done = run("evaluate", space, *asked, "--sections")
    assert done.returncode == 0, done.stderr
    first, second, section, centring = done.stdout.splitlines()
    assert first.split()[:2] == [str(asked[1]), "Spearman"]
    assert first.endswith("3 of 4 pairs")
    assert second.endswith("1 of 2 questions")
    assert section.split()[0] == "first"
    assert centring == "post-processing: frequency"
    done = run("evaluate", space, *asked, "--postprocess", "none")
    assert done.stdout.splitlines()[-1] == "post-processing: none"


def test_it_centres_as_ask_does(space, asked, tmp_path):
    """By frequency; uniformly without counts; not at all what was centred already."""
    loaded = andornot.load(space)
    plain, done = tmp_path / "plain.safetensors", tmp_path / "done.safetensors"
    andornot.save(Space.from_arrays(WORDS, loaded.target), plain)
    andornot.save(postprocess(loaded, "uniform"), done)
    pairs = read_word_pairs(asked[1])
    for path, method in ((space, "frequency"), (plain, "uniform"), (done, "none")):
        result = json.loads(run("evaluate", path, *asked, "--json").stdout)
        assert result["postprocess"] == method
        moved = postprocess(andornot.load(path), method)
        assert result["results"][0]["spearman"] == similarity(moved, pairs).spearman
        assert andornot.Logic(andornot.load(path)).postprocess == method


def test_sets_that_are_missing_are_named(tmp_path, monkeypatch, empty_cache, space):
    folder = tmp_path / "data" / "word-similarity"
    folder.mkdir(parents=True)
    file = DATASETS["simlex-999"].file
    (tmp_path / "data" / file).write_text("w1\tw2\t3\nw3\tw4\t1\nw7\tw8\t5\n")
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path / "data"))
    done = run("evaluate", space)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("SimLex-999  Spearman")
    assert_names(done.stderr, "data fetch wordsim-353 mturk-771 google-analogies")
    facts = json.loads(run("evaluate", space, "--json").stdout)
    assert facts["missing"] == ["wordsim-353", "mturk-771", "google-analogies"]
    assert [result["set"] for result in facts["results"]] == ["SimLex-999"]


def test_a_file_without_a_known_word(space, asked, tmp_path):
    strange = tmp_path / "strange.tsv"
    strange.write_text("x\ty\t3\nz\ty\t1\n")
    assert_refused(run("evaluate", space, "--pairs", strange), 1, space, strange)
    done = run("evaluate", space, "--pairs", strange, *asked, "--json")
    assert json.loads(done.stdout)["results"][0]["spearman"] is None


def test_the_default_model_is_scored_where_none_is_named(tmp_path):
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("king\tqueen\t8.6\nking\tcabbage\t0.2\ntiger\tcat\t7.4\nxyzzyx\tcat\t1\n")
    done = run("evaluate", "--pairs", pairs, "--json")
    assert json.loads(done.stdout)["results"][0]["covered"] == 3


def test_without_the_sets_it_says_what_to_set(example, empty_cache):
    done = run("evaluate", example)
    fetch = "data fetch wordsim-353 simlex-999 mturk-771 google-analogies"
    assert_refused(done, 1, "ANDORNOT_DATA", fetch, "--pairs")
    assert len(done.stderr.splitlines()) == 1


def test_the_space_is_checked_before_the_sets(tmp_path, empty_cache):
    assert_refused(run("evaluate", tmp_path / "none.vec"), 1, tmp_path / "none.vec", "no such file")
    (tmp_path / "text.txt").write_text("a b a b c c\n" * 9)
    counts = tmp_path / "text.counts"
    assert run("count", tmp_path / "text.txt", "-o", counts).returncode == 0
    assert_refused(run("evaluate", counts), 1, counts, "these are counts", "andornot train")
