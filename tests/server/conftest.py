"""Fixtures for the tests of the page: a service, a browser, a visit."""

import numpy as np
import pytest
from serving import serving
from visiting import CHROMIUM, FLAGS, Visit

import andornot
from andornot import Space, Vocabulary

MARKUP = '<img src=x onerror="document.title=1">'


@pytest.fixture(scope="session")
def odd(tmp_path_factory):
    """A space with markup for words, and counts."""
    words = ["the", MARKUP, "<b>bold</b>", "&amp;", "king", "queen", "2,000"]
    rng = np.random.default_rng(5)
    space = Space(Vocabulary(words), rng.normal(size=(7, 8)).astype(np.float32))
    path = tmp_path_factory.mktemp("odd") / "odd.safetensors"
    andornot.save(space.with_counts("rank"), path)
    return path


@pytest.fixture(scope="session")
def page_service(odd):
    with serving("--space", "default", "--space", odd) as running:
        yield running


@pytest.fixture(scope="module")  # its event loop would stop the asyncio of other modules
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the extra test")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def visit(browser, page_service):
    made = Visit(browser, page_service.url)
    yield made
    problems, asked = made.problems, made.asked
    made.context.close()
    assert problems == []  # no error, and nothing that the policy of content had to stop
    assert all(url.startswith((page_service.url, "data:", "blob:")) for url in asked)
