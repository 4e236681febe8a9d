"""Word-to-word compositionality: x + y should be near z, as thailand + capital near bangkok.

The change by centring is also shown for only the most frequent words and by frequency band, because
the vectors of rare words come from little text. GloVe with x_max in proportion to the text, and
GloVe 6B, which was trained on more text than the paper's, test the influence of text size.
Intervals draw relations, not triples.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from andornot.base.errors import AndornotError
from andornot.base.moments import unit_rows
from andornot.base.progress import track
from andornot.experiments.bert import bert_note, bert_spaces, papers_name
from andornot.experiments.centring import METHODS, centred
from andornot.experiments.crowding import (
    PLACES,
    SHOWN,
    CrowdingBand,
    band_table,
    by_band,
    rarer_share,
)
from andornot.experiments.differences import by_sign, joined
from andornot.experiments.exact_and import ExactAnd, exact_and, exact_and_table
from andornot.experiments.frequent import most_frequent, sizes_of
from andornot.experiments.glove_6b import glove_6b_note, glove_6b_spaces
from andornot.experiments.intervals import Ids, Interval, interval, mean_interval
from andornot.experiments.lab import Lab, Training
from andornot.experiments.ranks import ranks
from andornot.experiments.report import (
    Cell,
    Finding,
    Result,
    Table,
    legend_below,
    listed,
    panels_of,
)
from andornot.experiments.triples import RELATIONS, Triple, reciprocal_ranks, triples
from andornot.experiments.variants import (
    base_of,
    glove_auto,
    sgns_with_rare_words,
    what_changes,
)
from andornot.experiments.word_claims import BY_RELATION, PAPER, RATIOS, WAY, judge
from andornot.space import Space

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Rows = npt.NDArray[np.float32]


class TripleScores(NamedTuple):
    """The figures of a model.

    Attributes:
        relations: The relation of each triple. Intervals draw relations, because all triples of a
            relation share y, and the paper doesn't list its relations.
        reciprocal: 1/rank of each triple by method and kind of rank.
        by_words: The change by centring with fewer words to choose from.
        bands: The vectors and the first places of AND by frequency band.
        exact: Exact AND, if the shift of the space is known.
        names: The words of each triple.
    """

    relations: list[str]
    reciprocal: dict[str, dict[str, npt.NDArray[np.float64]]]
    by_words: list[ScoreAmong]
    bands: list[CrowdingBand]
    exact: ExactAnd | None = None
    names: Sequence[tuple[str, ...]] = ()

    def mrr(self, name: str, way: str = WAY) -> float:
        """Return the mean reciprocal rank of a method."""
        return float(self.reciprocal[name][way].mean())

    def differences(self, to: str = "freq", since: str = "orig") -> npt.NDArray[np.float64]:
        """Return the change of 1/rank of each triple from one method to another."""
        ours, before = (self.reciprocal[name][WAY] for name in (to, since))
        return np.asarray(ours - before)

    def change(self, to: str = "freq", since: str = "orig") -> Interval:
        """Return the change of the MRR from one method to another, with its interval."""
        return mean_interval(self.differences(to, since), clusters=self.relations)

    def ratio(self) -> Interval:
        """Return the MRR of freq divided by that of orig, with its interval."""
        after, before = (self.reciprocal[name][WAY] for name in ("freq", "orig"))

        def statistic(ids: Ids) -> float:
            return float(after[ids].mean() / before[ids].mean())

        return interval(statistic, self.triples, clusters=self.relations)

    def by_relation(self) -> dict[str, float | None]:
        """Return freq - orig of each relation; None without triples."""
        of = np.array(self.relations)
        change = self.differences()
        return {
            name: float(change[of == relation].mean()) if (of == relation).any() else None
            for relation, name in RELATIONS.items()
        }

    @property
    def triples(self) -> int:
        """The number of triples that were asked."""
        return len(self.reciprocal["orig"][WAY])


class ScoreAmong(NamedTuple):
    """MRR among the most frequent words and the words of the triples.

    `freq` is centred by the mean of these words; `fixed` by the mean of all words, so that only the
    words to choose from differ.
    """

    words: int
    orig: float
    freq: float
    change: Interval
    fixed: float
    change_fixed: Interval

    def __str__(self) -> str:
        """Show the change.

        >>> change = Interval(0.15, 0.1, 0.2)
        >>> str(ScoreAmong(5000, 0.1, 0.25, change, 0.25, change))
        '0.100 to 0.250 (0.150 [0.100, 0.200])'
        """
        return f"{self.orig:.3f} to {self.freq:.3f} ({self.change})"


def datasets(lab: Lab) -> list[str]:
    """Return the questions, and the text of the models."""
    return ["bats", *lab.wiki_datasets]


def trainings(lab: Lab) -> dict[str, Training]:
    """Return both models on Wikipedia, and variants that test the change by centring."""
    return lab.wiki_trainings() | _variants(lab)


def _variants(lab: Lab) -> dict[str, Training]:
    return glove_auto(lab) | sgns_with_rare_words(lab)


def run(lab: Lab) -> Result:
    """Measure the MRR of z for x + y, by model and post-processing."""
    other = {name: lab.trained(each) for name, each in _variants(lab).items()}
    spaces = lab.wiki_spaces() | other | glove_6b_spaces(lab) | bert_spaces(lab)
    found = {model: ask(space, model, lab) for model, space in spaces.items()}
    first = _table("MRR, all words counted, the first answer", found, WAY)
    numbers = _numbers(found)
    return Result(
        name="words",
        title="Word-to-word compositionality",
        corpus=lab.wiki_corpus + glove_6b_note(spaces) + bert_note(spaces),
        agreement=_agreement(found),
        tables=(
            first,
            _table("MRR, without x and y", found, "without operands"),
            _table("MRR, the best of the answers", found, "best answer"),
            _differences_table(found),
            _relations_table(found),
            Table(
                "MRR among the most frequent words, centred by their own mean and by that of all",
                ("", "words", "orig", "freq", "freq - orig", "mean of all", "this - orig"),
                tuple(
                    (model, *row[:3], str(row.change), row.fixed, str(row.change_fixed))
                    for model, each in found.items()
                    for row in each.by_words
                ),
            ),
            band_table({model: each.bands for model, each in found.items()}),
            exact_and_table(
                {model: each.exact for model, each in found.items() if each.exact is not None}
            ),
        ),
        numbers=numbers,
        findings=tuple(
            Finding(f"{model}, MRR, {name}", ours, paper)
            for model, each in found.items()
            for name, ours, paper in _figures(each, PAPER.get(papers_name(model)))
        ),
        summary=first,
        claims=judge(numbers),
        draw=lambda figure: _draw(figure, found),
    )


def _numbers(found: dict[str, TripleScores]) -> dict[str, Any]:
    """Return all figures, for JSON; the claims are judged by them."""
    return {
        "triples": {model: each.triples for model, each in found.items()},
        "mrr": {
            model: {
                name: {way: float(values.mean()) for way, values in ways.items()}
                for name, ways in each.reciprocal.items()
            }
            for model, each in found.items()
        },
        "freq - others": {
            model: {name: each.change(since=name) for name in METHODS if name != "freq"}
            for model, each in found.items()
        },
        RATIOS: {model: each.ratio() for model, each in found.items()},
        BY_RELATION: {model: each.by_relation() for model, each in found.items()},
        "by vocabulary": {
            model: [row._asdict() for row in each.by_words] for model, each in found.items()
        },
        "exact AND": {
            model: each.exact._asdict() for model, each in found.items() if each.exact is not None
        },
    }


def ask(space: Space, model: str, lab: Lab) -> TripleScores:
    """Ask a model for every triple that it knows.

    Raises:
        AndornotError: If it knows none.
    """
    asked = triples(space, lab.asks)
    if not asked:
        raise AndornotError(f"{model} knows none of the triples; use vectors with more words")
    methods = track(METHODS.items(), f"ranking the answers of {model}")
    return TripleScores(
        [triple.relation for triple in asked],
        {name: reciprocal_ranks(space, method, asked) for name, method in methods},
        by_frequency(space, asked, lab),
        by_band(space, [(t.x, t.y) for t in asked]),
        exact_and(space, asked),
        [tuple(space.vocabulary.word(i) for i in (t.x, t.y, t.z)) for t in asked],
    )


def by_frequency(space: Space, asked: list[Triple], lab: Lab) -> list[ScoreAmong]:
    """Return the change by centring for growing sets of the most frequent words, up to all."""
    words = space.vocabulary
    needed = {words.word(i) for t in asked for i in (t.x, t.y, t.z)}
    relations = [t.relation for t in asked]
    whole = centred(space, METHODS["freq"])
    found = []
    for size in track(sizes_of(space), "among frequent words"):
        part, fixed = (most_frequent(each, size, needed) for each in (space, whole))
        again = triples(part, lab.asks)
        orig, freq, same = (
            _reciprocal(rows, again)
            for rows in (part.target, centred(part, METHODS["freq"]).target, fixed.target)
        )
        change, change_fixed = (
            mean_interval(each - orig, clusters=relations) for each in (freq, same)
        )
        means = (float(each.mean()) for each in (orig, freq, same))
        before, after, kept = means
        found.append(ScoreAmong(len(part), before, after, change, kept, change_fixed))
    return found


def _reciprocal(rows: Rows, asked: list[Triple]) -> npt.NDArray[np.float64]:
    queries = np.array([rows[t.x] + rows[t.y] for t in asked])
    return np.asarray(1 / ranks(unit_rows(rows), queries, [t.z for t in asked]))


def _agreement(found: dict[str, TripleScores]) -> str:
    """Say for which models centring raises the MRR, and what changes that."""
    said = verdict({model: each.by_words for model, each in found.items()})
    shares = {m: [rarer_share(each.bands, name) for name in SHOWN] for m, each in found.items()}
    listed_shares = "; ".join(f"{m}: {a:.0%} and {b:.0%}" for m, (a, b) in shares.items())
    said.append(
        f"Share of AND's first {PLACES} places that words beyond the most frequent fifth take, "
        f"before and after centring: {listed_shares}."
    )
    for name, each in found.items():
        if (base := found.get(base_of(name), each)) is not each:
            said.append(_what_changes(name, base, each))
    exact = {m: each.exact.change.sign for m, each in found.items() if each.exact is not None}
    said += by_sign(
        exact,
        {
            1: "Exact AND has a higher MRR than centring for {}.",
            0: "No difference in MRR between exact AND and centring is shown for {}.",
            -1: "Exact AND has a lower MRR than centring for {}.",
        },
    )
    return listed(said)


def _what_changes(variant: str, base: TripleScores, varied: TripleScores) -> str:
    """Say whether a variant changes freq - orig, on the triples that both models know."""
    rows = {name: row for row, name in enumerate(varied.names)}
    kept = [row for row, name in enumerate(base.names) if name in rows]
    same = [rows[base.names[row]] for row in kept]
    relations = [base.relations[row] for row in kept]
    return what_changes(variant, base.differences()[kept], varied.differences()[same], relations)


def verdict(by_words: dict[str, list[ScoreAmong]]) -> list[str]:
    """Say for which models the MRR rises or falls, and for which the vocabulary decides."""
    said = by_sign(
        {model: rows[-1].change.sign for model, rows in by_words.items()},
        {
            1: "Centring by frequency raises the MRR for {}.",
            0: "No change of the MRR is shown for {} (the interval includes 0).",
            -1: "It lowers the MRR for {}.",
        },
    )
    if any(papers_name(model) in PAPER for model in by_words):
        said.append("In the paper it raises the MRR for every model.")
    depends = [
        model
        for model, rows in by_words.items()
        if any(row.change.sign != rows[-1].change.sign for row in rows)
    ]
    if depends:
        said.append(
            f"The answer depends on the number of words to choose from for {joined(depends)} "
            "(see the table by vocabulary)."
        )
    return said


def _figures(
    found: TripleScores, paper: dict[str, float] | None
) -> list[tuple[str, float, float | None]]:
    """Return the MRR of the paper's methods, or of orig and freq, and then freq - orig."""
    names = list(paper) if paper else ["orig", "freq"]
    rise = None if paper is None else paper["freq"] - paper["orig"]
    rows = [(name, found.mrr(name), None if paper is None else paper[name]) for name in names]
    return [*rows, ("freq - orig", found.change().value, rise)]


def _table(title: str, found: dict[str, TripleScores], way: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for model, each in found.items():
        rows.append((f"{model}, ours", *(each.mrr(name, way) for name in METHODS)))
        if theirs := PAPER.get(papers_name(model)):
            rows.append((f"{model}, paper", *(theirs.get(name) for name in METHODS)))
    return Table(title, ("", *METHODS), tuple(rows))


def _differences_table(found: dict[str, TripleScores]) -> Table:
    """Return a table of freq minus each other method."""
    others = [name for name in METHODS if name != "freq"]
    rows = (
        (model, *(str(each.change(since=name)) for name in others), str(each.ratio()))
        for model, each in found.items()
    )
    header = ("", *others, "freq / orig")
    return Table("freq minus each other method, MRR, and the ratio to orig", header, tuple(rows))


def _relations_table(found: dict[str, TripleScores]) -> Table:
    """Return a table of freq - orig by relation."""
    rows = tuple((model, *each.by_relation().values()) for model, each in found.items())
    return Table("freq - orig by relation, MRR", ("", *RELATIONS.values()), rows)


def _draw(figure: Figure, found: dict[str, TripleScores]) -> None:
    panels = panels_of(figure, found, sharey=False)
    for panel, (model, each) in zip(panels, found.items(), strict=True):
        places = np.arange(len(METHODS))
        own = [
            mean_interval(each.reciprocal[name][WAY], clusters=each.relations) for name in METHODS
        ]
        around = np.array([(each.value - each.low, each.high - each.value) for each in own]).T
        values = [each.value for each in own]
        panel.bar(places - 0.2, values, 0.4, yerr=around, label="ours, 95 % over relations")
        theirs = [PAPER.get(papers_name(model), {}).get(name, 0.0) for name in METHODS]
        panel.bar(places + 0.2, theirs, 0.4, label="paper")
        panel.set_xticks(places, list(METHODS), rotation=45, ha="right", fontsize="small")
        panel.set_ylabel("MRR")
        panel.set_ylim(bottom=0)  # the ends of wide intervals are below 0
    legend_below(figure, panels[0])
