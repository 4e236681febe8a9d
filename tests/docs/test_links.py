"""Links of README.md and docs/ lead to files and headings, and the names of Python exist."""

import re
import subprocess
import sys
from functools import cache
from importlib import import_module

import pytest
from pages import ROOT, pages

PAGES = pages() | {name: ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")}
LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)(?:#([^)\s]+))?\)")


def without_code(text):
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)


@cache
def headings(path):
    """Return the anchors of a page, as hosts of repositories and mkdocs make them."""
    titles = re.findall(
        r"^#+ (.*)$", re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL), re.M
    )
    plain = (re.sub(r"[^\w\s-]", "", title.lower()) for title in titles)
    return {re.sub(r"[\s]+", "-", title.strip()) for title in plain}


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_to_files_and_headings(name):
    path = PAGES[name]
    for target, heading in LINK.findall(without_code(path.read_text())):
        found = (path.parent / target).resolve() if target else path
        assert found.exists(), f"{name} links to {target}"
        if heading:
            assert heading in headings(found), f"{name} links to {target}#{heading}"


@pytest.mark.parametrize("name", PAGES)
def test_names_of_the_package_exist(name):
    for dotted in re.findall(r"`andornot((?:\.\w+)+)[(`]", PAGES[name].read_text()):
        assert exists("andornot" + dotted), f"{name} names andornot{dotted}"


def exists(dotted):
    """Whether a dotted name is a module, or an attribute of one."""
    parts = dotted.split(".")
    for size in range(len(parts), 0, -1):
        try:
            found = import_module(".".join(parts[:size]))
        except ImportError:
            continue
        for part in parts[size:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


@pytest.mark.parametrize(
    ("dotted", "found"),
    [("andornot.Logic.ask", True), ("andornot.cooccurrence.pmi", True), ("andornot.gone", False)],
)
def test_the_check_of_names_can_fail(dotted, found):
    assert exists(dotted) is found


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path):
    pytest.importorskip("material", reason="needs the extra docs (mkdocs-material)")
    pytest.importorskip(
        "mkdocstrings_handlers.python", reason="needs the extra docs (mkdocstrings)"
    )
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "results" / "indices" / "index.html").exists()
    assert "propose_category" in (tmp_path / "api" / "logic" / "index.html").read_text()
