"""Fixtures for tests of several packages: an example file, a full space, texts, a service."""

import lzma
import zipfile
from pathlib import Path

import numpy as np
import pytest
from commands import EXAMPLES
from downloads import empty_cache, file_server, offered  # noqa: F401 - fixtures
from serving import serving
from small_wordnet import small_wordnet  # noqa: F401 - a fixture

import andornot
from andornot import Provenance, Space, Vocabulary
from andornot.words.counts import Counts, CountsOrigin


@pytest.fixture
def example() -> Path:
    return EXAMPLES / "royal.vec"


@pytest.fixture
def full_space() -> Space:
    """A space that has everything but subwords."""
    rng = np.random.default_rng(7)
    words = ["the", "king", "queen", "naïve", "東京", "new york", "-3", "a\tb", "line\nbreak"]
    size = len(words)
    counts = Counts(np.arange(size, 0, -1) * 11.0, CountsOrigin.TRAINING, "a test")
    return Space(
        Vocabulary(words, counts),
        rng.normal(size=(size, 5)).astype(np.float32),
        context=rng.normal(size=(size, 5)).astype(np.float32),
        target_bias=rng.normal(size=size).astype(np.float32),
        context_bias=rng.normal(size=size).astype(np.float32),
        marginal=rng.uniform(1, 9, size=size),
        provenance=Provenance(
            "a test",
            model="glove",
            window=5,
            weighting="harmonic",
            settings={"x_max": 100},
            history=("one", "two"),
        ),
    )


@pytest.fixture(scope="session")
def service():
    """A running service over two spaces."""
    with serving("--space", "default", "--space", f"royal={EXAMPLES / 'royal.vec'}") as running:
        yield running


@pytest.fixture(scope="session")
def client(service):
    """What talks to it."""
    import httpx

    with httpx.Client(base_url=service.url, timeout=60) as opened:
        yield opened


@pytest.fixture(scope="session")
def logic() -> andornot.Logic:
    """The default model, to be asked."""
    return andornot.Logic(andornot.default())


@pytest.fixture
def text8(tmp_path, monkeypatch):
    """A small text under the names of both, whose words come often enough for either scale."""
    rng = np.random.default_rng(6)
    words = [f"w{i}" for i in range(320)]
    text = " ".join(rng.choice(words, size=60_000)).encode()
    folder = tmp_path / "data" / "corpora"
    folder.mkdir(parents=True)
    (folder / "text8-prefix.txt.xz").write_bytes(lzma.compress(text))
    with zipfile.ZipFile(folder / "text8.zip", "w") as archive:
        archive.writestr("text8", text)
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("ANDORNOT_CACHE", str(tmp_path / "cache"))
    return tmp_path
