"""Maps of what a tool reaches: how many orientations at each place of a lattice."""

from __future__ import annotations

import json
from ast import literal_eval
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import cache, cached_property
from operator import index
from os import fsencode
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import Floats, without_none
from ._collision import Collision
from ._errors import LimberError, file_error
from ._figure import svg_of
from ._files import PathLike, write_file, write_pieces
from ._ranges import run, thread_count
from ._task import Task
from ._values import Unchanging

if TYPE_CHECKING:
    from ._model import Model

Content = Literal["bits", "solutions", "manipulability", "limit_margin"]
# what a record may have, in this order, and the library's flag of each
CONTENTS = {"bits": 8, "solutions": 1, "manipulability": 2, "limit_margin": 4}
# a cell that is not decided yet
UNDECIDED = 65535
# what a figure can show, and what its scale of colours says
DRAWN = {
    "reached": "orientations reached",
    "solutions": "solutions of all orientations",
    "manipulability": "largest manipulability",
    "limit_margin": "largest margin to the limits",
}
# what the title of a figure says
NAMES = ("model", "tip", "base")


def read_contents(given: str | Sequence[str]) -> int:
    """The library's flags of contents, from a list or as ``--contents`` has them."""
    wanted = set(given.split(",") if isinstance(given, str) else given)
    for name in wanted:
        if name not in CONTENTS:
            raise ValueError(f"contents: {name!r} is none of {', '.join(CONTENTS)}")
    return sum(CONTENTS[name] for name in wanted)


def npy_header(record: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    """What a .npy by columns begins with; ``numpy.save`` leaves more or less room in it."""
    kind: Any = record.descr if record.names else record.str
    text = str({"descr": kind, "fortran_order": True, "shape": shape})[:-1] + ", }"
    # the numbers begin at a multiple of 64 bytes
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


def read_about(path: Path) -> dict[str, Any]:
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


class ReachMap(Unchanging):
    """For each cell of a lattice the number of orientations that are reached at its centre.

    Made by :meth:`Model.reach_map`, or by :meth:`load` from what ``limber workspace --grid`` wrote.
    All arrays are views of `records`.

    Attributes
    ----------
    records : ndarray
        ``(n, n, n)``, the first index along x of the base: the array that ``limber workspace
        --grid`` writes. Numbers of orientations, or with contents records of them.
    counts : ndarray
        ``(n, n, n)``: how many orientations are reached.
    bits : ndarray or None
        ``(n, n, n, (orientations + 7) // 8)``: which orientations, as ``numpy.packbits`` with
        ``bitorder="little"`` has them.
    solutions : ndarray or None
        ``(n, n, n)``: how many configurations, of all orientations together.
    manipulability, limit_margin : ndarray or None
        ``(n, n, n)``: the largest, see limber/reach_map.h.
    cell, radius : float
        Metres between centres, and how far the tool ever is from `center`.
    center : ndarray
        Of the middle cell, seen from the base.
    inverse : bool
        Cells are places of the base, seen from the tool.
    orientation_count : int
        N.
    """

    records: npt.NDArray[Any]
    counts: npt.NDArray[np.uint16]
    bits: npt.NDArray[np.uint8] | None
    solutions: npt.NDArray[np.uint32] | None
    manipulability: npt.NDArray[np.float32] | None
    limit_margin: npt.NDArray[np.float32] | None
    cell: float
    radius: float
    center: Floats
    inverse: bool
    orientation_count: int
    _names: dict[str, str]

    def __init__(
        self, grid: Mapping[str, Any], records: npt.NDArray[Any], names: Mapping[str, str]
    ) -> None:
        self._set(cell=float(grid["cell"]), radius=float(grid["radius"]))
        self._set(inverse=bool(grid["inverse"]), center=np.array(grid["center"], np.float64))
        self._set(orientation_count=grid["orientations"], _names=dict(names))
        known = records.dtype.names
        parts = {name: records[name] if name in (known or ()) else None for name in CONTENTS}
        counts = records if known is None else records["reached"]
        self._set(records=records, counts=counts, **parts)

    def __reduce__(self) -> tuple[Any, ...]:
        # the records once: all other arrays are views of them
        records = np.array(self.records, order="K", subok=False)
        return ReachMap, (self._grid(), records, self._names)

    @cached_property
    def orientations(self) -> Floats:
        """``(N, 4)``: quaternions w x y z, those of `bits` in their order."""
        return grid_orientations(self.orientation_count)

    def _grid(self) -> dict[str, Any]:
        names = ("cell", "radius", "inverse")
        grid = {name: getattr(self, name) for name in names}
        return grid | {"center": self.center.tolist(), "orientations": self.orientation_count}

    @classmethod
    def load(cls, path: PathLike) -> ReachMap:
        """Reads a map that ``limber workspace --grid`` or ``limber merge`` wrote as .npy.

        The array is mapped, not read: what is looked at is loaded. The JSON file beside it says
        where the cells are. A cell that is not decided yet counts 65535.
        """
        beside, about = Path(path).with_suffix(".json"), read_about(Path(path))
        try:
            grid = {name: about[name] for name in ("center", "cell", "radius", "inverse")}
            n, fields = int(about["count"]), list(about["fields"])
            grid["orientations"] = int(about["orientations"])
        except (KeyError, TypeError, ValueError) as error:
            raise not_a_map(beside, error) from error
        if "part" in about:
            text = "a part of a map; limber merge or ReachMap.join joins all of its parts"
            raise LimberError(text, str(path), status="bad value")
        try:
            records = np.load(path, mmap_mode="r")
        except OSError as error:
            raise file_error(f"cannot be opened: {error.strerror}", str(path)) from error
        if records.shape != (n, n, n) or (records.dtype.names or ("reached",)) != tuple(fields):
            text = f"not the array of {n} x {n} x {n} records that {beside.name} describes"
            raise LimberError(text, str(path), status="bad value")
        return cls(grid, records, {name: str(about[name]) for name in NAMES if about.get(name)})

    def save(self, path: PathLike) -> None:
        """Writes the map as .npy, with a JSON file beside it, for :meth:`load` and ``limber draw``.

        The array is the file that ``limber workspace --grid`` writes.

        Examples
        --------
        >>> import limber, pathlib, tempfile
        >>> found = limber.Model.load("ur5").reach_map("tool0", cell=0.4, orientations=72)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     found.save(pathlib.Path(folder, "map.npy"))
        ...     bool((limber.ReachMap.load(pathlib.Path(folder, "map.npy")).counts == found.counts).all())
        True
        """
        target = map_path(path)
        fields = list(self.records.dtype.names or ("reached",))
        about = self._names | self._grid() | {"count": len(self.records), "fields": fields, "undecided": UNDECIDED}
        rows = np.asfortranarray(self.records)
        write_file(target, lambda stream: stream.writelines([npy_header(rows.dtype, rows.shape), rows.T.data]))
        write_pieces(target.with_suffix(".json"), [json.dumps(about, indent=2).encode()])

    @staticmethod
    def join(paths: Iterable[PathLike], path: PathLike) -> None:
        """Joins parts that :meth:`Model.reach_map_file` or ``limber workspace --part`` made.

        Cells that no part has decided stay so. Nothing is written unless all fit together.

        Examples
        --------
        >>> import limber, pathlib, tempfile
        >>> arm = limber.Model.load("ur5")
        >>> with tempfile.TemporaryDirectory() as name:
        ...     parts = [pathlib.Path(name, f"part{i}.npy") for i in (1, 2)]
        ...     for i, part in enumerate(parts, 1):
        ...         arm.reach_map_file(part, "tool0", cell=0.2, orientations=72, part=(i, 2))
        ...     limber.ReachMap.join(parts, pathlib.Path(name, "map.npy"))
        ...     limber.ReachMap.load(pathlib.Path(name, "map.npy"))
        ReachMap(11 x 11 x 11 cells of 0.2 m, 72 orientations, 26.43 % reached)
        """
        sources, target = [map_path(each) for each in paths], map_path(path)
        if not sources:
            raise ValueError("paths: no part is given")
        _core.reach_join(tuple(map(fsencode, sources)), fsencode(target))

    @property
    def share(self) -> Floats:
        """``(n, n, n)``: the share of orientations that are reached; NaN where undecided."""
        found = self.counts / self.orientation_count
        return np.where(self.counts == UNDECIDED, np.nan, found)

    def draw(
        self,
        path: PathLike,
        field: Literal["reached", "solutions", "manipulability", "limit_margin"] = "reached",
        *,
        slice: tuple[Literal["x", "y", "z"], float] | None = None,
        shell: float | None = None,
        title: str | None = None,
        azimuth: float | None = None,
        elevation: float | None = None,
    ) -> None:
        """Draws the map into a file: .svg, .png or .pdf.

        Two slices through the first joint, upright and level; or the `slice` across an axis at so
        many metres, as ``("y", 0.1)``; or as a `shell`, cut open, the cells of at least that number
        (of "reached" a share of 1), which is seen from `azimuth` and `elevation`, radians.

        Examples
        --------
        >>> import limber, pathlib, tempfile
        >>> found = limber.Model.load("ur5").reach_map("tool0", cell=0.3, orientations=72)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     picture = pathlib.Path(folder, "map.svg")
        ...     found.draw(picture, slice=("y", 0))
        ...     picture.read_text().startswith("<?xml")
        True
        """
        if slice is not None and shell is not None:
            raise ValueError("slice and shell cannot both be given")
        options: dict[str, Any] = {"azimuth": azimuth, "elevation": elevation}
        if slice is not None:
            if slice[0] not in ("x", "y", "z"):
                raise ValueError(f"slice: {slice[0]!r} is none of x, y, z")
            options |= {"view": "slice", "axis": "xyz".index(slice[0]), "at": slice[1]}
        if shell is not None:
            options |= {"view": "shell", "least": shell}
        values = self._drawn(field)
        grid: dict[str, Any] = {"center": self.center, "radius": self.radius, "cell": self.cell}
        options |= {**grid, "count": len(self.counts), "orientations": self.orientation_count}
        options["share"] = field == "reached"
        given = without_none(**options)
        _core.draw_reach(path, values, DRAWN[field], title, given)

    def _drawn(self, field: str) -> Floats:
        # x fastest; NaN where nothing is reached, negative where that is not known
        if field not in DRAWN:
            raise ValueError(f"field: {field!r} is none of {', '.join(DRAWN)}")
        kept = self.share if field == "reached" else getattr(self, field)
        if kept is None:
            raise ValueError(f"field: the map has no {field}; contents={field!r} keeps it")
        values = np.where(self.counts == 0, np.nan, np.asarray(kept, np.float64))
        return np.where(self.counts == UNDECIDED, -1.0, values).ravel(order="F")

    def _repr_svg_(self) -> str | None:
        return svg_of(self.draw)

    @property
    def axis(self) -> Floats:
        """The coordinates of centres along each axis, less those of `center`."""
        half = len(self.counts) // 2
        return np.arange(-half, half + 1) * self.cell

    def __repr__(self) -> str:
        n = len(self.counts)
        return (
            f"ReachMap({n} x {n} x {n} cells of {self.cell:g} m, "
            f"{self.orientation_count} orientations, {100 * np.nanmean(self.share):.2f} % reached)"
        )


@cache
def grid_orientations(count: int) -> Floats:
    """The orientations of every map of so many, from a map of few cells of a small arm."""
    arm, _ = _core.Model.load("ur5", False, None)
    task, options = {"tip": arm.tips()[0]}, {"orientations": count, "cell": 1.0}
    made = np.empty((count, 4))
    _core.ReachMap(arm, task, options, None).orientations(made)
    made.flags.writeable = False
    return made


def map_path(path: PathLike) -> Path:
    """A path that maps can have."""
    if Path(path).suffix != ".npy":
        raise ValueError(f"{path}: must end in .npy")
    return Path(path)


class MapJob:
    """A map that is to be made, with a solver for each thread; what they borrow is given back by `stack`."""

    def __init__(
        self,
        stack: ExitStack,
        model: Model,
        task: Task,
        options: dict[str, Any],
        contents: str | Sequence[str],
        collision: Collision | None,
        threads: int,
    ) -> None:
        given = without_none(**options) | {"contents": read_contents(contents)}
        checked = None if collision is None else collision.on(model)
        fields = task.fields(model)

        def make() -> _core.ReachMap:
            # each thread has a filter to itself
            free = None if checked is None else stack.enter_context(checked.borrow())
            return _core.ReachMap(model.native, fields, given, free)

        self.natives = [make()]
        self.grid = self.natives[0].grid() | {"inverse": given.get("inverse", False)}
        # a cell takes a fraction of a millisecond: a few are worth a thread
        self.threads = thread_count(threads, self.grid["count"] ** 3 * 16)
        while len(self.natives) < self.threads:
            self.natives.append(make())


def reach_map(model: Model, task: Task, job: MapJob) -> ReachMap:
    """The work of Model.reach_map."""
    n: int = job.grid["count"]
    # behind magic, version and length of the header stands what a record is
    records = np.empty(n**3, literal_eval(job.natives[0].header()[10:].decode())["descr"])

    def work(thread: int, first: int, last: int) -> None:
        job.natives[thread].solve(first, records[first:last])

    run(work, n**3, job.threads, longest=1024)
    base = "world" if task.base is None else model.link_name(task.base)
    names = {"model": model.name, "tip": model.link_name(task.tip), "base": base}
    return ReachMap(job.grid, records.reshape((n, n, n), order="F"), names)


def reach_map_file(
    path: PathLike, job: MapJob, part: tuple[int, int], anew: bool
) -> None:
    """The work of Model.reach_map_file."""
    target, (which, parts) = map_path(path), map(index, part)
    if not 1 <= which <= parts:
        raise ValueError(f"part: {part} is not (i, n), the i-th of n parts")
    file = _core.ReachFile(target, job.natives[0], which, parts, anew)

    def work(thread: int, first: int, last: int) -> None:
        file.decide(job.natives[thread], first, last)

    run(work, file.tiles(), job.threads, longest=16, shortest=1)
    file.close()
