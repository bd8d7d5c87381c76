"""notebooks - the units of the lesson as notebooks, one for each, in a folder.

    python3 docs/lesson/notebooks.py FOLDER

A unit's text becomes cells of Markdown, its Python and its commands cells that run, and its pictures
cells that show what a command has drawn. What a command or a print should show stays as text.
Commands that open the page are not run.
"""

import json
import re
import sys
from pathlib import Path

UNITS = sorted(Path(__file__).parent.glob("unit*.md"))
BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```\n|^!\[[^\n]*/([\w.-]+\.svg)\)\n", re.MULTILINE | re.DOTALL)
REFERENCE = re.compile(r"\{doc\}`(?:.*?/)?(\w+)`")


def cell(kind: str, text: str) -> dict:
    made = {"cell_type": kind, "metadata": {}, "source": text.strip("\n").splitlines(keepends=True)}
    return made | ({"execution_count": None, "outputs": []} if kind == "code" else {})


def notebook(unit: str) -> dict:
    """A unit's Markdown as a notebook."""
    cells, at = [], 0
    for block in BLOCK.finditer(unit):
        language, code, picture = block.groups()
        if code and code.startswith("limber view"):
            continue
        cells.append(cell("markdown", unit[at : block.start()]))
        if picture:
            cells.append(cell("code", f'from limber import lesson\nlesson.Picture("{picture}")'))
        else:
            cells.append(cell("code", code if language == "python" else "%%sh\n" + code))
        at = block.end()
    cells.append(cell("markdown", unit[at:]))
    python = {"display_name": "Python 3", "language": "python", "name": "python3"}
    cells = [each for each in cells if each["source"]]
    return {"cells": cells, "metadata": {"kernelspec": python}, "nbformat": 4, "nbformat_minor": 4}


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for unit in UNITS:
        text = json.dumps(notebook(REFERENCE.sub(r"*\1*", unit.read_text())), indent=1, ensure_ascii=False)
        (folder / unit.with_suffix(".ipynb").name).write_text(text + "\n")


if __name__ == "__main__":
    main()
