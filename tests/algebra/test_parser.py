"""The query language: what is read, what is printed, and where the caret points."""

import pytest
from errors import raises
from hypothesis import given
from hypothesis import strategies as st

from andornot.algebra import QuerySyntaxError, parse
from andornot.algebra.expression import (
    Analogy,
    And,
    Given,
    Members,
    Named,
    Not,
    Or,
    Term,
    conjunction,
    every_part,
    union,
    words_of,
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
        ("a - b + c", Analogy((A, B, C), (1, -1, 1))),
        ("a + b \u2212 c", Analogy((A, B, C), (1, 1, -1))),
        ('"a" - "new york"', Analogy((A, Term("new york")), (1, -1))),
        ('a - "-"', Analogy((A, Term("-")), (1, -1))),
        ("a-b", Term("a-b")),
        ("- & +", And((Term("-"), Term("+")))),
        ("and", Term("and")),
        ("東京 & naïve", And((Term("東京"), Term("naïve")))),
        ("don't & well-known", And((Term("don't"), Term("well-known")))),
    ],
)
def test_what_is_read(query, tree):
    assert parse(query) == tree
    assert parse(str(tree)) == tree


@pytest.mark.parametrize(
    ("query", "column", "named"),
    [
        ("", 0, ["empty"]),
        ("   ", 0, ["empty"]),
        ("a &", 3, ["word", "missing", "the end"]),
        ("a & & b", 4, ["word", "missing", "'&'"]),
        ("a b", 2, ["two words side by side", "did you mean 'a & b'?"]),
        ('a "b c"', 2, ["two words side by side", "did you mean 'a & \"b c\"'?"]),
        ("(a b) | c", 3, ["two words side by side", "did you mean 'a & b | c'?"]),
        ("a (b | c)", 2, ["two operands side by side", "did you mean 'a & (b | c)'?"]),
        ("a !b", 2, ["two operands side by side", "did you mean 'a & !b'?"]),
        ("a @ {a b, c}", 7, ["two words side by side", "did you mean 'a @ {a, b, c}'?"]),
        ("a -b +c", 2, ["two words side by side", "did you mean 'a - b + c'?"]),
        ('a "b\nc"', 2, ["can't follow", "& or |"]),
        ("a " * 300, 2, ["'a' can't follow", "& or |"]),
        ("(a | b", 6, ["closing bracket", "the end"]),
        ("a)", 1, ["')'", "follow"]),
        ("()", 1, ["word", "missing", "')'"]),
        ("a @", 3, ["category", "{word, word}", "the end"]),
        ("a @ {", 5, ["word of the category", "the end"]),
        ("a @ {a, b", 9, ["}", "the end"]),
        ("a @ {a,, b}", 7, ["word of the category", "','"]),
        ("a @ {}", 5, ["word of the category", "'}'"]),
        ("(a @ x) @ y", 0, ["one category", "remove"]),
        ("a @ x @ y", 6, ["one category", "remove"]),
        ("0.5*a", 0, ["weight", "|"]),
        ("0.5*a & b", 0, ["weight", "|"]),
        ("0.5*a | b", 0, ["weight", "all", "none"]),
        ("a and b", 2, ["AND, OR, NOT, GIVEN in capitals", "did you mean 'a & b'?"]),
        ("a or b", 2, ["AND, OR, NOT, GIVEN in capitals", "did you mean 'a | b'?"]),
        ("not a", 4, ["AND, OR, NOT, GIVEN in capitals", "did you mean '!a'?"]),
        ("a & not b", 8, ["AND, OR, NOT, GIVEN in capitals", "did you mean 'a & !b'?"]),
        ("a and not b", 2, ["AND, OR, NOT, GIVEN in capitals", "did you mean 'a & !b'?"]),
        ("a Given {a b}", 2, ["AND, OR, NOT, GIVEN in capitals", "did you mean 'a @ {a, b}'?"]),
        ("a and", 2, ["AND, OR, NOT, GIVEN in capitals", "did you mean 'a & and'?"]),
        ("a; b", 3, ["two words side by side", "did you mean 'a & b'?"]),
        ("a ; b?", 2, ["two words side by side", "did you mean 'a & b'?"]),
        ("a / b", 2, ["two words side by side", "did you mean 'a & b'?"]),
        ("a ~b", 2, ["operators are & | ! @", "did you mean 'a & !b'?"]),
        ("a ~ b", 2, ["operators are & | ! @", "did you mean 'a & !b'?"]),
        ("a && b", 3, ["operators are & | ! @", "did you mean 'a & b'?"]),
        ("a||b && ~c", 2, ["operators are & | ! @", "did you mean 'a | b & !c'?"]),
        ("a ＆ b", 2, ["operators are & | ! @", "did you mean 'a & b'?"]),
        ("a｜ b", 3, ["operators are & | ! @", "did you mean 'a | b'?"]),
        ("a ∧ b", 2, ["operators are & | ! @", "did you mean 'a & b'?"]),
        ("a ∨ b", 2, ["operators are & | ! @", "did you mean 'a | b'?"]),
        ("a ∧ ¬b", 2, ["operators are & | ! @", "did you mean 'a & !b'?"]),
        ("“a b” & c", 3, ["two words side by side", """did you mean '"a b" & c'?"""]),
        ("a “ b", 2, ["join words by & or |"]),
        ('"a “b”" c', 8, ["two words side by side", """did you mean '"a “b”" & c'?"""]),
        ("a || || b", 3, ["word", "missing", "'|'"]),
        ('"~a;" "b＆"', 6, ["two words side by side", "did you mean '~a; & b＆'?"]),
        ("a ;", 2, ["did you mean 'a'?"]),
        ("a & b - c", 6, ["analogy", "alone"]),
        ("(a - b) & c", 3, ["analogy", "alone"]),
        ("a - b & c", 6, ["analogy", "alone"]),
        ("a - b @ {a, b}", 6, ["analogy", "alone"]),
        ("2*a - b", 0, ["weight", "|"]),
        ("1*a | 2*a - b", 10, ["analogy", "alone"]),
        ("a - b c", 6, ["two words side by side", "+ or -"]),
        ("a - ", 3, ["word", "missing", "the end"]),
        ("a - - b", 4, ["word", "missing", "'-'"]),
        ("a - (b | c)", 4, ["word", "missing", "'('"]),
        ("0.5*(a | b) | 0.5*c", 0, ["weighted OR", "side by side"]),
        ("(0.5*a | 0.5*b) | c", 0, ["weighted OR", "side by side"]),
        ("0*a | 0*b", 0, ["weights", "zero"]),
        ("-1*a | b", 0, ["weight", "at least 0", "-1"]),
        ("x*a | b", 0, ["weight", "'x'"]),
        ("nan*a | 1*b", 0, ["weight", "'nan'"]),
        ("1e999*a | 1*b", 0, ["weight", "at least 0", "inf"]),
        ('"new york', 0, ["quotation mark", "closed"]),
        ('a & ""', 4, ["empty word"]),
        ("a\\b", 1, [repr("\\"), "quotation marks"]),
        ("{a, b}", 0, ["word", "missing", "'{'"]),
        ("a, b", 1, ["','", "follow"]),
        ("(" * 10_000, 51, [50]),
        ("!" * 9_000 + "a", 51, [50]),
        ("a" * 1_000_000, 10_000, ["1,000,000", "10,000"]),
    ],
)
def test_what_is_refused_and_where(query, column, named):
    with raises(QuerySyntaxError, f"column {column + 1}", *named) as caught:
        parse(query)
    assert caught.value.query == query
    assert caught.value.column == column
    picture, caret = caught.value.pointer().split("\n")
    assert len(picture) <= 72
    assert len(caret) <= 73
    assert caret.strip() == "^"


def test_the_caret_stands_below_the_character():
    assert QuerySyntaxError("a & & b", 4, "x").pointer() == "a & & b\n    ^"
    wide = QuerySyntaxError("王 & & 女", 4, "x").pointer()
    assert wide == "王 & & 女\n     ^"  # 王 takes two columns


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


@given(st.text(alphabet='ab &|!@{}(),*"\\0.5+-', max_size=30))
def test_any_text_is_read_or_refused(text):
    try:
        tree = parse(text)
    except QuerySyntaxError as error:
        assert 0 <= error.column <= len(text)
    else:
        assert parse(str(tree)) == tree


own_signs = ("(", ")", "!", "{", "}", ",", "-")
other_signs = ("&&", "||", "~", "~a", ";", "＆", "∨", "¬a")
tokens = st.sampled_from(["a", "b", "and", "or", "not", "given", *own_signs, *other_signs])


@given(st.lists(tokens, max_size=10))
def test_a_query_that_is_suggested_can_be_read(written):
    query = " ".join(written)
    try:
        parse(query)
    except QuerySyntaxError as error:
        _, was_suggested, meant = error.problem.partition("did you mean '")
        if was_suggested:
            tree = parse(meant.removesuffix("'?"))
            spoken = [word for word in written if word in ("a", "b")]
            named = set(words_of(tree))
            for part in every_part(tree):
                if isinstance(part, Given):
                    where = part.category
                    named |= set(where.words) if isinstance(where, Members) else {where.name}
            assert set(spoken) <= named
