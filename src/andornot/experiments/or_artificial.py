"""Artificial OR words: a_OR_b stands for a and for b in a copy of the text, behind the text itself.

Its vector is compared with the OR of a and b, to first order (the paper) and exactly. The OR moves
with the origin, cosines and ranks don't: all three centrings are shown.

Words that are replaced in the copy are contexts of each other too: a_OR_b never meets the other
replaced words, a and b never meet the other OR words, and SGNS, which counts what never meets, fits
that. The paper's 500 pairs are a drop among 2 million words and a tenth of those of text8, so here
500 pairs are also drawn in ten parts, each for a text of its own. What matters is how much of the
text is replaced, which a single word as frequent as "a" decides: it is shown for each.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from andornot.algebra import Logic
from andornot.algebra.expression import Or, Term
from andornot.base.choices import Model, Scale, Solver
from andornot.base.progress import track
from andornot.corpus.edits import add_or_words
from andornot.experiments.centring import ORIGINS, same_for_all_three
from andornot.experiments.lab import TEXT8, WIKIPEDIA, Lab, Training
from andornot.experiments.ranks import ranks, unit_rows
from andornot.experiments.report import Cell, Finding, Result, Table, legend_below
from andornot.space import Space
from andornot.words.vocabulary import Vocabulary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WAYS = {"first order": False, "exact": True}
PAPER = {Model.SGNS: (0.936, 1.012), Model.GLOVE: (0.907, 1.000)}
Pairs = list[tuple[str, str]]
Compared = tuple[float, float]  # mean cosine, mean rank


class Case(NamedTuple):
    """How a model is trained, on how many texts, and with how many pairs in each."""

    model: Model
    solver: Solver
    texts: int
    pairs: int


def cases(lab: Lab) -> dict[str, Case]:
    """What is trained."""
    if lab.scale == Scale.PAPER:
        return {
            "SGNS": Case(Model.SGNS, Solver.SAMPLED, 1, 500),
            "GloVe": Case(Model.GLOVE, Solver.SAMPLED, 1, 500),
        }
    pairs = 20 if lab.scale == Scale.QUICK else 500
    solvers = {
        "SGNS, exact solver": (Model.SGNS, Solver.EXACT),
        f"SGNS, {lab.text8_epochs(Model.SGNS)} sampled epochs": (Model.SGNS, Solver.SAMPLED),
        "GloVe, exact solver": (Model.GLOVE, Solver.EXACT),
        f"GloVe, {lab.text8_epochs(Model.GLOVE)} sampled epochs": (Model.GLOVE, Solver.SAMPLED),
    }
    found = {
        f"{name}, {pairs} at once": Case(*solver, 1, pairs) for name, solver in solvers.items()
    }
    if lab.scale == Scale.QUICK:
        return found
    return found | {"SGNS, exact solver, 10 x 50": Case(Model.SGNS, Solver.EXACT, 10, 50)}


def drawn(lab: Lab, case: Case) -> list[tuple[Training, Pairs]]:
    """The trainings of a case, and the pairs that were drawn for each."""
    if lab.scale == Scale.PAPER:
        corpus, min_count = lab.phrase_corpus.corpus, WIKIPEDIA[lab.scale].min_count
        settings = lab.phrase_trainings()["SGNS" if case.model == Model.SGNS else "GloVe"].settings
    else:
        corpus, min_count = lab.text8.corpus, TEXT8[lab.scale].min_count
        settings = lab.text8_settings(case.model, case.solver)
    least = max(min_count, TEXT8[lab.scale].min_count)
    found = []
    first = 1 + (lab.seed - 1) * case.texts  # no other seed draws the same pairs
    for number in range(case.texts):
        doubled, pairs = add_or_words(corpus, case.pairs, least, first + number)
        # the words of the text itself, though most come twice as often in the doubled one
        words = [*corpus.choose(min_count).words, *(f"{a}_OR_{b}" for a, b in pairs)]
        found.append((Training(doubled, settings, min_count, Vocabulary(words)), pairs))
    return found


def datasets(lab: Lab) -> list[str]:
    """The text of the models."""
    return lab.phrase_datasets if lab.scale == Scale.PAPER else lab.text8_datasets


def trainings(lab: Lab) -> dict[str, Training]:
    """All of them."""
    return {
        f"{name}, text {number}": training
        for name, case in cases(lab).items()
        for number, (training, _) in enumerate(drawn(lab, case), start=1)
    }


def run(lab: Lab) -> Result:
    """The mean cosine and rank of a_OR_b for the OR of a and b."""
    numbers: dict[str, dict[str, Compared]] = {}
    rows: list[tuple[Cell, ...]] = []
    texts: list[Table] = []
    told: list[str] = []
    for name, case in cases(lab).items():
        spaces = [(lab.trained(training), pairs) for training, pairs in drawn(lab, case)]
        each_way = track(list(product(WAYS, ORIGINS)), f"comparing {name}")
        numbers[name] = {
            f"{method}, {way}": _mean(
                [compared(s, ORIGINS[method], WAYS[way], p) for s, p in spaces]
            )
            for way, method in each_way
        }
        if case.texts > 1:
            parts = _by_text(lab, spaces)
            texts.append(_table_of_texts(name, parts))
            told.append(_said_of_texts(name, numbers[name]["orig, first order"], parts))
        for way in WAYS:
            cells = [_shown(numbers[name][f"{method}, {way}"]) for method in ORIGINS]
            compares = way == "first order" and case.texts == 1
            rows.append((f"{name}, {way}", *cells, _shown(PAPER[case.model]) if compares else ""))
    said = "; ".join(
        f"{name} {_shown(numbers[name]['orig, first order'])}, paper {_shown(PAPER[case.model])}"
        for name, case in cases(lab).items()
        if case.texts == 1
    )
    same = same_for_all_three(
        {
            name: [each[f"{method}, first order"][0] for method in ORIGINS]
            for name, each in numbers.items()
        }
    )
    return Result(
        name="or-artificial",
        title="Artificial OR words",
        corpus=f"{_text(lab)} and a copy of it with artificial words",
        agreement=" ".join(
            [
                f"Mean cosine (mean rank) as trained, to first order: {said}, where 500 pairs are "
                "few among 2 million words.",
                *told,
                same,
            ]
        ),
        tables=(
            Table("Mean cosine (mean rank)", ("", *ORIGINS, "paper"), tuple(rows)),
            *texts,
        ),
        numbers=dict(numbers),
        findings=tuple(
            Finding(f"{name}, {what}", ours, paper)
            for name, case in cases(lab).items()
            for what, ours, paper in zip(
                ("mean cosine", "mean rank"),
                numbers[name]["orig, first order"],
                PAPER[case.model] if case.texts == 1 else (None, None),
                strict=True,
            )
        ),
        draw=lambda figure: _draw(figure, numbers),
    )


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
        found.append(PartOfPairs(share, most, *compared(space, "none", False, pairs)))
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
        f"({name}): {_shown(found)}; {first} of them have a mean rank of 1.000"
    )
    if first < len(parts):
        said += (
            f", the worst is {_shown((worst.cosine, worst.rank))}, where {worst.word!r} was "
            f"replaced and with it {worst.replaced:.1%} of the text"
        )
    return f"{said}."


def _text(lab: Lab) -> str:
    return lab.phrase_corpus.name if lab.scale == Scale.PAPER else lab.text8.name


def compared(space: Space, method: str, exact: bool, pairs: Pairs) -> Compared:
    """The mean cosine of a_OR_b with the OR of a and b, and its mean rank without the two."""
    logic = Logic(space, postprocess=method, exact=exact)
    index = space.vocabulary.index
    goals = [index(f"{a}_OR_{b}") for a, b in pairs]
    operands = [(index(a), index(b)) for a, b in pairs]
    unions = np.array([logic.concept(Or((Term(a), Term(b)))).vector for a, b in pairs])
    words = unit_rows(logic.target(space.target))
    cosines = (unit_rows(unions) * words[goals]).sum(1)
    return float(cosines.mean()), float(ranks(words, unions, goals, operands).mean())


def _mean(found: list[Compared]) -> Compared:
    cosine, rank = np.mean(found, axis=0)
    return float(cosine), float(rank)


def _shown(found: Compared) -> str:
    return "{:.3f} ({:.3f})".format(*found)


def _draw(figure: Figure, numbers: dict[str, dict[str, Compared]]) -> None:
    panel = figure.subplots()
    positions = np.arange(len(numbers))
    for offset, way in zip((-0.2, 0.2), WAYS, strict=True):
        found = [each[f"orig, {way}"][0] for each in numbers.values()]
        panel.barh(positions + offset, found, 0.4, label=f"uncentred, {way}")
    panel.axvline(PAPER[Model.SGNS][0], color="grey", linestyle="--", label="paper, SGNS")
    panel.axvline(PAPER[Model.GLOVE][0], color="grey", linestyle=":", label="paper, GloVe")
    panel.set_yticks(positions, list(numbers))
    panel.set_xlabel("mean cosine of a_OR_b with a | b")
    panel.invert_yaxis()
    legend_below(figure, panel)
