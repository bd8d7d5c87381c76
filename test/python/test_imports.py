"""The modules of the package import each other in one direction."""

import ast
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import limber
import pytest

SOURCES = Path(__file__).parents[2] / "python" / "limber"
MODULES = sorted(path.stem for path in SOURCES.glob("_[a-z]*.py"))
# what makes objects that keep it: their modules name its type, and have no other use for its module
OWNERS = {"_model", "_clip", "_ik"}


def imports(module: str) -> tuple[set[str], set[str]]:
    """What a module imports of the package when it runs, and for its types alone."""
    running: set[str] = set()
    types: set[str] = set()

    def visit(node: ast.AST, found: set[str]) -> None:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            found.update([node.module] if node.module else [name.name for name in node.names])
        within = found
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            within = types
        for child in ast.iter_child_nodes(node):
            visit(child, within)

    visit(ast.parse((SOURCES / f"{module}.py").read_text()), running)
    return running - {"_core"}, types - {"_core"}


def test_no_imports_are_a_circle() -> None:
    graph = {module: imports(module)[0] for module in MODULES}
    assert len(graph) > 20 and sum(map(len, graph.values())) > 50
    # of a circle this is a CycleError that names its modules
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("module", MODULES)
def test_types_alone_are_those_of_owners(module) -> None:
    types = imports(module)[1]
    assert types <= OWNERS, "of others the import is an ordinary one"


@pytest.mark.parametrize("module", MODULES)
def test_nothing_is_cast(module) -> None:
    # a part of a class that must be cast to the whole class belongs in it
    text = (SOURCES / f"{module}.py").read_text()
    assert not re.search(r"\bcast\(", text)


# the package's own __init__ imports all in an order that hides a circle: here it has none
ALONE = """
import importlib, sys, types
package = types.ModuleType("limber")
package.__path__ = [sys.argv[1]]
sys.modules["limber"] = package
importlib.import_module("limber." + sys.argv[2])
"""


@pytest.mark.parametrize("module", MODULES)
def test_each_module_can_be_imported_alone(module) -> None:
    run = [sys.executable, "-c", ALONE, str(Path(limber.__file__).parent), module]
    done = subprocess.run(run, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_it_is_imported_without_docstrings() -> None:
    code = "import limber; print(limber.Model.__doc__)"
    done = subprocess.run([sys.executable, "-OO", "-c", code], capture_output=True, text=True)
    assert done.stdout == "None\n", done.stderr
