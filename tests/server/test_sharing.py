"""Slow work beside quick asks: it gives way, has a queue of its own, and ends with its client."""

import asyncio
import threading
import time

import pytest
from serving import need_server

need_server()
from andornot.server import sharing  # noqa: E402
from andornot.server.clients import answer_to  # noqa: E402
from andornot.server.deadline import check_deadline  # noqa: E402
from andornot.server.failures import ServiceError  # noqa: E402
from andornot.server.limits import Limits  # noqa: E402
from andornot.server.sharing import QuickAsks  # noqa: E402
from andornot.server.workers import Workers  # noqa: E402


class Pauses:
    """An event that notes how long it was to be waited for."""

    def __init__(self):
        self.seen = []

    def wait(self, seconds):
        self.seen.append(seconds)


@pytest.fixture
def clock(monkeypatch):
    """The CPU time of the thread, as a list whose last number is now."""
    times = [0.0]
    monkeypatch.setattr(sharing.time, "thread_time", lambda: times[-1])
    monkeypatch.setattr(sharing, "_PAUSE", 3.0)
    return times


def test_a_pause_is_in_proportion_to_the_work_and_to_the_busy_threads(clock):
    asks = QuickAsks()
    asks._none = pauses = Pauses()
    with asks.slow_work():
        clock.append(0.1)
        asks.give_way()
        with asks.slow_work():  # as another thread would
            clock.append(0.2)
            asks.give_way()
        asks.give_way()
    clock.append(0.5)
    with asks.slow_work():  # the work after the last pause is paid for before the next
        pass
    assert pauses.seen == pytest.approx([0, 0.3, 0, 0.6, 0, 0.9])


def test_a_pause_ends_with_the_last_quick_ask(monkeypatch):
    monkeypatch.setattr(sharing, "_PAUSE", 1e6)
    asks = QuickAsks()
    steps = []

    def work():
        with asks.slow_work():
            sum(range(100_000))  # some CPU time
            steps.append("worked")
            asks.give_way()
            steps.append("paused")

    with asks.one_more():
        with asks.one_more():
            thread = threading.Thread(target=work, daemon=True)
            thread.start()
            while "worked" not in steps:
                time.sleep(0.001)
        thread.join(0.2)
        assert steps == ["worked"]  # one ask is left
    thread.join(60)
    assert steps == ["worked", "paused"]
    asks.give_way()  # and without any ask there is no pause


def test_quick_asks_have_their_own_places():
    workers = Workers(Limits(waiting=1), 1)
    with workers.admitted(), workers.admitted_quick():
        for queue in (workers.admitted, workers.admitted_quick):
            with pytest.raises(ServiceError, match="1 requests are waiting") as refused, queue():
                pass
            assert refused.value.status == 503
    with workers.admitted(), workers.admitted_quick():
        pass
    workers.close()


def test_work_ends_when_its_client_leaves():
    workers = Workers(Limits(), 1)
    begun = []

    def work(name):
        begun.append(name)
        while True:  # without an end of its own
            time.sleep(0.005)
            check_deadline()

    async def ask():
        left = asyncio.Event()
        messages = [{"type": "http.request"}]  # an empty rest of the body, then nothing

        async def receive():
            if messages:
                return messages.pop()
            await left.wait()
            return {"type": "http.disconnect"}

        answer_to(receive)
        running = asyncio.create_task(workers.run(work, "first"))
        waiting = asyncio.create_task(workers.run(work, "second"))
        while not begun:
            await asyncio.sleep(0.001)
        assert not running.done()
        left.set()
        for task in (running, waiting):
            with pytest.raises(ServiceError):
                await asyncio.wait_for(task, 60)
        # the thread is free again for another client
        answer_to(lambda: asyncio.Event().wait())
        assert await asyncio.wait_for(workers.run(lambda: "third"), 60) == "third"

    asyncio.run(ask())
    assert begun == ["first"]  # what waited was never begun
    workers.close()
