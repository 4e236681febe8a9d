"""The experiments of the paper: one short file each, run by `andornot reproduce NAME`."""

from importlib import import_module

from andornot.experiments.lab import Lab, Scale
from andornot.experiments.report import Result, Table

EXPERIMENTS = {
    "theorem": "Theorem 1 and Proposition 2",
    "pmi": "The error of PMI = v.u",
    "sts": "AND: word-to-sentence compositionality",
    "sts-final": "AND: the same with the final layer of BERT",
    "phrases": "AND: word-to-phrase compositionality",
    "words": "AND: word-to-word compositionality",
    "or-artificial": "OR: artificial OR words",
    "or-actual": "OR: actual OR words",
    "not": "NOT: numbers and antonyms",
    "examples": "The worked examples of the paper",
}
"""What can be reproduced, in the order of the paper; each is a module of this package."""

_MODULES = {"not": "negation"}  # a keyword is no name for a module


def run(name: str, lab: Lab) -> Result:
    """Run an experiment.

    >>> run("theorem", Lab()).name
    'theorem'
    """
    module = import_module(f"{__name__}.{_MODULES.get(name, name.replace('-', '_'))}")
    result: Result = module.run(lab)
    return result


__all__ = ["EXPERIMENTS", "Lab", "Result", "Scale", "Table", "run"]
