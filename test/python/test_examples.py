"""Each example prints what its docstring says; those of packages that are not there are skipped."""

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


def expected(path: Path) -> list[str]:
    """The lines after "Prints:"."""
    text = ast.get_docstring(ast.parse(path.read_text())) or ""
    return [line.strip() for line in text.split("Prints:\n")[1].splitlines()]


def imported(path: Path) -> list[str]:
    """The packages that it needs."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    names = [name.name for node in nodes if isinstance(node, ast.Import) for name in node.names]
    names += [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)]
    return sorted({name.partition(".")[0] for name in names})


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_example(path: Path) -> None:
    absent = [name for name in imported(path) if importlib.util.find_spec(name) is None]
    if absent:
        pytest.skip(f"not installed: {', '.join(absent)}")
    run = subprocess.run([sys.executable, str(path)], check=True, capture_output=True, text=True)
    assert run.stdout.splitlines() == expected(path)


def test_examples_are_found() -> None:
    assert len(EXAMPLES) >= 11
