"""For all tests, also those in docstrings: skips that count as failures, a cache of their own."""

import os
from importlib.util import find_spec
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings

ALL_COMPONENTS = os.environ.get("ANDORNOT_TEST_ALL") == "1"

# Doctests of the service and of Spark need their extras; without these, the tests in tests/server
# and tests/cooccurrence are skipped by name.
_NEEDS = {"*/andornot/server/*": ("fastapi", "uvicorn"), "*/cooccurrence/spark/*": ("pyarrow",)}
collect_ignore_glob = [
    folder for folder, names in _NEEDS.items() if not all(find_spec(name) for name in names)
]

settings.register_profile(
    "andornot",
    deadline=None,  # the first call of a kernel compiles it
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("andornot")


def pytest_terminal_summary(terminalreporter):
    skipped = terminalreporter.stats.get("skipped", [])
    if ALL_COMPONENTS and skipped:
        terminalreporter.write_line("ANDORNOT_TEST_ALL=1: a skipped test is a failure", red=True)


def pytest_sessionfinish(session):
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")  # None in a worker
    if ALL_COMPONENTS and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """Nothing that a test keeps ends up in the cache of the user."""
    os.environ["ANDORNOT_CACHE"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk():
    """Files are not flushed to the disk: no test cuts the power, and many write."""
    with patch("os.fsync"):
        yield
