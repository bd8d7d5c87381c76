"""The Python in the READMEs runs, and prints what its comments say."""

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
BLOCKS = [
    (path, code)
    for path in ("README.md", "python/README.md")
    for code in re.findall(r"```python\n(.*?)```", (PROJECT / path).read_text(), re.DOTALL)
]


@pytest.mark.parametrize("path, code", BLOCKS, ids=[path for path, _ in BLOCKS])
def test_block(path: str, code: str, capsys, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(code, path, "exec"), {})
    expected = re.findall(r"^print\(.*\) +# (.*)$", code, re.MULTILINE)
    assert capsys.readouterr().out.splitlines() == expected


def test_blocks_are_found() -> None:
    assert {path for path, _ in BLOCKS} == {"README.md", "python/README.md"}
