"""The worked examples of the paper, asked of our own vectors."""

from __future__ import annotations

import numpy as np

from andornot.algebra import Logic
from andornot.errors import UnknownWordError
from andornot.experiments.lab import Lab, Training
from andornot.experiments.report import Finding, Result, Table
from andornot.space import Space

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
LOVE_AND_HATE = 0.5  # their cosine, about, in the paper's SGNS without centring


def trainings(lab: Lab) -> dict[str, Training]:
    """Both models on Wikipedia."""
    return lab.wiki_trainings()


def run(lab: Lab) -> Result:
    """The first words for each example, and where the paper's words are."""
    rows: list[tuple[str, ...]] = []
    numbers: dict[str, dict[str, object]] = {}
    found = total = 0
    for model, space in lab.wiki_spaces().items():
        logic = Logic(space)
        for query, expected in QUERIES.items():
            try:
                words = logic.ask(query, k=len(space)).words
            except UnknownWordError as error:
                rows.append((f"{model}: {query}", str(error), ""))
                continue
            places = {word: words.index(word) + 1 for word in expected if word in words}
            shown = ", ".join(f"{word} {place:,}" for word, place in places.items())
            rows.append((f"{model}: {query}", ", ".join(words[:SHOWN]), shown))
            numbers[f"{model}: {query}"] = {"first": list(words[:SHOWN]), "places": places}
            found += sum(place <= SHOWN for place in places.values())
            total += len(expected)
        if "love" in space and "hate" in space:
            cosine = _cosine(space, "love", "hate")
            numbers[f"{model}: love, hate"] = {"cosine": cosine}
            rows.append((f"{model}: cosine of love and hate", f"{cosine:.3f}", f"{LOVE_AND_HATE}"))
    return Result(
        name="examples",
        title="The worked examples",
        corpus=lab.wiki_corpus,
        agreement=f"{found} of the {total} words that the paper names are among our first {SHOWN}.",
        tables=(
            Table("Ours, and the paper's words", ("", "ours", "place of the paper's"), tuple(rows)),
        ),
        numbers=numbers,
        findings=(Finding(f"words of the paper among our first {SHOWN}", found, total),),
    )


def _cosine(space: Space, a: str, b: str) -> float:
    left, right = space.vector(a).astype(np.float64), space.vector(b).astype(np.float64)
    return float(left @ right / np.linalg.norm(left) / np.linalg.norm(right))
