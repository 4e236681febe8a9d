"""Read feature norms: features that people name for a concept, such as "made of wood"."""

from __future__ import annotations

import csv
from os import PathLike
from typing import NamedTuple

from andornot.base.errors import FileError
from andornot.datasets.lines import text_lines

_COLUMNS = ("Concept", "Feature", "BR_Label", "Prod_Freq")


class Feature(NamedTuple):
    """A feature of a concept, its kind, such as "taxonomic", and the number of people who named it.

    Words of a feature are joined by underscores: `made_of_wood`. A concept whose spelling has
    several senses carries one: `bat_(animal)`.
    """

    concept: str
    feature: str
    kind: str
    named_by: int


def read_feature_norms(path: str | PathLike[str]) -> list[Feature]:
    """Read the norms of McRae and others: a tab-separated file with a row for each feature.

    Of its columns, Concept, Feature, BR_Label and Prod_Freq are read.

    For example `read_feature_norms("CONCS_FEATS_concstats_brm.txt")[0]` is
    `Feature("accordion", "a_musical_instrument", "taxonomic", 28)`.

    Raises:
        FileError: If a column is missing, a line is malformed, or the file is empty.
    """
    rows = csv.DictReader(text_lines(path), delimiter="\t", quoting=csv.QUOTE_NONE)
    missing = [name for name in _COLUMNS if name not in (rows.fieldnames or ())]
    if missing:
        raise FileError(
            path, f"no column {missing[0]!r} in the first line", "get the norms again", line=1
        )
    found = []
    for row in rows:
        concept, feature, kind, named_by = (row[name] or "" for name in _COLUMNS)
        if not concept or not feature or not kind or not named_by.isdecimal():
            raise FileError(
                path,
                "expected a concept, a feature, its kind and a number of people, got "
                f"{' '.join((concept, feature, kind, named_by))[:60]!r}",
                "correct the line",
                line=rows.line_num,
            )
        found.append(Feature(concept, feature, kind, int(named_by)))
    if not found:
        raise FileError(path, "no features", "get the norms again")
    return found
