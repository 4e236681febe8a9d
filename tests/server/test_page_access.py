"""The page for every reader: keys, names, contrast, forced colours, sizes, touch, tokens."""

import re
from urllib.parse import urlencode

import numpy as np
import pytest
from serving import need_server, serving
from visiting import MARKS, Visit, address, expect, wait_for_picture

need_server()
pytestmark = MARKS
DAY = "!day @ {day, night, morning, evening}"


def test_everything_can_be_reached_by_the_keyboard(visit):
    page = visit.open(q=DAY)
    wait_for_picture(page)
    page.locator("#query").focus()
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    expect(page.locator("#why")).to_contain_text("v = ")
    page.keyboard.press("2")
    expect(page.locator("#four .word").first).to_be_visible()
    page.locator("#four summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#four")).not_to_have_attribute("open", "")
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
    night = page.locator("#chips").get_by_role("button", name="night", exact=True)
    expect(night).to_have_attribute("aria-pressed", "false")
    expect(night).to_be_focused()
    page.keyboard.press("Space")
    expect(night).to_have_attribute("aria-pressed", "true")


def test_tab_reaches_the_query_the_list_one_dot_and_the_views_in_order(visit):
    page = visit.open(q="royal & woman", k="5")
    wait_for_picture(page)
    page.locator("#query").focus()
    seen = []
    for _ in range(20):
        page.keyboard.press("Tab")
        seen.append(
            page.evaluate(
                "() => document.activeElement.closest('#hits, #plot, #takeaway, #why, #four')?.id"
            )
        )
    reached = [place for place in seen if place]
    assert reached == ["hits"] * 5 + ["plot"] + ["takeaway"] * 4 + ["why", "four"]


def test_single_keys_can_be_turned_off(visit):
    page = visit.open(q="royal & woman")
    wait_for_picture(page)
    page.locator("#help").click()
    page.get_by_label("Single-key shortcuts").uncheck()
    page.get_by_role("button", name="Close").click()
    page.locator("#sentence").click()
    for key in "12t/":
        page.keyboard.press(key)
    expect(page.locator("#why")).not_to_have_attribute("open", "")
    expect(page.locator("#query")).not_to_be_focused()
    page.reload()
    wait_for_picture(page)
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    expect(page.locator("#why")).not_to_have_attribute("open", "")


@pytest.mark.parametrize("path", ["", "lesson.html"])
def test_every_control_has_a_name(visit, path):
    page = visit.open(path, **({} if path else {"q": DAY}))
    page.wait_for_selector("#tracks svg" if path else "#plot g.hit")
    if not path:
        page.locator("#settings summary").click()
    nameless = page.evaluate(
        """() => [...document.querySelectorAll(
            "button, input, select, textarea, a, [role=img], summary")]
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


def contrast(one, other):
    light, dark = sorted([luminance(one), luminance(other)])[::-1]
    return (light + 0.05) / (dark + 0.05)


def hexadecimal(colour):
    return "#" + "".join(f"{int(n):02x}" for n in re.findall(r"\d+", colour)[:3])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_have_contrast(browser, page_service, scheme):
    visit = Visit(browser, page_service.url, color_scheme=scheme)
    page = visit.open(q="bank & !river @ {river, money, lake, finance}")
    wait_for_picture(page)
    expect(page.locator("html")).to_have_attribute("data-theme", scheme)

    def colour(name):
        script = "name => getComputedStyle(document.documentElement).getPropertyValue(name).trim()"
        return page.evaluate(script, f"--{name}")

    for behind in ("paper", "card"):
        for name, least in [(n, 4.5) for n in ("ink", "soft", "and", "or", "not")] + [("field", 3)]:
            assert contrast(colour(name), colour(behind)) >= least, f"{name} on {behind}, {scheme}"
    style = "([one, what]) => getComputedStyle(document.querySelector(one))[what]"
    graphics = {
        "#plot .dot": "fill",
        "#plot .connector": "stroke",
        "#plot .frame": "stroke",
        "#plot .tick": "stroke",
        "#disc .operand": "stroke",
        "#disc .bisector": "stroke",
        "#disc .small": "fill",
        "#disc .result": "stroke",
        "#disc rect.category": "stroke",
    }
    for each, what in graphics.items():
        drawn = hexadecimal(page.evaluate(style, [each, what]))
        assert contrast(drawn, colour("card")) >= 3, f"{each}, {scheme}"
        if each in ("#plot .connector", "#disc .small"):
            assert contrast(drawn, colour("paper")) >= 3, f"{each}, {scheme}"
    bar = hexadecimal(page.evaluate(style, ["#hits .bar i", "backgroundColor"]))
    track = hexadecimal(page.evaluate(style, ["#hits .bar", "backgroundColor"]))
    assert contrast(bar, track) >= 3
    used = page.evaluate(
        """() => [getComputedStyle(document.getElementById("query"), "::placeholder").color,
          ...["query", "postprocess", "share"].map((id) =>
            getComputedStyle(document.getElementById(id)).borderTopColor)]"""
    )
    assert hexadecimal(used[0]) == colour("soft")
    assert set(map(hexadecimal, used[1:])) <= {colour("field"), colour("and")}
    visit.context.close()


def test_forced_colours_keep_bars_dots_and_pressed_buttons(browser, page_service):
    visit = Visit(browser, page_service.url, forced_colors="active")
    page = visit.open(q=DAY)
    wait_for_picture(page)
    found = page.evaluate(
        """() => {
          const of = (one, what) => getComputedStyle(document.querySelector(one))[what];
          return {
            bar: of("#hits .bar i", "backgroundColor"), track: of("#hits .bar", "backgroundColor"),
            dot: of("#plot .dot", "fill"), frame: of("#plot .frame", "fill"),
            pressed: of("#chips [aria-pressed=true]:not([disabled])", "backgroundColor"),
            other: of("#share", "backgroundColor"),
          };
        }"""
    )
    assert found["bar"] != found["track"]
    assert found["dot"] != found["frame"]
    assert found["pressed"] != found["other"]
    visit.context.close()


@pytest.mark.parametrize("width", [390, 768, 1440])
@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("", {}),
        ("", {"q": "bank & !river @ {river, money, lake, finance}", "view": "why"}),
        ("", {"q": "royal & woman", "view": "four"}),
        ("lesson.html", {}),
    ],
)
def test_no_width_scrolls_sideways(browser, page_service, width, path, query):
    visit = Visit(
        browser, page_service.url, viewport={"width": width, "height": 800}, has_touch=width < 500
    )
    page = visit.open(path, **query)
    if path:
        page.wait_for_selector("#tracks svg")
    else:
        wait_for_picture(page)
    if "view" in query:
        page.wait_for_selector(f"#{query['view']}-content > *")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if not path:
        names = ("#share", "#theme", "#help")
        assert len({page.locator(name).bounding_box()["y"] for name in names}) == 1  # in a row
    assert visit.problems == []
    visit.context.close()


def test_a_touch_screen_has_keys_for_the_signs(browser, page_service):
    size = {"width": 390, "height": 844}
    visit = Visit(browser, page_service.url, viewport=size, has_touch=True, is_mobile=True)
    page = visit.open()
    wait_for_picture(page)
    page.locator("#query").tap()
    page.locator("#query").fill("royal")
    typed = {"or": "royal | ", "not": "royal | !", "a category begins": "royal | !{"}
    for sign, text in typed.items():
        page.get_by_role("button", name=sign, exact=True).first.tap()
        expect(page.locator("#query")).to_have_value(text)
        expect(page.locator("#query")).to_be_focused()
    desktop = Visit(browser, page_service.url)
    expect(desktop.open().locator("#signs")).to_be_hidden()
    visit.context.close()
    desktop.context.close()


def test_nothing_blocks_the_page_while_it_loads(visit):
    """The tasks are recorded, not timed: no file is large, and nothing is drawn twice."""
    page = visit.open()
    wait_for_picture(page)
    sizes = page.evaluate(
        "() => performance.getEntriesByType('resource').map((each) => each.encodedBodySize)"
    )
    assert sum(sizes) < 150_000
    kinds = page.evaluate("() => [...document.scripts].map((each) => each.type)")
    assert kinds == ["module"]


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
        page.goto(f"{running.url}?{urlencode({'q': 'king'})}")  # it is kept until the tab closes
        expect(page.locator("#hits .word").first).to_have_text(logic.ask("king").words[0])
        assert address(page) == {"q": "king"}
        visit.context.close()
