"""The page in a real browser: typed at, clicked, broken, shared, and read by its numbers."""

import json
import re
import shutil
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np
import pytest
from commands import EXAMPLES
from planted import LOGICS, WORDS
from queries import asked, generated
from serving import need_server, serving

import andornot
from andornot import Logic, Space, Vocabulary
from andornot.algebra import explain
from andornot.base.formatting import number

need_server()
from andornot.server.failures import encode_json  # noqa: E402

playwright = pytest.importorskip("playwright.sync_api", reason="needs the extra test")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="needs the system's Chromium"),
    pytest.mark.slow,  # a browser
]

FLAGS = [
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
MARKUP = '<img src=x onerror="document.title=1">'
DAY = "!day @ {day, night, morning, evening}"
REFUSED = re.compile("the server responded with a status of [45]")  # the browser logs each


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """A space with markup for words, and counts."""
    words = ["the", MARKUP, "<b>bold</b>", "&amp;", "king", "queen", "2,000"]
    rng = np.random.default_rng(5)
    space = Space(Vocabulary(words), rng.normal(size=(7, 8)).astype(np.float32))
    path = tmp_path_factory.mktemp("odd") / "odd.safetensors"
    andornot.save(space.with_counts("rank"), path)
    return path


@pytest.fixture(scope="module")
def service(odd):
    with serving("--space", "default", "--space", odd) as running:
        yield running


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


class Visit:
    """A page that was opened, with what its console and its network said."""

    def __init__(self, browser, url, **options):
        self.context = browser.new_context(**{"reduced_motion": "reduce"} | options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.url = url
        self.said, self.asked = [], []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def open(self, **query):
        self.page.goto(f"{self.url}?{urlencode(query, doseq=True)}" if query else self.url)
        return self.page

    @property
    def problems(self):
        return [text for text in self.said if not REFUSED.search(text)]


@pytest.fixture
def visit(browser, service):
    made = Visit(browser, service.url)
    yield made
    problems, asked = made.problems, made.asked
    made.context.close()
    assert problems == []  # no error, and nothing that the policy of content had to stop
    assert all(url.startswith((service.url, "data:")) for url in asked)


def expect(locator):
    return playwright.expect(locator)


@pytest.fixture(scope="module", autouse=True)
def patience():
    """A machine that is busy fails no test."""
    playwright.expect.set_options(timeout=60_000)


def words(page, place="#hits"):
    return page.locator(f"{place} .word").all_inner_texts()


def wait_for_words(page, expected, place="#hits"):
    expect(page.locator(f"{place} .word")).to_have_text(list(expected))


def address(page):
    return {key: values[0] for key, values in parse_qs(urlsplit(page.url).query).items()}


def traces(page):
    """What is drawn in the plane: for each trace its name, x, y and labels."""
    page.wait_for_selector("#plot .scatterlayer .trace")
    return page.evaluate(
        "() => document.getElementById('plot').data.map((t) => "
        "({name: t.name, x: [...t.x], y: [...t.y], text: t.text ? [...t.text] : []}))"
    )


# --- asking ------------------------------------------------------------------------------------


def test_a_typed_query_is_answered_as_the_library_does(visit, logic):
    page = visit.open()
    expect(page.locator("#query")).to_be_focused()
    page.keyboard.type("royal & woman ")
    page.keyboard.press("Enter")
    wait_for_words(page, logic.ask("royal & woman").words)
    scores = [float(text) for text in page.locator("#hits .score").all_inner_texts()]
    own = [hit.score for hit in logic.ask("royal & woman").hits]
    assert scores == pytest.approx(own, abs=6e-4)
    widths = page.locator("#hits .bar i").evaluate_all("bars => bars.map(b => b.offsetWidth)")
    assert widths == sorted(widths, reverse=True)
    assert address(page)["q"].strip() == "royal & woman"


def test_words_are_completed_while_one_types(visit, logic):
    page = visit.open()
    page.keyboard.type("royal & quee")
    options = page.locator("#completions [role=option]")
    expect(options.first).to_have_text("queen")
    page.wait_for_timeout(1500)
    expect(page.locator("#problem")).to_be_hidden()  # quee is a beginning, not a mistake
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator("#query")).to_have_value("royal & queen")
    expect(page.locator("#completions")).to_be_hidden()
    page.keyboard.press("Enter")
    wait_for_words(page, logic.ask("royal & queen").words)


def test_an_unknown_word_has_suggestions_that_can_be_followed(visit, logic):
    page = visit.open(q="royal & womann")
    expect(page.locator("#message")).to_contain_text("'womann'")
    page.get_by_role("button", name="woman", exact=True).click()
    wait_for_words(page, logic.ask("royal & woman").words)
    expect(page.locator("#query")).to_have_value("royal & woman")
    expect(page.locator("#problem")).to_be_hidden()


def test_broken_syntax_is_shown_under_its_column(visit):
    page = visit.open()
    page.keyboard.type("(royal & woman")
    page.keyboard.press("Escape")
    page.locator("#query").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#message")).to_contain_text("column 15")
    expect(page.locator("#query")).to_have_attribute("aria-invalid", "true")
    places = page.evaluate(
        """() => {
          const query = document.getElementById("query");
          const measure = document.createElement("canvas").getContext("2d");
          const style = getComputedStyle(query);
          measure.font = style.font;
          const left = query.getBoundingClientRect().left + parseFloat(style.paddingLeft) + 2;
          const caret = document.querySelector(".caret").getBoundingClientRect();
          return [left + measure.measureText(query.value).width, caret.left];
        }"""
    )
    assert places[0] == pytest.approx(places[1], abs=8)  # under the end, where ) is missing
    page.keyboard.type(")")
    expect(page.locator("#problem")).to_be_hidden()


def test_a_word_of_an_answer_can_be_followed_and_left_again(visit, logic):
    page = visit.open(q="royal & woman")
    page.locator("#hits a").first.click()
    first = logic.ask("royal & woman").words[0]
    wait_for_words(page, logic.ask(first).words)
    assert address(page) == {"q": first}
    page.go_back()
    wait_for_words(page, logic.ask("royal & woman").words)


def test_examples_of_the_empty_page_are_answered(visit):
    page = visit.open()
    links = page.locator("#examples a").evaluate_all(
        "links => links.map(a => [a.getAttribute('href'), a.querySelector('span').textContent])"
    )
    assert len(links) >= 10
    model = Logic(andornot.default())
    for link, promised in links:
        query = parse_qs(urlsplit(link).query)["q"][0]
        found = model.ask(query).words
        if "paper" not in promised:
            assert set(promised.split(", ")) <= set(found), query
    page.locator("#examples a").first.click()
    expect(page.locator("#found")).to_be_visible()


def test_a_typed_query_can_be_left_and_come_back_to(visit, logic):
    page = visit.open(q="royal & woman")
    wait_for_words(page, logic.ask("royal & woman").words)
    for query in ("ice & sport", "river & bank"):
        page.locator("#query").focus()
        page.locator("#query").select_text()
        page.keyboard.type(query[:5], delay=30)
        page.wait_for_timeout(700)  # the beginning is asked too, and is no entry of the history
        page.keyboard.type(query[5:], delay=30)
        wait_for_words(page, logic.ask(query).words)
        page.keyboard.press("Enter")
    page.go_back()
    wait_for_words(page, logic.ask("ice & sport").words)
    expect(page.locator("#query")).to_have_value("ice & sport")
    page.go_back()
    wait_for_words(page, logic.ask("royal & woman").words)
    page.go_forward()
    wait_for_words(page, logic.ask("ice & sport").words)


def test_a_mistake_is_said_though_another_word_is_being_completed(visit):
    page = visit.open()
    page.keyboard.type("womann & king")
    expect(page.locator("#completions")).to_be_visible()
    expect(page.locator("#message")).to_contain_text("'womann'")
    expect(page.locator("#completions")).to_be_visible()


def test_what_is_wrong_with_a_beginning_is_said_when_its_list_is_closed(visit):
    page = visit.open()
    page.keyboard.type("royal & quee")
    expect(page.locator("#completions")).to_be_visible()
    page.wait_for_timeout(1500)
    expect(page.locator("#problem")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator("#message")).to_contain_text("'quee'")


def test_tab_leaves_a_finished_word_as_it_is(visit):
    page = visit.open()
    page.keyboard.type("royal")
    expect(page.locator("#completions")).to_be_visible()
    expect(page.locator("#completions li").first).to_contain_text("royal")
    page.wait_for_timeout(500)
    page.keyboard.press("Tab")
    expect(page.locator("#query")).to_have_value("royal")
    expect(page.locator("#query")).not_to_be_focused()
    expect(page.locator("#completions")).to_be_hidden()
    page.locator("#query").focus()
    page.keyboard.press("End")
    page.keyboard.type(" & quee")
    expect(page.locator("#completions li").first).to_have_text("queen")
    page.keyboard.press("Tab")
    expect(page.locator("#query")).to_have_value("royal & queen")
    expect(page.locator("#query")).to_be_focused()


def test_enter_opens_no_list_after_it(visit):
    page = visit.open()
    page.keyboard.type("royal")
    page.keyboard.press("Enter")
    expect(page.locator("#hits .word").first).to_be_visible()
    page.wait_for_timeout(500)
    expect(page.locator("#completions")).to_be_hidden()


def test_suggestions_go_when_the_query_changes(visit):
    page = visit.open(q="royal & womann")
    expect(page.get_by_role("button", name="woman", exact=True)).to_be_visible()
    page.locator("#query").focus()
    page.keyboard.press("Home")
    page.keyboard.type("x")
    assert page.locator("#suggestions button").count() == 0


# --- sharing -----------------------------------------------------------------------------------


def test_a_shared_address_shows_the_same_again(visit, logic):
    page = visit.open(q="violin | piano", k="5", postprocess="none", view="why")
    own = Logic(andornot.default(), postprocess="none").ask("violin | piano", k=5)
    wait_for_words(page, own.words)
    expect(page.locator("#why")).to_contain_text("post-processing none")
    page.reload()
    wait_for_words(page, own.words)
    expect(page.locator("#query")).to_have_value("violin | piano")
    expect(page.locator("#postprocess")).to_have_value("none")
    expect(page.locator("#tab-why")).to_have_attribute("aria-selected", "true")


def test_another_space_can_be_asked(visit, odd):
    page = visit.open(q="king")
    expect(page.locator("#hits .word").first).to_be_visible()
    page.locator("#space").select_option("odd")
    wait_for_words(page, Logic(andornot.load(odd)).ask("king").words)
    assert address(page) == {"q": "king", "space": "odd"}
    page.reload()
    wait_for_words(page, Logic(andornot.load(odd)).ask("king").words)
    expect(page.locator("#space")).to_have_value("odd")


def test_a_space_without_contexts_is_not_asked_for_exact_numbers(visit, odd):
    page = visit.open(q="king", exact="1")
    expect(page.locator("#hits .word").first).to_be_visible()
    page.locator("#space").select_option("odd")
    wait_for_words(page, Logic(andornot.load(odd)).ask("king").words)
    assert address(page) == {"q": "king", "space": "odd"}
    visit.open(q="king", exact="1", space="odd", k="7", postprocess="unheard")
    wait_for_words(page, Logic(andornot.load(odd)).ask("king").words)
    expect(page.locator("#k")).to_have_value("10")


def test_a_space_without_counts_is_answered(browser):
    with serving("--space", EXAMPLES / "royal.vec") as running:
        visit = Visit(browser, running.url)
        page = visit.open(q="royal | woman")
        space = andornot.load(EXAMPLES / "royal.vec")
        own = Logic(space, postprocess="uniform", weights="uniform").ask("royal | woman")
        wait_for_words(page, own.words)
        expect(page.locator("#postprocess")).to_have_value("uniform")
        assert visit.problems == []
        visit.context.close()


# --- views -------------------------------------------------------------------------------------


def test_the_four_post_processings_stand_side_by_side(visit):
    page = visit.open(q="royal & woman")
    page.wait_for_selector("#four .hits .word")
    lists = page.locator("#four section")
    methods = ["none", "uniform", "all-but-the-top", "frequency"]
    assert lists.count() == len(methods)
    for place, method in enumerate(methods):
        own = Logic(andornot.default(), postprocess=method).ask("royal & woman").words
        assert tuple(lists.nth(place).locator(".word").all_inner_texts()) == own


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


def test_a_not_opens_the_plane_with_its_origin_and_result(visit, service):
    page = visit.open(q=DAY)
    drawn = {trace["name"]: trace for trace in traces(page) if trace["name"]}
    expect(page.locator("#tab-plane")).to_have_attribute("aria-selected", "true")
    answer = page.evaluate(
        "async (body) => (await fetch('v1/project', {method: 'POST', headers: "
        "{'content-type': 'application/json'}, body: JSON.stringify(body)})).json()",
        {"query": DAY, "axes": "frequency"},
    )
    (category,) = answer["categories"]
    assert drawn["origin of the category"]["x"] == pytest.approx([category["x"]], abs=1e-6)
    assert drawn["result"]["y"] == pytest.approx([answer["result"]["y"]], abs=1e-6)
    assert drawn["asked"]["text"] == ["day"]
    assert set(drawn["words"]["text"]) == {"night", "morning", "evening"}


def test_the_origin_moves_when_the_category_changes_and_the_words_stay(visit, logic):
    page = visit.open(q=DAY)

    def place(name):
        return next([t["x"], t["y"]] for t in traces(page) if t["name"] == name)

    before, asked = place("origin of the category"), place("asked")
    page.get_by_role("button", name="night", exact=True).click()
    expect(page.locator("#query")).to_have_value("!day @ {day, morning, evening}")
    wait_for_words(page, logic.ask("!day @ {day, morning, evening}").words)
    page.wait_for_function(
        "x => Math.abs(document.getElementById('plot').data[6].x[0] - x) > 0.1", arg=before[0][0]
    )
    assert np.allclose(place("asked"), asked)
    assert "night" in next(t for t in traces(page) if t["name"] == "other words")["text"]
    shared = page.url
    page.goto(shared)
    assert "night" in next(t for t in traces(page) if t["name"] == "other words")["text"]


def test_the_origin_is_seen_to_move(browser, service):
    """With motion allowed it walks: there are places between the first and the last."""
    visit = Visit(browser, service.url, reduced_motion="no-preference")
    page = visit.open(q=DAY)
    traces(page)
    page.evaluate(
        "() => { window.seen = []; document.getElementById('plot').on('plotly_restyle', () => "
        "window.seen.push(document.getElementById('plot').data[6].x[0])); }"
    )
    page.get_by_role("button", name="night", exact=True).click()
    page.wait_for_function("() => window.seen.length > 1")
    page.wait_for_timeout(1500)
    seen = page.evaluate("() => window.seen")
    assert len(set(seen)) > 2
    assert visit.problems == []
    visit.context.close()


def test_rare_words_do_not_take_the_axes_for_themselves(visit):
    """The positive numbers, seen alike, still lie apart: 1 and 9 on either side of their origin."""
    page = visit.open(
        q="!1 @ {1, 2, 3, 4, 5, 6, 7, 8, 9}", weights="uniform", **{"with": ["-1", "-2", "-3"]}
    )
    drawn = {trace["name"]: trace for trace in traces(page) if trace["name"]}
    words, asked, centre = (
        np.array([drawn[name]["x"], drawn[name]["y"]])
        for name in ("words", "asked", "origin of the category")
    )
    one = (asked - centre)[:, 0]
    nine = words[:, drawn["words"]["text"].index("9")] - centre[:, 0]
    assert one @ nine < 0
    expect(page.locator("#variance")).to_contain_text("weighed by frequency")


def test_a_query_with_a_not_in_it_keeps_its_axes(visit):
    page = visit.open(q="bank & !river @ {river, money, lake, finance}")
    before = next(t for t in traces(page) if t["name"] == "asked")
    page.get_by_role("button", name="money", exact=True).click()
    expect(page.locator("#query")).to_have_value("bank & !river @ {river, lake, finance}")
    page.wait_for_function("() => document.getElementById('plot').data[0].text.includes('money')")
    after = next(t for t in traces(page) if t["name"] == "asked")
    assert np.allclose([before["x"], before["y"]], [after["x"], after["y"]])


def test_words_of_the_address_are_shown_with_their_commas_if_they_are_known(visit):
    page = visit.open(q="!king @ {king, queen}", space="odd", **{"with": ["2,000", "nowhere"]})
    others = next(t for t in traces(page) if t["name"] == "other words")
    assert others["text"] == ["2,000"]


def test_a_plane_that_fails_leaves_no_other_in_its_place(visit):
    page = visit.open(q=DAY)
    traces(page)
    said = {"error": "no plane today", "kind": "query"}
    page.route("**/v1/project", lambda route: route.fulfill(status=422, json=said))
    page.get_by_role("button", name="night", exact=True).click()
    expect(page.locator("#variance")).to_have_text("no plane today")
    expect(page.locator("#plot")).to_be_hidden()
    expect(page.locator("#category")).to_be_hidden()
    page.unroute("**/v1/project")
    page.go_back()
    expect(page.locator("#plot")).to_be_visible()
    expect(page.locator("#category")).to_be_visible()


def test_views_are_of_the_query_that_was_answered(visit):
    page = visit.open(q=DAY)
    traces(page)
    page.locator("#query").focus()
    page.keyboard.press("End")
    page.keyboard.type(" &")
    expect(page.locator("#message")).to_be_visible()
    page.get_by_role("tab", name="Why").click()
    expect(page.locator("#why")).to_contain_text("v(day)")
    page.get_by_role("tab", name="Four ways").click()
    expect(page.locator("#four .hits .word").first).to_have_text("morning")
    page.get_by_role("tab", name="Plane").click()
    expect(page.locator("#variance")).to_contain_text("hold")


def test_the_numbers_of_the_paper_have_three_categories(visit):
    page = visit.open()
    page.locator("#examples a", has_text="the numbers of the paper").click()
    assert address(page)["weights"] == "uniform"
    expect(page.get_by_role("button", name="positive numbers")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.locator("#variance")).to_contain_text("weighed by frequency")
    page.get_by_role("button", name="weigh by frequency").click()
    expect(page.locator("#weights")).to_have_value("frequency")
    page.get_by_role("button", name="all numbers").click()
    expect(page.locator("#query")).to_have_value(re.compile(r"^!1 @ \{-5, .*, 9\}$"))
    page.get_by_role("button", name="negative numbers").click()
    expect(page.locator("#query")).to_have_value("!-1 @ {-5, -4, -3, -2, -1}")
    expect(page.locator("#hits .word")).to_have_count(4)


# --- text is text ------------------------------------------------------------------------------


def test_words_are_text_and_never_markup(visit, odd):
    page = visit.open(q="king", space="odd", view="plane")
    own = Logic(andornot.load(odd)).ask("king").words
    wait_for_words(page, own)
    assert MARKUP in own
    labels = page.locator("#plot .textpoint text")
    expect(labels.filter(has_text="<b>bold</b>")).to_have_count(1)
    expect(labels.filter(has_text="&amp;")).to_have_count(1)
    page.locator("#hits a", has_text="onerror").click()
    expect(page.locator("#query")).to_have_value('"' + MARKUP.replace('"', '\\"') + '"')
    expect(page.locator("#reading")).to_contain_text("onerror")
    page.get_by_role("tab", name="Four ways").click()
    page.wait_for_selector("#four .word")
    page.get_by_role("tab", name="Why").click()
    expect(page.locator("#why")).to_contain_text("onerror")
    assert page.locator("img, main b b, #plot a").count() == 0
    assert page.title() != "1"


def test_markup_in_a_query_is_text(visit):
    page = visit.open(q=f"{MARKUP} &")
    expect(page.locator("#message")).to_be_visible()
    page.goto(f"{visit.url}?{urlencode({'q': '<script>alert</script>'})}")
    expect(page.locator("#message")).to_contain_text("'<script>alert")
    assert page.locator("main script, main img").count() == 0


# --- for everybody -----------------------------------------------------------------------------


def test_everything_can_be_reached_by_the_keyboard(visit):
    page = visit.open(q=DAY)
    traces(page)
    page.locator("#query").focus()
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    expect(page.locator("#why")).to_contain_text("v = ")
    page.keyboard.press("2")
    expect(page.locator("#four")).to_be_visible()
    page.locator("#tab-four").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#tab-plane")).to_be_focused()
    expect(page.locator("#plane")).to_be_visible()
    before = page.locator("html").get_attribute("data-theme")
    page.keyboard.press("t")
    assert page.locator("html").get_attribute("data-theme") != before
    page.keyboard.press("?")
    expect(page.locator("#help-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.locator("#query")).to_be_focused()
    page.locator("#chips button:not([disabled])").first.focus()
    page.keyboard.press("Space")
    expect(page.locator("#query")).to_have_value("!day @ {day, morning, evening}")
    expect(page.locator("#chips button", has_text="night")).to_have_attribute(
        "aria-pressed", "false"
    )
    expect(page.locator("#chips button", has_text="night")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("#chips button", has_text="night")).to_have_attribute(
        "aria-pressed", "true"
    )


def test_every_control_has_a_name(visit):
    page = visit.open(q=DAY)
    traces(page)
    page.locator("#settings summary").click()
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, a, [role=img]")]
          .filter((each) => !(each.textContent.trim() || each.getAttribute("aria-label")
            || each.labels?.length)).map((each) => each.outerHTML)"""
    )
    assert nameless == []
    assert page.locator("h1").count() == 1
    assert page.locator("html").get_attribute("lang") == "en"


def luminance(colour):
    channels = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_have_contrast(browser, service, scheme):
    visit = Visit(browser, service.url, color_scheme=scheme)
    page = visit.open()
    expect(page.locator("html")).to_have_attribute("data-theme", scheme)

    def colour(name):
        script = "name => getComputedStyle(document.documentElement).getPropertyValue(name).trim()"
        return page.evaluate(script, f"--{name}")

    for behind in ("paper", "card"):
        for name, least in [(n, 4.5) for n in ("ink", "soft", "and", "or", "not")] + [("field", 3)]:
            light, dark = sorted([luminance(colour(name)), luminance(colour(behind))])[::-1]
            assert (light + 0.05) / (dark + 0.05) >= least, f"{name} on {behind}, {scheme}"
    used = page.evaluate(
        """() => [getComputedStyle(document.getElementById("query"), "::placeholder").color,
          ...["query", "space", "share"].map((id) =>
            getComputedStyle(document.getElementById(id)).borderTopColor)]"""
    )
    hexadecimal = ["#" + "".join(f"{int(n):02x}" for n in re.findall(r"\d+", c)) for c in used]
    assert hexadecimal[0] == colour("soft")
    assert set(hexadecimal[1:]) <= {colour("field"), colour("and")}
    visit.context.close()


def test_the_plane_leaves_a_finger_to_the_page(browser, service):
    size = {"width": 360, "height": 700}
    visit = Visit(browser, service.url, viewport=size, has_touch=True, is_mobile=True)
    page = visit.open(q=DAY)
    traces(page)
    layout = page.evaluate("() => document.getElementById('plot').layout")
    assert layout["dragmode"] is False
    assert layout["xaxis"]["fixedrange"]
    assert layout["yaxis"]["fixedrange"]
    visit.context.close()


@pytest.mark.parametrize("query", ["", "royal & woman", pytest.param(DAY, marks=pytest.mark.slow)])
def test_a_phone_shows_it_without_scrolling_sideways(browser, service, query):
    visit = Visit(browser, service.url, viewport={"width": 360, "height": 700}, has_touch=True)
    page = visit.open(**({"q": query} if query else {}))
    page.wait_for_selector("#examples a" if not query else "#hits .word")
    page.wait_for_timeout(500)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    tops = {page.locator(name).bounding_box()["y"] for name in ("#share", "#theme", "#help")}
    assert len(tops) == 1  # in a row
    assert visit.problems == []
    visit.context.close()


def test_with_a_token_the_page_asks_for_it(browser, logic):
    with serving("--token", "secret") as running:
        visit = Visit(browser, running.url)
        page = visit.open(q="queen")
        expect(page.locator("#token-dialog")).to_be_visible()
        expect(page.locator("#token-problem")).to_be_hidden()
        page.keyboard.press("Escape")
        expect(page.locator("#message")).to_contain_text("no token was given")
        page.locator("#query").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#token-dialog")).to_be_visible()
        page.locator("#token").fill("sécret")
        page.keyboard.press("Enter")
        expect(page.locator("#token-dialog")).to_be_visible()
        page.locator("#token").fill("wrong")
        page.keyboard.press("Enter")
        expect(page.locator("#token-problem")).to_be_visible()
        page.locator("#token").fill("secret")
        page.keyboard.press("Enter")
        expect(page.locator("#hits .word").first).to_have_text(logic.ask("queen").words[0])
        assert "secret" not in page.url
        visit.context.close()
