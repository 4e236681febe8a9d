"""Remove leftover markup from a text: templates, tags, entities, links and URLs."""

from __future__ import annotations

import re

_SUSPECTS = [re.compile(rb"[][{}<>|=&]"), re.compile(rb"://"), re.compile(rb"www\.")]
_BRACE = re.compile(rb"[{}]")
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
    if b"{{" in line or b"{|" in line:
        line = _without_templates(line)
    line = _CLOSED_TEMPLATE.sub(b" ", line)
    line = _OPEN_TEMPLATE.sub(b" ", line)
    if _PARAMETER.match(line):
        return b""
    for pattern in (_TAG, _ENTITY, _URL, _ATTRIBUTE):
        line = pattern.sub(b" ", line)
    return line


def _without_templates(line: bytes) -> bytes:
    """Replace {{...}} and {|...|}, also those inside others, by spaces.

    One pass removes each of them where it ends, so that many levels take little time.

    >>> _without_templates(b"a {{b {{c}} {|d|}}} e {{f"), _without_templates(b"{a {{b}} c}")
    (b'a   e {{f', b'{a   c}')
    """
    out = bytearray()
    braces: list[int] = []  # the positions of those that are left
    last = 0
    for match in _BRACE.finditer(line):
        end = match.end()
        out += line[last:end]
        last = end
        braces.append(len(out) - 1)
        begin = _begin_of_template(out, braces, line[end : end + 1])
        if begin is not None:
            del out[begin:]
            out += b" "
            while braces and braces[-1] >= begin:
                braces.pop()
    return bytes(out + line[last:])


def _begin_of_template(out: bytearray, braces: list[int], following: bytes) -> int | None:
    """Return where the template begins that ends with the last brace, or None."""
    end = len(out) - 1
    if out.endswith(b"}}") and len(braces) > 3:
        inner = braces[-3]
        if braces[-4] == inner - 1 and out[inner - 1 : inner + 1] == b"{{":
            return inner - 1
    if out.endswith(b"|}") and len(braces) > 1:
        inner = braces[-2]
        in_braces = following == b"}" and out[inner - 1 : inner] == b"{"  # {{|a|}} is one template
        if out[inner : inner + 2] == b"{|" and inner + 1 < end - 1 and not in_braces:
            return inner
    return None
