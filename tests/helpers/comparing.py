"""What it means for two spaces to be equal."""

from andornot import Space


def assert_same_space(left: Space, right: Space) -> None:
    """Equal to the last bit, in every part."""
    assert left.words == right.words
    for name in (
        "target",
        "context",
        "target_bias",
        "context_bias",
        "marginal",
        "target_mean",
        "context_mean",
    ):
        a, b = getattr(left, name), getattr(right, name)
        assert (a is None) == (b is None), name
        if a is not None:
            assert a.tobytes() == b.tobytes(), name
    assert (left.vocabulary.counts is None) == (right.vocabulary.counts is None)
    if left.vocabulary.counts is not None:
        assert left.vocabulary.counts.origin == right.vocabulary.counts.origin
        assert left.vocabulary.counts.detail == right.vocabulary.counts.detail
        assert left.counts.tobytes() == right.counts.tobytes()
    assert (left.subwords is None) == (right.subwords is None)
    if left.subwords is not None:
        assert left.subwords.matrix.tobytes() == right.subwords.matrix.tobytes()
        assert left.subwords.shortest == right.subwords.shortest
        assert left.subwords.longest == right.subwords.longest
