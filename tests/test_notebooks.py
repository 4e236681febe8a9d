"""The notebooks of docs/notebooks run from top to bottom, and show what they say."""

import re
from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient", reason="needs nbclient")
nbformat = pytest.importorskip("nbformat", reason="needs nbformat")
pytest.importorskip("ipykernel", reason="needs ipykernel")

FOLDER = Path(__file__).parent.parent / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def executed(name):
    """What each cell of a notebook shows: its plain text, its HTML, and what it printed."""
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            shown.append(data.get("text/html", "") + data.get("text/plain", output.get("text", "")))
    return shown


def test_both_are_there_without_outputs():
    assert [path.stem for path in NOTEBOOKS] == ["check-theorem-1", "tour"]
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        assert not any(cell.get("outputs") for cell in notebook.cells)  # they would grow old


@pytest.mark.slow
def test_the_tour():
    shown = executed("tour")
    assert any("queen" in each for each in shown)
    assert any("<table" in each and "royal &amp; woman" in each for each in shown)
    assert not any("<script" in each for each in shown)
    assert "cereal" in shown[-2]
    assert set(re.findall(">(bread|butter|pasta|garlic|basil)<", shown[-1])) == {"bread", "butter"}


@pytest.mark.slow
def test_theorem_1():
    found = re.search(
        "largest error with the terms (.*?), without them (.*)", executed("check-theorem-1")[-1]
    )
    assert float(found[1]) < 1e-4
    assert float(found[2]) > 0.1
