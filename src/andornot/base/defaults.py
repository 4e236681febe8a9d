"""Defaults of the command, the library and the service.

This module imports nothing heavy, so that the command shows its help quickly.
"""

from __future__ import annotations

from typing import Protocol

from andornot.base.choices import (
    EncoderStep,
    FrequencyFilter,
    Measure,
    OrWeights,
    Postprocess,
    SentenceWeights,
)

MIN_COUNT = 5  # occurrences from which on a word is counted or trained
K = 10  # words per answer, and per completion
MEASURE = Measure.COSINE  # ranking measure of an answer
FREQUENCY = FrequencyFilter.ANY  # frequency filter of the answers
CATEGORY_SIZE = 10  # words added to the given words of a proposed category
GROW_ROUND = 20  # words proposed per round of a growing list
POSTPROCESS = Postprocess.FREQUENCY  # of `postprocess` in Python: the paper's
CONVERT_POSTPROCESS = Postprocess.NONE  # of `convert`: unchanged vectors
CENTER_MODEL_STEP = EncoderStep.FREQUENCY  # of `center-model`
OR_WEIGHTS = OrWeights.UNIFORM  # of OR and of the words of a category; the paper's: frequency
SENTENCE_WEIGHTS = SentenceWeights.SUM  # of the words of a sentence


class _Provenance(Protocol):
    @property
    def postprocess(self) -> str | None: ...


class _Space(Protocol):
    """The attributes of a space that the defaults depend on."""

    @property
    def has_frequencies(self) -> bool: ...

    @property
    def provenance(self) -> _Provenance: ...


def default_postprocess(space: _Space) -> Postprocess:
    """Choose the default post-processing for a space.

    Frequency if the space has frequencies, else uniform; none if it was post-processed already.

    >>> import andornot
    >>> print(default_postprocess(andornot.load("examples/royal.vec")))  # it has no counts
    uniform
    """
    if space.provenance.postprocess:
        return Postprocess.NONE
    return Postprocess.FREQUENCY if space.has_frequencies else Postprocess.UNIFORM
