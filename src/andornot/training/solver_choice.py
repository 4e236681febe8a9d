"""The choice of the solver under `auto`, and its reason."""

from __future__ import annotations

from typing import NamedTuple

from andornot.base.choices import LINE_WINDOW, Model, Solver
from andornot.training.settings import Settings

TOKENS_PER_WORD = 200
"""Tokens for each word of the vocabulary from which on `auto` takes exact SGNS.

An exact iteration takes time in proportion to the vocabulary, sampled training to the text. From
209 tokens for each word on, exact training scores above five sampled epochs on three or all four of
the datasets. With 209 it takes twice as long, and less has not been measured
(results/training-crossover.md).
"""

MOST_WORDS = 60_000
"""Size of the vocabulary of a text up to which `auto` takes exact SGNS.

With 180,143 words and 363 tokens for each, exact training takes three times as long as five sampled
epochs and scores above them on one of the four datasets. With 40,000 words it does so on three.
"""


class SolverChoice(NamedTuple):
    """A solver, and the reason for it."""

    solver: Solver
    reason: str


def choose_solver(settings: Settings, words: int, tokens: int | None = None) -> SolverChoice:
    """Choose the solver: the one in the settings, or under `auto` the one that pays.

    SGNS is exact on counts, and on a corpus with a small vocabulary for its length; else sampled.
    GloVe is exact: with its prior it scores higher than 25 sampled epochs
    (`benchmarks/training.py glove` prints both). Exact solvers need as many words as dimensions.
    A window over the whole line is exact: the sampled one shrinks.

    Args:
        settings: The settings of the training.
        words: Size of the vocabulary.
        tokens: Size of the corpus; None for counts.

    >>> choose_solver(Settings(dim=2), words=2, tokens=1000).solver
    <Solver.EXACT: 'exact'>
    """
    if settings.solver != Solver.AUTO:
        return SolverChoice(settings.solver, "as asked")
    if settings.model == Model.SGNS and settings.window == LINE_WINDOW:
        return SolverChoice(Solver.EXACT, "every pair of a line is counted")
    if settings.model == Model.SGNS and tokens is None:
        return SolverChoice(Solver.EXACT, "from counts")
    if settings.dim > words:
        reason = f"{words:,} words are fewer than {settings.dim} dimensions"
        return SolverChoice(Solver.SAMPLED, reason)
    if settings.model == Model.GLOVE:
        if settings.rate is not None:
            return SolverChoice(Solver.SAMPLED, "a rate was given")
        return SolverChoice(Solver.EXACT, "it scores higher than sampled")
    assert tokens is not None
    if words > MOST_WORDS:
        reason = f"{words:,} words; exact is chosen for at most {MOST_WORDS:,}"
        return SolverChoice(Solver.SAMPLED, reason)
    enough = tokens >= TOKENS_PER_WORD * words
    reason = (
        f"{tokens / words:,.0f} tokens for each of {words:,} words; exact is chosen from "
        f"{TOKENS_PER_WORD} on"
    )
    return SolverChoice(Solver.EXACT if enough else Solver.SAMPLED, reason)
