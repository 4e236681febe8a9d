"""The experiments of the paper: one short file each, run by `andornot reproduce NAME`."""

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from types import ModuleType
from typing import Any

from andornot.base.choices import Scale
from andornot.datasets.locating import locate
from andornot.experiments.lab import Lab, Training
from andornot.experiments.report import Claim, Finding, Result, Table

EXPERIMENTS = {
    "theorem": "The theorems, on planted tables and on real text",
    "pmi": "The error of PMI = v.u",
    "sts": "AND: word-to-sentence compositionality",
    "sts-final": "AND: the same with the final layer of BERT",
    "phrases": "AND: word-to-phrase compositionality",
    "words": "AND: word-to-word compositionality",
    "or-artificial": "OR: artificial OR words",
    "or-actual": "OR: actual OR words",
    "not": "NOT: numbers, categories and antonyms",
    "examples": "The worked examples of the paper",
    "people": "Jobs that people have for word vectors",
}
"""The experiments by name, in the order of the paper; "people" is beyond the paper.

Each is a module of this package.
"""

_MODULES = {"not": "negation", "pmi": "pmi_figure"}  # else: its own name
_JUDGED = ("sts", "words")
"""Experiments that take hours, so that a new wording of their claims must not need a new run."""


def run(name: str, lab: Lab) -> Result:
    """Run an experiment and return its result.

    For example `run("sts", Lab()).agreement`.
    """
    for each in datasets(name, lab):
        locate(each)  # raise for a missing dataset before anything is computed
    result: Result = _module(name).run(lab)
    return replace(result, command=command_of(name, lab))


def command_of(name: str, lab: Lab) -> str:
    """Return the command that runs an experiment.

    >>> command_of("sts", Lab())
    'andornot reproduce sts --scale quick'
    """
    seed = "" if lab.seed == Lab.seed else f" --seed {lab.seed}"
    thorough = " --thorough" * lab.thorough
    return f"andornot reproduce {name} --scale {lab.scale}{seed}{thorough}"


def datasets(name: str, lab: Lab) -> list[str]:
    """Return the names of the datasets that an experiment needs.

    >>> datasets("words", Lab())
    ['bats']
    """
    needed: list[str] = _module(name).datasets(lab)
    return needed


def trainings(name: str, lab: Lab) -> list[Training]:
    """Return the trainings that an experiment needs.

    >>> trainings("examples", Lab())
    []
    """
    needed: dict[str, Training] = _module(name).trainings(lab)
    return list(needed.values())


def claims_of(name: str, facts: Mapping[str, Any]) -> list[Claim]:
    """Return the claims of a result: judged anew by its numbers if possible, else as stored.

    For example `claims_of("theorem", read_result(Path("theorem/result.json")))`.

    Args:
        name: The experiment.
        facts: Its result.json.
    """
    if name in _JUDGED and facts.get("claims"):
        return list(_module(name).judge(facts["numbers"]))
    return [Claim(**each) for each in facts.get("claims", [])]


def _module(name: str) -> ModuleType:
    return import_module(f"{__name__}.{_MODULES.get(name, name.replace('-', '_'))}")


__all__ = [
    "EXPERIMENTS",
    "Finding",
    "Lab",
    "Result",
    "Scale",
    "Table",
    "Training",
    "claims_of",
    "command_of",
    "datasets",
    "run",
    "trainings",
]
