"""`andornot center-model`: subtract the mean of a sentence encoder and write a new model."""

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
            help="Model of sentence-transformers or model2vec: its folder, or its name on the hub.",
        ),
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="Output folder.")],
    corpus: Annotated[
        list[str],
        typer.Option(
            metavar="TEXT",
            help="Text from which the mean is estimated: files or folders, may be compressed.",
        ),
    ],
    postprocess: Annotated[
        EncoderStep, typer.Option(help="Post-processing of the vectors.")
    ] = defaults.CENTER_MODEL_STEP,
    lines: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, help="Number of lines to sample for models that are not static."
        ),
    ] = 2000,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Random seed of the sample.")] = 1,
    sts: Annotated[
        bool, typer.Option("--sts/--no-sts", help="Compare before and after on STS 2012 to 2016.")
    ] = True,
    force: Annotated[
        bool, typer.Option("--force", help="Replace an existing model written by andornot.")
    ] = False,
) -> None:
    """Subtract the mean of a sentence encoder.

    The new model loads with the same library as before. Its model card has a table of STS scores.
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
    years, missing = _find_sts() if sts else ({}, "--no-sts was given")
    before_encode = encoder(folder)  # report a missing library before computing anything
    method = postprocess.value
    step, text = fit_model(folder, corpus, method, lines=lines, seed=seed)
    command = shlex.join(_command(source, target, corpus, method, lines, seed))
    record: dict[str, Any] = {"made_from": folder.name, "postprocess": method, "fitted_on": text}
    with centred_model(folder, target, step, record, force=force) as (copy, describe):
        before = _score(before_encode, years, "STS before")
        after = _score(encoder(folder, copy), years, "STS after")
        table = _table(before, after) if before else f"Not evaluated on STS: {missing}."
        record |= {"before": before, "after": after}
        describe(_card(folder, method, text, table, command))
    print(f"{target}: {folder.name}, {method}, fitted on {text}, {readable_size(size_of(target))}")
    print(table)


def _command(
    source: str, target: Path, corpus: list[str], method: str, lines: int, seed: int
) -> list[str]:
    """Return the command that reproduces the model."""
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
    """Read the STS datasets by year; if one is missing, return none and the reason."""
    from andornot.datasets.locating import locate
    from andornot.datasets.sentence_pairs import read_sts

    try:
        return {f"STS{year}": read_sts(locate(f"sts{year}")) for year in _YEARS}, ""
    except AndornotError as error:
        return {}, str(error)


def _score(encode: Encode, years: Years, label: str) -> Scores:
    """Return Pearson's correlation for each year, averaged over its datasets."""
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
    """Return the text of the model card."""
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
        f"{folder.name} with one more step: {_ONE_STEP[Postprocess(method)]}. The step is {where} "
        f"and was fitted on {text} of a text. Everything else is unchanged. README-original.md, "
        "if present, is the original model card with its licence.\n\n"
        f"```python\n{opened}\n```\n\n"
        "Sentence similarity before and after, STS 2012 to 2016, averaged over the datasets of a "
        f"year:\n\n{table}\n\nMade by `{command}`.\n"
    )


def _kept(card: Path) -> str:
    """Return the header lines of the original card about licence, languages and task."""
    text = card.read_text("utf-8", "replace") if card.exists() else ""
    header = re.match(r"---\n(.*?)\n---\s*$", text, re.DOTALL | re.MULTILINE)
    keys = "license|license_name|license_link|language|pipeline_tag"
    found = re.findall(rf"^((?:{keys}):.*(?:\n[ -].*)*)", header[1] if header else "", re.MULTILINE)
    return "".join(f"{lines}\n" for lines in found)
