"""The example programs run, and find what their data was made of."""

import importlib.util

import pytest
from commands import EXAMPLES


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
