"""Each example prints what its docstring says."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


def expected(path: Path) -> list[str]:
    """The lines after "Prints:"."""
    text = ast.get_docstring(ast.parse(path.read_text())) or ""
    return [line.strip() for line in text.split("Prints:\n")[1].splitlines()]


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_example(path: Path) -> None:
    run = subprocess.run([sys.executable, str(path)], check=True, capture_output=True, text=True)
    assert run.stdout.splitlines() == expected(path)


def test_examples_are_found() -> None:
    assert len(EXAMPLES) >= 8
