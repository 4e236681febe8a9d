"""The experiments of the paper: one short file each, run by `andornot reproduce NAME`."""

from andornot.experiments.lab import Lab, Scale
from andornot.experiments.report import Result, Table

EXPERIMENTS = {
    "theorem": "Theorem 1 and Proposition 2",
    "pmi": "The error of PMI = v.u",
    "sts": "AND: word-to-sentence compositionality",
    "phrases": "AND: word-to-phrase compositionality",
    "words": "AND: word-to-word compositionality",
    "or-artificial": "OR: artificial OR words",
    "or-actual": "OR: actual OR words",
    "examples": "The worked examples of the paper",
}
"""What can be reproduced, in the order of the paper; each is a module of this package."""

__all__ = ["EXPERIMENTS", "Lab", "Result", "Scale", "Table"]
