"""`andornot evaluate`: scores on files of one's own and on the usual sets."""

import json

import numpy as np
import pytest
from commands import run
from errors import assert_refused

import andornot
from andornot import Space, Vocabulary
from andornot.datasets import read_word_pairs
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


def test_the_table_has_sections_and_says_how_to_centre(space, asked):
    done = run("evaluate", space, *asked, "--sections")
    assert done.returncode == 0, done.stderr
    first, second, section, advice = done.stdout.splitlines()
    assert first.split()[:2] == [str(asked[1]), "Spearman"]
    assert first.endswith("3 of 4 pairs")
    assert second.endswith("1 of 2 questions")
    assert section.split()[0] == "first"
    assert "--postprocess frequency" in advice
    done = run("evaluate", space, *asked, "--postprocess", "frequency")
    assert "--postprocess" not in done.stdout


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
    assert_refused(done, 1, "ANDORNOT_DATA", "data fetch wordsim-353")
    assert len(done.stderr.splitlines()) == 1
