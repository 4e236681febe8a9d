"""The example programs run, and find what their data was made of."""

import importlib.util
import re

import pytest
from commands import EXAMPLES

from andornot.datasets.locating import find


def run(name, capsys):
    """Run an example in this process; its module, and the lines that it printed."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main()
    lines = capsys.readouterr().out.splitlines()
    return module, dict(line.split(": ", 1) for line in lines if ": " in line), lines


@pytest.mark.slow
def test_items_that_are_bought_together(capsys):
    module, answers, _ = run("baskets", capsys)
    meals = {name: set(items) for name, items in module.MEALS.items()}
    asked = {
        "spaghetti": meals["pasta"],
        '"coconut milk"': meals["curry"],
        "coffee & flour": meals["breakfast"] | meals["baking"],
        "garlic & lime": meals["curry"],  # garlic is for pasta too
    }
    assert {query: set(answers[query].split(", ")) - right for query, right in asked.items()} == {
        query: set() for query in asked
    }


@pytest.mark.slow
def test_members_that_went_to_the_same_club(capsys):
    module, answers, lines = run("walks", capsys)
    assert sum(map(len, module.NEIGHBOURS.values())) == 2 * 78
    assert set(answers) == {'"member 1"', '"member 34"', '"member 17"', '"member 1" & "member 34"'}
    right, total = (int(word) for word in lines[-1].split()[:3:2])
    # By chance 17 of 34 are right: more than 70 of 102 would be a p-value below 1e-4.
    assert total == 102
    assert right > 90


@pytest.mark.slow
def test_news_by_vectors_by_words_and_by_both(capsys):
    """The guide has what the example prints: vectors below BM25, both above it."""
    if find("reuters-21578") is None:
        pytest.skip("Reuters-21578 isn't here")
    _, _, lines = run("search_texts", capsys)
    start = next(i for i, line in enumerate(lines) if line.startswith("mean average precision"))
    found = dict(line.strip().split(": ") for line in lines[start + 1 :])
    low, high = ({way: interval(found[way])[side] for way in found} for side in (1, 2))
    assert high["vectors - BM25"] < 0 < low["both - BM25"]
    guide = (EXAMPLES.parent / "docs" / "own-index.md").read_text()
    for way in ("vectors", "BM25", "both"):
        printed = guide.split(f"| {way} | ")[1].split(" |")[0]
        assert interval(printed)[0] == pytest.approx(interval(found[way])[0], abs=0.002)
    queries = [line for line in lines[:start] if not line.startswith(" ")]
    assert queries == [
        "<crude oil>",
        "<crude oil> & <shipping>",
        "<coffee> | <cocoa>",
        "<shipping> & !<crude oil>",
    ]
    for query, topics in (("<crude oil>", {"crude"}), ("<coffee> | <cocoa>", {"coffee", "cocoa"})):
        first = lines[lines.index(query) + 1 : lines.index(query) + 4]
        assert all(topics & set(line.split("[")[1].strip("]").split(", ")) for line in first)
    without = lines[lines.index(queries[-1]) + 1 : start]
    assert all("ship" in line and "crude" not in line.split("[")[1] for line in without)


def interval(text):
    """The three numbers of "0.500 [0.442, 0.556]"."""
    return [float(number) for number in re.findall(r"-?\d\.\d+", text)]
