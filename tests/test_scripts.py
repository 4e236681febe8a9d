"""Benchmarks and the maker of the default model import what the package has.

They take hours, so that no test runs them. A name that was moved would go unnoticed until then.
"""

import ast
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted([*(ROOT / "benchmarks").glob("*.py"), *(ROOT / "models").glob("*.py")])


def imports_of(script):
    """What a script imports from the package: modules, and names from them."""
    for node in ast.walk(ast.parse(script.read_text())):
        if isinstance(node, ast.Import):
            yield from ((name.name, None) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from ((node.module, name.name) for name in node.names)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_imports_are_there(script):
    for module, name in imports_of(script):
        if module.split(".")[0] != "andornot":
            continue
        try:
            found = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name.startswith("andornot"):
                raise
            pytest.skip(f"{module} needs {error.name}")
        if name is not None and not hasattr(found, name):
            importlib.import_module(f"{module}.{name}")
