"""Where sets are: in the folder that ANDORNOT_DATA names, else in the user's cache."""

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
    """What is known of a set.

    >>> dataset_named("simlex-999").name
    'SimLex-999'
    >>> dataset_named("simlex-99")
    Traceback (most recent call last):
    ...
    andornot.base.errors.UsageError: unknown set 'simlex-99'; did you mean 'simlex-999'?
    """
    if name in DATASETS:
        return DATASETS[name]
    near = [key for key in DATASETS if key.startswith(name)]
    near = near or closest_spellings(name, list(DATASETS))
    if near:
        proposal = f"did you mean {', '.join(map(repr, near))}?"
    else:
        proposal = f"choose one of {', '.join(DATASETS)}"
    raise UsageError(f"unknown set {name!r}; {proposal}")


def fetched_folder() -> Path:
    """The folder that sets are fetched to."""
    return user_cache("data")


def find(name: str) -> Path | None:
    """The file or folder of a set under ANDORNOT_DATA, else in the user's cache, or None."""
    dataset = dataset_named(name)
    chosen = os.environ.get("ANDORNOT_DATA")
    folders = [Path(chosen)] if chosen else []
    for folder in (*folders, fetched_folder()):
        path = folder / dataset.file
        with reading(path):
            if dataset.stands_at(path):
                return path
    return None


def locate(name: str) -> Path:
    """The file or folder of a set; where it isn't here, an error says how to get it.

    >>> locate("king")
    Traceback (most recent call last):
    ...
    andornot.base.errors.UsageError: unknown set 'king'; choose one of wordsim-353, ...
    """
    path = find(name)
    if path is None:
        raise not_here(name)
    return path


class MissingSetError(AndornotError):
    """A set that isn't here: which file to put where, and how it can be fetched."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        super().__init__(text)


def not_here(name: str) -> MissingSetError:
    """The error for a set that isn't here."""
    dataset = dataset_named(name)
    source = dataset.home + (f": {dataset.note}" if dataset.note else "")
    fetching = f", or run `andornot data fetch {name}`" if dataset.download else ""
    folder = os.environ.get("ANDORNOT_DATA")
    if not folder:
        return MissingSetError(
            name,
            f"{dataset.name} isn't here: set ANDORNOT_DATA to a folder that holds {dataset.file} "
            f"(from {source}){fetching}",
        )
    path = Path(folder) / dataset.file
    return MissingSetError(
        name, f"{path}: {dataset.name} isn't there; get it from {source}{fetching}"
    )
