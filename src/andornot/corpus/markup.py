"""Remove leftover markup from a text: templates, tags, entities, links and URLs."""

from __future__ import annotations

import re

_SUSPECTS = [re.compile(rb"[][{}<>|=&]"), re.compile(rb"://"), re.compile(rb"www\.")]
_TEMPLATE = re.compile(rb"\{\{[^{}]*\}\}|\{\|[^{}]*\|\}")
_OPEN_TEMPLATE = re.compile(rb"\{[{|].*")  # continues on the next line
_CLOSED_TEMPLATE = re.compile(rb"^.*[}|]\}")  # began on an earlier line
_TAG = re.compile(rb"<!--.*?(?:-->|$)|</?[A-Za-z][^<>]*(?:>|$)")
_ENTITY = re.compile(rb"&(?:#\d+|#x[0-9A-Fa-f]+|[A-Za-z]\w*);")
_URL = re.compile(rb"(?:https?://|www\.)[^\s\]|}]+")
_LINK = re.compile(rb"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_ATTRIBUTE = re.compile(rb"""(?<!\S)[^\s=]+=(?:"[^"]*(?:"|$)|\S*)""")
_PARAMETER = re.compile(rb"^\s*(?:[|!].*|#\w+:.*)$")  # of a template, or a table row


def strip_markup(text: bytes) -> bytes:
    """Remove markup from lines of text; lines without markup are unchanged.

    Links keep their visible words. Markup that ends or begins on another line is removed up to the
    end, or from the beginning, of its line.

    >>> strip_markup(b"a <b>bold</b> word, {{cite|x}} and [[Bank (finance)|the bank]]")
    b'a  bold  word,   and the bank'
    """
    starts = {
        text.rfind(b"\n", 0, match.start()) + 1
        for suspect in _SUSPECTS
        for match in suspect.finditer(text)
    }
    parts, position = [], 0
    for start in sorted(starts):
        end = text.find(b"\n", start)
        end = len(text) if end < 0 else end
        parts += [text[position:start], _strip_line(text[start:end])]
        position = end
    return b"".join([*parts, text[position:]])


def _strip_line(line: bytes) -> bytes:
    line = _LINK.sub(rb"\1", line)
    while True:  # the innermost first
        line, found = _TEMPLATE.subn(b" ", line)
        if not found:
            break
    line = _CLOSED_TEMPLATE.sub(b" ", line)
    line = _OPEN_TEMPLATE.sub(b" ", line)
    if _PARAMETER.match(line):
        return b""
    for pattern in (_TAG, _ENTITY, _URL, _ATTRIBUTE):
        line = pattern.sub(b" ", line)
    return line
