"""Job 5: Codenames: a clue that leads a partner to some words of a board and not to the others.

The partner sees only the clue, and picks the two words of the board that are nearest to it in other
vectors, those of GloVe 6B. Two given: the clue is for two words of the board. Nine own: the giver
chooses two of nine words as well, and any of the nine is right.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError
from andornot.base.moments import unit_rows
from andornot.base.progress import track
from andornot.datasets.game_words import read_game_words
from andornot.datasets.locating import locate
from andornot.experiments.glove_6b import NAME, REMEDY, glove_6b
from andornot.experiments.jobs.first_words import FIRST, Ids, vocabularies
from andornot.experiments.jobs.frames import frame
from andornot.experiments.jobs.halves import Choice, Scores, choose
from andornot.experiments.jobs.job import JobResult, at_least, at_most, mean_of
from andornot.experiments.lab import Lab
from andornot.experiments.report import Cell, Table
from andornot.space import Space
from andornot.words.stop_words import STOP_WORDS

FRAMES = ("raw", "freq", "[v;u] white")
BOARD, PICKS, CLUES = 25, 2, 5000
GAMES = {"two given": (2, 400), "nine own": (9, 240)}  # own words, and boards
SUM, NAIVE, OURS = "sum, the paper's", "mean - mean of the others", "min - max of the others"
ANY = "any of these"
Rows = npt.NDArray[np.float32]


class Deal(NamedTuple):
    """What is dealt: the words of every board, and the clues that are allowed for it."""

    words: tuple[str, ...]  # of the game
    clues: tuple[str, ...]
    boards: Ids  # 25 words each, the own ones first
    allowed: npt.NDArray[np.bool_]  # board by clue


def datasets() -> list[str]:
    """The words of the game; the vectors of the partner are in a package."""
    return ["codenames"]


def deal(words: list[str], space: Space, known: Ids, partner: Space) -> Deal:
    """Deal the boards from the words that giver and partner know.

    A clue is one of the 5,000 most frequent words of more than two letters that aren't stop words.
    It may not contain a word of the board, nor be contained in one.
    """
    vocabulary = [
        space.vocabulary.word(int(i))
        for i in known[np.argsort(-space.counts[known], kind="stable")]
    ]
    both = set(vocabulary) & set(partner.words)
    game = tuple(word for word in words if word in both)
    if len(game) < BOARD:
        raise AndornotError(
            f"a board has {BOARD} words, and only {len(game)} words of the game are known; use a "
            "space with more words"
        )
    clues = tuple(
        word
        for word in vocabulary
        if word.isalpha() and len(word) > 2 and word not in STOP_WORDS and word in both
    )[:CLUES]
    rng = np.random.default_rng(0)
    number = max(boards for _, boards in GAMES.values())
    boards = np.array([rng.choice(len(game), BOARD, replace=False) for _ in range(number)])
    clash = np.array([[word in clue or clue in word for word in game] for clue in clues])
    return Deal(game, clues, boards, np.asarray(~clash[:, boards].any(axis=2).T))


def clue_scores(cosines: Rows, products: Rows, pairs: Ids, own: int) -> dict[str, Rows]:
    """Return the score of each clue for each pair of own words, by every method.

    Args:
        cosines: Those of each clue with each word of the board.
        products: Those of each word of the board with each other.
        pairs: The pairs, a row each.
        own: How many words are own; the others are to be avoided.
    """
    chosen = np.zeros((len(pairs), BOARD), dtype=np.float32)
    np.put_along_axis(chosen, pairs, 1 / PICKS, axis=1)
    rest = (np.arange(BOARD) >= own).astype(np.float32)
    rest /= rest.sum()
    along = (chosen @ products @ rest) / (rest @ products @ rest)
    first, second = cosines[:, pairs[:, 0]], cosines[:, pairs[:, 1]]
    least, most = np.minimum(first, second), cosines[:, own:].max(axis=1, keepdims=True)
    odds = np.exp(10 * cosines)
    p, q = (odds / odds.sum(axis=1, keepdims=True))[:, pairs.T].transpose(1, 0, 2)

    def cosine_with(weights: npt.NDArray[Any]) -> Rows:
        """The cosine of each clue with a weighted sum of the words of the board."""
        lengths = np.sqrt(np.einsum("ij,jk,ik->i", weights, products, weights))
        return np.asarray(cosines @ weights.T / lengths)

    return {
        SUM: cosine_with(chosen),
        NAIVE: cosine_with(chosen - rest),
        "2 mean - mean of the others": cosine_with(2 * chosen - rest),
        "orthogonal to the mean of the others": cosine_with(chosen - np.outer(along, rest)),
        "min": least,
        "product of 1 + cosine": (1 + first) * (1 + second),
        "min - max of the others / 2": least - most / 2,
        OURS: least - most,
        "mean - max of the others": (first + second) / 2 - most,
        "chance that both are picked first": p * q / (1 - p) + p * q / (1 - q),
    }


class Played(NamedTuple):
    """What came of every board by setting, which is a frame, a colon and a method."""

    keys: list[str]
    right: dict[str, Scores]  # of two picks


def play(dealt: Deal, game: str, givers: dict[str, tuple[Rows, Rows]], partner: Rows) -> Played:
    """Play every board of a game by every method.

    Args:
        dealt: The boards.
        game: "two given" or "nine own".
        givers: For each frame the unit rows of the clues and of the words of the game.
        partner: The cosines of the partner, clue by word of the game.
    """
    own, number = GAMES[game]
    pairs = np.array(list(combinations(range(own), PICKS)))
    right: dict[str, Scores] = {}
    for name, (clues, words) in track(givers.items(), f"Codenames, {game}"):
        for board in range(number):
            dealt_words = dealt.boards[board]
            allowed = np.flatnonzero(dealt.allowed[board])
            rows = words[dealt_words]
            found = clue_scores(clues[allowed] @ rows.T, rows @ rows.T, pairs, own)
            for method, scores in found.items():
                clue = allowed[int(scores.argmax()) // len(pairs)]
                picked = np.argsort(-partner[clue, dealt_words], kind="stable")[:PICKS]
                counts = right.setdefault(f"{name}: {method}", np.empty(number))
                counts[board] = np.count_nonzero(picked < own)
    return Played([f"board {i}" for i in range(number)], right)


def run(space: Space, lab: Lab) -> JobResult:
    """Play both games by every method; left out if the partner's package is not installed."""
    partner = glove_6b()
    title = "Codenames"
    if partner is None:
        lab.say(f"without {title}: {REMEDY}")
        return JobResult("codenames", title, f"left out: {NAME} is not installed ({REMEDY})", ())
    words = read_game_words(locate("codenames"))
    frames = {name: unit_rows(frame(space, name)) for name in FRAMES}
    found: dict[str, dict[str, Played]] = {game: {} for game in GAMES}
    items = []
    for name, known in vocabularies(space).items():
        dealt = deal(words, space, known, partner)
        items.append(f"{len(dealt.words)} of the game's words in {name}")
        ids = [
            [space.vocabulary.index(word) for word in each] for each in (dealt.clues, dealt.words)
        ]
        givers = {each: (rows[ids[0]], rows[ids[1]]) for each, rows in frames.items()}
        theirs = [
            unit_rows(partner.target[[partner.vocabulary.index(word) for word in each]])
            for each in (dealt.clues, dealt.words)
        ]
        for game in GAMES:
            found[game][name] = play(dealt, game, givers, theirs[0] @ theirs[1].T)
    two, nine = (found[game][FIRST] for game in GAMES)
    ours, any_way = _chosen(nine, OURS), _chosen(two, ANY)
    sums = _chosen(two, SUM).of(two.right)
    return JobResult(
        name="codenames",
        title=title,
        items=f"{', '.join(items)}; the partner has {NAME}, 50 dimensions",
        tables=tuple(_table(game, each) for game, each in found.items()),
        bars=(
            at_least(f"nine own, right of 2, {OURS}", 1.75, mean_of(ours.of(nine.right))),
            at_most(
                f"nine own, boards with a forbidden word, {OURS}", 0.25, _forbidden(nine, ours)
            ),
            at_least(f"two given, {ANY} - {SUM}", 0.0, mean_of(any_way.of(two.right) - sums)),
        ),
        numbers={
            game: {
                name: {setting: float(right.mean()) for setting, right in played.right.items()}
                for name, played in each.items()
            }
            for game, each in found.items()
        },
    )


def _chosen(played: Played, method: str) -> Choice:
    """Choose the frame of a method, or of any method."""
    right = played.right
    return choose(
        {name: right[name] for name in right if method in (ANY, name.partition(": ")[2])},
        played.keys,
    )


def _forbidden(played: Played, choice: Choice) -> float:
    """Return the share of boards on which the partner picked a word that isn't own."""
    return float(np.mean(choice.of(played.right) < PICKS))


def _table(game: str, found: dict[str, Played]) -> Table:
    """Each method with the frame that is the best on the other half of the boards."""
    rows: list[tuple[Cell, ...]] = []
    methods = dict.fromkeys(name.partition(": ")[2] for name in found[FIRST].right)
    for method in (*methods, ANY):
        row: list[Cell] = [method]
        for each in found.values():
            choice, sums = _chosen(each, method), _chosen(each, SUM).of(each.right)
            right = choice.of(each.right)
            row += [str(mean_of(right)), str(mean_of(right - sums)), _forbidden(each, choice)]
        rows.append((*row, str(_chosen(found[FIRST], method))))
    columns = [
        column
        for name in found
        for column in (f"{name}, right of 2", "- sum", "boards with a forbidden word")
    ]
    return Table(f"Codenames, {game}", ("", *columns, "chosen"), tuple(rows))
