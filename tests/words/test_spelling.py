from hypothesis import given
from hypothesis import strategies as st

from andornot.words.spelling import closest_spellings, edit_distances


def slow_distance(a: str, b: str) -> int:
    """Optimal string alignment, straight from its definition."""
    table = {(-1, -1): 0}
    for i in range(len(a)):
        table[i, -1] = i + 1
    for j in range(len(b)):
        table[-1, j] = j + 1
    for i in range(len(a)):
        for j in range(len(b)):
            table[i, j] = min(
                table[i - 1, j] + 1,
                table[i, j - 1] + 1,
                table[i - 1, j - 1] + (a[i] != b[j]),
            )
            if i and j and a[i] == b[j - 1] and a[i - 1] == b[j]:
                table[i, j] = min(table[i, j], table[i - 2, j - 2] + 1)
    return table[len(a) - 1, len(b) - 1]


letters = st.text("abcé東", max_size=7)


@given(letters.filter(bool), st.lists(letters, min_size=1, max_size=20))
def test_distances_agree_with_the_definition(word, words):
    assert edit_distances(word, words).tolist() == [slow_distance(word, other) for other in words]


def test_nearest_first_then_the_order_of_the_vocabulary():
    assert closest_spellings("quen", ["quit", "queen", "quern", "ten"]) == ["queen", "quern"]


@given(
    st.text("abcAB", min_size=1, max_size=6),
    st.lists(st.text("abcAB", min_size=1, max_size=7), min_size=1, max_size=30, unique=True),
)
def test_ranked_by_distance_then_first_letter_then_order(word, words):
    typed = word.lower()
    near = [slow_distance(typed, other.lower()) for other in words]
    allowed = 0 if 0 in near else min(len(word) - 1, 1 if len(word) <= 4 else 2)
    ranked = sorted(
        (distance, other[0].lower() != typed[0], index)
        for index, (distance, other) in enumerate(zip(near, words, strict=True))
        if distance <= allowed
    )
    assert closest_spellings(word, words) == [words[index] for *_, index in ranked[:3]]


def test_case_costs_no_edit():
    assert closest_spellings("Qeen", ["been", "seen", "keen", "queen"])[0] == "queen"


def test_a_swap_is_one_edit():
    assert closest_spellings("qeuen", ["queue", "queen"]) == ["queen", "queue"]


def test_short_words_allow_one_edit():
    assert closest_spellings("cat", ["dog", "cot", "coat", "cost"]) == ["cot", "coat"]


def test_case_alone_is_nearest():
    assert closest_spellings("PARIS", ["paris", "PARISH"]) == ["paris"]


def test_hopeless_words_get_nothing():
    assert closest_spellings("", ["a"]) == []
    assert closest_spellings("x" * 100, ["x" * 99]) == []
    assert closest_spellings("word", []) == []
