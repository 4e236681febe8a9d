"""The column of BERT, or why there is none."""

import pytest

from andornot.base.errors import AndornotError
from andornot.experiments import (
    Lab,
    bert,
)


def test_a_model_that_is_named_must_be_there(tmp_path, monkeypatch):
    said = []
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path))
    monkeypatch.setenv("ANDORNOT_BERT", str(tmp_path / "nowhere"))
    with pytest.raises(AndornotError, match="nowhere"):
        bert.bert_spaces(Lab(say=said.append))
    monkeypatch.delenv("ANDORNOT_BERT")
    assert bert.bert_spaces(Lab(say=said.append)) == {}  # no text to count
    assert said[0].startswith("without the column of BERT: ")
    assert "BERT is left out" in bert.bert_note({})
