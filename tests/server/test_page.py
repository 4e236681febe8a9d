"""Asking in a real browser: typed, corrected, swapped, followed, left, shared."""

import re

import pytest
from commands import EXAMPLES
from serving import need_server, serving
from visiting import MARKS, Visit, address, expect, wait_for_picture, wait_for_words

import andornot
from andornot import Logic

need_server()
pytestmark = MARKS
DAY = "!day @ {day, night, morning, evening}"


# --- the first screen --------------------------------------------------------------------------


def test_the_first_screen_is_answered_and_can_be_swapped(visit, logic):
    page = visit.open()
    expect(page.locator("#query")).to_have_value("royal & woman")
    wait_for_words(page, logic.ask("royal & woman").words)
    wait_for_picture(page)
    first = ", ".join(logic.ask("royal & woman", k=3).words)
    expect(page.locator("#sentence")).to_have_text(f"Nearest to royal and woman together: {first}.")
    assert address(page) == {}
    for name, query in (
        ("OR", "royal | woman"),
        ("NOT", "royal & !woman"),
        ("AND", "royal & woman"),
    ):
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator("#query")).to_have_value(query)
        wait_for_words(page, logic.ask(query).words)
        expect(page.get_by_role("button", name=name, exact=True)).to_have_attribute(
            "aria-pressed", "true"
        )


def test_the_list_and_the_picture_come_with_one_request(visit):
    page = visit.open()
    wait_for_picture(page)
    expect(page.locator("#examples a").first).to_be_visible()
    paths = [url.removeprefix(visit.url).partition("?")[0] for url in visit.asked]
    assert sorted(path for path in paths if path.startswith("v1/")) == [
        "v1/ask",
        "v1/examples",
        "v1/spaces",
    ]


def test_a_space_without_royal_begins_with_an_example_of_its_own(visit, odd):
    page = visit.open(space="odd")
    logic = Logic(andornot.load(odd))
    expect(page.locator("#query")).to_have_value(re.compile("king|queen"))
    wait_for_words(page, logic.ask(page.locator("#query").input_value()).words)
    expect(page.locator("#problem")).to_be_hidden()


def test_captions_of_examples_are_answers(visit, logic):
    page = visit.open()
    expect(page.locator("#examples li")).to_have_count(13)
    for link in page.locator("#examples a").all():
        query, caption = link.locator("code").inner_text(), link.locator("span").inner_text()
        assert caption == ", ".join(logic.ask(query, k=3).words), query
    page.locator("#examples a", has_text="violin | piano").first.click()
    wait_for_words(page, logic.ask("violin | piano").words)
    expect(page.locator("#query")).to_have_value("violin | piano")


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
    shares = page.locator("#hits .bar i").evaluate_all(
        "bars => bars.map(b => b.getBoundingClientRect().width / b.parentElement.clientWidth)"
    )
    assert shares == pytest.approx(own, abs=0.02)  # a whole bar is a score of 1
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
          const mark = document.querySelector("#marks mark").getBoundingClientRect();
          return [left + measure.measureText(query.value).width, mark.left];
        }"""
    )
    assert places[0] == pytest.approx(places[1], abs=2)  # under the end, where ) is missing
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
    assert page.locator("#fixes button").count() == 0


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
    expect(page.locator("#why")).to_have_attribute("open", "")


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


# --- fixes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "meant"),
    [("royal and woman", "royal & woman"), ("royal woman", "royal & woman")],
)
def test_a_query_that_is_nearly_right_is_corrected_with_a_click(visit, logic, query, meant):
    page = visit.open(q=query)
    page.locator("#fixes").get_by_role("button", name=meant, exact=True).click()
    wait_for_words(page, logic.ask(meant).words)
    expect(page.locator("#query")).to_have_value(meant)
    expect(page.locator("#problem")).to_be_hidden()


def test_capitals_are_written_as_they_were_read(visit, logic):
    page = visit.open(q="Royal AND WOMAN")
    wait_for_words(page, logic.ask("royal & woman").words)
    page.get_by_role("button", name="Write royal & woman").click()
    expect(page.locator("#query")).to_have_value("royal & woman")
    expect(page.get_by_role("button", name="Write royal & woman")).to_have_count(0)


def test_prose_is_offered_to_be_described(visit, logic):
    text = "a mountain that throws out lava"
    page = visit.open(q=text)
    page.get_by_role("button", name=f"describe: {text}").click()
    wait_for_words(page, logic.describe(text).words)
    assert address(page) == {"q": text, "mode": "describe"}


def test_after_an_error_the_old_answer_is_dimmed_and_labelled(visit, logic):
    page = visit.open(q="royal & woman")
    wait_for_words(page, logic.ask("royal & woman").words)
    page.locator("#query").fill("royal & womann")
    page.keyboard.press("Enter")
    expect(page.locator("#stale")).to_have_text("The last answer, to royal & woman")
    assert float(page.evaluate("getComputedStyle(document.getElementById('shown')).opacity")) < 1
    page.get_by_role("button", name="woman", exact=True).click()
    expect(page.locator("#stale")).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.getElementById('shown')).opacity") == "1"


def test_offline_the_old_answer_is_dimmed_and_labelled(visit, logic):
    page = visit.open(q="royal & woman")
    wait_for_picture(page)
    page.route("**/v1/ask", lambda route: route.abort())
    page.get_by_role("button", name="OR", exact=True).click()
    expect(page.locator("#message")).to_contain_text("does not answer")
    expect(page.locator("#stale")).to_have_text("The last answer, to royal & woman")
    visit.said.clear()  # the browser logs the request that failed
    page.unroute("**/v1/ask")
    page.locator("#query").focus()
    page.keyboard.press("Enter")
    wait_for_words(page, logic.ask("royal | woman").words)
    expect(page.locator("#stale")).to_be_hidden()


def test_a_first_answer_below_zero_says_so(visit):
    page = visit.open(q="day @ {day, night}")
    expect(page.locator("#sentence")).to_contain_text("No word is near")
    expect(page.locator("#sentence")).to_contain_text("below zero")


def test_the_field_grows_with_its_text(visit):
    page = visit.open(q="royal & woman")
    low = page.locator("#query").bounding_box()["height"]
    page.locator("#query").fill(" | ".join(["royal"] * 30))
    assert page.locator("#query").bounding_box()["height"] > 2 * low
    assert page.evaluate(
        "(q => q.scrollHeight <= q.clientHeight)(document.getElementById('query'))"
    )


# --- describing --------------------------------------------------------------------------------


def test_a_description_finds_words(visit, logic):
    page = visit.open()
    wait_for_picture(page)
    page.get_by_role("button", name="Describe a word").click()
    wait_for_words(page, logic.describe("a mountain that throws out lava").words)
    page.keyboard.type("instrument for measuring temperature")  # the example was selected
    page.keyboard.press("Enter")
    wait_for_words(page, logic.describe("instrument for measuring temperature").words)
    for hidden in ("#plot", "#why", "#four", "#take-svg", "#operations", "#completions"):
        expect(page.locator(hidden)).to_be_hidden()
    page.locator("#hits a").first.click()  # a word of it is a query
    expect(page.locator("#plot")).to_be_visible()
    assert "mode" not in address(page)


# --- a bare NOT, categories, weights -----------------------------------------------------------


def test_a_bare_not_is_offered_its_neighbours(visit, logic):
    page = visit.open(q="!day")
    expect(page.locator("#category-title")).to_contain_text("Instead of day, what?")
    offered = page.locator("#chips button").all_inner_texts()
    assert offered == list(logic.propose_category("day").words)
    page.locator("#chips").get_by_role("button", name="night", exact=True).click()
    expect(page.locator("#query")).to_have_value("!day @ {day, night}")
    page.locator("#chips").get_by_role("button", name="morning", exact=True).click()
    expect(page.locator("#query")).to_have_value("!day @ {day, night, morning}")
    wait_for_words(page, logic.ask("!day @ {day, night, morning}").words)
    assert set(page.locator("#chips button").all_inner_texts()) == set(offered)


def test_one_more_word_is_completed(visit, logic):
    page = visit.open(q=DAY)
    page.locator("#one-more").fill("aftern")
    option = page.locator("#more-completions [role=option]").first
    expect(option).to_have_text("afternoon")
    page.locator("#one-more").press("ArrowDown")
    page.locator("#one-more").press("Enter")
    expect(page.locator("#query")).to_have_value(f"{DAY[:-1]}, afternoon}}")
    wait_for_words(page, logic.ask(f"{DAY[:-1]}, afternoon}}").words)


def test_the_category_of_a_part_can_be_changed(visit, logic):
    page = visit.open(q="bank & !river @ {river, money, lake, finance}")
    river = page.locator("#chips").get_by_role("button", name="river", exact=True)
    expect(river).to_be_disabled()
    page.locator("#chips").get_by_role("button", name="money", exact=True).click()
    expect(page.locator("#query")).to_have_value("bank & !river @ {river, lake, finance}")
    wait_for_words(page, logic.ask("bank & !river @ {river, lake, finance}").words)
    page.reload()
    money = page.locator("#chips").get_by_role("button", name="money", exact=True)
    expect(money).to_have_attribute("aria-pressed", "false")  # the address keeps it


def test_the_numbers_of_the_paper_have_three_categories(visit):
    page = visit.open()
    page.locator("#examples a", has_text="!1 @ {1, 2").click()
    expect(page.get_by_role("button", name="positive numbers")).to_have_attribute(
        "aria-pressed", "true"
    )
    page.get_by_role("button", name="all numbers").click()
    expect(page.locator("#query")).to_have_value(re.compile(r"^!1 @ \{-5, .*, 9\}$"))
    page.get_by_role("button", name="negative numbers").click()
    expect(page.locator("#query")).to_have_value("!-1 @ {-5, -4, -3, -2, -1}")
    expect(page.locator("#hits .word")).to_have_count(4)


def test_the_weights_of_an_or_are_set_by_a_slider(visit, logic):
    page = visit.open(q="violin | piano")
    expect(page.locator("#share-one")).to_have_text("violin 50 %")
    page.locator("#or-share").focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    expect(page.locator("#query")).to_have_value("0.3*violin | 0.7*piano")
    expect(page.locator("#share-other")).to_have_text("piano 70 %")
    wait_for_words(page, logic.ask("0.3*violin | 0.7*piano").words)
    page.reload()
    expect(page.locator("#or-share")).to_have_value("30")
    expect(page.locator("#weighing")).to_be_visible()
    page.get_by_role("button", name="AND", exact=True).click()
    expect(page.locator("#query")).to_have_value("violin & piano")
    expect(page.locator("#weighing")).to_be_hidden()


def test_the_language_of_the_page_reads_queries(visit):
    """Which queries can be swapped or weighed, and how they are written then."""
    cases = {
        "a & b": ["and", None],
        "a AND NOT b": ["not", None],
        "0.3*a | 0.7*(b & c)": ["or", ["a", "(b & c)"]],
        "(a | b) & c": ["and", None],
        "a | b | c": [None, ["a", "b", "c"]],
        "a & b | c": [None, None],
        '"a | b" | c': ["or", ['"a | b"', "c"]],
        "a": [None, None],
        "a & b @ {b, c}": [None, None],
        "(a & b": [None, None],
        "a |": [None, None],
    }
    found = visit.open().evaluate(
        "queries => import('./language.js').then(({swapped, weighed}) => queries.map((q) => "
        "[swapped(q)?.chosen ?? null, weighed(q)?.map((each) => each.text) ?? null]))",
        list(cases),
    )
    assert dict(zip(cases, found, strict=True)) == cases
