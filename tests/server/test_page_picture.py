"""The picture in a real browser: read off as a reader would, lit, moved, taken away."""

import csv
import io
import json
import re
import shlex

import numpy as np
import pytest
from commands import run
from planted import LOGICS, WORDS
from queries import generated
from serving import need_server
from visiting import MARKS, Visit, expect, wait_for_picture, wait_for_words

import andornot
from andornot import Logic
from andornot.algebra.picture import picture_facts

need_server()
from andornot.server.failures import encode_json  # noqa: E402

pytestmark = MARKS
DAY = "!day @ {day, night, morning, evening}"
READ = """() => {
  const number = (each, name) => Number(each.getAttribute(name));
  const ticks = [...document.querySelectorAll("#plot .tick")].map((tick) =>
    [number(tick, "y1"), Number(tick.nextElementSibling.textContent)]);
  const frame = document.querySelector("#plot .frame");
  const groups = [...document.querySelectorAll("#plot g.hit")];
  return {
    ticks,
    left: number(frame, "x"),
    dots: Object.fromEntries(groups.map((group) => {
      const dot = group.querySelector(".dot");
      return [group.dataset.word, [number(dot, "cx"), number(dot, "cy")]];
    })),
    connectors: Object.fromEntries(groups.map((group) =>
      [group.dataset.word, group.querySelector(".connector").getAttribute("d")])),
    rows: [...document.querySelectorAll("#hits a")].map((row) => row.dataset.word),
  };
}"""
DRAW = f"""async (pictures) => {{
  const {{Picture}} = await import("./picture.js");
  const {{ranked}} = await import("./answers.js");
  const {{fill}} = await import("./dom.js");
  const picture = new Picture(() => {{}});
  const read = {READ};
  return pictures.map((each) => {{
    const hits = each.points.filter((point) => point.kind === "hit");
    fill(document.getElementById("hits"),
      ...ranked(hits.map(({{name, score}}) => ({{word: name, score}})), () => ""));
    picture.draw(each);
    return read();
  }});
}}"""


def check_reading(drawn, scores):
    """Scores read off the ticks are those of the list within a pixel; connectors don't cross."""
    assert drawn["rows"] == list(scores) or set(drawn["rows"]) == set(scores)
    assert set(drawn["dots"]) == set(scores)  # every hit is drawn
    if len(drawn["ticks"]) < 2:
        return
    (y1, s1), (y2, s2) = drawn["ticks"][0], drawn["ticks"][-1]
    per_pixel = (s2 - s1) / (y2 - y1)
    for word, (_, y) in drawn["dots"].items():
        assert s1 + (y - y1) * per_pixel == pytest.approx(scores[word], abs=abs(per_pixel)), word
    ends = []
    for word in drawn["rows"]:
        row, turn, height = re.match(
            r"M0 ([\d.-]+)L([\d.-]+) ([\d.-]+)H", drawn["connectors"][word]
        ).groups()
        assert float(turn) == pytest.approx(drawn["left"])
        assert float(height) == pytest.approx(drawn["dots"][word][1])
        ends.append((float(row), float(height)))
    assert ends == sorted(ends)  # from the top at both ends: none crosses another


def test_scores_can_be_read_off_the_picture(visit, logic):
    for query in (
        "royal & woman",
        "moon & landing",
        "bank & !river @ {river, money, lake, finance}",
    ):
        page = visit.open(q=query)
        wait_for_picture(page)
        check_reading(page.evaluate(READ), dict(logic.ask(query)))


def test_scores_can_be_read_off_two_hundred_pictures(visit):
    """Of drawn queries over a small space: every operation, within categories and everywhere."""
    pictures, expected = [], []
    for number, query in enumerate(generated(200, WORDS, seed=3)):
        logic = list(LOGICS.values())[number % len(LOGICS)]
        answer = logic.ask(query, everywhere=number % 3 == 0)
        facts = picture_facts(answer)
        if not facts["exists"] or len(set(answer.words)) < 2:
            continue
        pictures.append(json.loads(encode_json(facts)))
        expected.append(dict(answer))
    assert len(pictures) > 150
    page = visit.open()
    wait_for_picture(page)
    for drawn, scores in zip(page.evaluate(DRAW, pictures), expected, strict=True):
        check_reading(drawn, scores)


def test_the_circle_has_the_operands_where_they_are(visit, logic):
    page = visit.open(q="violin | piano")
    wait_for_picture(page)
    places = page.locator("#disc circle.operand").evaluate_all(
        "dots => dots.map(dot => [Number(dot.getAttribute('cx')), -dot.getAttribute('cy')])"
    )
    radius = float(page.locator("#disc .frame").get_attribute("r"))
    rows = np.array([logic["violin"].vector, logic["piano"].vector])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    heights = np.array(places)[:, 1] / radius
    result = logic.concept("violin | piano").vector
    assert heights == pytest.approx(rows @ result / np.linalg.norm(result), abs=1e-4)
    assert np.linalg.norm(np.array(places) / radius, axis=1) == pytest.approx(1, abs=1e-4)
    between = np.array(places[0]) @ np.array(places[1]) / radius**2
    assert between == pytest.approx(rows[0] @ rows[1], abs=1e-4)  # their cosine


def test_a_row_and_its_dot_light_each_other(visit, logic):
    page = visit.open(q="royal & woman")
    wait_for_picture(page)
    word = logic.ask("royal & woman").words[2]
    row = page.locator(f'#hits a[data-word="{word}"]')
    dot = page.locator(f'#plot g[data-word="{word}"]')
    row.hover()
    expect(dot).to_have_class(re.compile("same"))
    page.locator("#sentence").hover()
    expect(dot).not_to_have_class(re.compile("same"))
    dot.locator(".dot").hover()
    expect(row).to_have_class(re.compile("same"))
    page.locator("#sentence").hover()
    row.focus()
    expect(dot).to_have_class(re.compile("same"))
    page.locator("#plot g[tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(row).to_have_class(re.compile("same"))
    page.keyboard.press("Enter")
    wait_for_words(page, logic.ask(word).words)


def test_words_move_when_the_category_changes(browser, page_service):
    visit = Visit(browser, page_service.url, reduced_motion="no-preference")
    page = visit.open(q=DAY)
    wait_for_picture(page)
    page.wait_for_timeout(700)  # the first drawing is over
    page.evaluate(
        """() => {
          window.seen = new Set();
          const look = () => {
            const line = document.querySelector('#plot g[data-word="night"] .connector');
            if (line) window.seen.add(line.getAttribute("d"));
            requestAnimationFrame(look);
          };
          look();
        }"""
    )
    page.locator("#chips").get_by_role("button", name="evening", exact=True).click()
    page.wait_for_function("() => window.seen.size > 3")
    wait_for_words(page, Logic(andornot.default()).ask("!day @ {day, night, morning}").words)
    page.wait_for_timeout(700)
    check_reading(
        page.evaluate(READ),
        dict(Logic(andornot.default()).ask("!day @ {day, night, morning}")),
    )
    assert visit.problems == []
    visit.context.close()


def test_the_exact_list_does_not_wait_for_its_picture(visit):
    page = visit.open()
    wait_for_picture(page)
    held = []

    def hold(route):
        body = route.request.post_data_json
        if body.get("picture"):
            held.append(route)
        else:
            route.continue_()

    page.route("**/v1/ask", hold)
    page.locator("#settings summary").click()
    page.locator("#exact").check()
    exact = Logic(andornot.default(), exact=True).ask("royal & woman")
    wait_for_words(page, exact.words)
    expect(page.locator("#plot")).to_be_hidden()  # that of another answer would lie
    assert len(held) == 1
    held[0].continue_()
    wait_for_picture(page)
    check_reading(page.evaluate(READ), dict(exact))


def test_a_picture_that_cannot_be_is_explained(visit):
    page = visit.open()
    wait_for_picture(page)
    page.route(
        "**/v1/ask",
        lambda route: route.fulfill(
            json=route.fetch().json() | {"picture": {"exists": False, "reason": "no cosines"}}
        ),
    )
    page.get_by_role("button", name="OR", exact=True).click()
    expect(page.locator("#no-picture")).to_have_text("no cosines")
    expect(page.locator("#plot")).to_be_hidden()
    expect(page.locator("#hits li")).to_have_count(10)


# --- take away ---------------------------------------------------------------------------------


def test_the_list_is_taken_away_as_csv(visit, odd):
    page = visit.open(q="king", space="odd")
    own = Logic(andornot.load(odd)).ask("king")
    wait_for_words(page, own.words)
    with page.expect_download() as downloading:
        page.locator("#take-csv").click()
    assert downloading.value.suggested_filename == "king.csv"
    text = downloading.value.path().read_text()
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["word"] for row in rows] == list(own.words)
    assert [float(row["score"]) for row in rows] == pytest.approx([hit.score for hit in own])


def test_the_picture_is_taken_away_as_the_library_draws_it(visit, logic):
    from andornot.algebra.picture import picture_of
    from andornot.algebra.picture_svg import svg_of

    page = visit.open(q="royal & woman", k="5")
    wait_for_picture(page)
    with page.expect_download() as downloading:
        page.locator("#take-svg").click()
    assert downloading.value.suggested_filename == "royal-woman.svg"
    own = svg_of(picture_of(logic.ask("royal & woman", k=5)))
    taken = downloading.value.path().read_text()
    assert re.sub(r"[\d.]+", "", taken) == re.sub(r"[\d.]+", "", own)


REQUESTS = [
    {"query": "royal & woman", "k": 10, "space": "default"},
    {"query": "it's | \"women's hats\"", "k": 5, "space": "default"},
    {"query": "!day", "k": 3, "space": "default", "everywhere": True, "weights": "frequency"},
    {"query": "-1 & 2", "k": 10, "space": "default", "postprocess": "uniform"},
    {"query": "queen & king", "k": 4, "space": "default", "exact": True},
    {"text": "a mountain that throws out lava", "k": 5, "space": "default"},
]


def test_an_answer_is_taken_away_as_a_command_and_as_python(visit, capsys):
    """Both are run, and find the same."""
    page = visit.open()
    taken = page.evaluate(
        "requests => import('./takeaway.js').then(({asCommand, asPython}) => "
        "requests.map((each) => [asCommand(each), asPython(each)]))",
        REQUESTS,
    )
    for (command, code), request in zip(taken, REQUESTS, strict=True):
        program, *options = shlex.split(command)
        assert program == "andornot"
        assert options[-1] == request.get("query", request.get("text"))
        exec(compile(code, "taken", "exec"), {})
        printed = [line.split("  ", 1)[1] for line in capsys.readouterr().out.splitlines()]
        done = run(*options[:-1], "--json", options[-1]) if "--" not in options else None
        if done is None:
            place = options.index("--")
            done = run(*options[:place], "--json", *options[place:])
        found = json.loads(done.stdout)
        found = found[0] if isinstance(found, list) else found
        assert printed == [hit["word"] for hit in found["hits"]], command
        assert len(printed) == request["k"]


def test_a_command_is_copied(browser, page_service):
    visit = Visit(browser, page_service.url, permissions=["clipboard-read", "clipboard-write"])
    page = visit.open(q="royal & woman", k="5", exact="1")
    wait_for_picture(page)
    page.locator("#take-command").click()
    expect(page.locator("#take-command")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "andornot ask -k 5 --exact 'royal & woman'"
    visit.context.close()
