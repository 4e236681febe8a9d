"""The defaults of the command, the library and the service, in one place.

Nothing heavy is imported here, so that the command can show its help at once.
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

K = 10  # words of an answer, and of a completion
MEASURE = Measure.COSINE  # how an answer ranks words
FREQUENCY = FrequencyFilter.ANY  # which words may be answers
CATEGORY_SIZE = 10  # words beside those for which a category is proposed
GROW_ROUND = 20  # words that a growing list proposes at a time
POSTPROCESS = Postprocess.FREQUENCY  # of `postprocess` in Python: the paper's
CONVERT_POSTPROCESS = Postprocess.NONE  # of `convert`: the vectors as they are
CENTER_MODEL_STEP = EncoderStep.FREQUENCY  # of `center-model`
OR_WEIGHTS = OrWeights.UNIFORM  # of OR and of the words of a category; the paper's: frequency
SENTENCE_WEIGHTS = SentenceWeights.SUM  # of the words of a sentence
PLANE_AXES = OrWeights.UNIFORM  # how words weigh for the axes of the plane, as in the paper


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
