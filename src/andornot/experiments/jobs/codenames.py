"""Job 5: Codenames: give a clue that leads a partner to some words of a board and not to others.

The partner sees only the clue and picks the two words of the board that are nearest to it in other
vectors (GloVe 6B). "two given": the clue is for two given words of the board. "nine own": the giver
also chooses two of nine own words, and any of the nine is right.
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
from andornot.experiments.jobs.comparison import Comparison, of_method
from andornot.experiments.jobs.first_words import FIRST, Ids, vocabularies
from andornot.experiments.jobs.frames import frame
from andornot.experiments.jobs.halves import Choice, Scores
from andornot.experiments.jobs.job import ANY, NAIVE, JobResult, at_least, at_most
from andornot.experiments.lab import Lab
from andornot.experiments.report import Cell, Table
from andornot.space import Space
from andornot.words.stop_words import STOP_WORDS

FRAMES = ("raw", "freq", "[v;u] raw", "[v;u] freq", "[v;u] white")
BOARD, PICKS, CLUES = 25, 2, 5000
GAMES = {"two given": (2, 400), "nine own": (9, 240)}  # own words, and boards
SUM, LEAST, CHANCE = "the paper's sum", "min - max of the others", "chance that both picks are own"
OURS = (LEAST, CHANCE)
STEEPNESSES = (10, 20, 30)
SUBTRACTION = f"mean - mean of the others{NAIVE}"
Rows = npt.NDArray[np.float32]


class Deal(NamedTuple):
    """The boards of a game: the words of each, and the clues that are allowed for it."""

    words: tuple[str, ...]  # all words of the game
    clues: tuple[str, ...]
    boards: Ids  # 25 words each, own words first
    allowed: npt.NDArray[np.bool_]  # board by clue


def datasets() -> list[str]:
    """Return the words of the game; the partner's vectors come from a package."""
    return ["codenames"]


def deal(words: list[str], space: Space, known: Ids, partner: Space) -> Deal:
    """Deal the boards from the words that giver and partner know.

    A clue is one of the 5,000 most frequent words that have more than two letters and aren't stop
    words. It may not contain a word of the board or be contained in one.
    """
    vocabulary = [
        space.vocabulary.word(int(i))
        for i in known[np.argsort(-space.counts[known], kind="stable")]
    ]
    both = set(vocabulary) & set(partner.words)
    game = tuple(word for word in words if word in both)
    if len(game) < BOARD:
        raise AndornotError(
            f"a board needs {BOARD} words, but only {len(game)} words of the game are known; use a "
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

    A method that doesn't depend on the pair has a single column.

    Args:
        cosines: Cosines of each clue with each word of the board.
        products: Cosines of the words of the board with each other.
        pairs: The pairs, one row each.
        own: Number of own words; the others must be avoided.
    """
    chosen = np.zeros((len(pairs), BOARD), dtype=np.float32)
    np.put_along_axis(chosen, pairs, 1 / PICKS, axis=1)
    rest = (np.arange(BOARD) >= own).astype(np.float32)
    rest /= rest.sum()
    along = (chosen @ products @ rest) / (rest @ products @ rest)
    first, second = cosines[:, pairs[:, 0]], cosines[:, pairs[:, 1]]
    least, most = np.minimum(first, second), cosines[:, own:].max(axis=1, keepdims=True)

    def cosine_with(weights: npt.NDArray[Any]) -> Rows:
        """Return the cosine of each clue with a weighted sum of the words of the board."""
        lengths = np.sqrt(np.einsum("ij,jk,ik->i", weights, products, weights))
        return np.asarray(cosines @ weights.T / lengths)

    return {
        SUM: cosine_with(chosen),
        SUBTRACTION: cosine_with(chosen - rest),
        "2 mean - mean of the others": cosine_with(2 * chosen - rest),
        "orthogonal to the mean of the others": cosine_with(chosen - np.outer(along, rest)),
        "min": least,
        "product of 1 + cosine": (1 + first) * (1 + second),
        "min - max of the others / 2": least - most / 2,
        LEAST: least - most,
        "mean - max of the others": (first + second) / 2 - most,
        **{
            f"{CHANCE}, {steepness}": chance_of_own(cosines, own, steepness)[:, None]
            for steepness in STEEPNESSES
        },
    }


def chance_of_own(cosines: Rows, own: int, steepness: float) -> npt.NDArray[np.float64]:
    """Return the probability that the partner's first two picks are own words, for each clue.

    The partner picks a word with a probability proportional to exp(steepness * cosine), and then
    a second one: the result is the sum over own words i of p_i (p(own) - p_i)/(1 - p_i).

    >>> cosines = np.log(np.array([[0.5, 0.25, 0.25]], dtype=np.float32))
    >>> chance_of_own(cosines, 2, 1.0).round(3).tolist()  # .5 * .25/.5 + .25 * .5/.75
    [0.417]
    """
    weights = np.exp(steepness * (cosines - cosines.max(axis=1, keepdims=True)).astype(np.float64))
    p = (weights / weights.sum(axis=1, keepdims=True))[:, :own]
    others = p.sum(axis=1, keepdims=True) - p
    return np.asarray((p * others / np.maximum(1 - p, 1e-12)).sum(axis=1))


def play(dealt: Deal, game: str, givers: dict[str, tuple[Rows, Rows]], partner: Rows) -> Comparison:
    """Play every board of a game by every method; the figure is the number of right picks of two.

    The name of a setting is "frame: method".

    Args:
        dealt: The boards.
        game: "two given" or "nine own".
        givers: For each frame, the unit rows of the clues and of the words of the game.
        partner: The partner's cosines of each clue with each word of the game.
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
                clue = allowed[int(scores.argmax()) // scores.shape[1]]
                picked = np.argsort(-partner[clue, dealt_words], kind="stable")[:PICKS]
                counts = right.setdefault(f"{name}: {method}", np.empty(number))
                counts[board] = np.count_nonzero(picked < own)
    return Comparison([f"board {i}" for i in range(number)], right)


def run(space: Space, lab: Lab) -> JobResult:
    """Play both games by every method, or leave them out without the partner's package."""
    partner = glove_6b()
    title = "Codenames"
    if partner is None:
        lab.say(f"leaving out {title}: {REMEDY}")
        return JobResult("codenames", title, f"left out: {NAME} is not installed ({REMEDY})", ())
    words = read_game_words(locate("codenames"))
    frames = {name: unit_rows(frame(space, name)) for name in FRAMES}
    found: dict[str, dict[str, Comparison]] = {game: {} for game in GAMES}
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
    ours = {method: nine.choose(of_method(method)) for method in OURS}
    return JobResult(
        name="codenames",
        title=title,
        items=f"{', '.join(items)}; the partner has {NAME}, 50 dimensions",
        tables=tuple(_table(game, each) for game, each in found.items()),
        bars=(
            *(
                at_least(f"nine own, right of 2, {method}", 1.75, nine.mean(choice))
                for method, choice in ours.items()
            ),
            *(
                at_most(
                    f"nine own, boards with a forbidden word, {method}",
                    0.25,
                    _forbidden(nine, choice),
                )
                for method, choice in ours.items()
            ),
            at_least(
                f"two given, right of 2, {ANY} - {SUM}",
                0,
                two.gain(two.choose(of_method(ANY)), two.choose(of_method(SUM))),
            ),
        ),
        shown_as="Codenames, nine own: right of 2",
        shown={method: nine.mean(nine.choose(of_method(method))) for method in nine.methods},
        numbers={
            game: {name: each.means for name, each in played.items()}
            for game, played in found.items()
        },
    )


def _forbidden(played: Comparison, choice: Choice) -> float:
    """Return the share of boards on which the partner picked a word that is not own."""
    return float(np.mean(choice.of(played.figures) < PICKS))


def _table(game: str, found: dict[str, Comparison]) -> Table:
    """Return a table of the methods, each in the best frame of the other half of the boards."""
    rows: list[tuple[Cell, ...]] = []
    for method in (*found[FIRST].methods, ANY):
        cells: list[Cell] = []
        for each in found.values():
            choice, sums = each.choose(of_method(method)), each.choose(of_method(SUM))
            cells += [str(each.mean(choice)), str(each.gain(choice, sums))]
            cells.append(_forbidden(each, choice))
        rows.append((method, *cells, str(found[FIRST].choose(of_method(method)))))
    columns = [
        column
        for name in found
        for column in (f"right of 2, {name}", f"- {SUM}", "boards with a forbidden word")
    ]
    return Table(f"Codenames, {game}", ("", *columns, "chosen"), tuple(rows))
