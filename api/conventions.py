"""conventions - what C's types do not say of pointers: direction, length, whose it is, whether NULL is allowed.

A comment in a parameter's brackets says it: `double keys[/* n * nq */]`, `double q[/* nq, in place */]`,
`double values[/* keys, or NULL */]`. Where there is none, rules read names, types and the words of the
comments. What neither decides is `unresolved`, and the test of the description fails.
"""

import re

# lengths of what has no brackets: what is returned, and pointers in structs
COUNTS = {
    "lb_formula_part.numbers": "rows * columns",
    "lb_state_transforms": "links",
    "lb_bvh_row": "channels",
    "lb_model_source.joint_lines": "joint_count",
    "lb_model_source.link_lines": "link_count",
    "lb_model_source.loop_lines": "loop_count",
    "lb_check_options.accelerations": "joints",
    "lb_retarget_options.accelerations": "joints",
    "lb_motion.limits": "joints",
    "lb_reach_drawing.values": "cells of the grid",
    "lb_fk_batch_options.offsets": "link_count",
}
NQ = set("q start starts rest desired keys".split())
NV = set("v velocity velocities acceleration accelerations gains gradient".split())
NUMBER = {"double", "float", "int", "bool", "size_t", "unsigned", "uint64_t", "uint32_t", "uint8_t", "char", "void"}


def nullable(doc, name, kind=""):
    """Options always; else "`x` may be NULL", "`x` (NULL: ...", "`x` (nq numbers, NULL: ...", "`x`, if not NULL"."""
    if name == "options" and kind.endswith("_options"):
        return True
    n = rf"(?:`\*?{re.escape(name)}`|(?<!failure )\*{re.escape(name)})"
    return bool(re.search(rf"{n}(?: and `\w+`)?,? (?:which )?may be NULL|{n}(?: or `\w+`)? \((?:[^();]|\([^)]*\))*[;,]? ?(?:may be )?NULL|{n},? (?:if|unless|is) (?:not )?NULL|`\w+` and {n} may be NULL", doc))


def count_of(doc, name, siblings):
    n = rf"`?{re.escape(name)}`?"
    m = (re.search(rf"{n} (?:has|takes|is) (?:a row of )?(\w+|\w+ \* \w+) (?:\w+ )?(?:numbers|values|transforms)", doc)
         or re.search(rf"{n} \((?:at least )?(n[qv]|\w+) (?:numbers|bytes|of them|doubles|transforms|joints|links)", doc)
         or re.search(rf"(?:the|to|up to|than) (n[qv]|[A-Z_]{{4,}}|\w+) numbers (?:each )?of {n}", doc)
         or re.search(rf"{n}[^.;]{{0,60}}?\b(n[qv]|[A-Z_]{{6,}}) (?:numbers|of them|elements)", doc))
    return m.group(1) if m else None


def parameter(api, function, index):
    """{way, count, null, rule} of a pointer parameter; way: in, out, inout, handle, made, text, buffer, call, user."""
    p, all_p, doc = function["parameters"][index], function["parameters"], " ".join(function["doc"].split())
    name, kind, known = p["name"], p["type"], api
    after = [x for x in all_p[index + 1 : index + 3]]
    null = nullable(doc, name, kind)
    if p["array"] and not re.fullmatch(r"LB_\w+|\d+", str(p["array"][0])):
        count, *more = str(p["array"][0]).split(", ")
        way = "inout" if "in place" in more else "in" if p["const"] else "out"
        return {"way": way, "count": count, "null": null or "or NULL" in more, "rule": "annotation"}
    if index == 0 and function["name"].endswith("_release"):
        return {"way": "taken", "count": "1", "null": True, "rule": "release"}
    if kind == "lb_error":
        return {"way": "out", "count": "1", "null": True, "rule": "error"}
    if kind == "lb_allocator":
        return {"way": "in", "count": "1", "null": True, "rule": "allocator"}
    if kind in known["callbacks"]:
        return {"way": "call", "count": "1", "null": null, "rule": "callback"}
    if kind == "void" and p["pointer"] == 1 and not p["const"]:
        return {"way": "user", "count": "", "null": True, "rule": "user"}
    if p["array"]:
        return {"way": "in" if p["const"] else "out", "count": str(p["array"][0]), "null": null, "rule": "array"}
    if p["pointer"] == 2:
        if kind in known["opaque"] or kind in ("char", "void") or known["functions"].get(f"{kind}_release"):
            ends = [f"{kind}_{how}" for how in ("release", "close") if known["functions"].get(f"{kind}_{how}")]
            ends += [end for end, f in known["functions"].items() if end.endswith("_release") and f["parameters"][0]["type"] == kind]
            return {"way": "made", "count": "1", "null": null, "rule": "made", "release": (*ends, f"{kind}_release")[0] if kind.startswith("lb_") else "free"}
        if p["const"]:
            return {"way": "in", "count": after[0]["name"] if after else "?", "null": null, "rule": "list"}
        return None
    counts = [x["name"] for x in after if not x["pointer"] and x["type"] in ("int", "size_t") and re.fullmatch(r"n|\w*count|capacity|size|length|numbers", x["name"])]
    if kind == "char":
        if not p["const"]:
            return {"way": "buffer", "count": counts[0], "null": null, "rule": "buffer"} if counts else None
        if counts and counts[0] == "size" and after[0]["name"] == "size":
            return {"way": "in", "count": "size", "null": null, "rule": "bytes"}
        return {"way": "text", "count": "", "null": null, "rule": "text"}
    if kind in known["opaque"] and kind not in known["structs"]:
        return {"way": "handle", "count": "1", "null": null, "rule": "handle"}
    way = "in" if p["const"] else "out"
    before = all_p[index - 1] if index else None
    if before and before["name"] == "capacity":
        return {"way": "out", "count": "capacity", "null": null, "rule": "counted"}
    if any(x["name"] == "count" and x["type"] == "size_t" for x in all_p):  # rows of all arrays
        return {"way": way, "count": "count", "null": null, "rule": "rows"}
    if kind not in NUMBER:  # a struct that is seen, or an enum
        if counts and after[0]["name"] in counts:
            return {"way": way, "count": counts[0], "null": null, "rule": "counted"}
        if any(x["name"] == "begin" for x in all_p) and any(x["name"] == "end" for x in all_p) and name not in ("batch", "rows"):
            return {"way": way, "count": "end", "null": null, "rule": "range"}
        if p["const"]:
            plural = name.endswith("s") and not re.search(rf"({name}|_rows|_floats|_options|_looks)$", kind)
            stated = count_of(doc, name, all_p)
            if plural and not stated:
                return None
            return {"way": way, "count": stated or "1", "null": null, "rule": "struct"}
        plural = name.endswith("s") and not kind.rstrip("s").endswith(name.rstrip("s"))
        stated = count_of(doc, name, all_p)
        if plural and not stated:
            return None
        if not p["const"] and kind == "lb_random":
            return {"way": "inout", "count": "1", "null": null, "rule": "state"}
        return {"way": way, "count": stated or "1", "null": null, "rule": "struct"}
    if kind == "double" and (name in NQ or name in NV):
        rows = "end" if any(x["name"] == "end" for x in all_p) else None
        n = "nq" if name in NQ else "nv"
        return {"way": way, "count": f"{rows} * {n}" if rows else n, "null": null, "rule": "q"}
    if counts and after[0]["name"] in counts:
        return {"way": way, "count": counts[0], "null": null, "rule": "counted"}
    stated = count_of(doc, name, all_p)
    if stated:
        return {"way": way, "count": stated, "null": null, "rule": "stated"}
    if not p["const"] and (f"*{name}" in doc or kind in ("int", "bool", "size_t", "float") or (kind == "double" and not name.endswith("s"))):
        return {"way": "out", "count": "1", "null": null, "rule": "scalar"} if (f"*{name}" in doc or not name.endswith("s")) else None
    return None


def result(api, name, function):
    r = function["returns"]
    if name in COUNTS:
        return {"way": "borrowed", "rule": "listed", "count": COUNTS[name]}
    if not r["pointer"]:
        return {"rule": "value"}
    if r["type"] == "char" and r["const"]:
        return {"way": "text", "rule": "text", "null": "NULL" in function["doc"] and "never NULL" not in function["doc"]}
    if r["const"]:
        stated = count_of(function["doc"], name, []) or re.search(r"\b(n[qv]|count|n|LB_\w+)\b[^.;]{0,20} (?:numbers|of them)|(\w+) of them", function["doc"])
        plural = name.endswith("s") and not name.endswith("options") or r["type"] in NUMBER
        if plural and not stated:
            return None
        stated = stated if isinstance(stated, str) or not stated else stated.group(1) or stated.group(2)
        return {"way": "borrowed", "rule": "borrowed", "count": (stated if plural else "1")}
    if r["type"] in api["opaque"]:
        return {"way": "borrowed", "rule": "handle"}
    return None


def field(api, struct, index):
    fields = api["structs"][struct]["fields"]
    f = fields[index]
    doc, name = f["doc"], f["name"]
    null = "absent" in doc.lower()
    if not f["pointer"]:
        return {"rule": "value"}
    way = "in" if f["const"] else "out"
    if f"{struct}.{name}" in COUNTS:
        return {"way": way, "count": COUNTS[f"{struct}.{name}"], "null": null, "rule": "listed"}
    if f["type"] == "function" or f["type"] in api["callbacks"]:
        return {"way": "call", "null": null, "rule": "callback"}
    if f["type"] == "void" and name == "user":
        return {"way": "user", "null": True, "rule": "user"}
    if f["type"] == "char" and f["pointer"] == 1:
        return {"way": "text", "null": null, "rule": "text"}
    names = [x["name"] for x in fields]
    single = re.sub(r"(ice|ie)s$", lambda m: {"ice": "ex", "ie": "y"}[m.group(1)], name)
    single = re.sub(r"(?<!x)es$|s$", "", single) if single == name else single
    for guess in (f"{single}_count", f"{name}_count", f"{single}e_count", f"{name}_size", "shape_count" if name == "shapes" else "mesh_count" if name == "meshes" else ""):
        if guess in names:
            return {"way": way, "count": guess, "null": null, "rule": "counted"}
    after = names[index + 1] if index + 1 < len(names) else ""
    if re.fullmatch(r"count|size|\w+_count|\w+_size", after) or (f["type"] not in NUMBER and "count" in names and name.endswith("s")):
        return {"way": way, "count": after if re.fullmatch(r"count|size|\w+_count|\w+_size", after) else "count", "null": null, "rule": "counted"}
    m = re.search(rf"\b{name}[^.;]*?\b(n[qv]) numbers", doc) or re.search(r"\b(n[qv]) numbers", doc)
    if re.search(r"[Rr]ows of|[Oo]ne for each problem|of each problem", doc):
        return {"way": way, "count": "rows", "null": null, "rule": "rows"}
    if m or (f["type"] == "double" and name in NQ | NV and not ("each joint" in doc)):
        return {"way": way, "count": m.group(1) if m else ("nq" if name in NQ else "nv"), "null": null, "rule": "q"}
    if f["type"] in api["opaque"] and f["type"] not in api["structs"]:
        return {"way": "handle", "null": null, "rule": "handle"}
    if f["type"] not in NUMBER and not name.endswith("s"):
        return {"way": way, "count": "1", "null": null, "rule": "struct"}
    return None


def apply(api):
    previous = None
    for name, function in api["functions"].items():
        function["name"] = name
        for i, p in enumerate(function["parameters"]):
            if p["pointer"] or p["array"]:
                p["use"] = parameter(api, function, i) or {"rule": "unresolved"}
                if re.match(r"The same|As lb_", function["doc"]) and previous:
                    named = re.search(r"[Aa]s (lb_\w+)", function["doc"])
                    like = api["functions"].get(named.group(1) if named else "", previous)
                    if any(x["name"] == p["name"] and x.get("use", {}).get("null") for x in like["parameters"]):
                        p["use"]["null"] = True
            elif p["type"] in api["callbacks"]:
                p["use"] = {"way": "call", "rule": "callback"}
        previous = function
        function["returns"]["use"] = result(api, name, function) or {"rule": "unresolved"}
    for name, struct in api["structs"].items():
        for i, f in enumerate(struct["fields"]):
            f["use"] = field(api, name, i) or {"rule": "unresolved"}
