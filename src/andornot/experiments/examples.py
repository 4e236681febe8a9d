"""The worked examples of the paper, asked of our own vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from andornot.algebra import Logic
from andornot.base.errors import UnknownWordError
from andornot.experiments.lab import Lab, Training
from andornot.experiments.report import Finding, Result, Table, legend_below
from andornot.space import Space

if TYPE_CHECKING:
    from matplotlib.figure import Figure

QUERIES = {
    "royal & woman": ("queen",),
    "royal & man": ("king",),
    "box | instance": ("case",),
    "boy | girl": ("child",),
    "thailand & capital": ("bangkok",),
    "!mother @ {mother, father, uncle, aunt, brother, sister}": ("father",),
    "!mother @ {mother, grandmother, daughter, granddaughter}": ("daughter",),
    "computer | phone": (
        "computers",
        "software",
        "technology",
        "internet",
        "computing",
        "devices",
        "electronics",
        "device",
        "information",
        "user",
    ),
}
"""A query, and the words that the paper names for it; for the last its first ten, in order.

The paper gives no categories for mother: the words beside what it names are ours.
"""

SHOWN = 10
LOVE_AND_HATE = {"SGNS": 0.5}  # their cosine, about, in the paper, without centring


def datasets(lab: Lab) -> list[str]:
    """The text of the models."""
    return lab.wiki_datasets


def trainings(lab: Lab) -> dict[str, Training]:
    """Both models on Wikipedia."""
    return lab.wiki_trainings()


def run(lab: Lab) -> Result:
    """The first words for each example, and where the paper's words are."""
    rows: list[tuple[str, ...]] = []
    numbers: dict[str, dict[str, object]] = {}
    ranked: dict[str, dict[str, int]] = {}
    named = sum(map(len, QUERIES.values()))
    right: dict[str, int] = {}
    findings: list[Finding] = []
    for model, space in lab.wiki_spaces().items():
        logic = Logic(space)
        right[model], ranked[model] = 0, {}
        for query, expected in QUERIES.items():
            try:
                words = logic.ask(query, k=len(space)).words
            except UnknownWordError as error:
                rows.append((f"{model}: {query}", str(error), ""))
                continue
            ranks = {word: words.index(word) + 1 for word in expected if word in words}
            shown = ", ".join(f"{word} {rank:,}" for word, rank in ranks.items())
            rows.append((f"{model}: {query}", ", ".join(words[:SHOWN]), shown))
            numbers[f"{model}: {query}"] = {"first": list(words[:SHOWN]), "places": ranks}
            ranked[model] |= ranks
            # a category has fewer words than are shown: only the first place says anything
            near = 1 if "!" in query else SHOWN
            right[model] += sum(rank <= near for rank in ranks.values())
        findings.append(
            Finding(f"{model}: words of the paper that are found, of {named}", right[model])
        )
        if "love" in space and "hate" in space:
            cosine = _cosine(space, "love", "hate")
            numbers[f"{model}: love, hate"] = {"cosine": cosine}
            papers = LOVE_AND_HATE.get(model)
            said = f"{papers} in the paper" if papers else ""
            rows.append((f"{model}: cosine of love and hate", f"{cosine:.3f}", said))
            findings.append(Finding(f"{model}: cosine of love and hate", cosine, papers))
    return Result(
        name="examples",
        title="The worked examples",
        corpus=lab.wiki_corpus,
        agreement=f"Of the {named} words that the paper names, "
        f"{' and '.join(f'{model} has {count}' for model, count in right.items())} among its first "
        f"{SHOWN}, or for NOT, in whose category all are ranked, as the first.",
        tables=(
            Table("Ours, and the paper's words", ("", "ours", "place of the paper's"), tuple(rows)),
        ),
        numbers=numbers,
        findings=tuple(findings),
        draw=lambda figure: _draw(figure, ranked),
    )


def _cosine(space: Space, a: str, b: str) -> float:
    left, right = space.vector(a).astype(np.float64), space.vector(b).astype(np.float64)
    return float(left @ right / np.linalg.norm(left) / np.linalg.norm(right))


def _draw(figure: Figure, ranked: dict[str, dict[str, int]]) -> None:
    panel = figure.subplots()
    words = [word for expected in QUERIES.values() for word in expected]
    for marker, (model, ranks) in zip("os^", ranked.items(), strict=False):
        panel.plot(list(ranks.values()), [words.index(w) for w in ranks], marker, label=model)
    panel.set_yticks(range(len(words)), words)
    panel.invert_yaxis()
    panel.set_xscale("log")
    panel.set_xlabel("place of the paper's word")
    panel.axvline(SHOWN, color="grey", linestyle=":", label=f"the first {SHOWN}")
    legend_below(figure, panel)
