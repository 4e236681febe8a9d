"""The figures in the tables of README.md and docs/ are those of the result files they name.

A table with figures follows a comment, `<!-- figures: results/query.json -->`, with the files that
its numbers come from, or with the reason why there is no such file: `<!-- figures: none, ... -->`.
"""

import json
import re
from functools import cache

import pytest
from pages import ROOT, pages

PAGES = {name: path for name, path in pages().items() if name != "docs/default-model.md"}
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d[\d,]*)?\.?\d+(?![\w])")
INTERVAL = re.compile(rf"({NUMBER.pattern}) \[({NUMBER.pattern}), ({NUMBER.pattern})\]")
TABLE = re.compile(r"(?:<!-- figures: (?P<source>[^>]*?) -->\n+)?(?P<table>(?:^\|.*\n)+)", re.M)
FIGURE = re.compile(r"\**[-+]?0?\.\d\d")  # a cell that begins with a share or a score
UNITS = [10.0**power for power in (-9, -6, -3, 0, 2, 3)]  # bytes to MB, s to ms, shares to per cent


def tables(name):
    """Yield the source that each table of a page names, and its rows without the header."""
    for match in TABLE.finditer(PAGES[name].read_text()):
        yield match["source"], match["table"].splitlines()[2:]


def cells(row):
    """Return the cells of a row without its label and without links and code."""
    plain = re.sub(r"\]\([^)]*\)|`[^`]*`|<[^>]*>|\\\|", "", row)
    return [cell.strip() for cell in plain.strip("|").split("|")][1:]


@cache
def numbers_of(source):
    """Return the numbers in JSON files, as lists of those that belong together."""
    found = []
    for name in source.split(","):
        waiting = [json.loads((ROOT / name.strip()).read_text())]
        for each in waiting:
            if isinstance(each, str):
                found.append([float(n.replace(",", "")) for n in NUMBER.findall(each)])
            elif isinstance(each, dict | list):
                inside = list(each.values()) if isinstance(each, dict) else each
                waiting += inside
                waiting += each if isinstance(each, dict) else []
                found.append([float(n) for n in inside if type(n) in (int, float)])
    return [numbers for numbers in found if numbers]


def is_known(texts, known):
    """Whether numbers that belong together, in some unit, round to those that are written."""
    return any(
        all(_rounds_to(x * unit, text) for x, text in zip(numbers[start:], texts, strict=False))
        for numbers in known
        for start in range(len(numbers) - len(texts) + 1)
        for unit in UNITS
    )


def _rounds_to(number, text):
    digits = len(text.partition(".")[2])
    return abs(number - float(text.replace(",", ""))) <= 0.5000001 * 10.0**-digits


def figures(cell):
    """Yield the numbers of a cell; a number with its interval, "0.4 [0.3, 0.5]", is one."""
    for match in INTERVAL.finditer(cell):
        yield match.groups()
    yield from ((text,) for text in NUMBER.findall(INTERVAL.sub("", cell)))


@pytest.mark.parametrize("name", PAGES)
def test_the_figures_of_a_page_are_those_of_the_results(name):
    for source, rows in tables(name):
        if source is None or source.startswith("none"):
            continue
        known = numbers_of(source)
        for row in rows:
            for cell in cells(row):
                wrong = [texts for texts in figures(cell) if not is_known(texts, known)]
                assert not wrong, f"{name}: {wrong} not in {source}: {row}"


@pytest.mark.parametrize("name", PAGES)
def test_a_table_of_figures_names_its_source(name):
    for source, rows in tables(name):
        found = [row for row in rows for cell in cells(row) if FIGURE.match(cell)]
        assert source or not found, f"{name} has a table without a source: {found[0]}"


@pytest.mark.parametrize(
    ("cell", "known"),
    [
        (".405", True),
        ("+.405 of 405", True),
        (".406", False),
        ("-.405", False),
        (".405 [.339, .476]", True),
        (".405 [.339, .477]", False),
        (".405 [.476, .339]", False),
    ],
)
def test_a_figure_is_known_if_numbers_round_to_it(cell, known):
    kept = [[17.2, 0.40511, 0.3394, 0.4756]]
    assert all(is_known(texts, kept) for texts in figures(cell)) is known
