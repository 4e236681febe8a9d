"""AND of words: triples, their ranks, and what centring changes."""

from dataclasses import replace

import numpy as np
import pytest
from errors import assert_names
from random_spaces import made_space

from andornot import Space
from andornot.experiments import Lab, words
from andornot.experiments.frequent import sizes_of
from andornot.experiments.words import RELATIONS, AmongFrequent, by_frequency, mrr, triples


@pytest.fixture
def bats(tmp_path, monkeypatch):
    folder = tmp_path / "bats" / "3_encyclopedic_semantics"
    folder.mkdir(parents=True)
    for relation in RELATIONS:
        (folder / f"{relation} [x - y].txt").write_text("")
    (folder / "E01 [x - y].txt").write_text("bangkok\tthailand\nparis\tfrance\n")
    (folder / "E07 [x - y].txt").write_text("dog\tunknown/bark\ncat\tmeow/purr\r\n")
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path))
    return folder


def test_triples_and_their_ranks(bats):
    words = ["bangkok", "thailand", "capital", "paris", "france", "cat", "meow", "purr", "sound"]
    rng = np.random.default_rng(1)
    space = made_space([*words, *(f"w{i}" for i in range(40))], rng, dim=30)
    target = np.array(space.target)
    index = space.vocabulary.index
    target[index("bangkok")] = target[index("thailand")] + target[index("capital")]
    target[index("purr")] = target[index("cat")] + target[index("sound")]
    space = Space(space.vocabulary, target)
    found = triples(space)
    named = [tuple(space.vocabulary.word(i) for i in (t.x, t.y, t.z)) for t in found]
    assert named == [
        ("thailand", "capital", "bangkok"),
        ("france", "capital", "paris"),
        ("cat", "sound", "meow"),
    ]
    assert [space.vocabulary.word(i) for i in found[2].others] == ["meow", "purr"]
    asks = Lab(words=frozenset(words) - {"paris"}).asks
    assert triples(space, asks) == [found[0], found[2]]
    scores = mrr(space, "none", [found[0], found[2]])
    first = mrr(space, "none", [found[0]])
    assert first == {"all words": 1.0, "without operands": 1.0, "best answer": 1.0}
    assert scores["best answer"] == 1.0
    assert scores["all words"] < 1


def test_what_centring_changes_among_frequent_words(bats, monkeypatch):
    monkeypatch.setattr("andornot.experiments.frequent.SIZES", (10, 20, 500))
    rng = np.random.default_rng(1)
    words = ["bangkok", "thailand", "capital", *(f"w{i}" for i in range(40))]
    space = made_space(words, rng, dim=30)  # the last words are the most frequent ones
    target = np.array(space.target)
    target[3:20] = target[1] + target[2] + 0.01 * target[3:20]  # rare ones stand in the way
    target[0] = target[1] + target[2] + 0.1 * target[0]
    space = replace(space, target=target.astype(np.float32))
    assert sizes_of(space) == [10, 20, 43]
    found = by_frequency(space, triples(space), Lab())
    assert [each.words for each in found] == [13, 23, 43]
    assert [each.orig for each in found[:2]] == [1, 1]
    assert found[-1].orig == mrr(space, "none", triples(space))["all words"] < 1
    assert found[-1].freq == mrr(space, "frequency", triples(space))["all words"]


def test_what_is_said_of_words():
    def rows(*figures):
        return [AmongFrequent(n, a, b) for n, (a, b) in enumerate(figures, start=5)]

    said = words._verdict(
        {
            "SGNS": rows((0.1, 0.1), (0.1, 0.2)),
            "GloVe": rows((0.1, 0.2), (0.2, 0.1), (0.2, 0.1)),
            "BERT": rows((0.1, 0.05), (0.1002, 0.1)),
        }
    )
    up, same, down, *wheres = said.split(". ")
    assert_names(up, "rises", "SGNS", "as in the paper")
    assert_names(same, "stays", "BERT", "contradicts")
    assert_names(down, "falls", "GloVe", "contradicts")
    for model, where in zip(("SGNS", "GloVe", "BERT"), wheres, strict=True):
        assert_names(where, f"For {model} ", "6 words", "among 5, ")
    assert_names(wheres[1], "0.100 to 0.200")
