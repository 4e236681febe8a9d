"""Kernels: cached where the disk allows it, compiled all the same where it doesn't."""

import errno
import os
import resource

import numpy as np
import pytest
from commands import EXAMPLES, run_apart

from andornot import AndornotWarning
from andornot.base import kernels
from andornot.base.kernels import fast_kernel, kernel
from andornot.cooccurrence import load_counts


def total(numbers):
    """Their sum."""
    result = 0.0
    for number in numbers:
        result += number
    return result


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty folder for numba's cache."""
    import numba

    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(kernels._Cache, "has_warned", False)
    return tmp_path


@pytest.mark.parametrize("compiled", [kernel, fast_kernel])
def test_what_is_compiled_is_kept(cache, compiled):
    assert compiled(total)(np.arange(4.0)) == 6
    assert list(cache.rglob("*.nbc"))
    again = compiled(total)
    assert again(np.arange(5.0)) == 10
    assert sum(again.stats.cache_hits.values()) == 1


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EIO])
def test_a_cache_that_cannot_be_written_is_done_without(cache, monkeypatch, code):
    def full(*_):
        raise OSError(code, "no way")

    monkeypatch.setattr(kernels.FunctionCache, "save_overload", full)
    with pytest.warns(AndornotWarning, match=r"no way.*NUMBA_CACHE_DIR"):
        assert kernel(total)(np.arange(4.0)) == 6
    assert fast_kernel(total)(np.arange(4.0)) == 6  # and says it once


@pytest.mark.parametrize("damage", [b"", b"damaged", None], ids=["empty", "other", "half"])
def test_a_damaged_cache_is_compiled_again(cache, damage):
    kernel(total)(np.arange(4.0))
    for path in [*cache.rglob("*.nbc"), *cache.rglob("*.nbi")]:
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    assert kernel(total)(np.arange(4.0)) == 6


@pytest.mark.slow
def test_a_full_disk_ends_no_run(tmp_path):
    def little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))

    done = run_apart(
        "count",
        EXAMPLES / "nursery.txt",
        "--output",
        tmp_path / "counts",
        "--min-count",
        1,
        env=os.environ
        | {"NUMBA_CACHE_DIR": str(tmp_path / "numba"), "ANDORNOT_CACHE": str(tmp_path / "cache")},
        preexec_fn=little_room,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("NUMBA_CACHE_DIR") == 1
    assert load_counts(tmp_path / "counts").pairs
