"""The choice of the solver under `auto`, and its reason."""

from __future__ import annotations

from typing import NamedTuple

from andornot.base.choices import LINE_WINDOW, Model, Solver
from andornot.training.settings import Settings

TOKENS_PER_WORD = 100
"""Tokens for each word of the vocabulary from which on exact SGNS pays.

An exact iteration takes time in proportion to the vocabulary, sampled training to the text. It was
measured down to 209 tokens for each word, where exact takes half the time of five sampled epochs to
their loss (results/training-crossover.md); by its growth both take the same at about 120.
"""


class SolverChoice(NamedTuple):
    """A solver, and the reason for it."""

    solver: Solver
    reason: str


def choose_solver(settings: Settings, words: int | None = None, tokens: int = 0) -> SolverChoice:
    """Choose the solver: the one in the settings, or under `auto` the one that pays.

    SGNS is exact on counts, and on a corpus whose vocabulary is small for its length; else sampled.
    GloVe is exact: with its prior it serves better than 25 sampled epochs, and sooner
    (`benchmarks/training.py glove` prints both). Exact solvers need as many words as dimensions.
    A window over the whole line is exact: the sampled one shrinks.

    Args:
        settings: The settings of the training.
        words: Size of the vocabulary of a corpus; None for counts.
        tokens: Size of the corpus.

    >>> choose_solver(Settings(dim=2), words=2, tokens=1000).solver
    <Solver.EXACT: 'exact'>
    """
    if settings.solver != Solver.AUTO:
        return SolverChoice(settings.solver, "as asked")
    if settings.model == Model.SGNS and settings.window == LINE_WINDOW:
        return SolverChoice(Solver.EXACT, "every pair of a line is counted")
    if words is not None and settings.dim > words:
        reason = f"{words:,} words are fewer than {settings.dim} dimensions"
        return SolverChoice(Solver.SAMPLED, reason)
    if settings.model == Model.GLOVE:
        if settings.rate is not None:
            return SolverChoice(Solver.SAMPLED, "a rate was given")
        return SolverChoice(Solver.EXACT, "better vectors than sampled, sooner")
    if words is None:
        return SolverChoice(Solver.EXACT, "from counts")
    pays = tokens >= TOKENS_PER_WORD * words
    reason = (
        f"{tokens / words:,.0f} tokens for each of {words:,} words; exact pays from "
        f"{TOKENS_PER_WORD} on"
    )
    return SolverChoice(Solver.EXACT if pays else Solver.SAMPLED, reason)
