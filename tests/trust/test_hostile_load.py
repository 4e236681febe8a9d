"""Valid and hostile requests at the same time: the valid ones are answered, nothing fails."""

import runpy
from pathlib import Path

import pytest
from serving import need_server, serving

need_server()
from hostile import Load, load, valid_requests  # noqa: E402

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.slow
def test_hostile_requests_do_no_harm():
    with serving() as running:
        found = load(running.url, running.process.pid, 12, valid=8, hostile=16)
        assert running.process.poll() is None
    assert found.unexpected == {}
    assert found.valid["ask 200"] > 50
    assert found.valid["page 200"]
    assert found.hostile["431"]
    assert found.hostile["422"]


@pytest.fixture
def judged(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    return runpy.run_path(str(BENCHMARKS / "trust.py"))["judged"]


def made(factor=1.0, kinds=None, growth=1.0, **valid):
    """A load of 100 requests of each kind; some kinds take more time, and memory may grow."""
    slow = kinds or valid_requests()
    counted = {f"{kind} 200": 100 for kind in valid_requests()} | valid
    seconds = {
        kind: [0.01 * n * (factor if kind in slow else 1) for n in range(1, 101)]
        for kind in valid_requests()
    }
    memory = [round(1000 * (1 + (growth - 1) * n / 99)) for n in range(100)]
    found = Load(seconds=seconds, memory=memory)
    found.valid.update(counted)
    return found


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"factor": 1.9, "growth": 1.09}, None),
        ({"factor": 2.1, "kinds": ("ask",)}, "p99 of ask"),
        ({"factor": 2.1, "kinds": ("page",)}, "p99 of page"),
        ({"factor": 9.0, "kinds": ("explain", "grow")}, None),  # slow requests give way
        ({"growth": 1.2}, "memory"),
        ({"ask 503": 1}, "valid ask 503"),
        ({"explain 503": 1}, None),
        ({"explain 500": 1}, "valid explain 500"),
    ],
)
def test_a_load_is_judged_by_delays_memory_and_statuses(judged, given, problem):
    row = judged(made(**given), made())
    assert len(row["problems"]) == (problem is not None)
    assert problem is None or problem in row["problems"][0]
    slow = given.get("kinds", valid_requests())
    assert row["p99 ms by kind"] == {
        kind: pytest.approx(1000 * given.get("factor", 1) if kind in slow else 1000)
        for kind in valid_requests()
    }
