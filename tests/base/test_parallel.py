"""The number of threads: what is given, or the cores; never less than one."""

import pytest
from errors import raises
from random_counts import random_counts
from texts import write

from andornot import Space
from andornot.base.errors import UsageError
from andornot.base.parallel import thread_count
from andornot.cooccurrence import count
from andornot.corpus import open_corpus
from andornot.search import Search
from andornot.training import Settings, train


def test_threads_are_those_given_or_the_cores():
    assert thread_count(3) == 3
    assert thread_count(None) >= 1


@pytest.mark.parametrize("threads", [0, -2])
def test_fewer_than_one_thread_is_refused_everywhere(threads, tmp_path):
    path, cache = write(tmp_path / "a.txt"), tmp_path / "cache"
    space = Space.from_arrays(["a", "b"], [[1.0], [2.0]])
    for call in (
        lambda: thread_count(threads),
        lambda: open_corpus([path], cache=cache, threads=threads),
        lambda: count(open_corpus([path], cache=cache), min_count=1, threads=threads),
        lambda: train(random_counts(), Settings(dim=2), threads=threads),
        lambda: Search(space, threads=threads),
    ):
        with raises(UsageError, f"threads must be at least 1, got {threads}"):
            call()
