"""The worked examples of the paper, asked of our own vectors.

Two of them are results of the paper: the ten words nearest to computer OR phone, and the cosine of
love and hate. The others illustrate a formula; they are shown but not scored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from andornot.algebra import Logic
from andornot.base.errors import UnknownWordError
from andornot.experiments.glove_6b import NAME as GLOVE_6B
from andornot.experiments.glove_6b import glove_6b_note, glove_6b_spaces
from andornot.experiments.lab import Lab, Training
from andornot.experiments.report import Claim, Finding, Result, Table, Verdict, legend_below, listed
from andornot.experiments.verdicts import untested
from andornot.space import Space

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCORED = "computer | phone"
TEN = (
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
)
"""The paper's first ten words for `SCORED`, in order."""

ILLUSTRATIONS = {
    "royal & woman": "queen",
    "royal & man": "king",
    "box | instance": "case",
    "boy | girl": "child",
    "thailand & capital": "bangkok",
    "!mother @ {mother, father, uncle, aunt, brother, sister}": "father",
    "!mother @ {mother, grandmother, daughter, granddaughter}": "daughter",
}
"""Queries, and the word that the paper names for each.

The paper gives no categories for mother; we chose the other words of these categories.
"""

SHOWN = 10
LOVE_AND_HATE = {"SGNS": 0.5}
"""The paper's approximate cosine of love and hate, without centring."""

_ABOUT = 0.05  # a smaller difference rounds to the paper's figure


def datasets(lab: Lab) -> list[str]:
    """Return the text of the models."""
    return lab.wiki_datasets


def trainings(lab: Lab) -> dict[str, Training]:
    """Return both models on Wikipedia."""
    return lab.wiki_trainings()


def run(lab: Lab) -> Result:
    """Measure the ranks of the paper's ten words and a cosine, and show the illustrations."""
    spaces = lab.wiki_spaces() | glove_6b_spaces(lab)
    ranked: dict[str, dict[str, int]] = {}
    cosines: dict[str, float] = {}
    illustrated: list[tuple[str, str, str]] = []
    for model, space in spaces.items():
        logic = Logic(space, weights="frequency")
        first, ranked[model] = answers(logic, SCORED, TEN)
        illustrated.append((f"{model}: {SCORED}", first, ""))
        for query, word in ILLUSTRATIONS.items():
            first, ranks = answers(logic, query, (word,))
            where = ", ".join(f"{word} {rank:,}" for word, rank in ranks.items())
            illustrated.append((f"{model}: {query}", first, where))
        if "love" in space and "hate" in space:
            cosines[model] = cosine(space, "love", "hate")
    near = {model: sum(rank <= SHOWN for rank in ranks.values()) for model, ranks in ranked.items()}
    return Result(
        name="examples",
        title="The worked examples",
        corpus=lab.wiki_corpus + glove_6b_note(spaces),
        agreement=_agreement(near, cosines),
        tables=(
            Table(
                f"Ranks of the paper's first {len(TEN)} words for {SCORED}",
                ("", *TEN, f"in our first {SHOWN}"),
                tuple(
                    (model, *(ranks.get(word) for word in TEN), near[model])
                    for model, ranks in ranked.items()
                ),
            ),
            Table(
                "Cosine of love and hate, without centring",
                ("", "ours", "paper"),
                tuple((model, each, LOVE_AND_HATE.get(model)) for model, each in cosines.items()),
            ),
            Table(
                f"Our first {SHOWN} words; all but {SCORED} are illustrations, not scored",
                ("", f"our first {SHOWN}", "rank of the paper's word"),
                tuple(illustrated),
            ),
        ),
        numbers={
            "ranks": ranked,
            f"in the first {SHOWN}": near,
            "love and hate": cosines,
            "illustrations": {query: [first, where] for query, first, where in illustrated},
        },
        findings=(
            *(
                Finding(f"{model}, {SCORED}: of the paper's ten words in our first {SHOWN}", each)
                for model, each in near.items()
            ),
            *(
                Finding(f"{model}: cosine of love and hate", each, LOVE_AND_HATE.get(model))
                for model, each in cosines.items()
            ),
        ),
        claims=(_claim_on_or(near), _claim_on_antonyms(cosines)),
        draw=lambda figure: _draw(figure, ranked),
    )


def answers(logic: Logic, query: str, wanted: tuple[str, ...]) -> tuple[str, dict[str, int]]:
    """Return the first words for a query as text, and the ranks of the wanted words.

    For a query with an unknown word, return the text of the error and no ranks.
    """
    try:
        words = logic.ask(query, k=len(logic.space)).words
    except UnknownWordError as error:
        return str(error), {}
    rank_of = {word: rank for rank, word in enumerate(words, start=1)}
    return ", ".join(words[:SHOWN]), {word: rank_of[word] for word in wanted if word in rank_of}


def cosine(space: Space, a: str, b: str) -> float:
    """Return the cosine of two words, without centring."""
    left, right = space.vector(a).astype(np.float64), space.vector(b).astype(np.float64)
    return float(left @ right / np.linalg.norm(left) / np.linalg.norm(right))


def _agreement(near: dict[str, int], cosines: dict[str, float]) -> str:
    said = ", ".join(f"{model} {count}" for model, count in near.items())
    sentences = [
        f"Number of the paper's first {len(TEN)} words for {SCORED} that are in our first {SHOWN}: "
        f"{said}."
    ]
    if cosines:
        told = ", ".join(f"{model} {each:.3f}" for model, each in cosines.items())
        sentences.append(
            f"Cosine of love and hate: {told} (paper: about {LOVE_AND_HATE['SGNS']} for SGNS)."
        )
    return listed(sentences)


def _claim_on_or(near: dict[str, int]) -> Claim:
    """Judge the claim by the better model, as the paper doesn't name the model it used."""
    own = {model: count for model, count in near.items() if model != GLOVE_6B}
    what = f"{SCORED} has ten abstract words nearest to it: {', '.join(TEN)}"
    best = max(own.values())
    verdict = Verdict.REPRODUCED if best == len(TEN) else Verdict.IN_PART
    if best < len(TEN) / 2:
        verdict = Verdict.NOT
    shown = " and ".join(f"{count} ({model})" for model, count in own.items())
    figure = f"Our first {SHOWN} words have {shown} of them."
    cause = ""
    if GLOVE_6B in near and near[GLOVE_6B] <= best < len(TEN):
        cause = f"Not known. More text alone is not it: {GLOVE_6B} has {near[GLOVE_6B]} of them."
    return Claim(what, verdict, figure, cause)


def _claim_on_antonyms(cosines: dict[str, float]) -> Claim:
    papers = LOVE_AND_HATE["SGNS"]
    what = f"SGNS: the cosine of love and hate is about {papers}"
    if "SGNS" not in cosines:
        return untested(what)
    ours = cosines["SGNS"]
    near = abs(ours - papers) < _ABOUT
    cause = "" if near else "Not known. It is one cosine of one training."
    verdict = Verdict.REPRODUCED if near else Verdict.NOT
    return Claim(what, verdict, f"It is {ours:.3f}.", cause)


def _draw(figure: Figure, ranked: dict[str, dict[str, int]]) -> None:
    panel = figure.subplots()
    for marker, (model, ranks) in zip("os^", ranked.items(), strict=False):
        panel.plot(list(ranks.values()), [TEN.index(w) for w in ranks], marker, label=model)
    panel.set_yticks(range(len(TEN)), TEN)
    panel.invert_yaxis()
    panel.set_xscale("log")
    panel.set_xlabel(f"rank of the paper's word for {SCORED}")
    panel.axvline(SHOWN, color="grey", linestyle=":", label=f"the first {SHOWN}")
    legend_below(figure, panel)
