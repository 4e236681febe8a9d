"""The views of an answer in a real browser: why, four ways; the lesson; text that stays text."""

import json
from urllib.parse import urlencode

import numpy as np
import pytest
from planted import LOGICS, WORDS
from queries import asked, generated
from serving import need_server
from visiting import MARKS, expect, wait_for_picture, wait_for_words

import andornot
from andornot import Logic
from andornot.algebra import explain
from andornot.base.formatting import number

need_server()
from andornot.server.failures import encode_json  # noqa: E402

pytestmark = MARKS
MARKUP = '<img src=x onerror="document.title=1">'
DAY = "!day @ {day, night, morning, evening}"


# --- four ways ---------------------------------------------------------------------------------


def test_four_ways_are_computed_when_they_are_looked_at(visit):
    page = visit.open(q="royal & woman")
    wait_for_picture(page)
    before = len([url for url in visit.asked if url.endswith("v1/ask")])
    assert before == 1
    page.locator("#four summary").click()
    lists = page.locator("#four section")
    methods = ["none", "uniform", "all-but-the-top", "frequency"]
    expect(lists).to_have_count(len(methods))
    for place, method in enumerate(methods):
        own = Logic(andornot.default(), postprocess=method).ask("royal & woman").words
        assert tuple(lists.nth(place).locator(".word").all_inner_texts()) == own
    assert len([url for url in visit.asked if url.endswith("v1/ask")]) == before + len(methods)
    shares = page.locator("#four .bar i").evaluate_all(
        "bars => bars.map(b => b.getBoundingClientRect().width / b.parentElement.clientWidth)"
    )
    scores = [float(text) for text in page.locator("#four .score").all_inner_texts()]
    assert shares == pytest.approx(scores, abs=0.02)  # one scale for all


def test_views_are_of_the_query_that_was_answered(visit):
    page = visit.open(q=DAY)
    wait_for_picture(page)
    page.locator("#query").focus()
    page.keyboard.press("End")
    page.keyboard.type(" &")
    expect(page.locator("#message")).to_be_visible()
    page.locator("#why summary").click()
    expect(page.locator("#why")).to_contain_text("v(day)")
    page.locator("#four summary").click()
    expect(page.locator("#four .hits .word").first).to_have_text("morning")
    expect(page.locator("#why")).not_to_have_attribute("open", "")


# --- why ---------------------------------------------------------------------------------------


def test_the_explanation_has_its_numbers(visit, logic):
    query = "bank & !river @ {river, money, lake, finance}"
    page = visit.open(q=query, view="why")
    why = explain(logic.concept(query)).to_dict()
    both, _, lifted, negated = why["parts"]
    assert both["vector"] == "v(bank) + [v(!river @ A) + v(A)]"
    assert lifted["vector"] == "v(!river @ A) + v(A)"
    for text in (
        f"v = {both['vector']}",
        f"v = {lifted['vector']}",
        f"p = {lifted['probability_formula']}",
        f"v = {negated['vector']}",
        f"p = {negated['probability_formula']}",
        f"cosine {why['cosine']:.4f}",
    ):
        expect(page.locator("#why")).to_contain_text(text)


def shown_by(page):
    """The words of an explanation on the page, in order."""
    pieces = "#why :is(li b, code, h3, .shares .word, .share, dt, dd)"
    return " ".join(page.locator(pieces).all_text_contents()).split()


def printed(explanation):
    """The same as the command prints it: without the query, and commas between members."""
    _, *lines = explanation.text(10_000).splitlines()
    below = len(explanation.figures) + (len(explanation.parts) > 50)  # parts that are left out
    place = len(lines) - below - 2 * len(explanation.categories)
    for group in range(len(explanation.categories)):
        lines[place + 2 * group + 1] = lines[place + 2 * group + 1].replace(",", "")
    return " ".join(lines).split()


def test_explanations_are_shown_as_they_are_printed(visit):
    """Those of drawn queries over a small space; tests/cli/test_ask.py has the command's."""
    queries = generated(15, WORDS)
    told = [explain(logic.ask(query)) for logic in LOGICS.values() for query in queries]
    shown = visit.open().evaluate(
        """async (explanations) => {
          const {explain} = await import("./explanation.js");
          const panel = document.createElement("div");
          return explanations.map((why) => {
            explain(panel, why);
            const pieces = "li b, code, h3, .shares .word, .share, dt, dd";
            return [...panel.querySelectorAll(pieces)].map((each) => each.textContent).join(" ");
          });
        }""",
        [json.loads(encode_json(explanation.to_dict())) for explanation in told],
    )
    for text, explanation in zip(shown, told, strict=True):
        assert text.split() == printed(explanation)


@pytest.mark.parametrize(("query", "way"), asked()[:3])
def test_the_page_explains_as_the_library_does(visit, query, way):
    making = {key: way[key] for key in ("weights", "exact") if key in way}
    answer = Logic(andornot.default(), **making).ask(query, everywhere="everywhere" in way)
    address = {key: 1 if value is True else value for key, value in way.items()}
    page = visit.open(q=query, view="why", **address)
    page.wait_for_selector("#why .facts dd")
    assert shown_by(page) == printed(explain(answer))


def test_long_explanations_are_cut_alike(visit, logic):
    words = [word for word in logic.space.words[500:700] if word.isalpha()]
    long = " & ".join(f"({a} | {b})" for a, b in zip(words[:18], words[18:36], strict=True))
    for query in (f"!{words[0]} @ {{{', '.join(words[:60])}}}", long):
        page = visit.open(q=query, view="why")
        page.wait_for_selector("#why .facts dd")
        assert shown_by(page) == printed(explain(logic.ask(query))), query


def test_the_page_writes_numbers_as_python_does(visit):
    values = [0, 1, 0.5625, 0.3125, 0.03125, 0.4375, 9.995e-5, 1e-5, 123.5, 999.6, 12345, 2.5e-7]
    values += np.random.default_rng(0).lognormal(-6, 5, 300).tolist()
    page = visit.open()
    found = page.evaluate(
        "(values) => import('./explanation.js').then((it) => values.map(it.number))", values
    )
    assert found == [number(value) for value in values]


# --- the lesson --------------------------------------------------------------------------------


def test_the_lesson_moves_the_origin(visit):
    page = visit.open()
    page.get_by_role("link", name="One lesson").click()
    expect(page.locator("#tracks figure")).to_have_count(4)
    model = andornot.default()

    def shown():
        figure = page.locator("#tracks figure").first
        words = figure.locator("g text:not(.rank)").all_text_contents()
        ranks = map(int, figure.locator("g .rank").all_text_contents())
        return dict(zip(words, ranks, strict=True))

    for stop, method in [
        ("as trained", "none"),
        ("plain mean", "uniform"),
        ("mean by frequency", "frequency"),
    ]:
        page.get_by_role("button", name=stop).click()
        expect(page.locator("#where")).to_have_text(f"At the origin {stop}.")
        own = Logic(model, postprocess=method).ask("royal & woman", k=100).words
        for word, rank in shown().items():
            assert own[rank - 1] == word
    sizes = [float(text) for text in page.locator("#rms-table td:last-child").all_inner_texts()]
    assert sizes == sorted(sizes, reverse=True)
    expect(page.locator("#rms")).to_have_text(f"{sizes[-1]:.3f}")
    page.locator("#origin-slider").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#where")).to_have_text(
        "90 % of the way from plain mean to mean by frequency."
    )
    heights = page.locator("#histogram .column").evaluate_all(
        "columns => columns.map(column => Number(column.getAttribute('height')))"
    )
    assert sum(height > 0 for height in heights) > 3
    page.get_by_role("link", name="royal & woman").click()
    expect(page.locator("#query")).to_have_value("royal & woman")


def test_a_space_has_a_lesson_of_its_own(visit, odd):
    page = visit.open("lesson.html", space="odd")
    expect(page.locator("#tracks figure").first).to_be_visible()
    expect(page.locator("#errors")).to_be_hidden()  # it has no context vectors
    page.get_by_role("link", name="Back").click()
    expect(page.locator("#space")).to_have_value("odd")


# --- text is text ------------------------------------------------------------------------------


def test_words_are_text_and_never_markup(visit, odd):
    page = visit.open(q="king", space="odd")
    own = Logic(andornot.load(odd)).ask("king").words
    wait_for_words(page, own)
    assert MARKUP in own
    wait_for_picture(page)
    labels = page.locator("#plot g text")
    expect(labels.filter(has_text="<b>bold</b>")).to_have_count(1)
    expect(labels.filter(has_text="&amp;")).to_have_count(1)
    page.locator("#hits a", has_text="onerror").click()
    expect(page.locator("#query")).to_have_value('"' + MARKUP.replace('"', '\\"') + '"')
    expect(page.locator("#reading")).to_contain_text("onerror")
    page.locator("#four summary").click()
    page.wait_for_selector("#four .word")
    page.locator("#why summary").click()
    expect(page.locator("#why")).to_contain_text("onerror")
    assert page.locator("img, main b b, #plot a").count() == 0
    assert page.title() != "1"


def test_markup_in_a_query_is_text(visit):
    page = visit.open(q=f"{MARKUP} &")
    expect(page.locator("#message")).to_be_visible()
    page.goto(f"{visit.url}?{urlencode({'q': '<script>alert</script>'})}")
    expect(page.locator("#message")).to_contain_text("'<script>alert")
    assert page.locator("main script, main img").count() == 0
