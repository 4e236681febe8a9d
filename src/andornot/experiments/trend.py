"""How the figures of an experiment move with the text: a quarter, a half and all of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from andornot.experiments import run
from andornot.experiments.lab import Lab
from andornot.experiments.report import Result, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PARTS = (0.25, 0.5, 1.0)


def trend(name: str, lab: Lab) -> Result:
    """Run an experiment on the beginnings of its text, and lay its figures side by side.

    For example `trend("words", Lab())`.
    """
    results = []
    for part in PARTS:
        lab.say(f"{name} on {part:.0%} of the text")
        results.append(run(name, replace(lab, part=part, always_train=True)))
    moving = {
        finding.what: [_ours(result, finding.what) for result in results]
        for finding in results[-1].findings
    }
    papers = {finding.what: finding.paper for finding in results[-1].findings}
    last = results[-1]
    table = Table(
        "By how much of the text there is",
        ("", *(f"{part:.0%}" for part in PARTS), "paper"),
        tuple((what, *found, papers[what]) for what, found in moving.items()),
    )
    return Result(
        name=f"{name}-trend",
        title=f"{last.title}: how it moves with the text",
        corpus="; ".join(result.corpus for result in results),
        agreement=_agreement(moving, papers),
        tables=(table,),
        numbers={"parts": PARTS, "figures": moving},
        summary=table,
        draw=lambda figure: _draw(figure, moving, papers),
        command=f"{last.command} --trend",
    )


def _ours(result: Result, what: str) -> float | None:
    return next((finding.ours for finding in result.findings if finding.what == what), None)


def _agreement(moving: dict[str, list[float | None]], papers: dict[str, float | None]) -> str:
    """How many of the figures come nearer to the paper's with more text."""
    nearer, of = 0, 0
    for what, (first, *_, last) in moving.items():
        paper = papers[what]
        if first is None or last is None or paper is None:
            continue
        nearer += abs(last - paper) < abs(first - paper)
        of += 1
    said = f"From a quarter of the text to all of it, {nearer} of {of} figures come nearer to the "
    return said + (
        "paper's. With more text come more words, and so more questions, and more wrong answers to "
        "choose from."
    )


def _draw(
    figure: Figure, moving: dict[str, list[float | None]], papers: dict[str, float | None]
) -> None:
    panel = figure.subplots()
    for number, (what, found) in enumerate(moving.items()):
        colour = f"C{number % 10}"
        known = [(p, y) for p, y in zip(PARTS, found, strict=True) if y is not None]
        panel.plot(*zip(*known, strict=True), "o-", color=colour, label=what)
        paper = papers[what]
        if paper is not None:
            panel.plot([1.15], [paper], "*", color=colour)
    panel.set_xticks([*PARTS, 1.15], [*(f"{part:.0%}" for part in PARTS), "paper"])
    panel.set_xlabel("of the text")
    panel.legend(fontsize="x-small", loc="center left", bbox_to_anchor=(1.02, 0.5))
