"""Blocks that are held out, against the definition."""

import numpy as np
from errors import raises
from hypothesis import given
from hypothesis import strategies as st

from andornot.base.errors import UsageError
from andornot.corpus import blocks
from andornot.corpus.blocks import TextPart, check_held_out, default_every


def by_hand(tokens, every, held_out, block):
    """The wanted blocks one after the other, a sentence end for each of the others."""
    out = []
    for number, start in enumerate(range(0, len(tokens), block)):
        wanted = (number % every == every - 1) == held_out
        out += tokens[start : start + block] if wanted else [-1]
    return out


@given(
    st.lists(st.integers(-1, 9), max_size=80),
    st.integers(2, 5),
    st.booleans(),
    st.integers(1, 7),
    st.integers(1, 9),
)
def test_a_text_taken_in_pieces_of_any_size(tokens, every, held_out, block, piece):
    part = TextPart(every, held_out)
    stream = np.array(tokens, dtype=np.int32)
    before = blocks.BLOCK
    blocks.BLOCK = block
    try:
        taken = [
            token
            for start in range(0, len(stream), piece)
            for token in part.take(stream[start : start + piece], start).tolist()
        ]
    finally:
        blocks.BLOCK = before
    assert taken == by_hand(tokens, every, held_out, block)


def test_what_can_be_held_out():
    assert default_every(199_999) == 0
    assert [default_every(size) for size in (200_000, 20_000_000)] == [20, 20]
    assert default_every(66_000_000) == 66  # a million tokens are enough
    check_held_out(200_000, 20)
    with raises(UsageError, "199,999", "200,000", "held_out"):
        check_held_out(199_999, 20)
    with raises(UsageError, "held_out", "1"):
        check_held_out(10**9, 1)
