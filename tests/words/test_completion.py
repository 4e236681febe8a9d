from hypothesis import given
from hypothesis import strategies as st

from andornot import Vocabulary
from andornot.words.completion import Completion

letters = st.text("abé東", max_size=4)


@given(st.lists(letters, unique=True, max_size=20), letters.filter(bool), st.integers(1, 5))
def test_words_are_completed_in_the_order_of_the_vocabulary(words, beginning, most):
    expected = [word for word in words if word.startswith(beginning)][:most]
    assert Completion(Vocabulary(words))(beginning, most) == expected


def test_an_empty_beginning_has_no_completions():
    assert Completion(Vocabulary(["a"]))("") == []
