"""Artificial OR words: a_OR_b replaces a and b in a copy of the text, appended to the text itself.

Its vector is compared with the OR of a and b, to first order (the paper) and exactly. The vector of
OR moves with the origin, but cosines and ranks depend on it, so all three centrings are shown.

According to the paper, such words satisfy p(a_OR_b | c) = p(a | c) + p(b | c) exactly. This is true
only for contexts c that are not replaced. The replaced words are also contexts of each other:
a_OR_b never occurs with other replaced words, a and b never occur with other OR words, and SGNS,
which is trained on unseen pairs too, fits these zeros. The paper's 500 pairs are few among 2
million words but a tenth of the vocabulary of text8. Here the 500 pairs are therefore also divided
among ten texts. The effect depends on the share of the text that is replaced, which a single word
as frequent as "a" can dominate; the share is shown for each text. All pairs of a text share its
replaced contexts, so three texts with different pairs are trained for the sampled solvers, and
intervals draw texts. If rows of counts are added
instead, the contexts don't change, and the OR holds by construction (`or_by_construction`).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from andornot.base.choices import Model, Scale, Solver
from andornot.base.progress import track
from andornot.corpus.edits import add_or_words
from andornot.experiments.centring import ORIGINS, same_for_all_three
from andornot.experiments.differences import by_sign
from andornot.experiments.intervals import Interval
from andornot.experiments.lab import TEXT8, WEIGHTS, WIKIPEDIA, Lab, Training
from andornot.experiments.or_by_construction import merged_rows
from andornot.experiments.or_claims import (
    AT_ONCE,
    BY_CONSTRUCTION,
    EXACT_EFFECT,
    FIRST,
    PAPER,
    PRIOR_EFFECT,
    claims_of,
    difference_by_construction,
    differences_of_centrings,
    effects_of,
)
from andornot.experiments.or_compared import Compared, Found, Pairs, compared, together
from andornot.experiments.report import Cell, Finding, Result, Table, legend_below, listed
from andornot.space import Space
from andornot.training.settings import PRIORS
from andornot.words.vocabulary import Vocabulary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DRAWS = 3
"""Number of texts, each with its own pairs, for the sampled solvers."""

WAYS = {"first order": False, "exact": True}
MODELS = {"SGNS": Model.SGNS, "GloVe": Model.GLOVE}


class Case(NamedTuple):
    """A training with OR words.

    Attributes:
        model: SGNS or GloVe.
        solver: Sampled or exact.
        pairs: Number of OR words in each text.
        prior: Strength of the prior.
        texts: Number of texts, each with its own pairs.
        wikipedia: Train on Wikipedia instead of text8.
        merges_rows: Train on the original text, and add rows of counts to make OR words.
    """

    model: Model
    solver: Solver
    pairs: int
    prior: float = 0.0
    texts: int = 1
    wikipedia: bool = False
    merges_rows: bool = False


def cases(lab: Lab) -> dict[str, Case]:
    """Return the cases of a scale by name."""
    if lab.scale == Scale.PAPER:
        return {
            name: Case(model, Solver.SAMPLED, 500, wikipedia=True) for name, model in MODELS.items()
        }
    pairs = 20 if lab.scale == Scale.QUICK else 500
    found = {}
    for name, model in MODELS.items():
        sampled = f"{name}, {lab.text8_epochs(model)} sampled epochs"
        for prior in (0.0, PRIORS[model]):
            exact = f"{name}, exact, prior {prior:g}" if prior else f"{name}, exact, no prior"
            case = Case(model, Solver.EXACT, pairs, prior)
            found[f"{exact}, {pairs} {AT_ONCE}"] = case
            found[f"{exact}, {pairs} {BY_CONSTRUCTION}"] = case._replace(merges_rows=True)
        found[f"{sampled}, {pairs} {AT_ONCE}"] = Case(model, Solver.SAMPLED, pairs, texts=DRAWS)
        if lab.scale == Scale.HERE and lab.thorough:
            case = Case(model, Solver.SAMPLED, pairs, wikipedia=True)
            found[f"{sampled}, {pairs} in Wikipedia"] = case
    if lab.scale == Scale.HERE:
        found["SGNS, exact, no prior, 10 x 50"] = Case(Model.SGNS, Solver.EXACT, 50, texts=10)
        fewer = Case(Model.SGNS, Solver.SAMPLED, 50, texts=DRAWS)
        found[f"SGNS, {lab.text8_epochs(Model.SGNS)} sampled epochs, {DRAWS} x 50"] = fewer
    return found


def drawn(lab: Lab, case: Case) -> list[tuple[Training, Pairs]]:
    """Return the trainings of a case, and the pairs that were drawn for each."""
    if case.wikipedia:
        corpus, min_count = lab.phrase_corpus.corpus, WIKIPEDIA[lab.scale].min_count
        settings = lab.phrase_trainings()["SGNS" if case.model == Model.SGNS else "GloVe"].settings
    else:
        corpus, min_count = lab.text8.corpus, TEXT8[lab.scale].min_count
        settings = lab.text8_settings(case.model, case.solver, case.prior)
    above = TEXT8[lab.scale].min_count
    found = []
    first = 1 + (lab.seed - 1) * case.texts  # different seeds draw different pairs
    for number in range(case.texts):
        doubled, pairs = add_or_words(corpus, case.pairs, above, first + number)
        if case.merges_rows:
            found.append((Training(corpus, settings, min_count), pairs))
            continue
        # the vocabulary of the original text: most counts are doubled in the new one
        words = [*corpus.choose(min_count).words, *(f"{a}_OR_{b}" for a, b in pairs)]
        found.append((Training(doubled, settings, min_count, Vocabulary(words)), pairs))
    return found


def datasets(lab: Lab) -> list[str]:
    """Return the texts of the models."""
    wikipedia = lab.phrase_datasets if _takes_wikipedia(lab) else []
    return wikipedia if lab.scale == Scale.PAPER else [*lab.text8_datasets, *wikipedia]


def _takes_wikipedia(lab: Lab) -> bool:
    return any(case.wikipedia for case in cases(lab).values())


def trainings(lab: Lab) -> dict[str, Training]:
    """Return the trainings of all cases."""
    return {
        f"{name}, text {number}": training
        for name, case in cases(lab).items()
        for number, (training, _) in enumerate(drawn(lab, case), start=1)
    }


def run(lab: Lab) -> Result:
    """Measure the mean cosine and rank of a_OR_b for the OR of a and b."""
    found: Found = {}
    rows: list[tuple[Cell, ...]] = []
    texts: list[Table] = []
    told: list[str] = []
    slopes = {}
    words: dict[str, int] = {}
    most = max(case.pairs for case in cases(lab).values())
    for name, case in cases(lab).items():
        spaces = [(lab.trained(training), pairs) for training, pairs in drawn(lab, case)]
        words[name] = len(spaces[0][0]) + case.pairs * case.merges_rows
        merged = None
        if case.merges_rows:
            (space, pairs), counts = spaces[0], lab.text8_counts(WEIGHTS[case.model])
            index = space.vocabulary.index
            ids = [(index(a), index(b)) for a, b in pairs]
            merged, slopes[name] = merged_rows(space, counts, ids)
        each_way = track(list(product(WAYS, ORIGINS)), f"comparing {name}")
        found[name] = {
            f"{method}, {way}": together(
                [compared(s, ORIGINS[method], WAYS[way], p, merged) for s, p in spaces]
            )
            for way, method in each_way
        }
        if case.texts > 1:
            parts = _by_text(lab, spaces)
            texts.append(_table_of_texts(name, parts))
            told.append(_said_of_texts(name, found[name][FIRST], parts))
        papers = _shown(*PAPER[case.model])
        for way in WAYS:
            each = [found[name][f"{method}, {way}"] for method in ORIGINS]
            compares = way == "first order" and case.pairs == most
            cells = (*map(str, each), str(each[0].cosine), papers if compares else "")
            rows.append((f"{name}, {way}", *cells))
    effects = effects_of(found, _bare(cases(lab)))
    same = same_for_all_three(
        {
            name: [each[f"{method}, first order"].cosine.value for method in ORIGINS]
            for name, each in found.items()
        }
    )
    table = Table(
        "Mean cosine (mean rank)",
        ("", *ORIGINS, "mean cosine of orig, 95 % over pairs", "paper"),
        tuple(rows),
    )
    return Result(
        name="or-artificial",
        title="Artificial OR words",
        corpus=_text(lab),
        agreement=listed([_said(lab, found), *_said_of_construction(found, slopes), *told, same]),
        tables=(
            table,
            _table_of_ranks(found, words),
            _table_of_effects(effects),
            _table_of_centrings(found, _papers_own(lab).values()),
            *texts,
        ),
        summary=table,
        numbers={
            name: {key: {"cosine": value.cosine, "rank": value.rank} for key, value in each.items()}
            | {"effects on the mean cosine": effects[name]}
            for name, each in found.items()
        }
        | {"largest slope of a row by construction": slopes},
        findings=tuple(
            Finding(f"{name}, {what}", ours.value, paper)
            for name, case in cases(lab).items()
            for what, ours, paper in zip(
                ("mean cosine", "mean rank"),
                (found[name][FIRST].cosine, found[name][FIRST].rank),
                PAPER[case.model] if case.pairs == most else (None, None),
                strict=True,
            )
        ),
        claims=claims_of(
            found,
            {name: case.model for name, case in cases(lab).items()},
            _papers_own(lab),
            words,
        ),
        draw=lambda figure: _draw(figure, found),
    )


def _bare(cases: dict[str, Case]) -> dict[str, str]:
    """Return for each case with a prior the same case without it."""
    names = {case: name for name, case in cases.items()}
    return {name: names[case._replace(prior=0.0)] for name, case in cases.items() if case.prior}


def _table_of_ranks(found: Found, words: dict[str, int]) -> Table:
    """Return a table of the ranks of orig to first order, and the number of words ranked."""
    rows = []
    for name, each in found.items():
        first = each[FIRST]
        median, share = float(np.median(first.ranks)), float((first.ranks == 1).mean())
        rows.append((name, str(first.rank), median, share, words[name]))
    header = ("", "mean rank, 95 %", "median rank", "share at rank 1", "words")
    return Table("Ranks of orig, first order", header, tuple(rows))


def _table_of_effects(effects: dict[str, dict[str, Interval]]) -> Table:
    columns = (EXACT_EFFECT, PRIOR_EFFECT)
    rows = (
        (name, *(str(each.get(column, "")) for column in columns)) for name, each in effects.items()
    )
    title = "Differences of the mean cosine of orig, with 95 % intervals over the same pairs"
    return Table(title, ("", *columns), tuple(rows))


def _table_of_centrings(found: Found, names: Iterable[str]) -> Table:
    """Return a table of the changes from orig to the other centrings, for the paper's cases."""
    gaps = differences_of_centrings(found, names)
    rows = tuple((name, *map(str, each.values())) for name, each in gaps.items())
    title = "Changes from orig by centring, first order, with 95 % intervals"
    return Table(title, ("", *next(iter(gaps.values()))), rows)


def _papers_own(lab: Lab) -> dict[Model, str]:
    """Return the case nearest to the paper's for each model: sampled, on Wikipedia if trained."""
    return {
        case.model: name
        for wikipedia in (False, True)
        for name, case in cases(lab).items()
        if case.solver == Solver.SAMPLED and case.wikipedia == wikipedia
    }


def _said(lab: Lab, found: Found) -> str:
    said = "; ".join(
        f"{name} {found[name][FIRST]}, paper {_shown(*PAPER[model])}"
        for model, name in _papers_own(lab).items()
    )
    return (
        f"Mean cosine (mean rank), uncentred, to first order: {said}. In the paper, the 500 pairs "
        "are few among 2 million words."
    )


def _said_of_construction(found: Found, slopes: dict[str, float]) -> list[str]:
    """Compare OR words by construction with the same pairs in a copy of the text."""
    if not slopes:
        return []
    gaps = {name: difference_by_construction(found, name) for name in slopes}
    signs = {name: gap.sign for name, gap in gaps.items() if gap is not None}
    return [
        *by_sign(
            signs,
            {
                1: "If rows of counts are added and contexts don't change, the cosine is higher "
                "than in a copy of the text for {}.",
                -1: "It is lower for {}.",
                0: "It is not distinguishable for {}.",
            },
        ),
        "By construction, the gradient of the solved rows is at most "
        f"{max(slopes.values()):.0e} of the gradient at 0.",
    ]


class PartOfPairs(NamedTuple):
    """One of several texts: the share replaced, the most frequent replaced word, the figures."""

    replaced: float
    word: str
    cosine: float
    rank: float


def _by_text(lab: Lab, spaces: list[tuple[Space, Pairs]]) -> list[PartOfPairs]:
    words = lab.text8.corpus.vocabulary
    assert words.counts is not None
    found = []
    for space, pairs in spaces:
        ids = np.array([words.index(word) for pair in pairs for word in pair])
        counts = words.counts.values[ids]
        most = words.word(int(ids[counts.argmax()]))
        share = float(counts.sum() / lab.text8.corpus.size)
        each = compared(space, "none", False, pairs)
        means = float(each.cosines.mean()), float(each.ranks.mean())
        found.append(PartOfPairs(share, most, *means))
    return found


def _table_of_texts(name: str, parts: list[PartOfPairs]) -> Table:
    rows = tuple((number, *part) for number, part in enumerate(parts, start=1))
    header = ("text", "part replaced", "most frequent of it", "mean cosine", "mean rank")
    return Table(f"{name}, uncentred, to first order, by text", header, rows)


def _said_of_texts(name: str, found: Compared, parts: list[PartOfPairs]) -> str:
    """Summarise the texts, and name the worst."""
    first = sum(round(part.rank, 3) <= 1 for part in parts)
    worst = max(parts, key=lambda part: part.rank)
    said = (
        f"{name}: {found} in {len(parts)} texts with different pairs, which the paper doesn't "
        f"have; the mean rank is 1.000 in {first} of them"
    )
    if first < len(parts):
        said += (
            f"; the worst is {_shown(worst.cosine, worst.rank)}, where {worst.word!r} and "
            f"{worst.replaced:.1%} of the text were replaced"
        )
    return f"{said}."


def _text(lab: Lab) -> str:
    names = [] if lab.scale == Scale.PAPER else [lab.text8.name]
    if _takes_wikipedia(lab):
        names.append(lab.phrase_corpus.name)
    return f"{' and '.join(names)}, and a copy with artificial words"


def _shown(cosine: float, rank: float) -> str:
    return f"{cosine:.3f} ({rank:.3f})"


def _draw(figure: Figure, found: Found) -> None:
    figure.set_size_inches(7.2, 1.2 + 0.4 * len(found))
    panel = figure.subplots()
    positions = np.arange(len(found))
    for offset, way in zip((-0.2, 0.2), WAYS, strict=True):
        cosines = [each[f"orig, {way}"].cosine for each in found.values()]
        around = np.array([(each.value - each.low, each.high - each.value) for each in cosines]).T
        values = [each.value for each in cosines]
        panel.barh(positions + offset, values, 0.4, xerr=around, label=f"uncentred, {way}")
    panel.axvline(PAPER[Model.SGNS][0], color="grey", linestyle="--", label="paper, SGNS")
    panel.axvline(PAPER[Model.GLOVE][0], color="grey", linestyle=":", label="paper, GloVe")
    panel.set_yticks(positions, list(found), fontsize="small")
    panel.set_xlabel("mean cosine of a_OR_b with a | b, 95 % over pairs")
    panel.invert_yaxis()
    legend_below(figure, panel)
