"""Word-to-word compositionality: whether x + y is near z, as thailand + capital near bangkok.

The paper makes its triples from ten relations of BATS and doesn't list them; here they are the ten
encyclopaedic ones, with the name of each for y and the first answer for z. What centring changes is
also shown among the most frequent words alone: rare ones have vectors of little text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from andornot.base.errors import AndornotError
from andornot.base.progress import track
from andornot.datasets.locating import locate
from andornot.datasets.relations import read_relation, relation_files
from andornot.experiments.bert import TRAINED_HERE, bert_note, bert_spaces
from andornot.experiments.centring import METHODS, centred
from andornot.experiments.frequent import most_frequent, sizes_of
from andornot.experiments.lab import Asks, Lab, Training, asks_all
from andornot.experiments.ranks import ranks, unit_rows
from andornot.experiments.report import Cell, Finding, Result, Table, legend_below
from andornot.space import Space

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RELATIONS = {
    "E01": "capital",
    "E02": "language",
    "E03": "county",
    "E04": "nationality",
    "E05": "occupation",
    "E06": "young",
    "E07": "sound",
    "E08": "shelter",
    "E09": "color",
    "E10": "female",
}
PAPER = {
    "SGNS": {"orig": 0.028, "unif": 0.072, "ABTT": 0.074, "freq": 0.071},
    "GloVe": {"orig": 0.067, "unif": 0.065, "ABTT": 0.057, "freq": 0.078},
    "BERT": {"orig": 0.036, "unif": 0.044, "freq": 0.062},
}
PAPER |= dict.fromkeys(TRAINED_HERE, PAPER["BERT"])  # beside them stands its one BERT


class Triple(NamedTuple):
    """x + y should be z: the numbers of the words; `others` are z and its alternatives."""

    relation: str
    x: int
    y: int
    z: int
    others: tuple[int, ...]


def triples(space: Space, asks: Asks = asks_all) -> list[Triple]:
    """The triples whose words a space knows, and that are to be asked."""
    found = []
    words = space.vocabulary
    files = relation_files(locate("bats"))
    for relation, name in RELATIONS.items():
        for word, answers in read_relation(files[relation]):
            # the first relation is written capital, country
            x, z = (answers[0], word) if relation == "E01" else (word, answers[0])
            known_all = all(each in words for each in (x, name, z))
            if not known_all or not asks(x, name, z) or z in (x, name):
                continue
            known = [z]
            if relation != "E01":
                known = [a for a in answers if a in words and a not in (x, name)]
            x_id, y_id, z_id = (words.index(each) for each in (x, name, z))
            others = tuple(words.index(each) for each in known)
            found.append(Triple(relation, x_id, y_id, z_id, others))
    return found


def datasets(lab: Lab) -> list[str]:
    """The questions, and the text of the models."""
    return ["bats", *lab.wiki_datasets]


def trainings(lab: Lab) -> dict[str, Training]:
    """Both models on Wikipedia."""
    return lab.wiki_trainings()


def run(lab: Lab) -> Result:
    """MRR of z for x + y, by model and post-processing."""
    numbers = {}
    count = {}
    by_words: dict[str, list[AmongFrequent]] = {}
    spaces = lab.wiki_spaces() | bert_spaces(lab)
    for model, space in spaces.items():
        asked = triples(space, lab.asks)
        if not asked:
            raise AndornotError(f"none of the triples has all its words in the vectors of {model}")
        methods = track(METHODS.items(), f"ranking the answers of {model}")
        numbers[model] = {name: mrr(space, method, asked) for name, method in methods}
        count[model] = len(asked)
        by_words[model] = by_frequency(space, asked, lab)
    said = "; ".join(
        f"{model}, {count[model]} triples: "
        f"{_change(found['orig']['all words'], found['freq']['all words'])} (paper: "
        f"{_change(PAPER[model]['orig'], PAPER[model]['freq'])})"
        for model, found in numbers.items()
    )
    return Result(
        name="words",
        title="Word-to-word compositionality",
        corpus=lab.wiki_corpus + bert_note(spaces),
        agreement=f"MRR from orig to freq: {said}. {_verdict(by_words)}",
        tables=(
            _table("MRR, all words counted, the first answer", numbers, "all words"),
            _table("MRR, without x and y", numbers, "without operands"),
            _table("MRR, the best of the answers", numbers, "best answer"),
            Table(
                "MRR among the most frequent words",
                ("", "words", "orig", "freq"),
                tuple((model, *row) for model, rows in by_words.items() for row in rows),
            ),
        ),
        numbers={"triples": count, "mrr": numbers},
        findings=tuple(
            Finding(f"{model}, MRR, {name}", ours, paper)
            for model, found in numbers.items()
            for name, ours, paper in (
                *((name, found[name]["all words"], paper) for name, paper in PAPER[model].items()),
                ("freq - orig", _rise(found), PAPER[model]["freq"] - PAPER[model]["orig"]),
            )
        ),
        draw=lambda figure: _draw(figure, numbers),
    )


class AmongFrequent(NamedTuple):
    """MRR among the most frequent words and those that are asked about."""

    words: int
    orig: float
    freq: float

    @property
    def change(self) -> int:
        """1 where centring raises what is shown of it, -1 where it lowers it."""
        return int(np.sign(round(self.freq, 3) - round(self.orig, 3)))


def by_frequency(space: Space, asked: list[Triple], lab: Lab) -> list[AmongFrequent]:
    """What centring changes among ever more of the most frequent words, at last among all."""
    words = space.vocabulary
    needed = {words.word(i) for t in asked for i in (t.x, t.y, t.z)}
    found = []
    for size in track(sizes_of(space), "among frequent words"):
        part = most_frequent(space, size, needed)
        again = triples(part, lab.asks)
        figures = []
        for method in ("none", "frequency"):
            rows = centred(part, method).target
            queries = np.array([rows[t.x] + rows[t.y] for t in again])
            places = ranks(unit_rows(rows), queries, [t.z for t in again])
            figures.append(float(np.mean(1 / places)))
        found.append(AmongFrequent(len(part), *figures))
    return found


def _verdict(by_words: dict[str, list[AmongFrequent]]) -> str:
    """Which models change as in the paper, where centring raises all, and among how many words."""
    said = []
    for change, verdict in {
        1: "rises for {}, as in the paper",
        0: "stays for {}, which contradicts the paper",
        -1: "falls for {}, which contradicts the paper",
    }.items():
        models = [model for model, rows in by_words.items() if rows[-1].change == change]
        if models:
            said.append(f"It {verdict.format(' and '.join(models))}.")
    for model, rows in by_words.items():
        other = [row for row in rows if row.change != rows[-1].change]
        if other:
            last = rows.index(other[-1])
            said.append(
                f"For {model} that begins with {rows[last + 1].words:,} words to choose from; "
                f"among {rows[last].words:,}, the most frequent and those asked about, it is "
                f"{_change(rows[last].orig, rows[last].freq)}."
            )
    return " ".join(said)


def _rise(found: dict[str, dict[str, float]]) -> float:
    """What centring by frequency adds to the MRR of a model."""
    return found["freq"]["all words"] - found["orig"]["all words"]


def _change(orig: float, freq: float) -> str:
    return f"{orig:.3f} to {freq:.3f}"


def mrr(space: Space, method: str, asked: list[Triple]) -> dict[str, float]:
    """The mean reciprocal rank of z for x + y; without x and y; and of the best of the answers."""
    rows = centred(space, method).target
    words = unit_rows(rows)
    queries = np.array([rows[t.x] + rows[t.y] for t in asked])
    operands = [(t.x, t.y) for t in asked]
    goals = [t.z for t in asked]
    best = np.full(len(asked), np.inf)
    for number in range(max(len(t.others) for t in asked)):
        some = [n for n, t in enumerate(asked) if number < len(t.others)]
        found = ranks(words, queries[some], [asked[n].others[number] for n in some])
        best[some] = np.minimum(best[some], found)
    return {
        "all words": float(np.mean(1 / ranks(words, queries, goals))),
        "without operands": float(np.mean(1 / ranks(words, queries, goals, operands))),
        "best answer": float(np.mean(1 / best)),
    }


def _table(title: str, numbers: dict[str, dict[str, dict[str, float]]], key: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for model, found in numbers.items():
        rows.append((f"{model}, ours", *(found[name][key] for name in METHODS)))
        rows.append((f"{model}, paper", *(PAPER[model].get(name) for name in METHODS)))
    return Table(title, ("", *METHODS), tuple(rows))


def _draw(figure: Figure, numbers: dict[str, dict[str, dict[str, float]]]) -> None:
    axes = figure.subplots(1, len(numbers), squeeze=False)[0]
    for panel, (model, found) in zip(axes, numbers.items(), strict=True):
        places = np.arange(len(METHODS))
        panel.bar(places - 0.2, [found[name]["all words"] for name in METHODS], 0.4, label="ours")
        theirs = [PAPER[model].get(name, 0.0) for name in METHODS]
        panel.bar(places + 0.2, theirs, 0.4, label="paper")
        panel.set_xticks(places, list(METHODS), rotation=45)
        panel.set_title(model)
        panel.set_ylabel("MRR")
    legend_below(figure, axes[0])
