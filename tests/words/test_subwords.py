import numpy as np
import pytest
from errors import raises
from hypothesis import given
from hypothesis import strategies as st

from andornot import AndornotError
from andornot.words.subwords import Subwords

BUCKETS = 97


def buckets_of(word, shortest, longest):
    """The n-grams of "<word>" and their buckets, straight from fastText's definition."""
    spelled = f"<{word}>"
    found = []
    for start in range(len(spelled)):
        for size in range(shortest, longest + 1):
            gram = spelled[start : start + size]
            if len(gram) < size or (size == 1 and start in (0, len(spelled) - 1)):
                continue
            code = 2166136261
            for byte in np.frombuffer(gram.encode(), np.int8).tolist():  # fastText's are signed
                code = ((code ^ (byte & 0xFFFFFFFF)) * 16777619) & 0xFFFFFFFF
            found.append(code % BUCKETS)
    return found


@given(st.text("abé東😀", max_size=6), st.integers(1, 3), st.integers(0, 3))
def test_a_word_is_the_mean_of_its_hashed_pieces(word, shortest, more):
    rows = np.random.default_rng(0).normal(size=(BUCKETS, 3)).astype(np.float32)
    composed = Subwords(rows, shortest, shortest + more).compose(word)
    buckets = buckets_of(word, shortest, shortest + more)
    if buckets:
        assert np.allclose(composed, rows[buckets].mean(axis=0), atol=1e-5)
    else:
        assert composed is None


@pytest.mark.parametrize(
    ("shape", "lengths", "named"),
    [
        ((0, 3), (3, 6), [(0, 3)]),
        ((4,), (3, 6), [(4,)]),
        ((4, 3), (0, 6), ["0 to 6"]),
        ((4, 3), (5, 4), ["5 to 4"]),
    ],
)
def test_subwords_of_no_shape_or_length(shape, lengths, named):
    with raises(AndornotError, *named):
        Subwords(np.zeros(shape, np.float32), *lengths)


def test_the_longest_subword_has_a_largest_length():
    """Composing a word takes memory and time for each of its n-grams."""
    rows = np.ones((4, 3), np.float32)
    assert Subwords(rows, 1, 255).compose("x" * 9999).tolist() == [1, 1, 1]
    for longest in (256, 2**31 - 1, 2**64):
        with raises(AndornotError, f"1 to {longest}", "at most 255"):
            Subwords(rows, 1, longest)
