"""`andornot reproduce`: run experiments of the paper."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from andornot.base.choices import Scale

if TYPE_CHECKING:
    from andornot.experiments import Lab, Result


def reproduce(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name of an experiment, all, or list.")
    ] = "list",
    scale: Annotated[
        Scale,
        typer.Option(
            help="quick: about a minute each; here: sized for a laptop; paper: full settings, "
            "after an estimate of time and memory."
        ),
    ] = Scale.QUICK,
    trend: Annotated[
        bool,
        typer.Option("--trend", help="Compare a quarter, a half and all of the text."),
    ] = False,
    thorough: Annotated[
        bool,
        typer.Option(
            "--thorough",
            help="Add runs of up to two hours each: text8 with 100 iterations, minimum counts "
            "of 5 and 2, artificial OR words in Wikipedia, a BERT trained from scratch.",
        ),
    ] = False,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Folder for the results.")
    ] = Path("results"),
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Random seed.")] = 1,
    force: Annotated[
        bool, typer.Option("--force", help="Replace results with another scale or seed.")
    ] = False,
) -> None:
    """Reproduce an experiment of the paper.

    The table compares the paper's figures with ours. Results are written to FOLDER/NAME
    (result.json, table.md, figure.svg, figure.png) and summarised in FOLDER/README.md. Missing
    datasets are downloaded if possible.
    """
    from andornot.base.errors import AndornotError, UsageError
    from andornot.experiments import EXPERIMENTS, Lab, command_of, run
    from andornot.experiments.report import can_draw, check_result_folder
    from andornot.experiments.summary import write_summary
    from andornot.experiments.trend import labs_of_parts, trend_command
    from andornot.experiments.trend import trend as run_trend
    from andornot.training.running import InterruptedTrainingError
    from andornot.words.spelling import closest_spellings

    if name == "list":
        for key, title in EXPERIMENTS.items():
            print(f"{key:<14} {title}")
        return
    if name != "all" and name not in EXPERIMENTS:
        near = closest_spellings(name, list(EXPERIMENTS))
        hint = f"did you mean {near[0]}?" if near else f"choose one of {', '.join(EXPERIMENTS)}"
        raise UsageError(f"unknown experiment {name!r}; {hint}")
    lab = Lab(scale, seed, thorough=thorough, say=lambda text: print(text, file=sys.stderr))
    keys = list(EXPERIMENTS) if name == "all" else [name]
    for key in keys:
        folder = output / (f"{key}-trend" if trend else key)
        command = trend_command(key, lab) if trend else command_of(key, lab)
        check_result_folder(folder, command, force=force)
    if not can_draw():
        lab.say("no figures will be drawn; to draw them: pip install 'andornot[plots]'")

    def made(key: str) -> Result:
        labs = labs_of_parts(lab) if trend else [lab]
        _fetch_missing(key, labs[0])
        if scale == Scale.PAPER:
            _print_estimates(key, labs)
        return run_trend(key, lab) if trend else run(key, lab)

    failed = False
    written: list[str] = []
    for key in keys:
        try:
            result = made(key)
        except (InterruptedTrainingError, KeyboardInterrupt) as error:
            done = f"{', '.join(written)} {'is' if len(written) == 1 else 'are'} written, "
            raise InterruptedTrainingError(
                f"interrupted; {done if written else ''}what was trained is kept, and the same "
                "command goes on from there"
            ) from error
        except AndornotError as error:  # what lacks its input says so, and the others go on
            if name != "all":
                raise
            print(f"error: {key}: {error}", file=sys.stderr)
            failed = True
            continue
        result.write(output / result.name)
        written.append(key)
        print(result.markdown())
        write_summary(output)
    if failed:
        raise SystemExit(1)


def _fetch_missing(key: str, lab: Lab) -> None:
    """Fetch the missing datasets of an experiment.

    Raises:
        MissingSetError: If one of them can't be downloaded; then none is fetched.
    """
    from andornot.datasets.fetching import fetch
    from andornot.datasets.locating import dataset_named, find, not_here
    from andornot.experiments import datasets

    missing = [name for name in datasets(key, lab) if find(name) is None]
    for name in missing:
        if dataset_named(name).download is None:
            raise not_here(name)
    for name in missing:
        lab.say(f"fetching {name} from {dataset_named(name).home}")
        fetch(name)


def _print_estimates(name: str, labs: list[Lab]) -> None:
    """Print estimates of time and memory for the trainings of an experiment not yet done."""
    from andornot.base.formatting import readable_time
    from andornot.cli.console import readable_size
    from andornot.experiments import trainings
    from andornot.experiments.estimate import estimate

    say, home = labs[0].say, labs[0].home
    needed = [each for lab in labs for each in trainings(name, lab)]
    waiting = [each for each in needed if not (home / each.name).exists()]
    if not waiting:
        say(f"{name}: all trainings are done already")
        return
    say(f"{name}: measuring the training speed of this machine")
    found = [estimate(each) for each in waiting]
    for each in found:
        size = readable_size(int(each.memory))
        say(f"  {each.what}: about {readable_time(each.seconds)}, {size} of memory")
    total, most = sum(each.seconds for each in found), max(each.memory for each in found)
    say(f"  total: about {readable_time(total)}, at most {readable_size(int(most))} of memory")
