"""Finding a word by its dictionary definition: a text as a query, beside other ways to ask it.

    python benchmarks/texts.py --write results/texts

The default model is asked with the definitions of `definitions-seen`. A word can be found if it is
in the vocabulary and not in its own definition. The other ways to weigh the words of a text are
written in the query language: a plain AND weighs them alike, and an OR with weights has weights
that add up to 1. Intervals are 95 % of the bootstrap, over definitions; differences are paired.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from reporting import machine, run

import andornot
from andornot import Logic, Space
from andornot.algebra.expression import Expression, Or, QuotedText, Term, conjunction
from andornot.algebra.texts import read_texts
from andornot.base.choices import Postprocess
from andornot.base.errors import UnknownWordError
from andornot.datasets.definitions import read_definitions
from andornot.datasets.locating import locate
from andornot.experiments.intervals import Interval, mean_interval
from andornot.postprocessing.sentences import sif_weights

FREQ, WHITE = Postprocess.FREQUENCY.value, Postprocess.ZIPFIAN_WHITENING.value
FRAMES = (FREQ, WHITE)
Ranks = npt.NDArray[np.float64]
DEPTHS = (1, 10, 100)
TEXT, ALIKE, EVERY = "text", "alike, without stop words", "alike, all words"
BESIDE, BESIDE_MEAN = 'first word & "the others"', "first word & weights that add up to 1"
WAYS = (TEXT, ALIKE, EVERY, BESIDE, BESIDE_MEAN)


def found_text(space: Space, word: str, text: str) -> QuotedText | None:
    """The definition, if the word can be found by it; one that is a word itself is a text of it."""
    try:
        read = read_texts(Term(f"{text} "), space)  # even a single word is a text with a space
    except UnknownWordError:
        return None
    if isinstance(read, Term):
        read = QuotedText(text, (read.text,))
    return read if word in space and word not in (*read.words, *read.stop_words) else None


def ways_to_ask(space: Space, text: QuotedText) -> dict[str, Expression]:
    """The queries of a definition."""
    first, *others = map(Term, text.words)
    every = conjunction(list(map(Term, [*text.words, *text.stop_words])))
    if not others:
        return dict.fromkeys(WAYS, text) | {EVERY: every}
    rest = QuotedText(" ".join(text.words[1:]), text.words[1:])
    shares = space.counts / space.counts.sum()
    weights = sif_weights(shares[[space.vocabulary.index(word) for word in rest.words]])
    return {
        TEXT: text,
        ALIKE: conjunction([first, *others]),
        EVERY: every,
        BESIDE: conjunction([first, rest]),
        BESIDE_MEAN: conjunction([first, Or(tuple(others), tuple(weights.tolist()))]),
    }


def ranks_of(logic: Logic, asked: list[tuple[str, QuotedText]]) -> dict[str, Ranks]:
    """The rank of each word by each way to ask; infinite if it is not among the first 100."""
    queries = [ways_to_ask(logic.space, text) for _, text in asked]
    found = {}
    for way in WAYS:
        answers = logic.ask_many([each[way] for each in queries], k=max(DEPTHS))
        found[way] = np.array(
            [
                answer.words.index(word) + 1 if word in answer.words else np.inf
                for (word, _), answer in zip(asked, answers, strict=True)
            ]
        )
    return found


def measure() -> dict:
    space = andornot.default()
    definitions = read_definitions(locate("definitions-seen"))
    asked = [
        (word, text)
        for word, definition in definitions
        if (text := found_text(space, word, definition)) is not None
    ]
    ranks = {frame: ranks_of(Logic(space, postprocess=frame), asked) for frame in FRAMES}

    def difference(one: Ranks, other: Ranks) -> list[Interval]:
        return [mean_interval((one <= d).astype(float) - (other <= d)) for d in DEPTHS]

    return {
        "definitions": len(definitions),
        "asked": len(asked),
        "found": {
            f"{way} | {frame}": [mean_interval(ranks[frame][way] <= depth) for depth in DEPTHS]
            for way in WAYS
            for frame in FRAMES
        },
        "differences": {
            f"{one} - {other} | {frame}": difference(ranks[frame][one], ranks[frame][other])
            for one, other in ((TEXT, ALIKE), (TEXT, EVERY), (BESIDE, BESIDE_MEAN))
            for frame in FRAMES
        }
        | {f"{TEXT} | {WHITE} - {FREQ}": difference(ranks[WHITE][TEXT], ranks[FREQ][TEXT])},
    }


def table(result: dict) -> str:
    depths = " | ".join(f"at {depth}" for depth in DEPTHS)
    lines = [
        "# Texts",
        "",
        f"`python benchmarks/texts.py --write results/texts` on {machine()}: the default model is "
        f"asked for the words of {result['asked']} of {result['definitions']} definitions, those "
        "that are in the vocabulary and not in their own definition. The share of them among the "
        "first 1, 10 and 100 words of the answer, with 95 % intervals.",
    ]
    for title, part in (("asked", "found"), ("paired difference", "differences")):
        lines += ["", f"| {title} | frame | {depths} |", "|---|---|---|---|---|"]
        lines += [f"| {name} | {' | '.join(map(str, row))} |" for name, row in result[part].items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    run(__doc__, measure, table)
