"""Find the words that fit a description."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from andornot.algebra.ask_options import AskOptions
from andornot.algebra.concept import Concept
from andornot.algebra.expression import Term, words_of
from andornot.algebra.nodes import WeightedSum
from andornot.algebra.ranking import Answer, candidates_of, hits_of, operand_ids
from andornot.base.errors import AndornotError, UnknownTextError, UsageError
from andornot.search import largest
from andornot.space import Space

if TYPE_CHECKING:
    from andornot.algebra.logic import Logic

MEASURE = "description"  # the measure of the answer: an adjusted cosine


def describe(logic: Logic, text: str, options: AskOptions) -> Answer:
    """Return the words that fit a description, best first; see `Logic.describe`."""
    if not isinstance(text, str):
        raise UsageError(f"a description must be a text, got {type(text).__name__}")
    if not text.strip():
        raise UsageError("the description is empty; write what the word means")
    candidates = candidates_of(logic, options)
    concept = _concept(logic, text)
    ids, weights = weighed_words(concept)
    scores = logic.descriptions.scores(ids, weights)
    scores[operand_ids(concept)] = -np.inf
    if candidates.passed is None:
        best = largest(scores, options.k)
    else:
        best = candidates.passed[largest(scores[candidates.passed], options.k)]
    best = best[scores[best] > -np.inf]
    if not len(best):
        raise AndornotError(
            "no word is left to rank: the words of a description and their forms are excluded "
            "from the results; change the filter or the description"
        )
    hits = hits_of(logic, best.tolist(), scores[best].tolist())
    return Answer(concept, hits, MEASURE, None, options.filter, fallbacks(logic.space))


def weighed_words(concept: Concept) -> tuple[list[int], list[float]]:
    """Return the ids and weights of the words of a description."""
    index = concept.logic.space.vocabulary.index
    ids = [index(word) for word in words_of(concept.formula)]
    node = concept.node
    factors = node.factors.tolist() if isinstance(node, WeightedSum) else [1.0] * len(ids)
    return ids, factors


def fallbacks(space: Space) -> tuple[str, ...]:
    """Return notes on missing context vectors and frequencies.

    >>> import andornot
    >>> [note.split(";")[0] for note in fallbacks(andornot.load("examples/royal.vec"))]
    ['the space has no context vectors', 'the space has no frequencies']
    """
    notes = []
    done = space.provenance.postprocess
    if done:
        notes.append(f"the vectors had {done} already, so they are not whitened for descriptions")
    if space.context is None:
        notes.append("the space has no context vectors; only target vectors are compared")
    if not space.has_frequencies:
        notes.append("the space has no frequencies; rare words have no penalty")
    return tuple(notes)


def _concept(logic: Logic, text: str) -> Concept:
    try:
        concept = logic.concept(Term(text))
        _ = concept.node
    except UnknownTextError as error:
        if error.unknown:
            raise
        raise AndornotError(f"{text!r} has only stop words; add a more specific word") from None
    return concept
