"""Locate datasets in the folder ANDORNOT_DATA, or in the user's cache."""

from __future__ import annotations

import os
from pathlib import Path

from andornot.base.errors import AndornotError, UsageError
from andornot.base.files import reading
from andornot.base.folders import user_cache
from andornot.datasets.dataset import Dataset
from andornot.datasets.registry import DATASETS
from andornot.words.spelling import closest_spellings


def dataset_named(name: str) -> Dataset:
    """Return the dataset of this name.

    >>> dataset_named("simlex-999").name
    'SimLex-999'
    >>> dataset_named("simlex-99")
    Traceback (most recent call last):
    ...
    andornot.base.errors.UsageError: unknown dataset 'simlex-99'; did you mean 'simlex-999'?
    """
    if name in DATASETS:
        return DATASETS[name]
    near = [key for key in DATASETS if key.startswith(name)]
    near = near or closest_spellings(name, list(DATASETS))
    if near:
        proposal = f"did you mean {', '.join(map(repr, near))}?"
    else:
        proposal = f"choose one of {', '.join(DATASETS)}"
    raise UsageError(f"unknown dataset {name!r}; {proposal}")


def fetched_folder() -> Path:
    """Return the folder for fetched datasets."""
    return user_cache("data")


def find(name: str) -> Path | None:
    """Return the path of a dataset in ANDORNOT_DATA or in the user's cache, or None."""
    dataset = dataset_named(name)
    chosen = os.environ.get("ANDORNOT_DATA")
    folders = [Path(chosen)] if chosen else []
    for folder in (*folders, fetched_folder()):
        path = folder / dataset.file
        with reading(path):
            if dataset.is_at(path):
                return path
    return None


def locate(name: str) -> Path:
    """Return the path of a dataset; if it is missing, the error tells how to get it.

    >>> locate("king")
    Traceback (most recent call last):
    ...
    andornot.base.errors.UsageError: unknown dataset 'king'; choose one of wordsim-353, ...
    """
    path = find(name)
    if path is None:
        raise not_here(name)
    return path


class MissingSetError(AndornotError):
    """A dataset is missing; the message tells how to get it and where to put it."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        super().__init__(text)


def not_here(name: str) -> MissingSetError:
    """Return the error for a missing dataset."""
    dataset = dataset_named(name)
    source = dataset.home + (f": {dataset.note}" if dataset.note else "")
    fetching = f", or run `andornot data fetch {name}`" if dataset.download else ""
    folder = os.environ.get("ANDORNOT_DATA")
    if not folder:
        return MissingSetError(
            name,
            f"{dataset.name} is missing; set ANDORNOT_DATA to a folder with {dataset.file} "
            f"(from {source}){fetching}",
        )
    path = Path(folder) / dataset.file
    return MissingSetError(
        name, f"{path}: {dataset.name} is missing; download it from {source}{fetching}"
    )
