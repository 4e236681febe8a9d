import pickle

import pytest
from errors import raises

from andornot import AndornotError, Provenance

RECORD = Provenance("x", model="sgns", negatives=15, settings={"a": 1}, history=("b",))


def test_a_record_survives_a_dictionary_and_a_pickle():
    assert Provenance.from_dict(RECORD.to_dict()) == RECORD
    assert pickle.loads(pickle.dumps(RECORD)) == RECORD


def test_settings_cannot_be_changed():
    for record in (RECORD, pickle.loads(pickle.dumps(RECORD))):
        with pytest.raises(TypeError):
            record.settings["a"] = 2


def test_a_record_with_an_unknown_key_is_refused():
    with raises(AndornotError, "unheard_of"):
        Provenance.from_dict({"origin": "x", "unheard_of": 1})
