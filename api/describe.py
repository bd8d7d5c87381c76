#!/usr/bin/python3
"""describe - the public headers as one description, which `generate.py` makes the bindings' files of.

A parser of the part of C that the headers use: a tokenizer that keeps comments, declarations, then
sizes and places by natural alignment. A comment on a field's line is the field's; one above fields
without a blank line between is theirs together. Lists of X give texts and their comments. A header's
head says "Stable." or "Experimental: ..." of its functions, a function's comment of itself. A union,
a field of bits or a type that is not known is refused: it would be misread. What C does not say
of pointers is in conventions.py. `test/api` compares with the list of the shared libraries' types
(docs/abi.txt), which the compiler and abidw made.
"""

import re
import sys
from pathlib import Path

import conventions

TOKEN = re.compile(
    r"(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<directive>^[ \t]*\#(?:[^\n\\/]|\\\n|\\|/\*.*?\*/|/)*)|(?P<text>\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<name>[A-Za-z_]\w*)|(?P<number>\.?\d[\w.]*(?:(?<=[eE])[+-]\w+)?)|(?P<mark>\.\.\.|<<|>>|[^\s\w])",
    re.S | re.M,
)
BASE = {"double": 8, "float": 4, "int": 4, "unsigned": 4, "bool": 1, "char": 1, "int8_t": 1, "uint8_t": 1, "int32_t": 4,
        "uint32_t": 4, "uint64_t": 8, "int64_t": 8, "long": 8, "size_t": 0, "uint16_t": 2, "short": 2}
POINTERS = {"lp64": 8, "wasm32": 4}


def tokens(text, line=1):
    found = []
    for m in TOKEN.finditer(text):
        first = line + text.count("\n", 0, m.start())
        found.append((m.lastgroup, m.group(), first, first + m.group().count("\n")))
    return found


def prose(comment):
    lines = comment.removeprefix("/*").removesuffix("*/").removeprefix("//").split("\n")
    lines = [re.sub(r"^\s*\* ?(?=\S|\s|$)", "", l) if i else l.strip() for i, l in enumerate(lines)]
    lines = [re.sub(r"\s*\\$", "", l).rstrip() for l in lines]
    return re.sub(r"[ \t]*\n[ \t]*(?=\S)", "\n", "\n".join(lines)).strip() if "\n\n" not in "\n".join(lines) else "\n".join(lines).strip()


def is_experimental(comment, otherwise):
    """Stability as a comment states it, in a sentence at the beginning of a line or after another one."""
    words = re.findall(r"(?:^|[.\n]) *\*? ?(Stable\.|Experimental: )", comment)
    return words[-1] != "Stable." if words else otherwise


class Parser:
    def __init__(self):
        self.constants, self.lists, self.enums, self.structs, self.functions, self.callbacks, self.opaque = {}, {}, {}, {}, {}, {}, {}

    def refuse(self, line, what):
        sys.exit(f"{self.file}:{line}: {what}: describe.py does not know its place in memory")

    # ---- a header -----------------------------------------------------------
    def header(self, path, name):
        self.file, self.group = name, ""
        text = path.read_text()
        self.experimental = is_experimental(text[: text.find("*/")], None)
        text = re.sub(r"^#ifdef __cplusplus\n(.*?)^(#else\n|#endif[^\n]*\n)", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S | re.M)
        all_tokens = tokens(text)
        i, lead, last = 0, None, 0
        while i < len(all_tokens):
            kind, value, first, end = all_tokens[i]
            if kind == "comment":
                section = re.fullmatch(r"/\* -{3,} .*? -* \*/", value)
                lead = None if section else (prose(value), end)
                i += 1
            elif kind == "directive":
                self.directive(value, first, lead)
                i += 1
            else:
                stop = self.statement_end(all_tokens, i)
                if lead and lead[1] >= first - 1:
                    self.group = lead[0]
                elif first - last > 1:
                    self.group = ""
                self.statement(all_tokens[i:stop], self.group)
                last, lead, i = all_tokens[stop - 1][3], None, stop

    @staticmethod
    def statement_end(all_tokens, i):
        depth, body = 0, all_tokens[i][1] == "static"
        while True:
            value = all_tokens[i][1]
            depth += (value in "({[") - (value in ")}]") if len(value) == 1 else 0
            i += 1
            if depth == 0 and (value == ";" or (body and value == "}")):
                return i

    def directive(self, value, line, lead):
        m = re.match(r"\s*#define (LB_\w+_LIST)\(X\)(.*)", value, re.S)
        if m:
            self.lists[m.group(1)] = self.items(m.group(2), lead[0] if lead else "")
            return
        m = re.match(r"\s*#define (LB_\w+) ([-\w.]+)", value)
        if m:
            self.constants[m.group(1)] = {"value": m.group(2), "header": self.file}

    def items(self, body, doc):
        """Rows of an X-list: its comments, else the rows of the table in the list's own comment."""
        columns = re.search(r"(?:^|: |\n)(name, [\w, ]+?)[.:]?\s*(?:\n|$)", doc)
        columns = columns.group(1).split(", ")[1:] if columns else ["text"]
        table, row = {}, None
        for line in doc.split("\n"):
            m = re.match(r" {0,3}([a-z][\w-]*(?: [a-z]+)?) {2,}(\S.*)", line)
            if m:
                row = m.group(1)
                table[row] = m.group(2)
            elif row and line.startswith(" "):
                table[row] += " " + line.strip()
        rows, lead = [], None
        parts = tokens(body.replace("\\\n", "\n"))
        for i, (kind, value, first, end) in enumerate(parts):
            if kind == "comment":
                if rows and rows[-1]["line"] == first:
                    rows[-1]["doc"] = prose(value)
                else:
                    lead = prose(value)
            elif value == "X":
                row, close = {"name": parts[i + 2][1], "doc": lead or "", "line": first}, i
                while parts[close][1] != ")":
                    close += 1
                row["line"], lead = parts[close][2], None
                values = "".join(t[1] for t in parts[i + 3 : close]).split(",")[1:]
                for column, v in zip(columns, values):
                    row[column] = v.strip('"')
                row["doc"] = row["doc"] or table.get(row.get("text", ""), "")
                rows.append(row)
        for row in rows:
            del row["line"]
        return {"header": self.file, "doc": doc, "columns": columns, "rows": rows}

    # ---- declarations -------------------------------------------------------
    def statement(self, part, doc):
        code = [t for t in part if t[0] not in ("comment", "directive")]
        words = [t[1] for t in code]
        where = {"header": self.file, "doc": doc}
        if "union" in words:
            self.refuse(code[0][2], "a union")
        if words[:2] == ["typedef", "struct"] and "{" in words:
            self.structs[words[-2]] = where | {"fields": self.members(part)}
        elif words[0] == "typedef" and words[1] == "struct" or words[0] == "struct" and len(words) == 3:
            self.opaque[words[-2]] = where
        elif "enum" in words[:2] and "{" in words:
            name = words[-2] if words[0] == "typedef" else f"{self.file}:{len(self.enums)}"
            self.enums[name] = where | self.enumerators(part, words[0] != "typedef")
        elif words[0] == "typedef":
            self.callbacks[words[words.index("(") - 1]] = where | self.signature(part[1:])
        elif "(" in words:
            inline = words[0] == "static"
            self.functions[words[words.index("(") - 1]] = where | {"inline": inline, "experimental": is_experimental(doc, self.experimental)} | self.signature(part[2:] if inline else part)

    def enumerators(self, part, flat):
        inside = part[next(i for i, t in enumerate(part) if t[1] == "{") + 1 :]
        rows, lead, fresh, number, of_list = [], "", True, 0, None
        for i, (kind, value, first, end) in enumerate(inside):
            if value == "}":
                break
            if kind == "comment":
                if rows and rows[-1]["line"] == first:
                    rows[-1]["doc"] = prose(value)
                else:
                    lead = prose(value)
            elif kind == "name" and value in self.lists:
                of_list = value
                for row in self.lists[value]["rows"]:
                    rows.append(row | {"value": number, "line": 0})
                    number += 1
            elif kind == "name" and value.startswith("LB_") and inside[i - 1][1] not in ("(", "="):
                if inside[i + 1][1] == "=":
                    close = i + 2
                    while inside[close][1] not in (",", "}"):
                        close += 1
                    number = self.evaluate([t[1] for t in inside[i + 2 : close] if t[0] not in ("comment", "directive")])
                rows.append({"name": value, "value": number, "doc": lead, "line": first})
                self.constants[value] = {"value": number, "header": self.file}
                number, lead = number + 1, ""
        for row in rows:
            del row["line"]
        return {"list": of_list, "rows": rows, "type": not flat}

    def evaluate(self, words):
        code = "".join(str(self.constants[w]["value"]) if w in self.constants else w for w in words)
        return int(eval(code, {"__builtins__": {}}))

    def members(self, part):
        inside, fields, lead, run, shared = part[next(i for i, t in enumerate(part) if t[1] == "{") + 1 :], [], "", [], ""
        latest, previous = [], 0
        for kind, value, first, end in inside:
            if kind == "comment":
                if latest and previous == first and not run:
                    for field in latest:
                        field["doc"], field["shared"] = prose(value), False
                    if len(latest) > 1:
                        for field in latest:
                            field["shared"] = True
                else:
                    lead = prose(value)
            elif kind == "directive":
                continue
            elif value == "}" and not run:
                break
            elif value == ":":
                self.refuse(first, "a field of bits")
            elif value == ";":
                latest = self.declarators(run)
                if lead:
                    shared = lead
                elif run[0][2] - previous > 1:
                    shared = ""
                for field in latest:
                    field.update(doc=lead or shared, shared=not lead or len(latest) > 1)
                fields += latest
                run, lead, previous = [], "", end
            else:
                run.append((kind, value, first, end))
        return fields

    def declarators(self, run):
        words = [t[1] for t in run]
        base, i = [], 0
        while words[i] in ("const", "struct", "enum", "unsigned") or not base or (base[-1] in ("const", "struct")):
            base.append(words[i])
            i += 1
        found, rest = [], []
        for word in words[i:] + [","]:
            if word == "," and rest.count("(") == rest.count(")"):
                found.append(self.declarator(base, rest))
                rest = []
            else:
                rest.append(word)
        return found

    def declarator(self, base, rest):
        """{name, type, pointer, const, array}; `type` is the base's name, `pointer` how many stars."""
        const = "const" in base
        kind = " ".join(w for w in base if w not in ("const", "struct", "enum"))
        if "(" in rest and rest[(at := rest.index("(")) + 1] == "*" and rest[at + 3 : at + 5] == [")", "("]:
            return {"name": rest[at + 2], "type": "function", "pointer": 1, "const": False, "array": []}
        stars, lengths = rest.count("*"), []
        while "[" in rest:
            at, to = rest.index("["), rest.index("]")
            lengths.append(" ".join(rest[at + 1 : to]))
            rest = rest[:at] + rest[to + 1 :]
        rest = [w for w in rest if w not in ("*", "(", ")", "const")]
        if stars and lengths and "vertices" in rest:  # pointer to an array
            return {"name": rest[0], "type": kind, "pointer": 1, "const": const, "array": [], "row": lengths}
        return {"name": rest[0] if rest else "", "type": kind, "pointer": stars, "const": const, "array": lengths}

    def signature(self, part):
        code = [t for i, t in enumerate(part) if t[0] != "directive" and (t[0] != "comment" or part[i - 1][1] == "[")]
        words = [prose(t[1]) if t[0] == "comment" else t[1] for t in code]
        open_at = words.index("(")
        result = self.declarator([w for w in words[: open_at - 1] if w != "*"], ["*"] * words[: open_at - 1].count("*"))
        close, depth = open_at, 0
        while True:
            depth += (words[close] == "(") - (words[close] == ")")
            if depth == 0:
                break
            close += 1
        parameters, run = [], []
        for word in words[open_at + 1 : close] + [","]:
            if word != ",":
                run.append(word)
                continue
            if run == ["..."]:
                parameters.append({"name": "...", "type": "...", "pointer": 0, "const": False, "array": []})
            elif run != ["void"]:
                at = next(i for i, w in enumerate(run) if w not in ("const", "struct", "unsigned") or (w == "unsigned" and run[i + 1] not in ("char", "int")))
                parameters.append(self.declarator(run[: at + 1], run[at + 1 :]))
            run = []
        return {"returns": result, "parameters": parameters}


# ---- sizes and places -------------------------------------------------------
class Layout:
    def __init__(self, parser, pointer):
        self.p, self.pointer, self.done = parser, pointer, {}

    def of(self, field):
        if field["pointer"] or field["type"] == "size_t" or field["type"] in self.p.callbacks:
            size = align = self.pointer
        elif field["type"] in self.p.structs:
            size, align, _ = self.struct(field["type"])
        elif field["type"] in self.p.enums:
            size = align = 4
        else:
            size = align = BASE[field["type"]]
        for length in field["array"]:
            size *= self.p.evaluate(length.split())
        return size, align

    def struct(self, name):
        if name not in self.done:
            at, most, places = 0, 1, []
            for field in self.p.structs[name]["fields"]:
                size, align = self.of(field)
                at = -(-at // align) * align
                places.append(at)
                at, most = at + size, max(most, align)
            self.done[name] = (-(-at // most) * most, most, places)
        return self.done[name]


def describe(include):
    """All headers below a folder: {kind: {name: ...}}."""
    root, parser, seen = Path(include), Parser(), set()

    def read(path):
        if path in seen or not path.exists():
            return
        seen.add(path)
        for name in re.findall(r"^#include <limber/(.*?\.h)>", path.read_text(), re.M):
            read(root / "limber" / name)
        if path.name != "limber.h":
            parser.header(path, str(path.relative_to(root)))

    for path in sorted((root / "limber").rglob("*.h")):
        read(path)
    place_fields(parser)
    api = {kind: getattr(parser, kind) for kind in ("constants", "lists", "enums", "structs", "opaque", "callbacks", "functions")}
    conventions.apply(api)
    return api


def place_fields(parser):
    """Adds sizes and places for each kind of machine."""
    for machine, pointer in POINTERS.items():
        layout = Layout(parser, pointer)
        for name, struct in parser.structs.items():
            size, _, places = layout.struct(name)
            struct.setdefault("size", {})[machine] = size
            for field, place in zip(struct["fields"], places):
                field.setdefault("offset", {})[machine] = place
    for struct in parser.structs.values():
        for field in struct["fields"]:
            field["array"] = [parser.evaluate(n.split()) for n in field["array"]]
