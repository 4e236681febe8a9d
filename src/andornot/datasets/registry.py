"""The sets that are known by name: where each stands in the data folder, and its public home."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from andornot.errors import AndornotError


@dataclass(frozen=True)
class Dataset:
    """A set of data: its name, its place in the folder of ANDORNOT_DATA, where to get it."""

    name: str
    file: str
    home: str


DATASETS = {
    "wordsim-353": Dataset(
        "WordSim-353",
        "word-similarity/EN-WS-353-ALL.txt",
        "http://alfonseca.org/eng/research/wordsim353.html",
    ),
    "simlex-999": Dataset(
        "SimLex-999",
        "word-similarity/EN-SIMLEX-999.txt",
        "https://fh295.github.io/simlex.html",
    ),
    "mturk-771": Dataset(
        "MTurk-771",
        "word-similarity/EN-MTurk-771.txt",
        "http://www2.mta.ac.il/~gideon/mturk771.html",
    ),
    "google-analogies": Dataset(
        "Google analogies",
        "analogy/questions-words.txt",
        "https://github.com/tmikolov/word2vec",
    ),
}


def locate(name: str) -> Path:
    """The file of a set, under the folder that ANDORNOT_DATA names.

    >>> locate("simlex")
    Traceback (most recent call last):
    ...
    andornot.errors.AndornotError: unknown set 'simlex'; choose one of wordsim-353, ...
    """
    if name not in DATASETS:
        raise AndornotError(f"unknown set {name!r}; choose one of {', '.join(DATASETS)}")
    dataset = DATASETS[name]
    folder = os.environ.get("ANDORNOT_DATA")
    if not folder:
        raise AndornotError(
            f"{dataset.name} isn't here: set ANDORNOT_DATA to a folder that holds {dataset.file} "
            f"(from {dataset.home})"
        )
    path = Path(folder) / dataset.file
    if not path.is_file():
        raise AndornotError(f"{path}: {dataset.name} isn't there; get it from {dataset.home}")
    return path
