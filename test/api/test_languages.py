"""Every public function and field is in each language, or stands with a reason in api/left_out.json.

A function is in a language whose C or JavaScript names it; a field whose table has it (generated of
the structs in overlay.json), or whose hand-written code names it.
"""

import json
import re
import sys
import unittest
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "api"))

from describe import describe  # noqa: E402
from fields import is_text  # noqa: E402
from javascript import camel  # noqa: E402

API = describe(ROOT / "include")
OVERLAY = json.loads((ROOT / "api/overlay.json").read_text())
LEFT_OUT = json.loads((ROOT / "api/left_out.json").read_text())
SOURCES = {
    "python": ["python/src/*.c", "python/src/*.h"],
    "javascript": ["bindings/flat/**/*.c", "bindings/flat/**/*.h", "web/limber/*.js"],
}


def text_of(language: str) -> str:
    """What is written by hand for a language."""
    paths = {p for pattern in SOURCES[language] for p in ROOT.glob(pattern)}
    return "\n".join(p.read_text() for p in sorted(paths) if p.stem not in ("tables", "layouts"))


def missing(language: str, text: str) -> list[str]:
    """Functions, structs and fields that a language does not name."""
    words = set(re.findall(r"\b\w+\b", text))
    fields = set(re.findall(r"[.>](\w+)\b", text))
    absent = [name for name, f in API["functions"].items() if not f["inline"] and name not in words]
    for name, struct in API["structs"].items():
        generated = name in OVERLAY[language]
        if not generated and name not in words:
            absent.append(name)
            continue
        for f in struct["fields"]:
            # the generator has all others, or overlay.json has the reason
            by_hand = not generated or (f["pointer"] and not is_text(f))
            in_script = generated and language == "javascript" and camel(f["name"]) in words
            if by_hand and f["name"] not in fields and not in_script:
                absent.append(f"{name}.{f['name']}")
    return absent


class Languages(unittest.TestCase):
    def check(self, language: str) -> None:
        absent = missing(language, text_of(language))
        patterns = [p for names in LEFT_OUT[language].values() for p in names]
        unexplained = [name for name in absent if not any(fnmatchcase(name, p) for p in patterns)]
        self.assertEqual(unexplained, [], f"not in {language}, and without a reason in api/left_out.json")
        idle = [p for p in patterns if not any(fnmatchcase(name, p) for name in absent)]
        self.assertEqual(idle, [], f"api/left_out.json explains what is in {language}, or is not there")

    def test_python(self) -> None:
        self.check("python")

    def test_javascript(self) -> None:
        self.check("javascript")

    def test_what_is_taken_away_is_missed(self) -> None:
        text = text_of("python").replace("lb_gait_walk", "")
        self.assertIn("lb_gait_walk", missing("python", text))
        text = re.sub(r"\bdesired\b", "", text_of("javascript"))
        self.assertIn("lb_ik_options.desired", missing("javascript", text))


if __name__ == "__main__":
    unittest.main()
