"""A test of the paper's view that a BERT of one layer is a skip-gram model: scores against PMI.

The paper describes such a model, with all attention on one context c, as p(w|c) ~ exp(v_c.u_w): a
dot product of input and output embeddings. BERT ties them, so they are the same vectors here. The
description ignores positions, the feed-forward part, layer norms, and the transform and bias of the
head. Two scores are therefore compared with PMI. The first is that dot product, uncentred and with
v and u centred by frequency. The second is the model's own probability: for the inputs
"[CLS] c [MASK] [SEP]" and "[CLS] [MASK] c [SEP]", the model's PMI is log p(w|c) - log p(w), where
p(w|c) is the mean of the two. The model was not trained on such short inputs.

Among seen pairs, PMI decreases with both frequencies, because the PMI of two rare words is high
after a few chance occurrences. A score that depends only on frequencies correlates with PMI;
-log p(w) is shown as an example. The decisive figure is the partial correlation with both
frequencies held fixed: the least-squares prediction from log p(c), log p(w), their squares and
their product is subtracted from score and PMI. Pairs of a word with itself are left out, because
tied vectors make their v.u large.

PMI is counted for pairs that occur more than once, in a window of five tokens on each side. SGNS is
trained on the same word pieces of the same text, with as many dimensions and the same window.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.choices import Model, Scale, Solver
from andornot.base.errors import AndornotError
from andornot.base.progress import track
from andornot.cooccurrence import Cooccurrence, count
from andornot.cooccurrence.pmi import pmi_blocks
from andornot.corpus import open_corpus
from andornot.corpus.edits import beginning, cut_into_pieces
from andornot.encoders.final_layer import open_model
from andornot.experiments.bert import first_layer
from andornot.experiments.correlations import pearson, products
from andornot.experiments.intervals import Interval, interval
from andornot.experiments.lab import EPOCHS, Lab, Training
from andornot.experiments.masked_text import CLS, MASK, SEP
from andornot.experiments.report import Table
from andornot.formats.model_folder import ModelFolder
from andornot.model_pmi import model_pmi
from andornot.postprocessing import postprocess
from andornot.space import Space
from andornot.training import Settings

CENTRED = "v.u, centred"
SCORES = ("v.u", CENTRED, "the model's PMI")
LEFT_OVER = 0.05
"""Partial correlations up to this are negligible: a model after 12 steps has .02."""

_TOKENS = {Scale.QUICK: 1_000_000, Scale.HERE: 10_000_000, Scale.PAPER: 50_000_000}
_FEWEST = 1000  # neighbours of a context, which then occurs about a hundred times
_CONTEXTS = 1000  # contexts that are drawn
_LEAST_COUNT = 5  # least count of a token
_AT_A_TIME = 32  # contexts whose scores are in memory at a time
Values = npt.NDArray[np.float64]
Ids = npt.NDArray[np.int64]


class PmiPairs(NamedTuple):
    """Pairs of a context and a word that occur more than once: ids, PMI and log frequencies."""

    contexts: Ids
    words: Ids
    pmi: Values
    log_contexts: Values
    log_words: Values


class PmiCorrelation(NamedTuple):
    """The correlation of a score with PMI, and the partial one with both frequencies held fixed."""

    plain: Interval
    partial: Interval


class PmiScores(NamedTuple):
    """The correlations of a model's scores by name, and of -log p(w) over the same pairs."""

    scores: dict[str, PmiCorrelation]
    chance: Interval


class PmiStudy(NamedTuple):
    """The correlations of models over the same pairs.

    Attributes:
        models: The correlations of a BERT and of SGNS.
        leads: By score, the partial correlation of BERT minus that of SGNS.
    """

    models: dict[str, PmiScores]
    leads: dict[str, Interval]


def pmi_of_models(lab: Lab, name: str, model: ModelFolder) -> PmiStudy:
    """Correlate the scores of a BERT, and of SGNS on the same word pieces, with PMI."""
    space = first_layer(lab, model)
    assert space.pieces is not None
    corpus = cut_into_pieces(open_corpus([lab.wiki_text()], tokenizer="whitespace"), space.pieces)
    settings = Settings(
        model=Model.SGNS,
        solver=Solver.SAMPLED,
        dim=space.dim,
        epochs=EPOCHS[Model.SGNS],
        held_out=0,
        seed=lab.seed,
    )
    sgns = lab.trained(Training(corpus, settings, _LEAST_COUNT))
    part = beginning(corpus, _TOKENS[lab.scale])
    counts = count(part, min_count=_LEAST_COUNT, weights="flat")
    pairs, same = draw_pairs(counts, [space, sgns], lab.seed)
    ours = scores_of(space, pairs, masked_pmi(model, space, pairs))
    theirs = scores_of(sgns, same, _sgns_pmi(sgns, same))
    return PmiStudy(
        {name: correlations(pairs, ours), "SGNS": correlations(same, theirs)},
        leads(pairs, ours, theirs),
    )


def scores_of(space: Space, pairs: PmiPairs, own: Values) -> dict[str, Values]:
    """Return the scores of pairs by name: v.u, also centred, and the model's own PMI."""
    centred = postprocess(space, "frequency")
    return dict(zip(SCORES, (dots(space, pairs), dots(centred, pairs), own), strict=True))


def correlations(pairs: PmiPairs, scores: Mapping[str, Values]) -> PmiScores:
    """Return Pearson's correlation of each score with PMI, over the pairs of random contexts."""
    rest = without_frequencies(pairs, pairs.pmi)
    found = {
        name: PmiCorrelation(
            correlation(pairs.contexts, score, pairs.pmi),
            correlation(pairs.contexts, without_frequencies(pairs, score), rest),
        )
        for name, score in scores.items()
    }
    return PmiScores(found, correlation(pairs.contexts, -pairs.log_words, pairs.pmi))


def leads(
    pairs: PmiPairs, first: Mapping[str, Values], second: Mapping[str, Values]
) -> dict[str, Interval]:
    """Return by score the partial correlation of one model minus that of another.

    Args:
        pairs: The pairs, which are the same for both models.
        first: The scores of the first model.
        second: The scores of the second model.
    """
    rest = without_frequencies(pairs, pairs.pmi)
    found = {}
    for name in SCORES:
        one, other = (
            _sums(pairs.contexts, without_frequencies(pairs, each[name]), rest)
            for each in (first, second)
        )

        def lead(ids: Ids, one: Values = one, other: Values = other) -> float:
            return _over_groups(one[ids]) - _over_groups(other[ids])

        found[name] = interval(lead, len(one))
    return found


def without_frequencies(pairs: PmiPairs, values: Values) -> Values:
    """Return the residuals of values after regression on the frequencies of context and word."""
    a, b = pairs.log_contexts, pairs.log_words
    known = np.stack([np.ones(len(a)), a, b, a * a, b * b, a * b], axis=1)
    factors = np.linalg.lstsq(known, values, rcond=None)[0]
    rest: Values = values - known @ factors
    return rest


def draw_pairs(counts: Cooccurrence, spaces: Sequence[Space], seed: int) -> list[PmiPairs]:
    """Return the pairs of random contexts with enough neighbours, by the ids of each space.

    Words that a space doesn't have are left out for all spaces.
    """
    ids = np.array([_ids_in(space, counts.vocabulary.words) for space in spaces])
    known = ids.min(axis=0) >= 0
    often = np.flatnonzero((counts.marginal >= _FEWEST) & known)
    if not len(often):
        raise AndornotError(
            f"PMI needs a token with at least {_FEWEST:,} neighbours, and the text has none; use "
            "more text"
        )
    rng = np.random.default_rng(seed)
    drawn = rng.choice(often, size=min(_CONTEXTS, len(often)), replace=False)
    p = counts.probability
    parts = []
    for block in pmi_blocks(counts):
        rows, columns = block.rows, block.columns
        wanted = (block.counts > 1) & np.isin(rows, drawn) & known[columns]
        wanted &= rows != columns
        c, w = rows[wanted], columns[wanted]
        parts.append((c, w, block.pmi[wanted], np.log(p[c]), np.log(p[w])))
    contexts, words, *rest = (np.concatenate(each) for each in zip(*parts, strict=True))
    return [PmiPairs(each[contexts], each[words], *rest) for each in ids]


def _ids_in(space: Space, words: Sequence[str]) -> Ids:
    """Return the ids of words in a space, -1 for unknown words."""
    index = {word: number for number, word in enumerate(space.vocabulary.words)}
    return np.array([index.get(word, -1) for word in words], dtype=np.int64)


def dots(space: Space, pairs: PmiPairs) -> Values:
    """Return v_c.u_w of each pair."""
    assert space.context is not None
    found = np.empty(len(pairs.pmi))
    step = 1 << 18
    for start in range(0, len(found), step):
        part = slice(start, start + step)
        v, u = space.target[pairs.contexts[part]], space.context[pairs.words[part]]
        found[part] = np.einsum("ij,ij->i", v, u)
    return found


def masked_pmi(model: ModelFolder, space: Space, pairs: PmiPairs) -> Values:
    """Return log p(w|c) - log p(w), with w predicted from c as the only context, on both sides."""
    import torch

    opened = open_model(model, "AutoModelForMaskedLM")
    assert space.pieces is not None
    numbers = {token: number for number, token in space.pieces.tokens.items()}
    cls, mask, sep = (numbers[each] for each in (CLS, MASK, SEP))
    token_of = np.fromiter(space.pieces.words, dtype=np.int64)  # token id of each word of the space
    order = np.argsort(pairs.contexts, kind="stable")
    distinct, starts = np.unique(pairs.contexts[order], return_index=True)
    bounds = [*starts.tolist(), len(order)]
    found = np.empty(len(order))
    for start in track(range(0, len(distinct), _AT_A_TIME), "predicting from one word"):
        some = token_of[distinct[start : start + _AT_A_TIME]]
        logarithms = []
        for place in (1, 2):
            rows = np.full((len(some), 4), mask, dtype=np.int64)
            rows[:, 0], rows[:, place], rows[:, 3] = cls, some, sep
            with torch.inference_mode():
                scores = opened(input_ids=torch.from_numpy(rows)).logits[:, 3 - place]
                logarithms.append(torch.log_softmax(scores.double(), dim=1).numpy())
        both = np.logaddexp(*logarithms) - np.log(2)
        for row in range(len(some)):
            chosen = order[bounds[start + row] : bounds[start + row + 1]]
            found[chosen] = both[row, token_of[pairs.words[chosen]]]
    return found - np.log(space.probability[pairs.words])


def _sgns_pmi(space: Space, pairs: PmiPairs) -> Values:
    """Return PMI as SGNS models it: v.u plus the term of its negative samples."""
    extra = model_pmi(space)
    return dots(space, pairs) + extra.of_contexts[pairs.words]


def correlation(groups: Ids, first: Values, second: Values) -> Interval:
    """Return Pearson's correlation, with an interval that draws groups of pairs together.

    >>> values = np.array([1.0, 2.0, 3.0, 5.0])
    >>> correlation(np.array([0, 0, 1, 1]), values, -values).value
    -1.0
    """
    sums = _sums(groups, first, second)
    return interval(lambda ids: _over_groups(sums[ids]), len(sums))


def _sums(groups: Ids, first: Values, second: Values) -> Values:
    """Return for each group the sums that Pearson's correlation needs."""
    terms = products(first - first.mean(), second - second.mean())
    _, group = np.unique(groups, return_inverse=True)
    return np.stack([np.bincount(group, weights=term) for term in terms.T], axis=1)


def _over_groups(sums: Values) -> float:
    """Return the correlation over groups."""
    return float(pearson(sums.sum(axis=0, keepdims=True))[0])


def pmi_table(found: PmiStudy) -> Table:
    """Return a table of the correlations with their 95 % intervals."""
    rows = []
    for name, each in found.models.items():
        rows += [(f"{name}: {score}", *map(str, each.scores[score])) for score in SCORES]
        rows.append((f"{name}: -log p(w)", str(each.chance), ""))
    first, second = found.models
    rows += [
        (f"{first} minus {second}: {name}", "", str(lead)) for name, lead in found.leads.items()
    ]
    header = ("", "Pearson", "frequencies held fixed")
    return Table("Correlation of a model's scores with counted PMI", header, tuple(rows))
