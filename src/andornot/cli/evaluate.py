"""`andornot evaluate`: how good the vectors of a space are."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from andornot.base.choices import Postprocess
from andornot.base.errors import AndornotError
from andornot.cli.console import print_json, progress_bar
from andornot.datasets import DATASETS, locate, read_questions, read_word_pairs
from andornot.evaluation import analogies, similarity
from andornot.formats import load
from andornot.postprocessing import postprocess
from andornot.space import Space

_SIMILARITY = ("wordsim-353", "simlex-999", "mturk-771")
_ANALOGIES = ("google-analogies",)


def evaluate_space(
    path: Path,
    options: dict[str, Any],
    *,
    pairs: list[Path],
    questions: list[Path],
    method: str,
    sections: bool,
    as_json: bool,
) -> None:
    """Score a space on the named files, or on the usual sets."""
    space = postprocess(load(path, **options), method)
    if pairs or questions:
        wanted = [(str(file), file, False) for file in pairs]
        wanted += [(str(file), file, True) for file in questions]
    else:
        wanted = [
            (DATASETS[name].name, locate(name), name in _ANALOGIES)
            for name in (*_SIMILARITY, *_ANALOGIES)
        ]
    results = [
        {"set": name, **(_analogies(space, file) if is_analogy else _similarity(space, file))}
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
    if method == Postprocess.NONE and not space.provenance.postprocess:
        print("vectors as they were trained; to centre them first: --postprocess frequency")


def _shown(result: dict[str, Any]) -> str:
    name = "accuracy" if result["unit"] == "questions" else "spearman"
    value = result[name]
    return f"{name.capitalize()} " + ("  -  " if value is None else f"{value:.3f}")


def _similarity(space: Space, file: Path) -> dict[str, Any]:
    score = similarity(space, read_word_pairs(file))
    return {
        "unit": "pairs",
        "spearman": None if math.isnan(score.spearman) else score.spearman,
        "items": score.pairs,
        "covered": score.covered,
    }


def _analogies(space: Space, file: Path) -> dict[str, Any]:
    questions = read_questions(file)
    with progress_bar("analogies", total=len(questions), unit="questions") as progress:
        score = analogies(space, questions, progress)
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
