"""`andornot evaluate`: score a space by word similarity and analogies."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from andornot.base.choices import Postprocess, Undecodable
from andornot.base.defaults import default_postprocess
from andornot.base.errors import AndornotError
from andornot.cli.opening import load_arguments, space_path
from andornot.cli.options import (
    FromOption,
    GloveVocabOption,
    JsonOption,
    SpaceArgument,
    UndecodableOption,
)

if TYPE_CHECKING:
    from andornot.space import Space

_SIMILARITY = ("wordsim-353", "simlex-999", "mturk-771")
_ANALOGIES = ("google-analogies",)


def evaluate(
    space: SpaceArgument = None,
    pairs: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Use these rated word pairs: two words and a number per line, separated by tabs.",
        ),
    ] = None,
    analogies: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Use these analogy questions: four words per line."),
    ] = None,
    postprocess: Annotated[
        Postprocess | None,
        typer.Option(
            help="Post-process the vectors first. Default, as in `ask`: frequency, or uniform "
            "without counts; none for vectors that are post-processed already."
        ),
    ] = None,
    sections: Annotated[
        bool, typer.Option("--sections", help="Also show the sections of the analogies.")
    ] = False,
    as_json: JsonOption = False,
    format: FromOption = None,
    glove_vocab: GloveVocabOption = None,
    undecodable: UndecodableOption = Undecodable.STRICT,
) -> None:
    """Score a space by word similarity and analogies.

    Without --pairs and --analogies: WordSim-353, SimLex-999, MTurk-771 and the Google analogies,
    from the folder ANDORNOT_DATA or from `andornot data fetch`. Missing datasets are skipped.
    """
    from andornot.cli.console import print_json
    from andornot.formats import load
    from andornot.formats.detection import detect_format
    from andornot.postprocessing import postprocess as postprocessed

    path = space_path(space)
    if format is None:
        detect_format(path, glove_vocab)  # before missing datasets, and quicker than loading
    if pairs or analogies:
        wanted = [(str(file), file, False) for file in pairs or []]
        wanted += [(str(file), file, True) for file in analogies or []]
        missing: list[str] = []
    else:
        wanted, missing = _find_standard_datasets()
    loaded = load(path, **load_arguments(format, glove_vocab, undecodable))
    method = default_postprocess(loaded) if postprocess is None else postprocess
    opened = postprocessed(loaded, method.value)
    results = [
        {"set": name, **(_analogies(opened, file) if is_analogy else _similarity(opened, file))}
        for name, file, is_analogy in wanted
    ]
    if not any(result["covered"] for result in results):
        raise AndornotError(
            f"{path}: no word occurs in {', '.join(str(r['set']) for r in results)}; check the "
            "language and the case of the words"
        )
    if as_json:
        facts = {"space": str(path), "postprocess": method.value, "results": results}
        print_json(facts | {"missing": missing})
        return
    width = max(len(str(result["set"])) for result in results)
    for result in results:
        of = f"{result['covered']:,} of {result['items']:,} {result['unit']}"
        print(f"{result['set']:<{width}}  {_shown(result)}  {of}")
        if sections:
            for name, part in result.get("sections", {}).items():
                print(f"  {name:<{width + 18}} {part['correct']:,} of {part['covered']:,}")
    print(f"post-processing: {opened.provenance.postprocess or 'none'}")
    if missing:
        print(
            f"note: skipped {', '.join(missing)}; to download: "
            f"andornot data fetch {' '.join(missing)}",
            file=sys.stderr,
        )


def _find_standard_datasets() -> tuple[list[tuple[str, Path, bool]], list[str]]:
    """Return the standard datasets found (name, file, is_analogy), and the missing names.

    Raises:
        AndornotError: If none is found.
    """
    from andornot.datasets import DATASETS
    from andornot.datasets.locating import find

    standard = (*_SIMILARITY, *_ANALOGIES)
    found = {name: path for name in standard if (path := find(name)) is not None}
    if not found:
        raise AndornotError(
            f"the datasets {', '.join(standard)} are missing; run "
            f"`andornot data fetch {' '.join(standard)}`, set ANDORNOT_DATA to a folder with them, "
            "or name your own with --pairs and --analogies"
        )
    files = [(DATASETS[name].name, path, name in _ANALOGIES) for name, path in found.items()]
    return files, [name for name in standard if name not in found]


def _shown(result: dict[str, Any]) -> str:
    name = "accuracy" if result["unit"] == "questions" else "spearman"
    value = result[name]
    return f"{name.capitalize()} " + ("  -  " if value is None else f"{value:.3f}")


def _similarity(space: Space, file: Path) -> dict[str, Any]:
    from andornot.datasets import read_word_pairs
    from andornot.evaluation import similarity

    score = similarity(space, read_word_pairs(file))
    return {
        "unit": "pairs",
        "spearman": None if math.isnan(score.spearman) else score.spearman,
        "items": score.pairs,
        "covered": score.covered,
    }


def _analogies(space: Space, file: Path) -> dict[str, Any]:
    from andornot.datasets import read_questions
    from andornot.evaluation import analogies

    score = analogies(space, read_questions(file))
    return {
        "unit": "questions",
        "accuracy": score.accuracy if score.covered else None,
        "items": score.questions,
        "covered": score.covered,
        "sections": {
            name: {"correct": right, "covered": asked}
            for name, (right, asked) in score.sections.items()
        },
    }
