"""Artificial OR words: a_OR_b stands for a and for b in a copy of the text, behind the text itself.

Its vector is compared with the OR of a and b, to first order (the paper) and exactly. The OR moves
with the origin, cosines and ranks don't: all three centrings are shown.

The paper says that such words satisfy p(a_OR_b | c) = p(a | c) + p(b | c) exactly. They do only for
contexts c that stay. Words that are replaced in the copy are contexts of each other too: a_OR_b
never meets the other replaced words, a and b never meet the other OR words, and SGNS, which counts
what never meets, fits that. The paper's 500 pairs are a drop among 2 million words and a tenth of
those of text8, so here 500 pairs are also drawn in ten parts, each for a text of its own. What
matters is how much of the text is replaced, which a single word as frequent as "a" decides: it is
shown for each. Where rows of counts are added up instead, contexts stay, and the OR holds by
construction (`or_by_construction`).
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from andornot.base.choices import Model, Scale, Solver
from andornot.base.progress import track
from andornot.corpus.edits import add_or_words
from andornot.experiments.centring import ORIGINS, same_for_all_three
from andornot.experiments.lab import TEXT8, WEIGHTS, WIKIPEDIA, Lab, Training
from andornot.experiments.or_by_construction import merged_rows
from andornot.experiments.or_claims import (
    AT_ONCE,
    BY_CONSTRUCTION,
    FIRST,
    PAPER,
    claims_of,
    difference_by_construction,
)
from andornot.experiments.or_compared import Compared, Found, Pairs, compared, together
from andornot.experiments.report import Cell, Finding, Result, Table, legend_below
from andornot.space import Space
from andornot.training.settings import PRIORS
from andornot.words.vocabulary import Vocabulary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WAYS = {"first order": False, "exact": True}
MODELS = {"SGNS": Model.SGNS, "GloVe": Model.GLOVE}


class Case(NamedTuple):
    """How a model is trained, on which text, on how many copies, with how many pairs in each.

    With `merges_rows`, the text is the original one, and the OR words are rows of counts.
    """

    model: Model
    solver: Solver
    pairs: int
    prior: float = 0.0
    texts: int = 1
    wikipedia: bool = False
    merges_rows: bool = False


def cases(lab: Lab) -> dict[str, Case]:
    """What is trained."""
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
        found[f"{sampled}, {pairs} {AT_ONCE}"] = Case(model, Solver.SAMPLED, pairs)
        if lab.scale == Scale.HERE and lab.thorough:
            case = Case(model, Solver.SAMPLED, pairs, wikipedia=True)
            found[f"{sampled}, {pairs} in Wikipedia"] = case
    if lab.scale == Scale.HERE:
        found["SGNS, exact, no prior, 10 x 50"] = Case(Model.SGNS, Solver.EXACT, 50, texts=10)
    return found


def drawn(lab: Lab, case: Case) -> list[tuple[Training, Pairs]]:
    """The trainings of a case, and the pairs that were drawn for each."""
    if case.wikipedia:
        corpus, min_count = lab.phrase_corpus.corpus, WIKIPEDIA[lab.scale].min_count
        settings = lab.phrase_trainings()["SGNS" if case.model == Model.SGNS else "GloVe"].settings
    else:
        corpus, min_count = lab.text8.corpus, TEXT8[lab.scale].min_count
        settings = lab.text8_settings(case.model, case.solver, case.prior)
    above = TEXT8[lab.scale].min_count
    found = []
    first = 1 + (lab.seed - 1) * case.texts  # no other seed draws the same pairs
    for number in range(case.texts):
        doubled, pairs = add_or_words(corpus, case.pairs, above, first + number)
        if case.merges_rows:
            found.append((Training(corpus, settings, min_count), pairs))
            continue
        # the words of the text itself, though most come twice as often in the doubled one
        words = [*corpus.choose(min_count).words, *(f"{a}_OR_{b}" for a, b in pairs)]
        found.append((Training(doubled, settings, min_count, Vocabulary(words)), pairs))
    return found


def datasets(lab: Lab) -> list[str]:
    """The texts of the models."""
    wikipedia = lab.phrase_datasets if _takes_wikipedia(lab) else []
    return wikipedia if lab.scale == Scale.PAPER else [*lab.text8_datasets, *wikipedia]


def _takes_wikipedia(lab: Lab) -> bool:
    return any(case.wikipedia for case in cases(lab).values())


def trainings(lab: Lab) -> dict[str, Training]:
    """All of them."""
    return {
        f"{name}, text {number}": training
        for name, case in cases(lab).items()
        for number, (training, _) in enumerate(drawn(lab, case), start=1)
    }


def run(lab: Lab) -> Result:
    """The mean cosine and rank of a_OR_b for the OR of a and b."""
    found: Found = {}
    rows: list[tuple[Cell, ...]] = []
    texts: list[Table] = []
    told: list[str] = []
    slopes = {}
    for name, case in cases(lab).items():
        spaces = [(lab.trained(training), pairs) for training, pairs in drawn(lab, case)]
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
            compares = way == "first order" and case.texts == 1
            cells = (*map(str, each), str(each[0].cosine), papers if compares else "")
            rows.append((f"{name}, {way}", *cells))
    same = same_for_all_three(
        {
            name: [each[f"{method}, first order"].cosine.value for method in ORIGINS]
            for name, each in found.items()
        }
    )
    return Result(
        name="or-artificial",
        title="Artificial OR words",
        corpus=_text(lab),
        agreement=" ".join([_said(lab, found), *_said_of_construction(found, slopes), *told, same]),
        tables=(
            Table(
                "Mean cosine (mean rank)",
                ("", *ORIGINS, "mean cosine of orig, 95 % over pairs", "paper"),
                tuple(rows),
            ),
            *texts,
        ),
        numbers={
            name: {key: {"cosine": value.cosine, "rank": value.rank} for key, value in each.items()}
            for name, each in found.items()
        }
        | {"largest slope of a row by construction": slopes},
        findings=tuple(
            Finding(f"{name}, {what}", ours.value, paper)
            for name, case in cases(lab).items()
            for what, ours, paper in zip(
                ("mean cosine", "mean rank"),
                (found[name][FIRST].cosine, found[name][FIRST].rank),
                PAPER[case.model] if case.texts == 1 else (None, None),
                strict=True,
            )
        ),
        claims=claims_of(
            found, {name: case.model for name, case in cases(lab).items()}, _papers_own(lab)
        ),
        draw=lambda figure: _draw(figure, found),
    )


def _papers_own(lab: Lab) -> dict[Model, str]:
    """The case of each model that is nearest to the paper's: sampled, in Wikipedia if it is."""
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
        f"Mean cosine (mean rank) as trained, to first order: {said}, where 500 pairs are few "
        "among 2 million words."
    )


def _said_of_construction(found: Found, slopes: dict[str, float]) -> list[str]:
    """What is found where the OR holds by construction, and against the same pairs in a copy."""
    if not slopes:
        return []
    said = []
    for name in slopes:
        gap = difference_by_construction(found, name)
        assert gap is not None
        than = {1: "more than", -1: "less than", 0: "not distinguishable from"}[gap.sign]
        said.append(f"{name} {found[name][FIRST]}, {than} in a copy (by {gap})")
    return [
        f"Where rows of counts are added up and contexts stay: {'; '.join(said)}. These rows are "
        f"solved until the gradient is at most {max(slopes.values()):.0e} of that at 0."
    ]


class PartOfPairs(NamedTuple):
    """One of several texts: how much of it was replaced, its most frequent word, the result."""

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
    return Table(f"{name}, uncentred, to first order, text by text", header, rows)


def _said_of_texts(name: str, found: Compared, parts: list[PartOfPairs]) -> str:
    """What the texts have together, and which is the worst."""
    first = sum(round(part.rank, 3) <= 1 for part in parts)
    worst = max(parts, key=lambda part: part.rank)
    said = (
        f"In {len(parts)} texts with a part of the pairs each, which the paper has no need of "
        f"({name}): {found}; {first} of them have a mean rank of 1.000"
    )
    if first < len(parts):
        said += (
            f", the worst is {_shown(worst.cosine, worst.rank)}, where {worst.word!r} was "
            f"replaced and with it {worst.replaced:.1%} of the text"
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
