"""Word-to-phrase compositionality: the rank of card_game for card + game.

Noun compounds that people rate as compositional are merged into single tokens before training. As
in the paper, the rank is the number of words whose cosine is at least that of the phrase, including
the two words; ranks without the two words are also shown. Three possible causes of a smaller gain
than the paper's are measured: the size of the vocabulary, the rarity of the phrases, and the words
in the first places.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from andornot.datasets.compounds import compositional_phrases
from andornot.experiments.centring import METHODS, TEXT_P
from andornot.experiments.crowding import (
    PLACES,
    band_table,
)
from andornot.experiments.differences import by_sign, joined
from andornot.experiments.glove_6b import NAME as GLOVE_6B
from andornot.experiments.glove_6b import REMEDY, glove_6b_spaces
from andornot.experiments.intervals import Interval
from andornot.experiments.lab import Lab, Training
from andornot.experiments.phrase_ranks import (
    Gain,
    Ranks,
    accuracy,
    gain,
    ratio_of_gains,
    words_of,
)
from andornot.experiments.phrase_scores import FREQUENT, PAPERS_GAINS, RARE, PhraseScores, ask
from andornot.experiments.report import (
    Cell,
    Claim,
    Finding,
    Result,
    Table,
    Verdict,
    legend_below,
    listed,
    panels_of,
)
from andornot.experiments.variants import (
    accounted,
    base_of,
    described,
    glove_auto,
    papers_own,
    sgns_with_rare_words,
)
from andornot.experiments.verdicts import untested, verdict_on_rise
from andornot.space import Space
from andornot.words.vocabulary import Vocabulary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = (1, 10, 100, 1000)


def datasets(lab: Lab) -> list[str]:
    """Return the text of the models, and the phrases."""
    return lab.phrase_datasets


def trainings(lab: Lab) -> dict[str, Training]:
    """Return both models on Wikipedia with phrases merged, and variants that test the gain."""
    return lab.phrase_trainings() | glove_auto(lab) | sgns_with_rare_words(lab)


def run(lab: Lab) -> Result:
    """Measure the top-n accuracy by model and post-processing."""
    phrases = compositional_phrases()
    found = {}
    for model, training in trainings(lab).items():
        found[model] = ask(lab.trained(training), model, phrases, lab)
    if hyphenated := _glove_6b(lab, phrases):
        found[GLOVE_6B] = ask(hyphenated, GLOVE_6B, phrases, lab)
    asked = ", ".join(f"{len(each.phrases)} ({model})" for model, each in found.items())
    return Result(
        name="phrases",
        title="Word-to-phrase compositionality",
        corpus=f"{lab.phrase_corpus.name}; frequent enough of {len(phrases)} phrases: {asked}; "
        f"{_glove_6b_note(found)}",
        agreement=_agreement(found),
        tables=(
            _table("Top-n accuracy, all words counted", found, lambda each: each.ranks),
            _table("Top-n accuracy, without the two words", found, lambda each: each.without),
            _gain_table(found),
            _differences_table(found),
            Table(
                "Top-n accuracy among the most frequent words",
                ("", "words", "orig", "freq", "freq / orig"),
                tuple(
                    (
                        f"{model}, top-{each.n}",
                        row.words,
                        row.gain.before,
                        row.gain.after,
                        _shown(row.gain.ratio),
                    )
                    for model, each in found.items()
                    for row in each.by_words
                ),
            ),
            Table(
                f"Share of words with a count below {RARE} in the first {PLACES} places",
                ("", "orig", "freq"),
                tuple((model, *each.rare_share.values()) for model, each in found.items()),
            ),
            band_table({model: each.bands for model, each in found.items()}),
        ),
        numbers={
            "phrases": {model: len(each.phrases) for model, each in found.items()},
            "gains": {model: each.gain._asdict() for model, each in found.items()},
            "by vocabulary": {
                model: [{"words": row.words, **row.gain._asdict()} for row in each.by_words]
                for model, each in found.items()
            },
            "frequent": {
                model: None if each.frequent is None else each.frequent._asdict()
                for model, each in found.items()
            },
            "freq - others": {
                model: {name: each.difference(name) for name in METHODS if name != "freq"}
                for model, each in found.items()
            },
            "ranks": {
                model: {name: ranks.tolist() for name, ranks in each.ranks.items()}
                for model, each in found.items()
            },
        },
        findings=tuple(
            Finding(
                f"{model}: times as many in the first {each.n}, freq against orig",
                each.gain.ratio.value,
                PAPERS_GAINS[model][1] if model in PAPERS_GAINS else None,
            )
            for model, each in found.items()
            if each.gain.ratio is not None
        ),
        summary=_gain_table(found),
        claims=(*(_claim(model, found) for model in PAPERS_GAINS), _claim_on_uniform(found)),
        draw=lambda figure: _draw(figure, found),
    )


def _glove_6b(lab: Lab, phrases: list[str]) -> Space | None:
    """Return GloVe 6B with its hyphenated phrases as tokens, or None without its package."""
    space = glove_6b_spaces(lab).get(GLOVE_6B)
    if space is None:
        return None
    tokens = {phrase.replace(" ", "-"): words_of(phrase)[-1] for phrase in phrases}
    renamed = Vocabulary([tokens.get(word, word) for word in space.words], space.vocabulary.counts)
    return replace(space, vocabulary=renamed)


def _glove_6b_note(found: dict[str, PhraseScores]) -> str:
    """Say which phrases GloVe 6B is asked for."""
    if GLOVE_6B not in found:
        return f"{GLOVE_6B} is left out: its package is not installed ({REMEDY})"
    return f"{GLOVE_6B} is asked for phrases that its text hyphenates, because none were merged"


def _agreement(found: dict[str, PhraseScores]) -> str:
    """Say for which models centring finds more phrases, and compare the gains with the paper's."""
    said = by_sign(
        {model: each.gain.difference.sign for model, each in found.items()},
        {
            1: "Centring by frequency finds more phrases for {}.",
            0: "No difference is shown for {} (the interval includes 0).",
            -1: "It finds fewer phrases for {}.",
        },
    )
    own = [papers_own(model, found) for model in PAPERS_GAINS if model in found]
    short = [model for model in own if not _reaches(found[model].gain, base_of(model))]
    if short:
        said.append(f"The paper's gain is above our interval for {joined(short)}.")
    for name, each in found.items():
        if (base := found.get(base_of(name), each)) is not each:
            said.append(_effect(name, base, each))
    return listed(said)


def _effect(variant: str, base: PhraseScores, varied: PhraseScores) -> str:
    """Say whether a variant changes the ratio of freq to orig, on the phrases of both models."""
    both = [phrase for phrase in base.phrases if phrase in varied.phrases]
    change = ratio_of_gains(base.of(both), varied.of(both), base.n)
    if change is None:
        return ""
    gains = [gain(each.of(both), base.n).ratio for each in (varied, base)]
    shown = " instead of ".join(map(_shown, gains))
    sign = int(change.low > 1) - int(change.high < 1)
    return (
        f"With {described(variant)}, freq / orig of {base_of(variant)} is {shown} for the "
        f"{len(both)} phrases of both, {change} times as large: {accounted(sign)}."
    )


def _reaches(found: Gain, model: str) -> bool:
    """Return True if the paper's gain is within the interval of ours, or below it."""
    return found.ratio is not None and found.ratio.high >= PAPERS_GAINS[model][1]


def _claim(model: str, found: dict[str, PhraseScores]) -> Claim:
    n, papers = PAPERS_GAINS[model]
    what = f"Phrases, {model}: centring by frequency finds {papers} times as many in the first {n}"
    if model not in found:
        return untested(what)
    own = papers_own(model, found)
    each = found[own]
    judged = verdict_on_rise(each.gain.difference, reaches=_reaches(each.gain, model))
    finds = "It finds" if own == model else f"With the paper's {described(own)[2:]}, it finds"
    figure = (
        f"{finds} {_shown(each.gain.ratio)} times as many: {each.gain.after:.3f} instead of "
        f"{each.gain.before:.3f}."
    )
    cause = "" if judged == Verdict.REPRODUCED else _cause(model, found)
    return Claim(what, judged, figure, cause)


def _cause(model: str, found: dict[str, PhraseScores]) -> str:
    """Name a variant or a smaller vocabulary that reaches the paper's ratio.

    If none does, return the accuracy that the ratio needs.
    """
    own = papers_own(model, found)
    said = []
    for name, each in found.items():
        if name not in (model, own) and base_of(name) == model and _reaches(each.gain, model):
            said.append(f"With {described(name)}, the ratio is {_shown(each.gain.ratio)}.")
    for row in found[own].by_words[:-1]:
        if _reaches(row.gain, model):
            said.append(
                "The ratio depends on the number of words to choose from: among the most frequent "
                f"{row.words:,} it is {_shown(row.gain.ratio)}."
            )
    return said[0] if said else _room(found[own].gain, PAPERS_GAINS[model][1])


def _room(found: Gain, papers: float) -> str:
    """State the accuracy that freq would need for the paper's ratio."""
    needed = papers * found.before
    if needed > 1:
        return f"Orig already finds {found.before:.3f}, so a ratio of {papers} is impossible."
    return f"Orig finds {found.before:.3f}, so a ratio of {papers} would need {needed:.3f}."


def _claim_on_uniform(found: dict[str, PhraseScores]) -> Claim:
    """Judge the claim that uniform and frequency-weighted centring differ for GloVe."""
    n = PAPERS_GAINS["GloVe"][0]
    what = f"Phrases, GloVe: centring by frequency finds more in the first {n} than uniform"
    if "GloVe" not in found:
        return untested(what)
    each = gain(found["GloVe"].ranks, n, since="unif")
    figure = f"It finds {each.after:.3f} instead of {each.before:.3f}: {each.difference} more."
    return Claim(what, verdict_on_rise(each.difference, reaches=True), figure)


def _shown(figure: Interval | None) -> str:
    return "unknown" if figure is None else str(figure)


def _gain_table(found: dict[str, PhraseScores]) -> Table:
    """Return the gain for all phrases and for the frequent ones, by three measures."""
    rows: list[tuple[Cell, ...]] = []
    for model, each in found.items():
        for which, number, some in (
            ("all", len(each.phrases), each.gain),
            (f"{FREQUENT} times or more", each.frequent_phrases, each.frequent),
        ):
            if some is not None:
                figures = (_shown(some.ratio), str(some.difference), _shown(some.odds))
                name = f"{model}, top-{each.n}, {which}"
                rows.append((name, number, some.before, some.after, *figures))
    header = ("", "phrases", "orig", "freq", "freq / orig", "freq - orig", "odds ratio")
    return Table("Gain by centring, for all phrases and for frequent ones", header, tuple(rows))


def _differences_table(found: dict[str, PhraseScores]) -> Table:
    """Return a table of the accuracy of freq minus that of each other method."""
    others = [name for name in METHODS if name != "freq"]
    rows = (
        (f"{model}, top-{each.n}", *(str(each.difference(name)) for name in others))
        for model, each in found.items()
    )
    return Table("Top-n accuracy, freq minus each other method", ("", *others), tuple(rows))


def _table(
    title: str, found: dict[str, PhraseScores], which: Callable[[PhraseScores], Ranks]
) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (f"{model}, top-{n}", *(accuracy(which(each)[name], n) for name in METHODS))
        for model, each in found.items()
        for n in SHOWN
    ]
    return Table(title, ("", *METHODS), tuple(rows))


def _draw(figure: Figure, found: dict[str, PhraseScores]) -> None:
    panels = panels_of(figure, found, sharey=True)
    depths = np.unique(np.geomspace(1, 10_000, 60).astype(int))
    for panel, each in zip(panels, found.values(), strict=True):
        for name in METHODS:
            shown = [accuracy(each.ranks[name], n) for n in depths]
            panel.plot(depths, shown, "--" if name == TEXT_P else "-", label=name)
        panel.set_xscale("log")
        panel.set_xlabel("n")
        panel.set_ylabel("top-n accuracy")
    legend_below(figure, panels[0])
