"""`andornot center-model`: a sentence encoder with its centre subtracted, as a new model."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

from andornot.base.choices import Postprocess
from andornot.base.errors import AndornotError, FileError
from andornot.base.files import Progress
from andornot.base.folders import size_of
from andornot.cli.console import progress_bar, progress_bars, readable_size
from andornot.datasets.locating import locate
from andornot.datasets.sentence_pairs import SentencePair, read_sts
from andornot.encoders.sentence_models import (
    SAMPLE,
    SEED,
    Encode,
    centred_model,
    check_output,
    encoder,
    fit_model,
    is_model2vec,
    is_static,
)
from andornot.evaluation import sentence_similarity
from andornot.formats.model_folder import ModelFolder, find_model

_YEARS = (12, 13, 14, 15, 16)
_ONE_STEP = {
    Postprocess.FREQUENCY: "the frequency-weighted mean of the token vectors is subtracted",
    Postprocess.UNIFORM: "the mean over the types of tokens is subtracted",
    Postprocess.ZIPFIAN_WHITENING: "the frequency-weighted mean of the token vectors is "
    "subtracted, and they are whitened under the frequencies",
}
Years = dict[str, dict[str, list[SentencePair]]]
Scores = dict[str, float]


def center_sentence_model(
    source: str,
    target: Path,
    corpus: list[str],
    *,
    method: str,
    sample: int,
    seed: int,
    with_sts: bool,
    force: bool,
) -> None:
    """Fit, write, compare, and say what came of it."""
    folder = find_model(source)
    check_output(folder, target, force=force)
    if not target.absolute().parent.is_dir():
        raise FileError(target, "its folder doesn't exist", "make the folder first")
    years, missing = _find_sts() if with_sts else ({}, "it was not asked for")
    before_encode = encoder(folder)  # a missing library is said before anything is computed
    with progress_bars("reading the text", "finding the centre") as (reading, progress):
        step, text = fit_model(
            folder, corpus, method, sample=sample, seed=seed, reading=reading, progress=progress
        )
    command = shlex.join(_command(source, target, corpus, method, sample, seed))
    record: dict[str, Any] = {"made_from": folder.name, "postprocess": method, "fitted_on": text}
    with centred_model(folder, target, step, record, force=force) as (place, describe):
        with progress_bar("STS before") as progress:
            before = _score(before_encode, years, progress)
        with progress_bar("STS after") as progress:
            after = _score(encoder(folder, place), years, progress)
        table = _table(before, after) if before else f"There is no table of STS here: {missing}."
        record |= {"before": before, "after": after}
        describe(_card(folder, method, text, table, command))
    print(f"{target}: {folder.name}, {method}, fitted on {text}, {readable_size(size_of(target))}")
    print(table)


def _command(
    source: str, target: Path, corpus: list[str], method: str, sample: int, seed: int
) -> list[str]:
    """What makes the same model again."""
    command = ["andornot", "center-model", source, str(target)]
    for path in corpus:
        command += ["--corpus", path]
    if method != Postprocess.FREQUENCY:
        command += ["--postprocess", method]
    if sample != SAMPLE:
        command += ["--sample", str(sample)]
    if seed != SEED:
        command += ["--seed", str(seed)]
    return command


def _find_sts() -> tuple[Years, str]:
    """The sets of STS by year; or none of them, and why."""
    try:
        return {f"STS{year}": read_sts(locate(f"sts{year}")) for year in _YEARS}, ""
    except AndornotError as error:
        return {}, str(error)


def _score(encode: Encode, years: Years, progress: Progress | None) -> Scores:
    """Pearson's correlation for each year, the mean over its sets."""
    found = {}
    for number, (year, sets) in enumerate(years.items(), start=1):
        found[year] = sentence_similarity(encode, sets).mean
        if progress:
            progress(number / len(years))
    return found


def _table(before: Scores, after: Scores) -> str:
    lines = ["| Pearson x 100 | before | after |", "|---|---|---|"]
    lines += [f"| {year} | {100 * before[year]:.1f} | {100 * after[year]:.1f} |" for year in before]
    means = [100 * sum(scores.values()) / len(scores) for scores in (before, after)]
    lines.append(f"| mean | {means[0]:.1f} | {means[1]:.1f} |")
    return "\n".join(lines)


def _card(folder: ModelFolder, method: str, text: str, table: str, command: str) -> str:
    """The card of the model."""
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
