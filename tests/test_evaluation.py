"""Scores against ranks and answers computed by hand, and the files they come from."""

import json
import os
import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import spearmanr

import andornot
from andornot import Space, Vocabulary
from andornot.base.errors import AndornotError
from andornot.datasets import Question, WordPair, locate, read_questions, read_word_pairs
from andornot.evaluation import analogies, similarity
from andornot.postprocessing import postprocess

WORDS = [f"w{number}" for number in range(40)]


@pytest.fixture
def space():
    return Space(Vocabulary(WORDS), np.random.default_rng(1).normal(size=(40, 6)))


def run(*arguments, **options):
    command = [sys.executable, "-m", "andornot", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, **options)


def test_similarity_is_spearmans_rho_of_the_cosines(space):
    rng = np.random.default_rng(2)
    every = list(combinations(WORDS, 2))
    chosen = rng.choice(len(every), size=30, replace=False)
    pairs = [WordPair(*every[i], rating=float(rng.integers(10))) for i in chosen]
    v = {word: space.vector(word).astype(float) for word in WORDS}
    cosines = [v[a] @ v[b] / np.linalg.norm(v[a]) / np.linalg.norm(v[b]) for a, b, _ in pairs]
    score = similarity(space, [*pairs, WordPair("w1", "unknown", 3.0)])
    expected = spearmanr(cosines, [pair.rating for pair in pairs]).statistic
    assert score.spearman == pytest.approx(expected)
    assert (score.pairs, score.covered) == (31, 30)


def test_words_are_found_in_lower_case_too(space):
    pairs = [WordPair("W1", "w2", 1.0), WordPair("w3", "W4", 2.0), WordPair("w5", "w6", 0.0)]
    assert similarity(space, pairs).covered == 3


def test_similarity_of_too_few_pairs_is_undefined(space):
    score = similarity(space, [WordPair("a", "b", 1.0), WordPair("c", "d", 2.0)])
    assert np.isnan(score.spearman)
    assert (score.pairs, score.covered) == (2, 0)
    alike = similarity(space, [WordPair("w1", "w2", 1.0), WordPair("w3", "w2", 1.0)])
    assert np.isnan(alike.spearman)
    assert alike.covered == 2


def test_analogies_are_answered_as_by_brute_force(space):
    rng = np.random.default_rng(3)
    unit = space.target / np.linalg.norm(space.target, axis=1, keepdims=True)
    questions, right = [], 0
    for number in range(60):
        a, b, c = rng.choice(40, size=3, replace=False)
        goal = unit[b] - unit[a] + unit[c]
        best = max((i for i in range(40) if i not in (a, b, c)), key=lambda i: unit[i] @ goal)
        answer = best if number % 3 else (best + 1) % 40
        right += answer == best
        questions.append(Question(f"s{number % 2}", *(WORDS[i] for i in (a, b, c, answer))))
    score = analogies(space, [*questions, Question("s0", "w1", "w2", "w3", "unknown")])
    assert (score.correct, score.covered, score.questions) == (right, 60, 61)
    assert sum(asked for _, asked in score.sections.values()) == 60
    assert score.accuracy == right / 60


def test_analogies_without_a_known_word(space):
    score = analogies(space, [Question("", "a", "b", "c", "d")])
    assert score.covered == 0
    assert np.isnan(score.accuracy)


def test_files_of_pairs(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("word 1\tword 2\trating\nold\tnew\t1.58\tmore\n\nnew york\tcity\t9\n")
    assert read_word_pairs(path) == [
        WordPair("old", "new", 1.58),
        WordPair("new york", "city", 9.0),
    ]
    path.write_text("old\tnew\t1.58\nold new 3\n")
    with pytest.raises(AndornotError, match=r"pairs.tsv, line 2: 'old new 3' is not two words"):
        read_word_pairs(path)
    path.write_text("old\tnew\t1\na\tb\tnan\n")
    with pytest.raises(AndornotError, match="line 2"):
        read_word_pairs(path)
    path.write_text("")
    with pytest.raises(AndornotError, match="fewer than two"):
        read_word_pairs(path)
    path.write_bytes(b"caf\xe9\tnew\t1\n")
    with pytest.raises(AndornotError, match="not UTF-8"):
        read_word_pairs(path)


def test_files_of_questions(tmp_path):
    path = tmp_path / "questions.txt"
    path.write_text(": capitals of the world\nAthens Greece Oslo Norway\n: family\na b c d\n")
    assert read_questions(path)[0] == Question(
        "capitals of the world", "Athens", "Greece", "Oslo", "Norway"
    )
    assert read_questions(path)[1].section == "family"
    path.write_text("Athens Greece Oslo\n")
    with pytest.raises(AndornotError, match="line 1: 3 words where a question has four"):
        read_questions(path)
    path.write_text(": nothing\n")
    with pytest.raises(AndornotError, match="no questions"):
        read_questions(path)


def test_sets_that_are_not_there(monkeypatch, tmp_path):
    monkeypatch.delenv("ANDORNOT_DATA", raising=False)
    with pytest.raises(AndornotError, match="set ANDORNOT_DATA to a folder that holds word-sim"):
        locate("simlex-999")
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path))
    with pytest.raises(AndornotError, match=r"SimLex-999 isn't there; get it from https"):
        locate("simlex-999")


@pytest.mark.skipif(not os.environ.get("ANDORNOT_DATA"), reason="ANDORNOT_DATA isn't set")
def test_the_real_sets():
    sizes = {
        name: len(
            read_questions(locate(name)) if "analog" in name else read_word_pairs(locate(name))
        )
        for name in ("wordsim-353", "simlex-999", "mturk-771", "google-analogies")
    }
    assert sizes == {
        "wordsim-353": 353,
        "simlex-999": 999,
        "mturk-771": 771,
        "google-analogies": 19544,
    }


# --- the commands ------------------------------------------------------------------------------


def test_train_then_evaluate(tmp_path):
    text = tmp_path / "text.txt"
    rng = np.random.default_rng(0)
    text.write_text("\n".join(" ".join(rng.choice(WORDS, size=9)) for _ in range(400)))
    output = tmp_path / "space.safetensors"
    done = run("train", text, "-o", output, "--dim", 5, "--epochs", 3, "--threads", 1)
    assert done.returncode == 0, done.stderr
    assert "solver: sampled" in done.stdout
    assert "40 words x 5, 3 epochs, loss" in done.stdout
    assert done.stderr == ""
    space = andornot.load(output)
    assert space.context is not None
    info = run("info", output).stdout
    assert "context vectors  yes" in info
    (tmp_path / "pairs.tsv").write_text("w1\tw2\t3\nw3\tw4\t1\nw5\tnone\t2\nw7\tw8\t5\n")
    (tmp_path / "questions.txt").write_text(": first\nw1 w2 w3 w4\nw1 w2 w3 none\n")
    asked = ["--pairs", tmp_path / "pairs.tsv", "--analogies", tmp_path / "questions.txt"]
    done = run("evaluate", output, *asked, "--json")
    assert done.returncode == 0, done.stderr
    pairs, questions = json.loads(done.stdout)["results"]
    assert (pairs["covered"], pairs["items"]) == (3, 4)
    assert (questions["covered"], questions["items"]) == (1, 2)
    expected = similarity(space, read_word_pairs(tmp_path / "pairs.tsv")).spearman
    assert pairs["spearman"] == expected
    done = run("evaluate", output, *asked, "--json", "--postprocess", "frequency")
    centred = postprocess(space, "frequency")
    expected = similarity(centred, read_word_pairs(tmp_path / "pairs.tsv")).spearman
    assert json.loads(done.stdout)["results"][0]["spearman"] == expected
    (tmp_path / "strange.tsv").write_text("x\ty\t3\nz\ty\t1\n")
    done = run("evaluate", output, "--pairs", tmp_path / "strange.tsv")
    assert done.returncode == 1
    assert "none of its words" in done.stderr
    done = run("evaluate", output, "--pairs", tmp_path / "strange.tsv", *asked, "--json")
    assert json.loads(done.stdout)["results"][0]["spearman"] is None
    done = run("evaluate", output, *asked, "--sections")
    assert "3 of 4 pairs" in done.stdout
    assert "first" in done.stdout
    assert "--postprocess frequency" in done.stdout


def test_a_text_of_one_word_is_no_text(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("the cat. the dog. the end! the rest\n" * 4 + "the\n")
    done = run("train", text, "-o", tmp_path / "space.safetensors")
    assert done.returncode == 1
    assert "only one word, 'the', is left to train on" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == [text]
    done = run("train", text, "-o", tmp_path / "space.safetensors", "--max-size", 1)
    assert "raise --max-size" in done.stderr


def test_train_on_counts_and_its_refusals(tmp_path):
    text, counts = tmp_path / "text.txt", tmp_path / "counts"
    rng = np.random.default_rng(0)
    text.write_text("\n".join(" ".join(rng.choice(WORDS, size=9)) for _ in range(200)))
    assert run("count", text, "-o", counts, "--window", 3).returncode == 0
    output = tmp_path / "space.safetensors"
    for options, code, part in [
        (["--solver", "sampled"], 1, "reads the text itself"),
        (["--window", 4], 1, "window is 4, and the counts were made with window 3"),
        (["--weights", "harmonic"], 1, "made with weights linear"),
        (["--min-count", 9], 1, "leave off --min-count"),
        (["--tokenizer", "words"], 1, "leave off --tokenizer"),
        (["--dim", 41], 1, "dim is 41 and there are 40 words"),
        (["--dim", 0], 2, "dim must be a whole number of at least 1, got 0"),
        (["--negative", -3], 2, "negative must be a whole number of at least 1, got -3"),
    ]:
        done = run("train", counts, "-o", output, *options)
        assert done.returncode == code, options
        assert part in done.stderr
        assert len(done.stderr.splitlines()) == 1, done.stderr
        assert not output.exists()
    done = run("train", counts, "-o", output, "--dim", 5)
    assert done.returncode == 0, done.stderr
    assert "solver: exact (from counts)" in done.stdout
    for model in ("sgns", "glove"):
        done = run("train", counts, "-o", output, "--model", model, "--dim", 4, "--force")
        assert done.returncode == 0, done.stderr
    assert andornot.load(output).target_bias is not None


def test_evaluate_without_data_says_what_to_set(tmp_path, example):
    surroundings = {name: value for name, value in os.environ.items() if name != "ANDORNOT_DATA"}
    done = run("evaluate", example, env=surroundings)
    assert done.returncode == 1
    assert "set ANDORNOT_DATA" in done.stderr
    assert len(done.stderr.splitlines()) == 1
