"""Estimates of the time and memory of a training, from a trial of a few seconds on its text."""

from __future__ import annotations

import math
import time
import warnings
from contextlib import suppress
from typing import NamedTuple

from andornot.base.choices import Model, Solver
from andornot.base.errors import AndornotWarning
from andornot.cooccurrence import Cooccurrence, count
from andornot.corpus import Corpus
from andornot.corpus.edits import beginning
from andornot.experiments.lab import WEIGHTS, Training
from andornot.training import Step, train

TRIAL_SECONDS = 4.0
TRIAL_TOKENS = 4_000_000
_FLOAT, _PAIR = 4, 12  # bytes
_MATRICES = {  # vectors and other matrices of the solver
    (Model.SGNS, Solver.SAMPLED): 2,
    (Model.SGNS, Solver.EXACT): 6,
    (Model.GLOVE, Solver.SAMPLED): 4,
    (Model.GLOVE, Solver.EXACT): 4,
}


class Estimate(NamedTuple):
    """A training, and its estimated time in seconds and memory in bytes."""

    what: str
    seconds: float
    memory: float


class _EnoughError(Exception):
    """The trial has run for long enough."""


def estimate(training: Training) -> Estimate:
    """Estimate a training from its speed on the beginning of its text.

    For example `estimate(Lab(Scale.PAPER).text8_training(Model.GLOVE, Solver.SAMPLED)).seconds`.
    """
    settings, words = training.settings, training.vocabulary
    what = f"{settings.model}, {settings.solver}, {len(words):,} words"
    kind = (settings.model, settings.solver)
    memory = float(_FLOAT * _MATRICES[kind] * len(words) * settings.dim)
    if not training.from_counts:
        return Estimate(what, _seconds(training, training.corpus), memory)
    trial = beginning(training.corpus, TRIAL_TOKENS)
    weights = WEIGHTS[settings.model]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AndornotWarning)  # rare words are not in the trial
        began = time.perf_counter()
        counts = count(trial, vocabulary=words, weights=weights)
        counting = (time.perf_counter() - began) * training.corpus.size / trial.size
        half = count(beginning(trial, trial.size // 2), vocabulary=words, weights=weights)
    growth = math.log2(counts.pairs / half.pairs)  # pairs grow as a power of the text size, below 1
    more = (training.corpus.size / trial.size) ** growth
    # exact SGNS processes all pairs of words, including unseen ones
    longer = 1.0 if kind == (Model.SGNS, Solver.EXACT) else more
    seconds = counting + longer * _seconds(training, counts)
    pairs = min(more * counts.pairs, float(len(words)) ** 2)
    return Estimate(what, seconds, memory + _PAIR * pairs)


def _seconds(training: Training, source: Corpus | Cooccurrence) -> float:
    """Estimate the seconds of all epochs from the steps of a few seconds."""
    steps: list[Step] = []

    def watch(step: Step) -> None:
        steps.append(step)
        if len(steps) > 3 and sum(each.seconds for each in steps[2:]) > TRIAL_SECONDS:
            raise _EnoughError

    with suppress(_EnoughError):
        train(
            source,
            training.settings,
            vocabulary=training.vocabulary if isinstance(source, Corpus) else None,
            watch=watch,
        )
    # the first step is empty, and the second may include compilation
    timed = steps[2:] or steps[1:]
    done = timed[-1].done - steps[-len(timed) - 1].done
    return sum(each.seconds for each in timed) / max(done, 1e-9)
