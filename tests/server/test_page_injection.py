"""Code in words, categories, names of spaces and files, and addresses, in a real browser.

The policy of content is switched off, so that it isn't what saves the page: text must stay text.
"""

from urllib.parse import urlencode

import numpy as np
import pytest
from serving import need_server, serving
from visiting import CHROMIUM, FLAGS, MARKS, PATIENCE

import andornot
from andornot import Space, Vocabulary
from andornot.algebra.notation import quoted

need_server()
playwright = pytest.importorskip("playwright.sync_api", reason="needs the extra test")
pytestmark = MARKS
CODE = "window.ran=1"
ATTACKS = [
    f'<img src=x onerror="{CODE}">',
    f"<svg/onload={CODE}>",
    f'"><script>{CODE}</script>',
    f"</script><script>{CODE}</script>",
    f"' onmouseover='{CODE}",
    f'" autofocus onfocus="{CODE}',
    f"javascript:{CODE}",
    f'<a href="javascript:{CODE}">click</a>',
    '<iframe srcdoc="<script>parent.ran=1</script>">',
    f"{{{{constructor.constructor('{CODE}')()}}}}",
    f"<b style='animation:x' onanimationstart={CODE}>",
    f"%{{text}}<br><a href='javascript:{CODE}'>plot</a>",
    "<style>*{display:none}</style>",
    "\u202ereversed\u2028line",
]
NAME = "<iframe><script>window.ran++</script>"  # without =, which ends a name


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """Spaces whose words, names and files are code."""
    folder = tmp_path_factory.mktemp("spaces")
    words = ["king", "queen", *ATTACKS]
    vectors = np.random.default_rng(5).normal(size=(len(words), 8)).astype(np.float32)
    space = Space(Vocabulary(words), vectors, vectors[::-1]).with_counts("rank")
    path = folder / f"<svg onload={CODE}>.safetensors"
    andornot.save(space, path)
    named = folder / "named.safetensors"
    andornot.save(space, named)
    with serving("--space", path, "--space", f"{NAME}={named}") as running:
        yield running


@pytest.fixture(scope="module")
def page(service):
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        opened = browser.new_context(bypass_csp=True, reduced_motion="reduce").new_page()
        opened.set_default_timeout(PATIENCE)
        yield opened
        browser.close()


def go(page, service, **query):
    page.goto(f"{service.url}?{urlencode(query)}")
    page.wait_for_load_state("networkidle")


def assert_is_text(page):
    """Nothing has run, and nothing on the page came from a word."""
    assert page.evaluate("window.ran") is None
    found = page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((element) =>
            ["IFRAME", "IMG", "OBJECT", "EMBED"].includes(element.tagName)
            || (element.tagName === "SCRIPT" && !element.src)
            || [...element.attributes].some((each) => each.name.startsWith("on")
                || (["href", "src", "action", "formaction", "xlink:href"].includes(each.name)
                    && /^\\s*javascript:/i.test(each.value)))
        ).map((element) => element.outerHTML.slice(0, 200))"""
    )
    assert found == []


@pytest.mark.parametrize("attack", [ATTACKS[0], ATTACKS[1], ATTACKS[7], ATTACKS[8]])
def test_the_check_finds_what_it_looks_for(page, service, attack):
    go(page, service)
    assert_is_text(page)
    page.evaluate("text => document.body.insertAdjacentHTML('beforeend', text)", attack)
    with pytest.raises(AssertionError):
        assert_is_text(page)


@pytest.mark.parametrize("view", ["", "four", "why"])
def test_words_that_are_code(page, service, view):
    go(page, service, q="king", view=view, k="50")
    page.wait_for_selector("#hits .word")
    shown = set(page.locator("#hits .word").all_inner_texts())
    assert ATTACKS[0] in shown
    assert ATTACKS[7] in shown
    for link in page.locator("#hits .word").all():
        link.hover()
    assert_is_text(page)


@pytest.mark.parametrize("attack", ATTACKS)
def test_queries_categories_and_answers_that_are_code(page, service, attack):
    word = quoted(attack)
    others = ", ".join(quoted(each) for each in ATTACKS[:5] if each != attack)
    for query in (word, f"king & {word}", f"!{word} @ {{{word}, {others}}}", f"{attack} &"):
        go(page, service, q=query)
        assert_is_text(page)
        for view in ("four", "why"):
            if page.locator(f"#{view} summary").is_visible():
                page.locator(f"#{view} summary").click()
                page.wait_for_load_state("networkidle")
                assert_is_text(page)
    go(page, service, q=attack, mode="describe")
    assert_is_text(page)
    page.locator("#query").fill(attack[:3])
    page.wait_for_load_state("networkidle")
    assert_is_text(page)


def test_names_of_spaces_and_files_that_are_code(page, service):
    go(page, service, q="king")
    names = page.locator("#space option").all_inner_texts()
    assert any("<svg onload" in name for name in names)
    assert any("<iframe>" in name for name in names)
    assert_is_text(page)
    for index in range(len(names)):
        page.locator("#space").select_option(index=index)
        page.wait_for_load_state("networkidle")
        assert_is_text(page)


@pytest.mark.parametrize(
    "name", ["q", "mode", "space", "k", "view", "postprocess", "weights", "exact", "with"]
)
@pytest.mark.parametrize("attack", [ATTACKS[0], ATTACKS[2], ATTACKS[5], ATTACKS[6]])
def test_addresses_that_are_code(page, service, name, attack):
    go(page, service, **{"q": "king", name: attack})
    assert_is_text(page)


def test_a_lesson_of_words_that_are_code(page, service):
    for index in range(2):
        go(page, service)
        name = page.locator("#space option").nth(index).get_attribute("value")
        page.goto(f"{service.url}lesson.html?{urlencode({'space': name})}")
        page.wait_for_selector("#tracks figure, #failed:not([hidden])")
        assert_is_text(page)
