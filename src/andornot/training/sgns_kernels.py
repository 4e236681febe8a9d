"""Sampled SGNS: the steps for a stretch of text, as small matrix products.

The centres of a group of places in a row share a number n of drawn words. Their scores against the
words of all their windows and against the negatives are one matrix product, and so are the steps of
both sides. Each negative weighs k m / n for a centre with m contexts, so that the expected step is
that of word2vec, which draws k words for each pair.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from andornot.kernels import fast_kernel, kernel
from andornot.training.arithmetic import f32, sigmoid
from andornot.training.drawing import draw, draw_alias, draw_below

_NOBODY = -1
_LARGEST_GROUP = 16
_FEWEST_NEGATIVES = 32


def group_size(probability: npt.NDArray[np.float64]) -> int:
    """How many places share their negatives: few where one word fills much of the text.

    All steps of a group are taken from the same vectors, and those of one word add up: more than
    about one of it in a group, and the sum overshoots.

    >>> group_size(np.array([0.06, 0.03])), group_size(np.array([0.5, 0.5]))
    (16, 2)
    """
    return int(max(1, min(_LARGEST_GROUP, 1.2 / probability.max())))


def negatives_of_group(negative: int) -> int:
    """How many negatives a group shares.

    >>> negatives_of_group(15), negatives_of_group(100)
    (32, 200)
    """
    return max(_FEWEST_NEGATIVES, -(-2 * negative // 8) * 8)


@fast_kernel
def _add(matrix: npt.NDArray[np.float32], row: int, step: npt.NDArray[np.float32]) -> None:
    for x in range(len(step)):
        matrix[row, x] += step[x]


@kernel
def _mark_contexts(
    places: npt.NDArray[np.int32], centre: int, reach: int, marks: npt.NDArray[np.bool_]
) -> int:
    """Mark the places up to `reach` from the centre in its sentence; how many there are."""
    count = 0
    for step in (-1, 1):
        place = centre
        for _ in range(reach):
            place += step
            if places[place] < 0:
                break
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
    group_length: int,
    shared: int,
    first_rate: float,
    last_rate: float,
    state: npt.NDArray[np.uint64],
    mass: npt.NDArray[np.float64],
) -> None:
    """Train on the centres from `start` to `stop`; mass[w] grows by the pairs that w was in.

    Threads call this at the same time on the same matrices, without locks: steps that meet in a
    row may lose a little of each other (Hogwild), which does no harm.
    """
    dim = target.shape[1]
    span = group_length + 2 * window
    size = shared + span
    centres = np.zeros((group_length, dim), dtype=np.float32)
    outputs = np.zeros((size, dim), dtype=np.float32)  # the negatives, then the words in sight
    centre_steps = np.empty((group_length, dim), dtype=np.float32)
    output_steps = np.empty((size, dim), dtype=np.float32)
    scores = np.empty((group_length, size), dtype=np.float32)
    drawn = np.empty(shared, dtype=np.int64)
    places = np.empty(span, dtype=np.int32)
    marks = np.empty((group_length, span), dtype=np.bool_)
    contexts = np.empty(group_length, dtype=np.int64)
    for group in range(start, stop, group_length):
        rate = f32(first_rate + (last_rate - first_rate) * (group - start) / (stop - start))
        for j in range(shared):
            drawn[j] = draw_alias(state, keep, other)
            outputs[j] = context[drawn[j]]
        for j in range(span):
            place = group - window + j
            inside = 0 <= place < len(tokens) and place < min(group + group_length, stop) + window
            places[j] = tokens[place] if inside else _NOBODY
            if places[j] >= 0:
                outputs[shared + j] = context[places[j]]
        marks[:] = False
        for i in range(group_length):
            word = places[window + i] if group + i < stop else _NOBODY
            contexts[i] = 0
            if word >= 0:
                centres[i] = target[word]
                reach = 1 + draw_below(state, window)
                contexts[i] = _mark_contexts(places, window + i, reach, marks[i])
                mass[word] += contexts[i]
        np.dot(centres, outputs.T, scores)
        for i in range(group_length):
            share = -rate * f32(negative * contexts[i]) / f32(shared)
            for j in range(shared):
                scores[i, j] = share * sigmoid(scores[i, j])
            for j in range(span):
                score = scores[i, shared + j]
                scores[i, shared + j] = rate * sigmoid(-score) if marks[i, j] else f32(0)
        np.dot(scores, outputs, centre_steps)
        np.dot(scores.T, centres, output_steps)
        for i in range(group_length):
            if contexts[i]:
                _add(target, places[window + i], centre_steps[i])
        for j in range(shared):
            _add(context, drawn[j], output_steps[j])
        for j in range(span):
            if places[j] >= 0:
                _add(context, places[j], output_steps[shared + j])


@kernel
def subsample(
    tokens: npt.NDArray[np.int32],
    keep: npt.NDArray[np.uint64],
    state: npt.NDArray[np.uint64],
) -> int:
    """Drop words at random, in place; how many tokens remain. keep[w] is out of 2^32."""
    written = 0
    for i in range(len(tokens)):
        if tokens[i] < 0 or draw(state) < keep[tokens[i]]:
            tokens[written] = tokens[i]
            written += 1
    return written
