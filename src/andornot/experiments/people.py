"""Practical tasks for word vectors: the scores of the naive method, the paper's and ours.

Each task is a module of `jobs/`. All use the default model at every scale. Settings are chosen on
one half of the items and reported on the other. The bars apply to the words of the first default
model; results for the whole vocabulary are shown as well.
"""

from __future__ import annotations

import math
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from andornot.base.progress import track
from andornot.experiments.intervals import Interval
from andornot.experiments.jobs.job import JobResult
from andornot.experiments.lab import Lab, Training
from andornot.experiments.report import Cell, Result, Table, listed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

JOBS = ("descriptions", "word_lists", "senses", "properties", "alternatives", "codenames", "topics")
"""Modules of `jobs/`, in the order of the tables."""


def datasets(lab: Lab) -> list[str]:
    """Return the datasets of all jobs."""
    return list(dict.fromkeys(name for job in JOBS for name in _module(job).datasets()))


def trainings(lab: Lab) -> dict[str, Training]:
    """Return no trainings: the jobs use the default model."""
    return {}


def run(lab: Lab) -> Result:
    """Do every job with the default model."""
    from threadpoolctl import threadpool_limits

    from andornot.formats.default_model import default

    space = default()
    with threadpool_limits(1, "blas"):  # threads would only wait on many small products
        found: list[JobResult] = [_module(job).run(space, lab) for job in track(JOBS, "jobs")]
    return assemble(found, f"the default model ({len(space):,} words)")


def _module(job: str) -> ModuleType:
    return import_module(f"andornot.experiments.jobs.{job}")


def assemble(found: list[JobResult], corpus: str) -> Result:
    """Return the result of the jobs: the bars first, then the tables of each job."""
    bars = bar_table(found)
    return Result(
        name="people",
        title="Jobs that people have for word vectors",
        corpus=corpus,
        agreement=_agreement(found),
        tables=(bars, *(table for job in found for table in job.tables)),
        numbers={
            job.name: _writable({"items": job.items, "bars": _facts(job), **job.numbers})
            for job in found
        },
        summary=bars,
        draw=(lambda figure: _draw(figure, found)) if any(job.shown for job in found) else None,
    )


def bar_table(found: list[JobResult]) -> Table:
    """Return a table of the bars of each job, the figures, and whether they are reached."""
    rows: list[tuple[Cell, ...]] = [
        (job.title, bar.what, bar.bound, _shown(bar.found), "yes" if bar.reached else "no")
        for job in found
        for bar in job.bars
    ]
    return Table(
        "Bars, among 38,000 words", ("job", "figure", "bar", "ours", "reached"), tuple(rows)
    )


def _shown(figure: Interval | float) -> str:
    """Format a figure with one more digit than its bar, so that the comparison is visible."""
    if isinstance(figure, Interval):
        return "{:.4f} [{:.4f}, {:.4f}]".format(*figure)
    return f"{figure:.4g}"


def _writable(value: Any) -> Any:
    """Replace non-finite numbers, such as the rank of a missed word, by None for JSON."""
    if isinstance(value, dict):
        return {name: _writable(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _facts(job: JobResult) -> list[dict[str, Any]]:
    return [bar._asdict() for bar in job.bars]


def _agreement(found: list[JobResult]) -> str:
    """Say how many bars are reached, which are missed, and which items were used."""
    bars = [(job.name, bar) for job in found for bar in job.bars]
    missed = [f"{name}: {bar.what} ({_shown(bar.found)})" for name, bar in bars if not bar.reached]
    return listed(
        [
            f"{len(bars) - len(missed)} of {len(bars)} bars are reached.",
            *(f"Not reached: {each}." for each in missed),
            f"Items: {'; '.join(f'{job.name}: {job.items}' for job in found)}.",
        ]
    )


def _draw(figure: Figure, found: list[JobResult]) -> None:
    """Draw the main figure of each job: a point and its interval for each method."""
    shown = [job for job in found if job.shown]
    heights = [3 + len(job.shown) for job in shown]
    figure.set_size_inches(7.2, 0.17 * sum(heights))
    grid = figure.subplots(len(shown), 1, squeeze=False, height_ratios=heights).ravel()
    for panel, job in zip(grid, shown, strict=True):
        values = np.array(list(job.shown.values()))
        places = np.arange(len(values))[::-1]
        around = np.abs(values[:, 1:] - values[:, :1]).T
        panel.errorbar(values[:, 0], places, xerr=around, fmt="o", markersize=3, linewidth=1)
        panel.set_title(job.shown_as, fontsize="small")
        panel.set_yticks(places, list(job.shown), fontsize="x-small")
        panel.tick_params(axis="x", labelsize="x-small")
