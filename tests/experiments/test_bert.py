"""The column of BERT, or why there is none."""

from errors import assert_names, raises

from andornot.base.errors import AndornotError
from andornot.experiments import Lab, bert


def test_a_model_that_is_named_must_be_there(tmp_path, monkeypatch):
    said = []
    monkeypatch.setenv("ANDORNOT_DATA", str(tmp_path))
    monkeypatch.setenv("ANDORNOT_BERT", str(tmp_path / "nowhere"))
    with raises(AndornotError, tmp_path / "nowhere", "no such folder"):
        bert.bert_spaces(Lab(say=said.append))
    monkeypatch.delenv("ANDORNOT_BERT")
    assert bert.bert_spaces(Lab(say=said.append)) == {}  # no text to count
    (line,) = said
    assert_names(line, "leaving out", "BERT")
    assert_names(bert.bert_note({}), "BERT", "left out")
