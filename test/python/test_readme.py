"""The Python in the READMEs and guides runs, and prints what its comments say."""

import json
import os
import re
import subprocess
from pathlib import Path

import limber
import pytest

PROJECT = Path(__file__).parents[2]
PAGES = [
    *(PROJECT / name for name in ("README.md", "python/README.md")),
    *sorted((PROJECT / "docs" / "guides").glob("*.md")),
    *sorted((PROJECT / "docs" / "lesson").glob("*.md")),
]
BLOCKS = [
    (path.relative_to(PROJECT).as_posix(), code)
    for path in PAGES
    for code in re.findall(r"```python\n(.*?)```", path.read_text(), re.DOTALL)
]


def make_files(code: str) -> None:
    """What a guide has its reader's own files for."""
    if "scene.json" in code:
        table = {"name": "table", "shapes": [{"shape": "box", "size": [0.8, 1.2, 0.05]}]}
        table["placement"] = {"xyz": [0.8, 0, 0.2]}
        Path("scene.json").write_text(json.dumps({"limber": 1, "obstacles": [table]}))
    if "reach.npy" in code:
        program = os.environ.get("LIMBER_PROGRAM") or pytest.skip("LIMBER_PROGRAM is not set")
        grid = ["--grid", "0.2", "--orientations", "72", "--output", "reach.npy"]
        subprocess.run([program, "workspace", "ur5", *grid], check=True)


@pytest.mark.parametrize("path, code", BLOCKS, ids=[path for path, _ in BLOCKS])
def test_block(path: str, code: str, capsys, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    make_files(code)
    exec(compile(code, path, "exec"), {"limber": limber} if path.startswith("docs/guides") else {})
    expected = re.findall(r"^print\(.*\) +# (.*)$", code, re.MULTILINE)
    assert capsys.readouterr().out.splitlines() == expected


def test_blocks_are_found() -> None:
    pages = {path for path, _ in BLOCKS}
    assert pages == {
        "README.md", "python/README.md", "docs/guides/derivatives.md", "docs/guides/files.md",
        "docs/guides/large_work.md", "docs/guides/maps.md", "docs/lesson/index.md",
        *(f"docs/lesson/unit{i}.md" for i in range(1, 9)),
    }  # fmt: skip
