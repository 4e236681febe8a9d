"""Data flows one way: a package imports only from packages above it, lazy imports included."""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import andornot

ROOT = Path(andornot.__file__).parent
LAYERS = (
    "base",
    "words",
    "corpus",
    "space",
    "frequency_bands",
    "model_pmi",
    "datasets",
    "cooccurrence",
    "formats",
    "training",
    "postprocessing",
    "encoders",
    "search",
    "algebra",
    "growing",
    "evaluation",
    "quality",
    "experiments",
    "server",
    "cli",
)
MODULES = {
    "andornot."
    + ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(ROOT.rglob("*.py"))
    if path.parent != ROOT or path.name not in ("__init__.py", "__main__.py")
}


@cache
def tree_of(path):
    return ast.parse(path.read_text())


def imports_of(path, *, typing=True):
    """The modules of the package that a file imports anywhere; `typing` includes type checking."""
    found = []
    waiting = [tree_of(path)]
    for node in waiting:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and not typing:
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            found += [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = [f"{node.module}.{each.name}" for each in node.names]
            found += [each if each in MODULES else node.module for each in inside]
    return sorted({each for each in found if each in MODULES})


def layer_of(module):
    return LAYERS.index(module.split(".")[1])


def test_every_module_is_in_a_layer():
    assert {module.split(".")[1] for module in MODULES} == set(LAYERS)


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_one_way(module):
    against = [each for each in imports_of(MODULES[module]) if layer_of(each) > layer_of(module)]
    assert against == []


def test_modules_import_in_no_circle():
    graph = {module: imports_of(path, typing=False) for module, path in MODULES.items()}
    graph = {module: {each for each in found if each != module} for module, found in graph.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' -> '.join(error.args[1])}")


def test_no_two_modules_have_the_same_name():
    names = [path.stem for path in MODULES.values() if path.stem != "__init__"]
    assert sorted(names) == sorted(set(names))


def test_no_two_public_classes_have_the_same_name():
    names = [
        node.name
        for path in MODULES.values()
        for node in tree_of(path).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    assert sorted(names) == sorted(set(names))


def test_the_check_sees_lazy_imports(tmp_path):
    path = tmp_path / "module.py"
    path.write_text("def work():\n    from andornot.cli import ask\n    import andornot.space\n")
    assert imports_of(path) == ["andornot.cli.ask", "andornot.space"]
