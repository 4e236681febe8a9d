"""The white space between the tokens of a corpus: space, tab, carriage return and line feed."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"[^ \t\r\n]+")


def split_at_white_space(text: str) -> list[str]:
    r"""Return the tokens of a text, as `TokenTable` splits it.

    Other white space of Unicode, such as a no-break space, is part of a token.

    >>> split_at_white_space(" a\u00a0b\tc ")
    ['a\xa0b', 'c']
    """
    return _TOKEN.findall(text)
