"""Read feature norms: features that people name for a concept, such as "made of wood"."""

from __future__ import annotations

from os import PathLike
from typing import NamedTuple

from andornot.base.csv_rows import csv_columns
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
    lines = text_lines(path)
    rows = csv_columns(path, lines, _COLUMNS, delimiter="\t", quoted=False)
    found = []
    for line, (concept, feature, kind, named_by) in rows:
        if not concept or not feature or not kind or not named_by.isdecimal():
            raise FileError(
                path,
                "expected a concept, a feature, its kind and a number of people, got "
                f"{' '.join((concept, feature, kind, named_by))[:60]!r}",
                "correct the line",
                line=line,
            )
        found.append(Feature(concept, feature, kind, int(named_by)))
    if not found:
        raise FileError(path, "no features", "get the norms again")
    return found
