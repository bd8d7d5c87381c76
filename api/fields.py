"""fields - which fields of a struct a language has, and by which names: the description and overlay.json.

A struct in overlay.json is one that the language has as data. Of it every field is there: numbers,
texts, vectors, transforms and, by their own names, the fields of structs in it. Not data are pointers to
anything else and how many of it there are; hand-written code passes these on (test/api finds those
that it does not name). The overlay says what is different:

    rename  {path: name}    a field has another name
    prefix  {path: text}    so begin the names of the fields of the struct there
    hide    {path: reason}  the field, or all of the struct there, is not for users
    counts  [name]          how many there are of something is data, too
"""

import sys

# structs that are numbers in a row
VALUES = {"lb_vec3": 3, "lb_quat": 4, "lb_transform": 12}


def texts(api, enum):
    """Of an X-list its texts; else the enumerators' own ends in small letters."""
    rows = [row for row in api["enums"][enum]["rows"] if not row["name"].endswith("_COUNT")]
    if "text" in rows[0]:
        return [row["text"] for row in rows]
    prefix = rows[0]["name"].rsplit("_", 1)[0] + "_"
    while not all(row["name"].startswith(prefix) for row in rows):
        prefix = prefix[:-1].rsplit("_", 1)[0] + "_"
    return [row["name"].removeprefix(prefix).lower().replace("_", "-") for row in rows]


def is_text(field):
    return field["type"] == "char" and field["pointer"] == 1 and field["const"]


def counted(fields):
    """Names of the fields that say how many there are behind a pointer of the same struct."""
    return {f["use"].get("count") for f in fields if f["pointer"]}


def leaves(api, struct, counts=(), path="", base=None):
    """The data of a struct, with `path` and the place in the outermost struct, `at`, by machine."""
    base = base or {"lp64": 0, "wasm32": 0}
    fields = api["structs"][struct]["fields"]
    for f in fields:
        place = path + f["name"]
        at = {machine: base[machine] + f["offset"][machine] for machine in base}
        if (f["pointer"] and not is_text(f)) or (f["name"] in counted(fields) and place not in counts):
            continue
        if f["type"] == "char" and f["array"]:
            continue
        if f["type"] in api["structs"] and f["type"] not in VALUES:
            if not f["array"]:
                yield from leaves(api, f["type"], counts, f"{place}.", at)
            continue
        yield f | {"path": place, "at": at}


def within(path, roots):
    """The one of `roots` that is this path or a struct around it."""
    return next((root for root in roots if path == root or path.startswith(root + ".")), None)


def check_overlay(struct, over, paths):
    """Refuses an overlay that names what is not there."""
    for kind in set(over) & {"rename", "prefix", "hide"}:
        for named in over[kind]:
            if not any(within(path, [named]) for path in paths):
                sys.exit(f"overlay.json: {struct}: {kind}: there is no field {named}")


def exposed(api, struct, over):
    """The leaves that a language has, each with its name there, `as`."""
    all_leaves, seen = list(leaves(api, struct, over.get("counts", ()))), set()
    check_overlay(struct, over, [f["path"] for f in all_leaves])
    for f in all_leaves:
        name = over.get("rename", {}).get(f["path"])
        if name is None and within(f["path"], over.get("hide", {})):
            continue
        prefix = over.get("prefix", {}).get(within(f["path"], over.get("prefix", {})), "")
        name = name or prefix + f["name"]
        if name in seen:
            sys.exit(f"overlay.json: {struct}: rename or hide {f['path']}: the name {name} is taken")
        seen.add(name)
        yield f | {"as": name}


def number_count(field):
    """How many numbers a field has."""
    count = VALUES.get(field["type"], 1)
    for length in field["array"]:
        count *= length
    return count
