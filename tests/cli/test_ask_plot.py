"""`andornot ask --plot`: the answer as a drawing in a file."""

import json

import pytest
from commands import EXAMPLES, run
from errors import assert_refused

import andornot

ROYAL = ("--space", EXAMPLES / "royal.vec", "--counts", EXAMPLES / "royal.counts")


def plot(folder, *arguments, **options):
    return run("ask", *arguments, *ROYAL, "--plot", folder / "plot.svg", **options)


def test_the_answer_is_printed_and_drawn(tmp_path):
    done = plot(tmp_path, "royal & woman", "-k", 3)
    assert done.returncode == 0
    assert "queen" in done.stdout
    assert done.stderr.strip() == f"plot: {tmp_path / 'plot.svg'}"
    space = andornot.load(EXAMPLES / "royal.vec").with_counts(EXAMPLES / "royal.counts")
    expected = andornot.Logic(space).plot("royal & woman", k=3).svg
    assert (tmp_path / "plot.svg").read_text(encoding="utf-8") == expected


def test_json_stays_json(tmp_path):
    done = plot(tmp_path, "royal & woman", "--json")
    assert json.loads(done.stdout)[0]["hits"][0]["word"] == "queen"
    assert (tmp_path / "plot.svg").exists()


def test_a_file_is_replaced_by_force_alone(tmp_path):
    (tmp_path / "plot.svg").write_text("mine")
    assert_refused(plot(tmp_path, "royal & woman"), 1, tmp_path / "plot.svg", "--force")
    assert (tmp_path / "plot.svg").read_text() == "mine"
    assert plot(tmp_path, "royal & woman", "--force").returncode == 0
    assert (tmp_path / "plot.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["royal & woman", "king"], "got 2; give one query as an argument"),
        ([], "got 0"),
        (["royal & woman", "--measure", "pmi"], "--measure pmi"),
    ],
)
def test_what_cannot_be_drawn_is_refused_at_once(tmp_path, arguments, named):
    assert_refused(plot(tmp_path, *arguments, input="king\n"), 2, "--plot", named)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["plot.png", "plot"])
def test_a_name_of_another_format_is_refused_at_once(tmp_path, name):
    done = run("ask", "royal & woman", *ROYAL, "--plot", tmp_path / name)
    right = (tmp_path / name).with_suffix(".svg")
    assert_refused(done, 2, "SVG", f"got {tmp_path / name}", f"name it {right}")
    assert not list(tmp_path.iterdir())


def test_a_query_with_an_error_leaves_no_file(tmp_path):
    assert_refused(plot(tmp_path, "royal & womn"), 1, "womn")
    done = plot(tmp_path, "royal", "--among", "royal")
    assert done.returncode == 1
    assert "a picture needs at least one word" in done.stderr
    assert not list(tmp_path.iterdir())
