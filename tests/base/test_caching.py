"""Attributes that are computed once."""

import threading
import time

from andornot.base.caching import cached_property


class Slow:
    """One whose value takes as long as the test wants."""

    def __init__(self, ready):
        self.ready = ready
        self.computed = 0

    @cached_property
    def value(self):
        self.computed += 1
        assert self.ready.wait(30)
        return self.computed


def test_a_value_is_computed_once():
    ready = threading.Event()
    ready.set()
    slow = Slow(ready)
    assert (slow.value, slow.value) == (1, 1)
    assert isinstance(Slow.value, cached_property)


def test_one_that_takes_long_holds_up_no_other():
    later, now = threading.Event(), threading.Event()
    now.set()
    slow, quick = Slow(later), Slow(now)
    found = []
    first = threading.Thread(target=lambda: slow.value)
    first.start()
    while not slow.computed:
        time.sleep(0.01)
    second = threading.Thread(target=lambda: found.append(quick.value))
    second.start()
    second.join(10)
    in_time = list(found)
    later.set()
    first.join()
    second.join()
    assert in_time == [1]
