"""Maps of what a tool reaches, in files: written tile by tile, in parts, and gone on with."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from ._collision import Collision
from ._errors import LimberError, file_error
from ._files import fingerprint, write_file, write_pieces
from ._task import Task

if TYPE_CHECKING:
    from ._model import Model

Records = npt.NDArray[Any]
About = dict[str, Any]

# a cell that is not decided yet
UNDECIDED = 65535
# cells that are decided together; the I-th of N parts of a map has every N-th tile
TILE = 64


def npy_header(record: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    """What a .npy by columns begins with; ``numpy.save`` leaves more or less room in it."""
    kind: Any = record.descr if record.names else record.str
    text = str({"descr": kind, "fortran_order": True, "shape": shape})[:-1] + ", }"
    # the numbers begin at a multiple of 64 bytes
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


def reached(records: Records) -> npt.NDArray[np.uint16]:
    """How many orientations each record counts."""
    return records if records.dtype.names is None else records["reached"]


def describe(
    model: Model,
    task: Task,
    collision: Collision | None,
    grid: About,
    record: np.dtype[Any],
    options: About,
) -> About:
    """What the JSON file beside a map says, as ``limber workspace --grid`` writes it."""
    about: About = {
        "model": model.name,
        "fingerprint": fingerprint(model.native.json().encode()),
        "tip": model.link_name(task.tip),
        "base": model.link_name(task.base or 0),
        "inverse": grid["inverse"],
        "avoidance": None if collision is None else collision.identity(),
    }
    if task.tool is not None:
        about["tool"] = np.asarray(task.tool, np.float64).tolist()
    for name in ("count", "center", "cell", "radius", "orientations"):
        about[name] = grid[name]
    about |= {"center": [float(x) for x in grid["center"]], "iterations": options.get("iterations", 0)}
    return about | {"fields": list(record.names or ("reached",)), "undecided": UNDECIDED}


def part_of(about: About) -> tuple[int, int]:
    """Which part of how many an array is."""
    which, parts = about.get("part", (1, 1))
    if not 1 <= which <= parts:
        raise ValueError(f"part {which} of {parts}")
    return which, parts


def tiles_of(cells: int, part: tuple[int, int]) -> range:
    """The tiles of a part, I of N."""
    return range(part[0] - 1, -(-cells // TILE), part[1])


def own_cells(cells: int, part: tuple[int, int]) -> int:
    """How many cells a part has: the last tile of all may be short."""
    tiles = tiles_of(cells, part)
    short = len(tiles) > 0 and (tiles[-1] + 1) * TILE > cells
    return len(tiles) * TILE - (-cells % TILE if short else 0)


def read_about(path: Path) -> About:
    """The description beside an array, which is for the caller to check."""
    beside = path.with_suffix(".json")
    try:
        about = json.loads(beside.read_text(encoding="utf-8"))
    except OSError as error:
        text = f"cannot be opened: {error.strerror}; it says where the cells of the map are"
        raise file_error(text, str(beside)) from error
    except ValueError as error:
        raise not_a_map(beside, error) from error
    return about if isinstance(about, dict) else {}


def not_a_map(beside: Path, error: Exception) -> LimberError:
    text = f"does not describe a map of limber workspace --grid: {error!r}"
    return LimberError(text, str(beside), status="bad value")


def open_records(path: Path, about: About, record: np.dtype[Any], mode: Literal["r", "r+"]) -> Records:
    """The records of a map or of a part, in a line, mapped from the file."""
    try:
        n, part = int(about["count"]), part_of(about)
        own = own_cells(n**3, part)
    except (KeyError, TypeError, ValueError) as error:
        raise not_a_map(path.with_suffix(".json"), error) from error
    try:
        given: Records = np.load(path, mode)
    except OSError as error:
        raise file_error(f"cannot be opened: {error.strerror}", str(path)) from error
    except ValueError:
        given = np.empty(0)
    shape = (n, n, n) if part[1] == 1 else (own,)
    mapped = given.shape == shape and given.dtype == record
    if mapped and (given.flags.f_contiguous or mode == "r"):
        line: Records = given.reshape(-1, order="F")
        return line
    text = f"not the array of {own} records of {record.itemsize} bytes that is described beside it"
    raise LimberError(text, str(path), status="bad value")


def write_blank(path: Path, about: About, record: np.dtype[Any]) -> None:
    """An array none of whose cells is decided."""
    n, part = about["count"], part_of(about)
    own = own_cells(n**3, part)
    blank = np.zeros(1 << 12, record)
    reached(blank)[:] = UNDECIDED
    header = npy_header(record, (n, n, n) if part[1] == 1 else (own,))
    blocks = (blank[: own - at].tobytes() for at in range(0, own, len(blank)))
    write_file(path, lambda stream: stream.writelines([header, *blocks]))


def write_about(path: Path, about: About) -> None:
    """The description of an array that is to come: an array is never beside another's."""
    path.unlink(missing_ok=True)
    write_pieces(path.with_suffix(".json"), [json.dumps(about, indent=2).encode()])


def differences(one: About, other: About) -> list[str]:
    return sorted(k for k in one.keys() | other.keys() if one.get(k) != other.get(k))


def prepare(path: Path, about: About, record: np.dtype[Any], anew: bool) -> Records:
    """The array of a map that is to be decided: where there is the same map already, that one."""
    if anew or not path.exists():
        write_about(path, about)
        write_blank(path, about, record)
    elif differs := differences(read_about(path), about):
        text = f"a map of something else: its description differs in {', '.join(differs)}"
        raise LimberError(f"{text}; anew=True replaces it", str(path), status="bad value")
    return open_records(path, about, record, "r+")


def store(rows: Records, found: Records) -> None:
    """A cell counts as decided when its last field is there: all others come first."""
    for name in (rows.dtype.names or ())[:-1]:
        rows[name] = found[name]
    reached(rows)[:] = reached(found)


def join(paths: Sequence[Path], output: Path, record: np.dtype[Any]) -> None:
    """Writes the map that all of these files have parts of."""
    abouts = [read_about(path) for path in paths]
    wholes = [{k: v for k, v in about.items() if k != "part"} for about in abouts]
    for path, other in zip(paths, wholes):
        if differs := differences(wholes[0], other):
            text = f"a map of something else than '{paths[0]}': the descriptions beside them differ"
            raise LimberError(f"{text} in {', '.join(differs)}", str(path), status="bad value")
    parts = [open_records(path, about, record, "r") for path, about in zip(paths, abouts)]
    partial = output.with_name(f"{output.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        write_blank(partial, wholes[0], record)
        whole = open_records(partial, wholes[0], record, "r+")
        for path, about, part in zip(paths, abouts, parts):
            add_part(whole, part_of(about), part, path)
        del whole
        write_about(output, wholes[0])
        os.replace(partial, output)
    finally:
        partial.unlink(missing_ok=True)


def add_part(whole: Records, part: tuple[int, int], given: Records, path: Path) -> None:
    """What is decided of one part; a cell that another has decided too is the same there."""
    for k, tile in enumerate(tiles_of(len(whole), part)):
        rows, found = whole[tile * TILE : (tile + 1) * TILE], given[k * TILE : (k + 1) * TILE]
        known = reached(found) != UNDECIDED
        both = known & (reached(rows) != UNDECIDED)
        if (rows[both] != found[both]).any():
            text = "has a cell that is not as in another part, though both are of one map"
            raise LimberError(text, str(path), status="bad value")
        rows[known] = found[known]
