"""The Python of docs/python.md runs, from top to bottom."""

import re
from pathlib import Path

import numpy as np
import pytest

import andornot

PAGE = Path(__file__).parent.parent / "docs" / "python.md"


@pytest.fixture
def names(tmp_path, monkeypatch):
    """What the page leaves to its reader."""
    monkeypatch.chdir(tmp_path)
    Path("baskets.txt").write_text("sku:12 A\tmilk\tbread\n" * 300)
    rng = np.random.default_rng(1)
    known = ["a name with spaces", "other", "king", "queen", "man", "woman"]
    matrix = rng.normal(size=(len(known), 4))
    return {
        "andornot": andornot,
        "np": np,
        "names": known,
        "matrix": matrix,
        "counts": rng.integers(1, 99, size=len(known)),
        "contexts": rng.normal(size=matrix.shape),
        "texts": ["a red wine", "the court of law"] * 6,
        "labels": [0, 1] * 6,
    }


@pytest.mark.slow
def test_the_page_runs(names):
    pytest.importorskip("gensim", reason="needs the extra bench (gensim)")
    pytest.importorskip("pandas", reason="needs pandas")
    pytest.importorskip("faiss", reason="needs the extra bench (faiss-cpu)")
    from gensim.models import Word2Vec

    names["model"] = Word2Vec([["a", "b"]] * 9, vector_size=2, min_count=1)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(blocks) >= 6
    for block in blocks:
        if "answer = logic" in block:  # from here on the default model is asked
            names["space"] = andornot.default().top(20_000)
            names["logic"] = andornot.Logic(names["space"])
        exec(compile(block, str(PAGE), "exec"), names)
    assert names["answer"].words
    assert set(names["search"].best_params_) == set(names["grid"])
