"""Sampled SGNS: the steps for a stretch of text, as small matrix products.

The centres of a group of places in a row share a number n of drawn words. Their scores against the
words of all their windows and against the negatives are one matrix product, and so are the steps of
both sides. Each negative weighs k m / n for a centre with m contexts, so that the expected step is
that of word2vec, which draws k words for each pair. Where that would be too much at once, a group
is trained in several passes, each with a part of the contexts.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.kernels import fast_kernel, kernel
from andornot.training.arithmetic import f32, sigmoid
from andornot.training.drawing import draw, draw_alias, draw_below

_NO_WORD = -1
_LARGEST_GROUP = 16
_LARGEST_STEP = 2.4
NEGATIVES = 32


class Grouping(NamedTuple):
    """The number of places that share their negatives, and of the passes over such a group."""

    places: int
    passes: int


def grouping(largest: float, window: int, negative: int, rate: float) -> Grouping:
    """Return the grouping for a text whose most frequent word is the part `largest` of it.

    All steps of a pass are taken from the same vectors, and those of one word add up. A centre
    with m contexts moves by m (k + 1) steps at once, and a word that occurs twice in a group twice
    as far. Beyond what a window of 5 with 15 negatives has at word2vec's rate, half of that where
    words repeat, the sum can overshoot: then contexts are divided among passes, and where that is
    not enough, groups are smaller.

    >>> grouping(0.06, 5, 15, 0.025), grouping(0.06, 20, 15, 0.025), grouping(0.6, 5, 15, 0.025)
    (Grouping(places=16, passes=1), Grouping(places=16, passes=4), Grouping(places=2, passes=2))
    """
    places = max(1, min(_LARGEST_GROUP, int(1.2 / largest)))
    bound = _LARGEST_STEP if places == _LARGEST_GROUP else _LARGEST_STEP / 2
    wanted = rate * (window + 1) * (negative + 1) / bound
    passes = max(1, min(2 * window, math.ceil(wanted - 1e-9)))
    return Grouping(max(1, min(places, int(places * passes / wanted + 1e-9))), passes)


@fast_kernel
def _add(matrix: npt.NDArray[np.float32], row: int, step: npt.NDArray[np.float32]) -> None:
    for x in range(len(step)):
        matrix[row, x] += step[x]


@kernel
def _mark_contexts(
    places: npt.NDArray[np.int32],
    centre: int,
    reach: int,
    part: int,
    passes: int,
    marks: npt.NDArray[np.bool_],
) -> int:
    """Mark the places up to `reach` from the centre in its sentence; return their number.

    Of the places on both sides, in the order of their distance, only every `passes`-th is taken.
    """
    count = 0
    for side in range(2):
        for distance in range(1, reach + 1):
            place = centre + distance if side else centre - distance
            if places[place] < 0:
                break
            if (2 * distance + side) % passes == part:
                marks[place] = True
                count += 1
    return count


@fast_kernel
def train_stretch(
    tokens: npt.NDArray[np.int32],
    start: int,
    stop: int,
    target: npt.NDArray[np.float32],
    context: npt.NDArray[np.float32],
    keep: npt.NDArray[np.uint64],
    other: npt.NDArray[np.int32],
    window: int,
    negative: int,
    grouping: Grouping,
    first_rate: float,
    last_rate: float,
    state: npt.NDArray[np.uint64],
    mass: npt.NDArray[np.float64],
) -> None:
    """Train on the centres from `start` to `stop`; mass[w] grows by the pairs that w was in.

    Threads call this at the same time on the same matrices, without locks: steps that meet in a
    row may lose a little of each other (Hogwild), which does no harm.
    """
    group_length, passes = grouping
    dim = target.shape[1]
    span = group_length + 2 * window
    size = NEGATIVES + span
    centres = np.zeros((group_length, dim), dtype=np.float32)
    outputs = np.zeros((size, dim), dtype=np.float32)  # the negatives, then the words in sight
    centre_steps = np.empty((group_length, dim), dtype=np.float32)
    output_steps = np.empty((size, dim), dtype=np.float32)
    scores = np.empty((group_length, size), dtype=np.float32)
    drawn = np.empty(NEGATIVES, dtype=np.int64)
    places = np.empty(span, dtype=np.int32)
    marks = np.empty((group_length, span), dtype=np.bool_)
    reaches = np.empty(group_length, dtype=np.int64)
    contexts = np.empty(group_length, dtype=np.int64)
    for group in range(start, stop, group_length):
        rate = f32(first_rate + (last_rate - first_rate) * (group - start) / (stop - start))
        for j in range(span):
            place = group - window + j
            inside = 0 <= place < len(tokens) and place < min(group + group_length, stop) + window
            places[j] = tokens[place] if inside else _NO_WORD
        for i in range(group_length):
            reaches[i] = 1 + draw_below(state, window)
        for part in range(passes):
            for j in range(NEGATIVES):
                drawn[j] = draw_alias(state, keep, other)
                outputs[j] = context[drawn[j]]
            for j in range(span):
                if places[j] >= 0:
                    outputs[NEGATIVES + j] = context[places[j]]
            marks[:] = False
            for i in range(group_length):
                word = places[window + i] if group + i < stop else _NO_WORD
                contexts[i] = 0
                if word >= 0:
                    centres[i] = target[word]
                    contexts[i] = _mark_contexts(
                        places, window + i, reaches[i], part, passes, marks[i]
                    )
                    mass[word] += contexts[i]
            np.dot(centres, outputs.T, scores)
            for i in range(group_length):
                share = -rate * f32(negative * contexts[i]) / f32(NEGATIVES)
                for j in range(NEGATIVES):
                    scores[i, j] = share * sigmoid(scores[i, j])
                for j in range(span):
                    score = scores[i, NEGATIVES + j]
                    scores[i, NEGATIVES + j] = rate * sigmoid(-score) if marks[i, j] else f32(0)
            np.dot(scores, outputs, centre_steps)
            np.dot(scores.T, centres, output_steps)
            for i in range(group_length):
                if contexts[i]:
                    _add(target, places[window + i], centre_steps[i])
            for j in range(NEGATIVES):
                _add(context, drawn[j], output_steps[j])
            for j in range(span):
                if places[j] >= 0:
                    _add(context, places[j], output_steps[NEGATIVES + j])


@kernel
def subsample(
    tokens: npt.NDArray[np.int32],
    keep: npt.NDArray[np.uint64],
    state: npt.NDArray[np.uint64],
) -> int:
    """Drop words at random, in place, and return how many remain. keep[w] is out of 2^32."""
    written = 0
    for i in range(len(tokens)):
        if tokens[i] < 0 or draw(state) < keep[tokens[i]]:
            tokens[written] = tokens[i]
            written += 1
    return written
