"""`andornot center-model`: a sentence encoder with its centre subtracted, as a new model."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from andornot.base import defaults
from andornot.base.choices import EncoderStep, Postprocess
from andornot.base.errors import AndornotError

if TYPE_CHECKING:
    from andornot.datasets.sentence_pairs import SentencePair
    from andornot.encoders.sentence_models import Encode
    from andornot.formats.model_folder import ModelFolder

    Years = dict[str, dict[str, list[SentencePair]]]

_YEARS = (12, 13, 14, 15, 16)
_ONE_STEP = {
    Postprocess.FREQUENCY: "the frequency-weighted mean of the token vectors is subtracted",
    Postprocess.UNIFORM: "the mean over the types of tokens is subtracted",
    Postprocess.ZIPFIAN_WHITENING: "the frequency-weighted mean of the token vectors is "
    "subtracted, and they are whitened under the frequencies",
}
Scores = dict[str, float]


def center_model(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="A model of sentence-transformers or model2vec: its folder, or its name on the "
            "hub.",
        ),
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write.")],
    corpus: Annotated[
        list[str],
        typer.Option(
            metavar="TEXT", help="Text files or folders, compressed or not, that give the centre."
        ),
    ],
    postprocess: Annotated[
        EncoderStep, typer.Option(help="How to post-process its vectors.")
    ] = defaults.CENTER_MODEL_STEP,
    lines: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, help="How many lines of the text a model with context reads."
        ),
    ] = 2000,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Which lines are drawn.")] = 1,
    sts: Annotated[
        bool, typer.Option("--sts/--no-sts", help="Compare before and after on STS 2012 to 2016.")
    ] = True,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a model that andornot wrote there.")
    ] = False,
) -> None:
    """Subtract the centre of a sentence encoder.

    Writes a model that its own library opens as before, with a table of STS in its card.
    """
    from andornot.base.folders import size_of
    from andornot.cli.console import readable_size
    from andornot.encoders.sentence_models import (
        centred_model,
        check_model_output,
        encoder,
        fit_model,
    )
    from andornot.formats.model_folder import find_model

    folder = find_model(source)
    check_model_output(folder, target, force=force)
    years, missing = _find_sts() if sts else ({}, "it was not asked for")
    before_encode = encoder(folder)  # a missing library is said before anything is computed
    method = postprocess.value
    step, text = fit_model(folder, corpus, method, lines=lines, seed=seed)
    command = shlex.join(_command(source, target, corpus, method, lines, seed))
    record: dict[str, Any] = {"made_from": folder.name, "postprocess": method, "fitted_on": text}
    with centred_model(folder, target, step, record, force=force) as (copy, describe):
        before = _score(before_encode, years, "STS before")
        after = _score(encoder(folder, copy), years, "STS after")
        table = _table(before, after) if before else f"There is no table of STS here: {missing}."
        record |= {"before": before, "after": after}
        describe(_card(folder, method, text, table, command))
    print(f"{target}: {folder.name}, {method}, fitted on {text}, {readable_size(size_of(target))}")
    print(table)


def _command(
    source: str, target: Path, corpus: list[str], method: str, lines: int, seed: int
) -> list[str]:
    """Return the command that makes the same model again."""
    from andornot.encoders.sentence_models import LINES, SEED

    command = ["andornot", "center-model", source, str(target)]
    for path in corpus:
        command += ["--corpus", path]
    if method != Postprocess.FREQUENCY:
        command += ["--postprocess", method]
    if lines != LINES:
        command += ["--lines", str(lines)]
    if seed != SEED:
        command += ["--seed", str(seed)]
    return command


def _find_sts() -> tuple[Years, str]:
    """Read the sets of STS by year; or return none of them, and why."""
    from andornot.datasets.locating import locate
    from andornot.datasets.sentence_pairs import read_sts

    try:
        return {f"STS{year}": read_sts(locate(f"sts{year}")) for year in _YEARS}, ""
    except AndornotError as error:
        return {}, str(error)


def _score(encode: Encode, years: Years, label: str) -> Scores:
    """Return Pearson's correlation for each year, the mean over its sets."""
    from andornot.base.progress import track
    from andornot.evaluation import sentence_similarity

    return {
        year: sentence_similarity(encode, sets).mean for year, sets in track(years.items(), label)
    }


def _table(before: Scores, after: Scores) -> str:
    lines = ["| Pearson x 100 | before | after |", "|---|---|---|"]
    lines += [f"| {year} | {100 * before[year]:.1f} | {100 * after[year]:.1f} |" for year in before]
    means = [100 * sum(scores.values()) / len(scores) for scores in (before, after)]
    lines.append(f"| mean | {means[0]:.1f} | {means[1]:.1f} |")
    return "\n".join(lines)


def _card(folder: ModelFolder, method: str, text: str, table: str, command: str) -> str:
    """Write the card of the model."""
    from andornot.encoders.sentence_models import is_model2vec, is_static

    library = "model2vec" if is_model2vec(folder) else "sentence-transformers"
    opened = (
        'from model2vec import StaticModel\n\nmodel = StaticModel.from_pretrained("FOLDER")'
        if is_model2vec(folder)
        else "from sentence_transformers import SentenceTransformer\n\n"
        'model = SentenceTransformer("FOLDER")'
    )
    where = (
        "folded into the vectors of the tokens"
        if is_static(folder)
        else "a Dense module after the pooling"
    )
    kept = _kept(folder.path / "README.md")
    base = "" if Path(folder.name).is_dir() else f"base_model: {folder.name}\n"
    return (
        f"---\nlibrary_name: {library}\n{base}{kept}"
        "tags:\n- sentence-similarity\n- centering\n---\n\n"
        f"# {Path(folder.name).name}, centred\n\n"
        f"{folder.name} with one more step: {_ONE_STEP[Postprocess(method)]}. The step is {where}; "
        f"it was fitted on {text} of a text. Everything else is as it was; README-original.md, "
        "where there is one, is the card of the model as it was, with its licence.\n\n"
        f"```python\n{opened}\n```\n\n"
        "Sentence similarity before and after, STS 2012 to 2016, the mean over the sets of a "
        f"year:\n\n{table}\n\nMade by `{command}`.\n"
    )


def _kept(card: Path) -> str:
    """The lines of the original card's header on its licence, languages and task."""
    text = card.read_text("utf-8", "replace") if card.exists() else ""
    header = re.match(r"---\n(.*?)\n---\s*$", text, re.DOTALL | re.MULTILINE)
    keys = "license|license_name|license_link|language|pipeline_tag"
    found = re.findall(rf"^((?:{keys}):.*(?:\n[ -].*)*)", header[1] if header else "", re.MULTILINE)
    return "".join(f"{lines}\n" for lines in found)
