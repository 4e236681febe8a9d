"""An extension of griffe: the examples in docstrings become fenced blocks.

Docstrings have their examples as doctests, which the tests run. Markdown would read their brackets
as links, so each run of lines from `>>>` to an empty line is put between fences.
"""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

DOCTEST = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


class FencedDoctests(Extension):
    """Put the doctests of every docstring between fences."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Change the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = DOCTEST.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)
