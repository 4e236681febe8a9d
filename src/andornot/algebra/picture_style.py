"""The style sheet of a drawing: fonts, shapes, and the colours on light and on dark paper."""

from __future__ import annotations

from collections.abc import Mapping

LIGHT = {
    "paper": "#ffffff",
    "ink": "#1f1d1a",
    "quiet": "#5f5a52",
    "edge": "#8a8378",
    "grid": "#e4dfd6",
    "dot": "#2458a8",
    "connector": "#7190c4",
    "result": "#b3341f",
    "bisector": "#2c6b41",
}
"""The colours on light paper. Graphics have a contrast of at least 3:1 with it; the grid repeats
the ticks of the axis and is fainter."""

DARK = {
    "paper": "#171614",
    "ink": "#f1ede6",
    "quiet": "#b9b2a7",
    "edge": "#847d72",
    "grid": "#35322e",
    "dot": "#8ab4f8",
    "connector": "#5f7fb8",
    "result": "#f28b7d",
    "bisector": "#7fc796",
}
"""The colours on dark paper."""

_SANS = "system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif"
_SHAPES = f"""
text{{font-family:{_SANS};font-variant-numeric:tabular-nums}}
.word{{font-family:Georgia,'DejaVu Serif',serif}}
.query{{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace}}
.hollow,.connector{{fill:none}}
.haloed{{paint-order:stroke;stroke-width:4px;stroke-linejoin:round}}
.operand,.result,.connector,.bisector{{stroke-width:1.5px}}
.bisector{{stroke-dasharray:5 4}}
line.negated{{stroke-dasharray:3 3}}
.window{{fill-opacity:.12;stroke-dasharray:3 2}}
.origin,.category{{stroke-width:1.5px}}
.row{{fill-opacity:0}}
.hit:hover .row{{fill-opacity:.15}}
.hit:hover .connector{{stroke-width:2.5px}}
.hit:hover .small{{r:4.5px}}
text.named{{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}}
"""


def style_sheet() -> str:
    """Return the style sheet; every rule holds within the picture alone."""
    light = f"{_colours(LIGHT)}\n{_SHAPES}"
    return (
        f"\n{_inside(light)}\n@media (prefers-color-scheme:dark){{\n{_inside(_colours(DARK))}\n}}\n"
    )


def _colours(palette: Mapping[str, str]) -> str:
    """Return the rules that colour the elements."""
    rules = {
        ".paper,.origin,circle.negated": "fill:{paper}",
        ".haloed": "stroke:{paper}",
        ".word,.query": "fill:{ink}",
        ".quiet": "fill:{quiet}",
        ".edge": "stroke:{edge}",
        ".grid": "stroke:{grid}",
        ".dot,.small,.window,.row,circle.operand:not(.negated),text.operand": "fill:{dot}",
        ".operand,.window": "stroke:{dot}",
        ".connector": "stroke:{connector}",
        ".result": "stroke:{result};fill:{result}",
        ".bisector,.origin": "stroke:{bisector}",
        ".category": "stroke:{bisector};fill:{bisector}",
        ".equal": "fill:{bisector}",
        "text.named": "stroke:{paper}",
        ".hit:hover .connector": "stroke:{dot}",
    }
    return "\n".join(f"{chosen}{{{rule.format(**palette)}}}" for chosen, rule in rules.items())


def _inside(rules: str) -> str:
    """Prefix each selector of some rules by the class of the picture.

    >>> _inside(".a,.b{x:1}")
    '.andornot-picture .a,.andornot-picture .b{x:1}'
    """
    found = []
    for rule in rules.split("\n"):
        if rule:
            selectors, brace, declarations = rule.partition("{")
            inside = [f".andornot-picture {each}" for each in selectors.split(",")]
            found.append(f"{','.join(inside)}{brace}{declarations}")
    return "\n".join(found)
