"""`andornot` alone: the tour."""

import re

from commands import run

from andornot.cli.tour import EXAMPLES


def test_the_tour_fits_a_screen():
    done = run()
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    for word in ("AND", "OR", "NOT", "queen", "andornot ask --help"):
        assert word in done.stdout


def test_the_examples_of_the_help_are_those_of_the_tour():
    text = re.sub(r"\s+", " ", run("ask", "--help").stdout)
    for query in EXAMPLES:
        assert f"'{query}'" in text
