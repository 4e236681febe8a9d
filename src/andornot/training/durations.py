"""About how long a training takes, from the sizes of the work.

The constants were measured on two cores of a server (AMD EPYC, 2024), in seconds of one core.
Another machine may be twice as fast or as slow.
"""

from __future__ import annotations

from andornot.base.choices import LINE_WINDOW, Model, Solver
from andornot.training.settings import WHOLE, ResolvedSettings
from andornot.training.sgns_exact import START
from andornot.training.sgns_gradient import HEAD

_SCORE, _SCORE_DIM = 3e-9, 2.5e-11  # exact SGNS: a pair of words, and each dimension of it
_COUNT_DIM = 1e-10  # exact SGNS, large vocabularies: a dimension of a pair that was counted
_ITERATIONS, _LARGE_ITERATIONS = 30, 14  # exact SGNS, with the default tolerance, by vocabulary
_PATH = 4.0  # how much longer it takes to choose the prior as well
_WORD_DIM = 2.2e-9  # sampled SGNS: a dimension of a word, for each word of its window
_ADAGRAD_DIM = 7e-10  # sampled GloVe: a dimension of a pair
_SWEEPS_DIM = 1.5e-8  # exact GloVe: a dimension of a pair, in all sweeps
_TOKEN = 1e-6  # counting, for each word of the window


def training_seconds(
    settings: ResolvedSettings,
    *,
    words: int,
    threads: int,
    tokens: int = 0,
    lines: int = 0,
    pairs: int | None = None,
    choosing: bool = False,
) -> float:
    """Return about how many seconds a training takes.

    Args:
        settings: Its settings.
        words: Size of the vocabulary.
        threads: How many threads work on it.
        tokens: Size of the text, which is counted first where the solver reads counts.
        lines: How many lines it has; only where the window is the line.
        pairs: Number of pairs that were counted; None estimates it from the text.
        choosing: Whether the prior is chosen along a path.
    """
    window: float = settings.window_size
    if settings.window == LINE_WINDOW:
        window = min(window, (tokens / max(lines, 1) - 1) / 2)  # on each side, in the mean
    if (settings.model, settings.solver) == (Model.SGNS, Solver.SAMPLED):
        return tokens * settings.epochs * settings.dim * window * _WORD_DIM / threads
    counting = 0.0
    if pairs is None:
        counting = tokens * window * _TOKEN
        pairs = pairs_of(tokens, window)
    longer = _PATH if choosing else 1.0
    return (counting + longer * _from_counts(settings, words, pairs)) / threads


def _from_counts(settings: ResolvedSettings, words: int, pairs: int) -> float:
    """Return the seconds of one core for a training from counts."""
    dim = settings.dim
    if settings.model == Model.GLOVE:
        if settings.solver == Solver.SAMPLED:
            return settings.epochs * pairs * dim * _ADAGRAD_DIM
        return pairs * dim * _SWEEPS_DIM
    each = 2 * (_SCORE + dim * _SCORE_DIM)  # a score of each side
    if words <= WHOLE:
        return min(_ITERATIONS, settings.epochs) * words**2 * each
    iteration = 1.5 * HEAD * words * each + 2 * pairs * dim * _COUNT_DIM
    return START * HEAD**2 * each + min(_LARGE_ITERATIONS, settings.epochs) * iteration


def pairs_of(tokens: int, window: float) -> int:
    """Return about how many different pairs of words a text has; fewer are new in a longer one.

    >>> pairs_of(12_500_000, 5)
    22500000
    """
    pairs: float = 0.36 * window * tokens * (max(tokens, 1) / 12.5e6) ** -0.25
    return round(pairs)
