"""`andornot evaluate`: how good the vectors of a space are."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from andornot.base import defaults
from andornot.base.choices import Postprocess, Undecodable
from andornot.base.errors import AndornotError
from andornot.cli.options import (
    FromOption,
    GloveVocabOption,
    JsonOption,
    SpaceArgument,
    UndecodableOption,
    chosen,
    loading,
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
            help="Rated word pairs instead: a word, a word and a number, separated by tabs.",
        ),
    ] = None,
    analogies: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Analogy questions instead: four words on each line."),
    ] = None,
    postprocess: Annotated[
        Postprocess, typer.Option(help="Post-process the vectors first.")
    ] = defaults.EVALUATE_POSTPROCESS,
    sections: Annotated[bool, typer.Option("--sections", help="Analogies by section too.")] = False,
    as_json: JsonOption = False,
    format: FromOption = None,
    glove_vocab: GloveVocabOption = None,
    undecodable: UndecodableOption = Undecodable.STRICT,
) -> None:
    """Score vectors by word similarity and analogies.

    WordSim-353, SimLex-999, MTurk-771 and the Google analogies, found by ANDORNOT_DATA or fetched
    by `andornot data fetch`, or files of your own.
    """
    from andornot.cli.console import print_json
    from andornot.datasets import DATASETS, locate
    from andornot.formats import load
    from andornot.postprocessing import postprocess as postprocessed

    path = chosen(space)
    method = postprocess.value
    opened = postprocessed(load(path, **loading(format, glove_vocab, undecodable)), method)
    if pairs or analogies:
        wanted = [(str(file), file, False) for file in pairs or []]
        wanted += [(str(file), file, True) for file in analogies or []]
    else:
        wanted = [
            (DATASETS[name].name, locate(name), name in _ANALOGIES)
            for name in (*_SIMILARITY, *_ANALOGIES)
        ]
    results = [
        {"set": name, **(_analogies(opened, file) if is_analogy else _similarity(opened, file))}
        for name, file, is_analogy in wanted
    ]
    if not any(result["covered"] for result in results):
        raise AndornotError(
            f"{path}: none of its words is in {', '.join(str(r['set']) for r in results)}; they "
            "may be of another language or another spelling"
        )
    if as_json:
        print_json({"space": str(path), "postprocess": method, "results": results})
        return
    width = max(len(str(result["set"])) for result in results)
    for result in results:
        of = f"{result['covered']:,} of {result['items']:,} {result['unit']}"
        print(f"{result['set']:<{width}}  {_shown(result)}  {of}")
        if sections:
            for name, part in result.get("sections", {}).items():
                print(f"  {name:<{width + 18}} {part['correct']:,} of {part['covered']:,}")
    if postprocess == Postprocess.NONE and not opened.provenance.postprocess:
        print("vectors as they were trained; to centre them first: --postprocess frequency")


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
