"""The description of the API: what is generated is what the headers say, and docs/abi.txt agrees.

    test_description.py     exit status 0 where all holds; Python's standard library is enough
"""

import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "api"))

import generate  # noqa: E402
from describe import describe  # noqa: E402

API = describe(ROOT / "include")


def of_text(text: str) -> dict:
    """The description of one header."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "limber").mkdir()
        (Path(folder) / "limber/made.h").write_text(text)
        return describe(folder)


class Generated(unittest.TestCase):
    def test_files_are_what_the_headers_say(self) -> None:
        for path, text in generate.outputs().items():
            found = (ROOT / path).read_text() if (ROOT / path).exists() else ""
            self.assertTrue(found == text, f"{path} is not what the headers say: api/generate.py writes it")


class Judged(unittest.TestCase):
    """The list of types was made by the compiler and abidw, which know nothing of describe.py.

    What was added since the list was written is not in it.
    """

    lines = (ROOT / "docs/abi.txt").read_text().splitlines()

    def test_sizes_and_places(self) -> None:
        sizes, places = {}, {}
        for line in self.lines:
            if m := re.fullmatch(r"struct (\w+): (\d+) bytes", line):
                sizes[m[1]] = int(m[2])
            elif m := re.fullmatch(r"struct (\w+): (\w+) at (\d+): .*", line):
                places.setdefault(m[1], {})[m[2]] = int(m[3])
        self.assertGreater(len(places), 90)
        for name, listed in places.items():
            struct = API["structs"][name]
            found = {f["name"]: f["offset"]["lp64"] for f in struct["fields"]}
            self.assertEqual({k: found.get(k) for k in listed}, listed, name)
            if len(found) == len(listed):
                self.assertEqual(struct["size"]["lp64"], sizes[name], name)

    def test_functions(self) -> None:
        counts = 0
        for line in self.lines:
            if m := re.fullmatch(r"function (\w+): (.*?) ?\((.*)\)", line):
                bare = re.sub(r"\([^()]*\)", "", m[3])
                count = 0 if bare == "void" else bare.count(",") + 1
                self.assertEqual(len(API["functions"][m[1]]["parameters"]), count, line)
                counts += 1
        self.assertGreater(counts, 350)

    def test_constants(self) -> None:
        values = {row["name"]: row["value"] for enum in API["enums"].values() for row in enum["rows"]}
        for line in self.lines:
            if m := re.fullmatch(r"enum \w+: (\w+) = (-?\d+)", line):
                self.assertEqual(values[m[1]], int(m[2]), line)


class Said(unittest.TestCase):
    def test_nothing_is_undecided(self) -> None:
        """Direction and length of every pointer are known: by a rule, or by a comment in its brackets."""
        undecided = [f"{name}: {p['name']}" for name, f in API["functions"].items() for p in f["parameters"] if p.get("use", {}).get("rule") == "unresolved"]
        undecided += [name for name, f in API["functions"].items() if f["returns"]["use"]["rule"] == "unresolved"]
        undecided += [f"{name}.{f['name']}" for name, s in API["structs"].items() for f in s["fields"] if f["use"]["rule"] == "unresolved"]
        self.assertEqual(undecided, [], "say the length in the parameter's brackets: double q[/* nq, in place */]")

    def test_every_field_is_explained(self) -> None:
        """In a sentence for every language: an absent field is NULL in C alone."""
        silent, of_c = [], []
        for name, struct in API["structs"].items():
            for f in struct["fields"]:
                silent += [] if f["doc"] else [f"{name}.{f['name']}"]
                of_c += [f"{name}.{f['name']}"] if re.search(r"\bNULL\b|malloc|\bpointers?\b|INFINITY|\bNAN\b", f["doc"]) else []
        self.assertEqual(silent, [], "a field without a comment")
        self.assertEqual(of_c, [], "a field's comment speaks C: say absent, infinite, NaN")

    def test_stability(self) -> None:
        """Each header says it of its functions; a function that differs says it of itself."""
        said = {f["header"]: f["experimental"] for f in API["functions"].values()}
        self.assertEqual([h for h, experimental in said.items() if experimental is None], [], "neither Stable. nor Experimental: ...")
        stable, unstable = "/* made.h - made.\n *\n * Stable.\n */\n", "/* made.h - made.\n *\n * Experimental: may change.\n */\n"
        calls = "/* Makes one. {} */\nvoid lb_f(void);\n\n/* Makes another. */\nvoid lb_g(void);\n"
        for head, word, expected in ((stable, "Experimental: new.", [True, False]), (unstable, "Stable.", [False, True]), ("/* made.h */\n", "", [None, None])):
            made = of_text(head + calls.format(word))["functions"]
            self.assertEqual([made[name]["experimental"] for name in ("lb_f", "lb_g")], expected)

    def test_brackets(self) -> None:
        made = of_text("/* Of n. */\nvoid lb_f(double q[/* nq, in place */], const int i[/* n + 1, or NULL */], int n);\n")
        q, i, _ = made["functions"]["lb_f"]["parameters"]
        self.assertEqual((q["use"]["way"], q["use"]["count"], q["use"]["null"]), ("inout", "nq", False))
        self.assertEqual((i["use"]["way"], i["use"]["count"], i["use"]["null"]), ("in", "n + 1", True))


class Parsed(unittest.TestCase):
    def test_places(self) -> None:
        made = of_text("typedef struct lb_s {\n    bool a; /* one */\n    double b[2], c;\n    const char *d;\n    size_t e;\n} lb_s;\n")["structs"]["lb_s"]
        self.assertEqual([f["offset"]["wasm32"] for f in made["fields"]], [0, 8, 24, 32, 36])
        self.assertEqual([f["offset"]["lp64"] for f in made["fields"]], [0, 8, 24, 32, 40])
        self.assertEqual((made["size"]["wasm32"], made["size"]["lp64"]), (40, 48))
        self.assertEqual(made["fields"][0]["doc"], "one")

    def test_what_would_be_misread_is_refused(self) -> None:
        for inside, words in (("int a : 3;", "a field of bits"), ("union { int a; double b; } c;", "a union")):
            with self.assertRaisesRegex(SystemExit, words):
                of_text("typedef struct lb_s {\n    " + inside + "\n} lb_s;\n")
        with self.assertRaises((SystemExit, KeyError)):
            of_text("typedef struct lb_s {\n    lb_unknown a;\n} lb_s;\n")


if __name__ == "__main__":
    unittest.main()
