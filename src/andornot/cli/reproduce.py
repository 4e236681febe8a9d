"""`andornot reproduce`: the experiments of the paper, as they are typed and as they are run."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class _Scale(StrEnum):
    QUICK = "quick"
    HERE = "here"


def reproduce(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="An experiment, or all; `list` shows them.")
    ] = "list",
    scale: Annotated[
        _Scale, typer.Option(help="quick: a minute each; here: what a laptop allows.")
    ] = _Scale.QUICK,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where results go.")
    ] = Path("results"),
    seed: Annotated[int, typer.Option(help="For everything that is drawn.")] = 1,
) -> None:
    """Reproduce an experiment of the paper.

    The paper's figures stand beside ours. Each result goes to FOLDER/NAME: result.json, table.md,
    figure.svg and figure.png.
    """
    from andornot.errors import AndornotError
    from andornot.experiments import EXPERIMENTS, Lab, Scale, run
    from andornot.experiments.report import check_output
    from andornot.spelling import closest_spellings

    if name == "list":
        for key, title in EXPERIMENTS.items():
            print(f"{key:<14} {title}")
        return
    if name != "all" and name not in EXPERIMENTS:
        near = closest_spellings(name, list(EXPERIMENTS))
        hint = f"did you mean {near[0]}?" if near else f"choose one of {', '.join(EXPERIMENTS)}"
        raise AndornotError(f"unknown experiment {name!r}; {hint}")
    check_output(output)
    lab = Lab(Scale(scale.value), seed, say=lambda text: print(text, file=sys.stderr))
    failed = False
    for key in EXPERIMENTS if name == "all" else [name]:
        try:
            result = run(key, lab)
        except AndornotError as error:  # what lacks its input says so, and the others go on
            if name != "all":
                raise
            print(f"error: {key}: {error}", file=sys.stderr)
            failed = True
            continue
        result.write(output / key)
        print(result.markdown())
    if failed:
        raise SystemExit(1)
