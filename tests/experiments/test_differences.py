"""What is said of differences."""

from andornot.experiments.differences import in_words
from andornot.experiments.intervals import Interval


def test_differences_are_grouped_by_sign():
    found = {
        "a": Interval(0.2, 0.1, 0.3),
        "b": Interval(-0.2, -0.3, -0.1),
        "c": Interval(-0.1, -0.2, 0.1),
        "d": Interval(0.4, 0.3, 0.5),
    }
    assert in_words(found) == (
        "above a by 0.200 [0.100, 0.300], d by 0.400 [0.300, 0.500]; "
        "below b by 0.200 [0.100, 0.300]; not distinguishable from c (-0.100 [-0.200, 0.100])"
    )
    assert in_words({"a": found["a"]}, {1: "higher for"}) == "higher for a by 0.200 [0.100, 0.300]"
