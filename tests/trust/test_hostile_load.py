"""Valid and hostile requests at the same time: the valid ones are answered, nothing fails."""

import pytest
from serving import need_server, serving

need_server()
from hostile import load  # noqa: E402


@pytest.mark.slow
def test_hostile_requests_do_no_harm():
    with serving() as running:
        found = load(running.url, running.process.pid, 12, valid=8, hostile=16)
        assert running.process.poll() is None
    assert found.unexpected == {}
    assert found.valid["200"] > 50
    assert found.hostile["431"]
    assert found.hostile["422"]
