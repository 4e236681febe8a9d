"""The trend of an experiment's figures with text size: a quarter, a half and all of the text.

In experiments that ask about words, all parts get the same questions: those whose words are in the
vocabulary of the first quarter.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from andornot.base.errors import UsageError
from andornot.experiments import command_of, run, trainings
from andornot.experiments.lab import Lab
from andornot.experiments.report import Result, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PARTS = (0.25, 0.5, 1.0)
ASKING = {"phrases": True, "words": True, "or-actual": True, "not": False}
"""Experiments that ask about words, and whether they rank the whole vocabulary."""


def trend(name: str, lab: Lab) -> Result:
    """Run an experiment on a quarter, a half and all of its text, and compare the figures.

    For example `trend("words", Lab())`.
    """
    labs = labs_of_parts(lab)
    known = [frozenset(each.vocabulary.words) for each in trainings(name, labs[0])]
    if not known:
        raise UsageError(f"{name} trains no model, so it has no trend; leave --trend off")
    asked = frozenset.intersection(*known)
    results = []
    for each in labs:
        lab.say(f"{name} on {each.part:.0%} of the text")
        results.append(run(name, replace(each, words=asked)))
    moving = {
        finding.what: [_ours(result, finding.what) for result in results]
        for finding in results[-1].findings
    }
    papers = {finding.what: finding.paper for finding in results[-1].findings}
    last = results[-1]
    table = Table(
        "Figures by the fraction of the text",
        ("", *(f"{part:.0%}" for part in PARTS), "paper"),
        tuple((what, *found, papers[what]) for what, found in moving.items()),
    )
    return Result(
        name=f"{name}-trend",
        title=f"{last.title}: trend with text size",
        corpus="; ".join(result.corpus for result in results),
        agreement=_note(name),
        tables=(table,),
        numbers={"parts": PARTS, "figures": moving},
        summary=table,
        draw=lambda figure: _draw(figure, moving, papers),
        command=trend_command(name, lab),
    )


def trend_command(name: str, lab: Lab) -> str:
    """Return the command that runs the trend of an experiment.

    >>> trend_command("sts", Lab())
    'andornot reproduce sts --scale quick --trend'
    """
    return f"{command_of(name, lab)} --trend"


def labs_of_parts(lab: Lab) -> list[Lab]:
    """Return the lab of each part of the text; all of them train.

    >>> [each.part for each in labs_of_parts(Lab())]
    [0.25, 0.5, 1.0]
    """
    return [replace(lab, part=part, always_train=True, thorough=False) for part in PARTS]


def _ours(result: Result, what: str) -> float | None:
    return next((finding.ours for finding in result.findings if finding.what == what), None)


def _note(name: str) -> str:
    """Say what the figures can show, and which questions are asked."""
    said = (
        "Each part of the text has one training, and the figures have no intervals. Differences "
        "between the parts can therefore be noise."
    )
    if name in ASKING:
        said += " All parts get the same questions: those with words of the first quarter."
    if ASKING.get(name):
        said += " More text adds words to the vocabulary, and so more wrong answers."
    return said


def _draw(
    figure: Figure, moving: dict[str, list[float | None]], papers: dict[str, float | None]
) -> None:
    groups: dict[str, list[str]] = {}
    for what in moving:
        groups.setdefault(re.split("[,:]", what)[0], []).append(what)
    figure.set_size_inches(7.2, 0.6 + 2.4 * len(groups))
    panels = figure.subplots(len(groups), 1, squeeze=False, sharex=True)[:, 0]
    for panel, (group, names) in zip(panels, groups.items(), strict=True):
        for number, what in enumerate(names):
            colour = f"C{number % 10}"
            known = [(p, y) for p, y in zip(PARTS, moving[what], strict=True) if y is not None]
            label = what[len(group) :].lstrip(",: ") or group
            panel.plot(*zip(*known, strict=True), "o-", color=colour, label=label)
            if (paper := papers[what]) is not None:
                panel.plot([1.15], [paper], "*", color=colour)
        panel.set_xticks([*PARTS, 1.15], [*(f"{part:.0%}" for part in PARTS), "paper"])
        panel.set_title(group)
        panel.legend(fontsize="x-small", loc="center left", bbox_to_anchor=(1.02, 0.5))
    panels[-1].set_xlabel("fraction of the text")
