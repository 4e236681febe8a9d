"""Print an explanation as plain lines or as tables."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from andornot.base.formatting import number
from andornot.base.html import table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from andornot.algebra.explanation.records import Explanation, Group, Part

_MOST_WORDS = 40  # words of a category that are shown
_MOST_PARTS = 50
_COLUMNS = ("step", "part", "weight", "p", "computed")
_LONGEST = 160  # characters of a formula that are shown
_DEEPEST_INDENT = 8
_EM_SPACE = "\u2003"  # HTML would collapse plain spaces


def as_text(explanation: Explanation, width: int) -> str:
    """Return plain lines of at most this width, unless a word is longer."""
    lines = _filled("", _shortened(explanation.formula), width)
    for part in explanation.parts[:_MOST_PARTS]:
        lines += _part(part, width)
    for group in explanation.categories:
        lines += _filled(f"{group.name:<11}", _origin(group), width)
        words = f"{', '.join(f'{word} {share}' for word, share in _words(group))}"
        lines += _filled(" " * 11, words, width)
    for label, said in _figures(explanation):
        lines += _filled(f"{label:<11}", said, width)
    return "\n".join(lines)


def as_html(explanation: Explanation) -> str:
    """Return tables for a notebook: the steps, the categories, the figures."""
    steps = [
        (
            part.kind,
            _EM_SPACE * min(part.depth, _DEEPEST_INDENT) + _shortened(part.formula),
            "" if part.weight is None else number(part.weight),
            f"{part.sign} {number(part.probability)}".removeprefix("= "),
            "" if part.kind == "word" else _computed(part),
        )
        for part in explanation.parts[:_MOST_PARTS]
    ]
    blocks = [table(steps, _COLUMNS, _shortened(explanation.formula))]
    blocks += [
        table(_words(group), (f"{group.name}: {_origin(group)}", "weight"))
        for group in explanation.categories
    ]
    return "".join([*blocks, table(_figures(explanation))])


def as_tables(explanation: Explanation) -> RenderableType:
    """Return tables of rich: the steps, the categories, the figures."""
    from rich import box
    from rich.console import Group as RichGroup
    from rich.table import Table
    from rich.text import Text

    def grid(*headers: str) -> Table:
        made = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_header=bool(headers))
        for header in headers:
            made.add_column(header, justify="right" if header in ("weight", "p") else "left")
        return made

    parts = grid(*_COLUMNS)
    for part in explanation.parts[:_MOST_PARTS]:
        parts.add_row(
            Text(part.kind),
            Text(f"{'  ' * min(part.depth, _DEEPEST_INDENT)}{_shortened(part.formula)}"),
            Text("" if part.weight is None else number(part.weight)),
            Text(f"{part.sign} {number(part.probability)}".removeprefix("= ")),
            Text("" if part.kind == "word" else _computed(part)),
        )
    blocks: list[RenderableType] = [Text(explanation.formula, style="bold"), parts]
    for group in explanation.categories:
        members = grid(f"{group.name}: {_origin(group)}", "weight", "")
        shares = dict(zip(group.words, group.weights, strict=True))
        for word, share in _words(group):
            bar = "█" * round(30 * shares.get(word, 0) / max(group.weights))
            members.add_row(Text(word), Text(share), Text(bar, style="cyan"))
        blocks.append(members)
    figures = Table.grid(padding=(0, 2))
    for label, said in _figures(explanation):
        figures.add_row(Text(label, style="bold"), Text(said))
    return RichGroup(*blocks, figures)


def _computed(part: Part) -> str:
    """Return how the vector and the probability of a step were computed, in two lines."""
    vector = _shortened(f"{part.symbol} = {part.vector}")
    return f"{vector}\n{_shortened(f'p {part.sign} {part.probability_formula}')}"


def _part(part: Part, width: int) -> list[str]:
    indent = "  " * min(part.depth + 1, _DEEPEST_INDENT)
    weight = "" if part.weight is None else f"   weight {number(part.weight)}"
    if part.kind == "word":
        line = f"{_shortened(part.formula)}{weight}   p {part.sign} {number(part.probability)}"
        return _filled(f"{indent}{part.kind:<7}", line, width)
    return [
        *_filled(f"{indent}{part.kind:<7}", f"{_shortened(part.formula)}{weight}", width),
        *_equation(indent, part.symbol, "=", part.vector, width),
        *_equation(indent, "p", part.sign, part.probability_formula, width),
    ]


def _equation(indent: str, left: str, sign: str, right: str, width: int) -> list[str]:
    start = f"{indent}{'':<7}{left} {sign} "
    shown = _shortened(f"{left} {sign} {right}").removeprefix(f"{left} {sign} ")
    return _filled(start, shown, width)


def _origin(group: Group) -> str:
    return f"{group.origin}, p({group.name}) = {number(group.probability)}"


def _words(group: Group) -> Iterator[tuple[str, str]]:
    """Yield words and their shares, the largest first; the last ones are summed up."""
    order = sorted(zip(group.words, group.weights, strict=True), key=lambda each: -each[1])
    for word, share in order[:_MOST_WORDS]:
        yield word, number(share)
    rest = order[_MOST_WORDS:]
    if rest:
        yield f"{len(rest):,} more", number(sum(share for _, share in rest))


def _figures(explanation: Explanation) -> Iterator[tuple[str, str]]:
    if len(explanation.parts) > _MOST_PARTS:
        yield "parts", f"{len(explanation.parts) - _MOST_PARTS:,} more, which JSON has"
    for figure in explanation.figures:
        yield figure.name, figure.text


def _shortened(text: str) -> str:
    plain = "".join(c if c.isprintable() else "\ufffd" for c in text)
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]} ..."


def _filled(start: str, text: str, width: int) -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=start,
        subsequent_indent=" " * len(start),
        break_long_words=False,
        break_on_hyphens=False,
    )
