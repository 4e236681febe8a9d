"""The query language: what is read, what is printed, and where the caret points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from andornot.algebra import QuerySyntaxError, parse
from andornot.algebra.expression import (
    And,
    Given,
    Members,
    Named,
    Not,
    Or,
    Term,
    conjunction,
    union,
)

A, B, C = Term("a"), Term("b"), Term("c")


@pytest.mark.parametrize(
    ("query", "tree"),
    [
        ("a", A),
        ("  a\t", A),
        ("a & b", And((A, B))),
        ("a AND b", And((A, B))),
        ("a&b&c", And((A, B, C))),
        ("a & (b & c)", And((A, B, C))),
        ("a | b OR c", Or((A, B, C))),
        ("(a | b) | c", Or((A, B, C))),
        ("a | b & c", Or((A, And((B, C))))),
        ("(a | b) & c", And((Or((A, B)), C))),
        ("!a", Not(A)),
        ("NOT a", Not(A)),
        ("!!a", Not(Not(A))),
        ("!a & b", And((Not(A), B))),
        ("!(a | b)", Not(Or((A, B)))),
        ("a @ {a, b}", Given(A, Members(("a", "b")))),
        ("a GIVEN family", Given(A, Named("family"))),
        ("a @ dog.n.01", Given(A, Named("dog.n.01"))),
        ("!a @ {a, b}", Not(Given(A, Members(("a", "b"))))),
        ("(!a) @ {a, b}", Given(Not(A), Members(("a", "b")))),
        ("a @ {a, b, a}", Given(A, Members(("a", "b")))),
        ("b & !a @ {a, c}", And((B, Not(Given(A, Members(("a", "c"))))))),
        ("0.7*a | 0.3*b", Or((A, B), (0.7, 0.3))),
        ("1e-1 * a | 2*(b & c)", Or((A, And((B, C))), (0.1, 2.0))),
        ("0.5*!a | 0.5*b", Or((Not(A), B), (0.5, 0.5))),
        ("0.5*a @ {a, b} | 0.5*b", Or((Given(A, Members(("a", "b"))), B), (0.5, 0.5))),
        ('"new york" & "AND"', And((Term("new york"), Term("AND")))),
        (r'"6\" nail" | "a\\b"', Or((Term('6" nail'), Term("a\\b")))),
        ("-3 & 3.14", And((Term("-3"), Term("3.14")))),
        ("and & or", And((Term("and"), Term("or")))),
        ("東京 & naïve", And((Term("東京"), Term("naïve")))),
        ("don't & well-known", And((Term("don't"), Term("well-known")))),
    ],
)
def test_what_is_read(query, tree):
    assert parse(query) == tree
    assert parse(str(tree)) == tree


@pytest.mark.parametrize(
    ("query", "column", "part"),
    [
        ("", 0, "empty"),
        ("   ", 0, "empty"),
        ("a &", 3, "a word is missing before the end"),
        ("a & & b", 4, "a word is missing before '&'"),
        ("a b", 2, "can't follow here"),
        ("(a | b", 6, "closing bracket is missing"),
        ("a)", 1, "can't follow here"),
        ("()", 1, "a word is missing"),
        ("a @", 3, "a category"),
        ("a @ {", 5, "a word of the category"),
        ("a @ {a, b", 9, "closing }"),
        ("a @ {a,, b}", 7, "a word of the category"),
        ("a @ {}", 5, "a word of the category"),
        ("(a @ x) @ y", 0, "one category only"),
        ("a @ x @ y", 6, "one category only"),
        ("0.5*a", 0, "a weight belongs to an operand of |"),
        ("0.5*a & b", 0, "a weight belongs"),
        ("0.5*a | b", 0, "have a weight, or none"),
        ("a and b", 2, "AND, OR, NOT, GIVEN in capitals"),
        ("a & not b", 8, "AND, OR, NOT, GIVEN in capitals"),
        ("a b", 2, "join words by & or |"),
        ("0.5*(a | b) | 0.5*c", 0, "side by side"),
        ("(0.5*a | 0.5*b) | c", 0, "side by side"),
        ("0*a | 0*b", 0, "add up to zero"),
        ("-1*a | b", 0, "a weight must be a number of at least 0"),
        ("x*a | b", 0, "not a number"),
        ("nan*a | 1*b", 0, "not a number"),
        ("1e999*a | 1*b", 0, "a weight must be a number of at least 0"),
        ('"new york', 0, "never closed"),
        ('a & ""', 4, "empty word"),
        ("a\\b", 1, "put the word in quotation marks"),
        ("{a, b}", 0, "a word is missing before '{'"),
        ("a, b", 1, "can't follow here"),
        ("(" * 10_000, 50, "nested more than 50 deep"),
        ("!" * 9_000 + "a", 50, "nested more than 50 deep"),
        ("a" * 1_000_000, 10_000, "1,000,000 characters"),
    ],
)
def test_what_is_refused_and_where(query, column, part):
    with pytest.raises(QuerySyntaxError) as caught:
        parse(query)
    error = caught.value
    assert part in error.problem
    assert abs(error.column - column) <= (1 if column == 50 else 0)
    assert "\n" not in str(error)
    picture, caret = error.pointer().split("\n")
    assert len(picture) <= 72
    assert caret.strip() == "^"
    wide = QuerySyntaxError("王 & & 女", 4, "a word is missing").pointer()
    assert wide.split("\n")[1] == " " * 5 + "^"  # 王 takes two columns
    assert len(caret) <= 73


words = st.builds(Term, st.text(min_size=1, max_size=8))
categories = st.one_of(
    st.builds(Named, st.text(min_size=1, max_size=6)),
    st.builds(
        lambda names: Members(tuple(names)),
        st.lists(st.text(min_size=1, max_size=4), min_size=1, max_size=3, unique=True),
    ),
)


def extend(inner):
    weights = st.floats(min_value=0.001, max_value=1e6)
    several = st.lists(inner, min_size=2, max_size=3)
    singles = st.lists(
        st.tuples(inner.filter(lambda part: not isinstance(part, Or)), weights),
        min_size=2,
        max_size=3,
    )
    plain = several.filter(
        lambda parts: not any(isinstance(part, Or) and part.weights for part in parts)
    )
    return st.one_of(
        several.map(conjunction),
        plain.map(lambda parts: union(parts, [None] * len(parts))),
        singles.map(lambda pairs: union(*map(list, zip(*pairs, strict=True)))),
        inner.map(Not),
        st.builds(Given, inner.filter(lambda part: not isinstance(part, Given)), categories),
    )


@given(st.recursive(words, extend, max_leaves=8))
def test_what_is_printed_is_read_back(tree):
    assert parse(str(tree)) == tree


@given(st.text(alphabet='ab &|!@{}(),*"\\0.5', max_size=30))
def test_any_text_is_read_or_refused(text):
    try:
        tree = parse(text)
    except QuerySyntaxError as error:
        assert 0 <= error.column <= len(text)
    else:
        assert parse(str(tree)) == tree
