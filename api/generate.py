#!/usr/bin/python3
"""generate - the description of the API, and from it the files of the bindings that repeat it.

    api/generate.py          writes them
    api/generate.py --check  exit status 1 where one is not what would be written

Its sources are the public headers and overlay.json, which has what languages name or leave out
otherwise. All files are checked in, so that no build needs this; `ctest -R description` compares.
"""

import json
import sys
from pathlib import Path

import javascript
import python_options
import python_tables
from describe import describe

ROOT = Path(__file__).resolve().parent.parent


def plain(value):
    """Without what says nothing: empty texts and lists, false and 0 where that is the usual."""
    if isinstance(value, dict):
        kept = {key: plain(v) for key, v in value.items() if key not in ("name_of", "rule")}
        return {key: v for key, v in kept.items() if v not in ("", [], {}, None, False) and (key, v) != ("pointer", 0)}
    return [plain(v) for v in value] if isinstance(value, list) else value


def described(api):
    """The description as JSON, a line for each field and parameter."""
    lines = ["{"]
    for kind, entries in api.items():
        lines.append(f' "{kind}": {{')
        for name, entry in entries.items():
            inner = {key: v for key, v in plain(entry).items() if key != "name"}
            rows = next((key for key in ("fields", "parameters", "rows") if key in inner), None)
            inside = inner.pop(rows) if rows else []
            text = json.dumps(inner)
            if inside:
                text = text[:-1] + (", " if inner else "") + f'"{rows}": [\n   ' + ",\n   ".join(json.dumps(r) for r in inside) + "]}"
            lines.append(f'  "{name}": {text},')
        lines[-1] = lines[-1].removesuffix(",")
        lines.append(" },")
    lines[-1] = " }"
    return "\n".join([*lines, "}", ""])


def outputs():
    """{path: text} of every generated file."""
    api = describe(ROOT / "include")
    overlay = json.loads((ROOT / "api/overlay.json").read_text())
    return {"api/api.json": described(api)} | python_tables.tables(api, overlay) | python_options.files(api, overlay) | javascript.files(api, overlay, ROOT)


def main():
    files = outputs()
    if "--check" not in sys.argv[1:]:
        for path, text in files.items():
            (ROOT / path).write_text(text)
        return 0
    wrong = [p for p, text in files.items() if not (ROOT / p).exists() or (ROOT / p).read_text() != text]
    for path in wrong:
        print(f"{path} is not what the headers say: api/generate.py writes it")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
