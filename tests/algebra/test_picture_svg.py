"""The drawing of a picture: what can be read off it is what was answered."""

import re
from itertools import combinations, pairwise, product
from xml.etree import ElementTree

import pytest
from errors import raises
from pictured import answers
from planted import SPACE

import andornot
from andornot import Logic
from andornot.algebra.picture import picture_of
from andornot.algebra.picture_layout import Box, place_labels, ticks
from andornot.algebra.picture_style import DARK, LIGHT
from andornot.algebra.picture_svg import svg_of
from andornot.base.errors import FileError, UsageError

SVG = "{http://www.w3.org/2000/svg}"
WIDTHS = (390, 640, 1000, 1440)


def drawings(width=1000):
    for answer in answers():
        picture = picture_of(answer)
        yield answer, picture, ElementTree.fromstring(svg_of(picture, width))


def elements(root, kind):
    return [each for each in root.iter() if kind in each.get("class", "").split()]


def number(element, name):
    return float(element.get(name))


def scale_of(root):
    """Return the map from pixels to scores, read off the ticks."""
    marks = elements(root, "tick")
    lows = [(number(mark.find(f"{SVG}line"), "y1"), mark.find(f"{SVG}text").text) for mark in marks]
    (top, high), (bottom, low) = lows[0], lows[-1]
    assert top != bottom
    per_pixel = (float(high) - float(low)) / (top - bottom)
    return lambda y: float(low) + (y - bottom) * per_pixel, abs(per_pixel)


@pytest.mark.parametrize("width", WIDTHS)
def test_scores_can_be_read_off_within_a_pixel(width):
    for answer, _, root in drawings(width):
        score_at, pixel = scale_of(root)
        dots = elements(root, "dot")
        assert len(dots) == len(answer)
        for dot, hit in zip(dots, answer, strict=True):
            assert abs(score_at(number(dot, "cy")) - hit.score) <= pixel


def test_every_hit_has_a_row_a_connector_and_two_dots():
    for answer, _, root in drawings():
        for rank, (group, hit) in enumerate(zip(elements(root, "hit"), answer, strict=True), 1):
            texts = [each.text for each in group.iter(f"{SVG}text")]
            assert texts[:3] == [str(rank), hit.word, f"{hit.score:.3f}"]
            assert texts[3:] in ([], [hit.word])
            assert len(elements(group, "connector")) == 1
            (dot,), (small,) = elements(group, "dot"), elements(group, "small")
            assert dot.tag == small.tag == f"{SVG}circle"


def test_the_circle_shows_the_positions():
    for _, picture, root in drawings():
        (origin,) = elements(root, "origin")
        radius = next(number(e, "r") for e in elements(root, "hollow") if e.tag == f"{SVG}circle")
        ends = [each for each in elements(root, "operand") if each.tag == f"{SVG}circle"]
        for point, drawn in [
            *zip(picture.hits, elements(root, "small"), strict=True),
            *zip(picture.operands, ends, strict=True),
        ]:
            across = number(drawn, "cx") - number(origin, "cx")
            up = number(origin, "cy") - number(drawn, "cy")
            assert (across, up) == pytest.approx((radius * point.x, radius * point.y), abs=0.011)


def corners(path):
    numbers = [float(each) for each in re.findall(r"-?\d+\.\d+", path.get("d"))]
    (x1, y1, x2, y2, x3) = numbers
    return [(x1, y1), (x2, y2), (x3, y2)]


def cross(one, other):
    """Return whether two segments cross at a point inside of both."""
    (a, b), (c, d) = one, other

    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


@pytest.mark.parametrize("width", [390, 1000])
def test_connectors_do_not_cross(width):
    for _, _, root in drawings(width):
        lines = [corners(path) for path in elements(root, "connector")]
        for one, other in combinations(lines, 2):
            pairs = product(pairwise(one), pairwise(other))
            assert not any(cross(*pair) for pair in pairs)
        for line, dot in zip(lines, elements(root, "dot"), strict=True):
            assert line[-1] == (number(dot, "cx"), number(dot, "cy"))


def test_crossing_lines_would_be_found():
    assert cross(((0, 0), (2, 2)), ((0, 2), (2, 0)))
    assert not cross(((0, 0), (2, 2)), ((0, 1), (2, 3)))


@pytest.mark.parametrize("width", WIDTHS)
def test_everything_lies_inside(width):
    for _, _, root in drawings(width):
        height = number(root, "height")
        assert root.get("viewBox") == f"0 0 {width} {root.get('height')}"
        frame = next(e for e in elements(root, "hollow") if e.tag == f"{SVG}rect")
        left, top = number(frame, "x"), number(frame, "y")
        right, bottom = left + number(frame, "width"), top + number(frame, "height")
        for dot in elements(root, "dot"):
            assert left < number(dot, "cx") < right
            assert top < number(dot, "cy") < bottom
        for text in root.iter(f"{SVG}text"):
            assert 0 <= number(text, "x") <= width
            assert 0 < number(text, "y") < height


def test_words_are_escaped_and_nothing_is_run_or_loaded():
    names = ["<script/>", 'a"b&c', "bell\x07", "d", "e"]
    matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1.0]]
    logic = Logic(andornot.Space.from_arrays(names, matrix))
    text = logic.plot("d & e").svg
    root = ElementTree.fromstring(text)
    words = {each.text for each in elements(root, "word")}
    assert {names[0], names[1], "bell\ufffd"} <= words
    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= {
        "svg", "style", "rect", "text", "title", "g", "line", "path", "circle",
    }  # fmt: skip
    assert "url(" not in text
    assert "@import" not in text
    assert not re.search(r"\son\w+=|href", text)


def test_texts_of_a_long_query_are_shortened_and_whole_in_a_title():
    query = " & ".join(f"w{i}" for i in range(1, 23))
    root = ElementTree.fromstring(svg_of(picture_of(Logic(SPACE).ask(query)), 390))
    (shown,) = elements(root, "query")
    assert shown.text.endswith("…")
    assert shown.find(f"{SVG}title").text == query


def test_many_hits_are_drawn():
    names = [f"word{i}" for i in range(300)]
    matrix = [[i % 17, i % 5 - 2, i % 3] for i in range(1, 301)]
    logic = Logic(andornot.Space.from_arrays(names, matrix))
    plot = logic.plot("word1 | word2", k=200)
    assert plot.svg.count('class="dot"') == len(plot.answer) == 200


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_have_contrast(palette):
    for name in ("dot", "connector", "edge", "result", "bisector"):
        assert contrast(palette[name], palette["paper"]) >= 3, name
    for name in ("ink", "quiet", "dot", "result", "bisector"):
        assert contrast(palette[name], palette["paper"]) >= 4.5, name


@pytest.mark.parametrize(
    ("low", "high"), [(0.1, 0.12), (-0.9, 0.95), (0.4711, 0.549), (0.979, 1.002)]
)
def test_ticks_are_round_and_at_least_two(low, high):
    found = ticks(low, high, 5)
    assert 2 <= len(found) <= 6
    for value, text in found:
        assert low <= value <= min(high, 1)
        assert float(text) == pytest.approx(value)


def test_one_word_has_a_scale():
    logic = Logic(andornot.Space.from_arrays(["a", "b", "c"], [[1, 0], [3, 0.0], [0, 1]]))
    plot = logic.plot("a", k=1, among=["b"])
    score_at, pixel = scale_of(root := ElementTree.fromstring(plot.svg))
    (dot,) = elements(root, "dot")
    assert abs(score_at(number(dot, "cy")) - plot.answer[0].score) <= pixel


def test_labels_keep_clear_of_dots_lines_and_each_other():
    frame = Box(0, 0, 300, 100)
    labels = place_labels([(50, 50), (150, 52), (40, 90)], ["near", "far", "low"], 10, frame)
    assert labels == [None, (158, "start"), (48, "start")]


def test_a_plot_is_shown_saved_and_holds_its_data(tmp_path):
    logic = Logic(SPACE)
    plot = logic.plot("w1 & w2", k=4, width=500)
    assert repr(plot) == "Plot('w1 & w2': 4 words)"
    assert plot.answer.words == logic.ask("w1 & w2", k=4).words
    assert plot.picture == picture_of(logic.ask("w1 & w2", k=4))
    assert plot._repr_svg_() == plot._repr_html_() == plot.svg == svg_of(plot.picture, 500)
    target = tmp_path / "plot.svg"
    plot.save(target)
    assert target.read_text(encoding="utf-8") == plot.svg
    with raises(FileError, target, "force=True"):
        plot.save(target)
    plot.save(target, force=True)
    with raises(UsageError, "SVG", f"got {tmp_path / 'plot.png'}", f"name it {target}"):
        plot.save(tmp_path / "plot.png")
    assert [path.name for path in tmp_path.iterdir()] == ["plot.svg"]


@pytest.mark.parametrize("width", [100, 5000, 400.5, True, "wide"])
def test_a_width_is_checked(width):
    with raises(UsageError, "width", repr(width), 360, 2000):
        Logic(SPACE).plot("w1", width=width)
