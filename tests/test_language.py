"""The language of the source: docstrings, comments and messages that a stranger understands."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "andornot"

_FIRST_WORDS = ("What", "Where", "How", "Why", "That", "Those", "Whether")
_PHRASES = {
    "is no X": re.compile(r"(?<!there )\b(?:is|are|was|were) no (?!longer\b|more\b)[a-z]", re.I),
    "nobody": re.compile(r"\b(?:nobody|somebody)\b", re.I),
    "what is there": re.compile(r"\bwhat is there\b", re.I),
    "at hand": re.compile(r"\bat hand\b", re.I),
    "is said": re.compile(r"\b(?:is|are|was|were) said\b", re.I),
    "stands": re.compile(r"\b(?:stands?|stood)\b(?! for\b)", re.I),
}
_MOST_UNLISTED = 4  # parameters of a public function that need no list

FILES = sorted(SOURCE.rglob("*.py"))


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of every docstring."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, kinds) and (text := ast.get_docstring(node)):
            yield node.body[0].lineno, text


def _texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of every comment and every string literal.

    Literals that are joined implicitly, and the fixed parts of f-strings, are one text.
    """
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            parts = [each.value for each in node.values if isinstance(each, ast.Constant)]
            yield node.lineno, "{}".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def find_phrases(source: str) -> list[str]:
    """Return the phrases to avoid, each with its line."""
    return [
        f"line {line}: {name}: {match[0]!r} in {' '.join(text.split())[:80]!r}"
        for line, text in _texts(source)
        for name, pattern in _PHRASES.items()
        if (match := pattern.search(text))
    ]


def find_unlisted(source: str) -> list[str]:
    """Return the public functions with many parameters that don't document each of them."""
    found = []
    for owner in ast.walk(ast.parse(source)):
        if not isinstance(owner, ast.Module | ast.ClassDef):
            continue
        for node in owner.body:
            if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
                continue
            if _is_command(node):
                continue
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            names = [each.arg for each in given if each.arg not in ("self", "cls")]
            text = ast.get_docstring(node) or ""
            missing = [name for name in names if not re.search(rf"(?m)^ +{name}: ", text)]
            if len(names) > _MOST_UNLISTED and missing:
                found.append(f"line {node.lineno}: {node.name}: {', '.join(missing)}")
    return found


def _is_command(node: ast.FunctionDef) -> bool:
    """Return True for commands and kernels: options have help texts, kernels are internal."""
    decorators = [ast.unparse(each) for each in node.decorator_list]
    options = [ast.unparse(each.annotation) for each in node.args.args if each.annotation]
    return any("kernel" in each or "command" in each for each in decorators) or any(
        "typer." in each or each.endswith("Option") for each in options
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_docstrings_begin_with_a_verb_or_a_noun(path):
    tree = ast.parse(path.read_text("utf-8"))
    wrong = [
        f"line {line}: {text.splitlines()[0]}"
        for line, text in _docstrings(tree)
        if text.split()[0].strip(".,:;") in _FIRST_WORDS
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_texts_avoid_these_phrases(path):
    wrong = find_phrases(path.read_text("utf-8"))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_functions_with_many_parameters_list_them(path):
    wrong = find_unlisted(path.read_text("utf-8"))
    assert not wrong, "\n".join(wrong)


def test_the_checks_find_what_they_look_for():
    assert find_phrases('raise E(f"{path} is no file")') != []
    assert find_phrases('x = "the file is no longer here, and there is no other"') == []
    assert find_phrases("x = 1  # as it stands") != []
    assert find_phrases('x = "q stands for a query"') == []
    many = 'def f(a, b, c, d, e):\n    """Do it.\n\n    Args:\n        a: One.\n    """'
    assert find_unlisted(many) == ["line 1: f: b, c, d, e"]
    assert find_unlisted(many.replace(", e)", ")")) == []
