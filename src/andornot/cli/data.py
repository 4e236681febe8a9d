"""`andornot data`: list, fetch and locate datasets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from andornot.cli.help_texts import Command, CommandGroup
from andornot.cli.options import JsonOption

app = typer.Typer(
    cls=CommandGroup, help="List, fetch and locate evaluation datasets.", no_args_is_help=True
)

_ELSEWHERE = "download from"
_NAME_HELP = "Name of a dataset, as in the first column of `andornot data list`."


@app.command("list", cls=Command)
def list_sets(
    as_json: JsonOption = False,
) -> None:
    """List the datasets and their locations.

    Datasets are searched for in the folder ANDORNOT_DATA, then in the user's cache.
    """
    from andornot.cli.console import print_json, readable_size
    from andornot.datasets import DATASETS

    sets = [_facts(name) for name in DATASETS]
    if as_json:
        print_json(sets)
        return
    keys = max(len(each["key"]) for each in sets)
    names = max(len(each["name"]) for each in sets)
    for each in sets:
        size = "-" if each["size"] is None else readable_size(each["size"])
        line = f"{each['key']:<{keys}}  {each['name']:<{names}}  {size:>9}  "
        where = _where(each)
        print(line + where)
        if where == _ELSEWHERE:
            print(f"  {each['home']}")


@app.command(cls=Command)
def fetch(
    names: Annotated[list[str], typer.Argument(metavar="NAME", help=_NAME_HELP)],
) -> None:
    """Download datasets to the user's cache and print their paths.

    Each download is verified by a checksum. Datasets that exist locally are not downloaded again.
    """
    from andornot import datasets
    from andornot.datasets.locating import dataset_named

    for name in names:
        dataset_named(name)
    for name in names:
        print(datasets.fetch(name))


@app.command(cls=Command)
def path(name: Annotated[str, typer.Argument(metavar="NAME", help=_NAME_HELP)]) -> None:
    """Print the path of a dataset."""
    from andornot.datasets import locate

    print(locate(name))


def _facts(name: str) -> dict[str, Any]:
    """Return the facts about a dataset, ready for JSON."""
    from andornot.base.folders import size_of
    from andornot.datasets import DATASETS, find

    data = DATASETS[name]
    here = find(name)
    download = data.download
    size = download.size if download else None
    return {
        "key": name,
        "name": data.name,
        "file": data.file,
        "path": here and str(here),
        "size": size if here is None else size_of(here),
        "home": data.home,
        "licence": data.licence,
        "reader": data.reader,
        "url": download and download.url,
        "checksum": download and (download.checksum or f"sha256 of its files:{download.content}"),
        "note": data.note or None,
    }


def _where(facts: dict[str, Any]) -> str:
    """Say where a dataset is, in few characters."""
    from andornot.datasets.locating import fetched_folder

    if facts["path"] is not None:
        cached = Path(facts["path"]).is_relative_to(fetched_folder())
        return "in the cache" if cached else "ANDORNOT_DATA"
    return "can be fetched" if facts["url"] else _ELSEWHERE
